// A plan: everything that will be done to a world, as plain data. It is made from a seed
// (PlanMaker.swift), written as text (PlanText.swift), cut down when it fails (Shrinker.swift),
// and carried out by World.swift. Removing any step leaves a plan that can be carried out.

/// A kind of operation that a client submits; which rows and values is drawn when it does.
package enum OpKind: String, CaseIterable, Sendable {
    case insert
    case insertMany = "insert_many"
    case set
    case setMany = "set_many"
    case add
    case delete
    case move
    case columnAdd = "column_add"
    case columnRename = "column_rename"
    case columnMove = "column_move"
    case columnDelete = "column_delete"
    case columnRules = "column_rules"
    case display
    case columnRetype = "column_retype"
    case columnDuplicate = "column_duplicate"
    case columnSet = "column_set"
    case duplicate
    case transaction
    case conditional
    case undo
    case sort
    case transform
    case clear
    case truncate
    case combine
    case upsert
    case restore
    case claim
    case lease
}

/// One thing done to a world.
package enum StepAction: Hashable, Sendable {
    /// A client submits an operation, drawn from `seed` and from what it sees.
    case submit(client: Int, kind: OpKind, seed: UInt64)
    /// A client moves its cursor.
    case cursor(client: Int, seed: UInt64)
    /// The client's connection breaks at some byte; the two ends learn of it at some time.
    case cut(client: Int, seed: UInt64)
    /// The client's connection breaks, and none can be made for a while.
    case offline(client: Int, milliseconds: Int64)
    /// The client reads nothing for a while.
    case stall(client: Int, milliseconds: Int64)
    /// A client leaves in order, and comes back after a while.
    case leave(client: Int, milliseconds: Int64)
    /// A client's process ends at once and starts again after a while with what it had kept: its
    /// session and its pending operations.
    case restart(client: Int, milliseconds: Int64)
    /// A client that has not been there yet joins.
    case join(client: Int)
    /// A second connection goes on with the client's session.
    case fork(client: Int)
    /// A bot without a session logs in, submits one operation, and leaves.
    case bot(seed: UInt64)
    /// Somebody connects and sends what is no protocol.
    case garbage(seed: UInt64)
    /// The next append fails; whether it is stored nobody knows.
    case failStore(isStored: Bool)
    /// The server's machine stops at once, and starts again after a while.
    case crash(milliseconds: Int64, seed: UInt64)
    /// The server is asked to stop in order, and starts again after a while.
    case stop(milliseconds: Int64)
    /// The server's wall clock jumps.
    case clock(milliseconds: Int64)
}

/// One thing done to a world, and when: virtual microseconds after everybody is there.
package struct Step: Hashable, Sendable {
    package var time: Int64
    package var action: StepAction

    /// Joins the two.
    package init(time: Int64, action: StepAction) {
        self.time = time
        self.action = action
    }
}

/// Everything that will be done to a world.
package struct Plan: Hashable, Sendable {
    /// Where delays, cuts and the cores' own dice come from.
    package var seed: UInt64
    package var options: WorldOptions
    /// A fault that is put into the world on purpose, to see it caught.
    package var bug: PlantedBug?
    package var steps: [Step]

    /// Joins the parts.
    package init(seed: UInt64, options: WorldOptions, bug: PlantedBug? = nil, steps: [Step]) {
        self.seed = seed
        self.options = options
        self.bug = bug
        self.steps = steps
    }
}
