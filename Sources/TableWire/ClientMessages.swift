// Every message of a client as a value, and what it names. Reading them is in ClientReader.swift,
// writing them in ClientWriter.swift; docs/protocol.md spells them.
package import TableModel
package import TableValue

/// The id of a table, `t3` outside memory.
package struct TableID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, from 1.
    package let rawValue: Int64

    /// Wraps a number.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The id as the wire has it, such as `t3`.
    package var description: String { "t\(rawValue)" }

    package static func < (left: TableID, right: TableID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A table as a request names it.
package enum TableReference: Hashable, Sendable {
    case id(TableID)
    case name(Text)
}

/// The number that a client gave a request, to find its answer.
package typealias RequestID = Int64

/// A column to be made with a new table.
package struct NewColumn: Hashable, Sendable {
    /// What it shall be called.
    package var name: Text
    /// What its cells can hold.
    package var type: ColumnType
    /// Its rules, as `AddColumn` has them.
    package var rules: JSONTree

    /// Names a column and its type.
    package init(name: Text, type: ColumnType, rules: JSONTree = .object([])) {
        self.name = name
        self.type = type
        self.rules = rules
    }
}

/// How a client wants to open a table.
package struct OpenRequest: Hashable, Sendable {
    /// Where a follower wants to start when it holds nothing.
    package enum Start: String, Hashable, Sendable {
        case snapshot, head
    }

    /// What a client already holds of the table.
    package struct Held: Hashable, Sendable {
        /// The history that the client holds.
        package var lineage: Text
        /// The last record of it that the client has applied.
        package var sequence: SequenceNumber

        /// Names the history and the last record applied.
        package init(lineage: Text, sequence: SequenceNumber) {
            self.lineage = lineage
            self.sequence = sequence
        }
    }

    /// A session that the client wants to go on with.
    package struct Resume: Hashable, Sendable {
        /// The session to go on with.
        package var session: SessionNumber
        /// The secret that its last `opened` gave.
        package var token: Text
        /// The client's first undecided client number: stored answers from there on are sent.
        package var next: ClientNumber

        /// Names the session, its secret and the first undecided number.
        package init(session: SessionNumber, token: Text, next: ClientNumber) {
            self.session = session
            self.token = token
            self.next = next
        }
    }

    /// The table, by id or name.
    package var table: TableReference
    /// Whether a session is wanted, to change the table.
    package var write = true
    /// Whether what happens is to be sent.
    package var follow = true
    /// What a follower that holds nothing is sent first.
    package var start = Start.snapshot
    /// What the client holds already.
    package var have: Held?
    /// The session to go on with; nil asks for a new one.
    package var resume: Resume?
    /// How many operations it wants in flight; nil for the default.
    package var window: Int?

    /// A request with the defaults of docs/protocol.md.
    package init(table: TableReference) {
        self.table = table
    }
}

/// One operation as it came over the wire.
package struct SubmittedOp: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// 0 where the operation came without one.
    package var clientNumber: ClientNumber
    /// What the author wants.
    package var op: Op
    /// Set by the reader where the operation names more rows than the limit: its body was then
    /// dropped, and it is to be answered by this refusal, under its number, instead of performed.
    package var refusal: Rejection?

    /// Joins an operation with its address.
    package init(table: TableReference, clientNumber: ClientNumber, op: Op) {
        self.table = table
        self.clientNumber = clientNumber
        self.op = op
    }
}

/// Which rows a read asks for.
package enum ReadRange: Hashable, Sendable {
    case rows([RowID])
    case positions(from: Int, count: Int)
}

/// A request for cells.
package struct ReadRequest: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// Which rows.
    package var range: ReadRange
    /// Empty for all columns.
    package var columns: [ColumnReference]
    /// Whether the number of the record that wrote each cell is wanted too.
    package var versions: Bool
    /// The record after which the table is to be read; nil for now.
    package var at: SequenceNumber?

    /// Makes a request.
    package init(
        table: TableReference, range: ReadRange, columns: [ColumnReference] = [],
        versions: Bool = false, at: SequenceNumber? = nil
    ) {
        self.table = table
        self.range = range
        self.columns = columns
        self.versions = versions
        self.at = at
    }
}

/// How a client proves who it is.
package enum Credential: Hashable, Sendable {
    case token(Text)
    case invite(Text, name: Text)
}

/// A message from a client.
package enum ClientMessage: Hashable, Sendable {
    case hello(versions: [Int], features: [Text], client: Text)
    case login(Credential)
    case ping
    case tables
    /// The tables that were dropped and can be restored.
    case droppedTables
    case create(name: Text, columns: [NewColumn])
    case renameTable(TableReference, name: Text, onClash: NameClash)
    case dropTable(TableReference)
    case restoreTable(TableReference, onClash: NameClash)
    case open(OpenRequest)
    case close(TableReference)
    case op(SubmittedOp)
    case read(ReadRequest)
    /// A table as it was, to be read.
    case past(PastRequest)
    /// What happened to a table.
    case history(HistoryRequest)
    case hash(TableReference)
    /// How a table shall be shown to the user alone.
    case display(DisplayRequest)
    case who(TableReference)
    /// Comments on rows and cells.
    case comments(CommentsRequest)
    /// What users are called, by their ids.
    case users([Text])
    /// Where the cursor is, and whether the cell there is being edited.
    case presence(TableReference, row: RowID?, column: ColumnID?, isEditing: Bool = false)
    case bye
}

/// A message from a client with the request id it carried.
package struct ClientLine: Hashable, Sendable {
    /// What the answer shall carry, so that it is found.
    package var id: RequestID?
    /// What is said.
    package var message: ClientMessage

    /// Joins a message with its request id.
    package init(id: RequestID? = nil, message: ClientMessage) {
        self.id = id
        self.message = message
    }
}
