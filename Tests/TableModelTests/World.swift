// An owner with two followers, one from the beginning and one from a snapshot, who must see
// what the owner sees after every operation: the stage on which the rules are tested.
import TableValue
import Testing

@testable import TableModel

struct World {
    private(set) var owner = Table()
    private(set) var follower = Table()
    private(set) var replica = Table()

    /// Three rows of session 1 under "qty" (int, `c0.1`) and "name" (text, `c0.2`).
    ///
    /// Row `s1.N` holds 10 × N.
    init(rows: UInt32 = 3) throws {
        owner.keepsUndo = true
        follower.keepsUndo = true
        let ids = (1...rows).map { row($0) }
        try act(
            0, .addColumn(AddColumn(name: "qty", type: .int)),
            .addColumn(AddColumn(name: "name", type: .text)))
        try act(
            1,
            .insertRows(
                InsertRows(
                    ids: ids, rowCount: ids.count, columns: [.name("qty")],
                    cells: ids.map { .int(Int64($0.counter) * 10) })))
    }

    /// Session N is that of user N.
    func author(_ number: UInt32) -> OpAuthor {
        OpAuthor(session: session(number), user: Text("u\(number)"))
    }

    /// The owner gives way to the one who has replayed its log, as after a restart.
    mutating func restart() { swap(&owner, &follower) }

    /// Lowers limits of the owner.
    mutating func limit(rulesBytes: Int, parts: Int = 50_000) {
        owner.limits.rulesBytesMax = rulesBytes
        owner.limits.partsMax = parts
    }

    /// Lowers the steps that rules may take in one operation of the owner.
    mutating func limitSteps(_ steps: Int) { owner.limits.ruleStepsMax = steps }

    /// Lowers what is kept for undo.
    mutating func limitUndo(ops: Int = 1_000, bytes: Int = 1 << 20) {
        owner.limits.undoOpsMax = ops
        owner.limits.undoBytesMax = bytes
    }

    /// Lowers how many rows an operation on all may touch.
    mutating func limitWidth(_ rows: Int) { owner.limits.wideRowsMax = rows }

    /// Lowers how many row styles there may be.
    mutating func limitStyles(_ count: Int) { owner.limits.stylesMax = count }

    /// The table as its owner has it.
    var table: Table { owner }

    /// What the live rows hold in the first column.
    var values: [Value] { rows.compactMap { value($0) } }

    /// The names of the live columns in order.
    var columnNames: [Text] { owner.columns.map(\.name) }

    /// The number that an author who has seen everything so far gives as base.
    var now: SequenceNumber { owner.head }

    /// The live rows in order.
    var rows: [RowID] { owner.liveRows }

    /// All rows in order, live and hidden.
    var allRows: [RowID] { owner.allRows }

    /// All columns in order, live and hidden.
    var allColumns: [ColumnID] {
        owner.schema.order.map { owner.schema.entries[$0].column.id }
    }

    func value(_ row: RowID, _ column: ColumnID = column(1)) -> Value? {
        owner.value(row, column)
    }

    /// Performs an operation, brings the followers up to date and compares them.
    @discardableResult
    mutating func act(
        _ author: UInt32, base: SequenceNumber = 0, mode: OpMode = .best,
        when preconditions: [Precondition] = [], _ body: Intent...
    ) throws -> Performed {
        let op = Op(base: base, mode: mode, preconditions: preconditions, body: body)
        let before = owner.head
        let resolution = try owner.perform(
            op, by: self.author(author), as: before + 1, in: World.circumstances(of: author))
        #expect(owner.head == before + (resolution.changes.isEmpty ? 0 : 1))
        try follow(resolution, by: author)
        return Performed(sequence: owner.head, resolution: resolution)
    }

    /// Performs an operation of which nothing may remain.
    mutating func tryOut(_ op: Op, by author: UInt32) throws -> Resolution {
        let (head, before) = (owner.head, owner.contentHash(using: TestDigest.self))
        let resolution = try owner.perform(
            op, by: self.author(author), as: head + 1, in: World.circumstances(of: author))
        #expect(owner.head == head && owner.contentHash(using: TestDigest.self) == before)
        #expect(owner.freshHash() == before)
        return resolution
    }

    /// The user `u2` for session 2, and always the same moment.
    static func circumstances(of author: UInt32) -> Circumstances {
        Circumstances(user: Text("u\(author)"), timeMilliseconds: 1_796_025_600_123)
    }

    /// Starts the replica anew from a snapshot: it does not know what is hidden now.
    mutating func takeSnapshot() {
        replica = Table(columns: owner.columns, head: owner.head)
        let columns = owner.columns.map(\.id)
        owner.forEachRow(from: 0, count: owner.rowCount, columns: columns) { row, values in
            replica.load(rows: [row], columns: columns, cells: values)
        }
    }

    /// The refusal of an operation, after which the table must be as it was.
    mutating func refusal(
        _ author: UInt32, base: SequenceNumber = 0, mode: OpMode = .best,
        when preconditions: [Precondition] = [], _ body: Intent...
    ) -> Rejection? {
        let op = Op(base: base, mode: mode, preconditions: preconditions, body: body)
        let before = owner.contentHash(using: TestDigest.self)
        let order = owner.allRows
        let head = owner.head
        do {
            _ = try owner.perform(
                op, by: self.author(author), as: head + 1, in: World.circumstances(of: author))
            return nil
        } catch {
            #expect(owner.contentHash(using: TestDigest.self) == before)
            #expect(owner.freshHash() == before)
            #expect(owner.allRows == order)
            #expect(owner.head == head)
            #expect(owner.invariantProblem() == nil)
            return error
        }
    }

    private mutating func follow(_ resolution: Resolution, by author: UInt32) throws {
        guard !resolution.changes.isEmpty else { return }
        let record = Record(
            sequence: owner.head, session: session(author), clientNumber: 0,
            user: self.author(author).user,
            timeMilliseconds: 0, changes: resolution.changes, outcome: resolution.outcome)
        let followed = follower.apply(record)
        let replicated = replica.apply(record)
        try #require(followed && replicated)
        #expect(follower.allRows == owner.allRows)
        #expect(replica.liveRows == owner.liveRows)
        #expect(follower.columns == owner.columns)
        #expect(follower.schema.order == owner.schema.order)
        #expect(replica.columns == owner.columns)
        let hash = owner.contentHash(using: TestDigest.self)
        #expect(follower.contentHash(using: TestDigest.self) == hash)
        #expect(replica.contentHash(using: TestDigest.self) == hash)
        for table in [owner, follower, replica] { #expect(table.invariantProblem() == nil) }
        for id in owner.allRows {
            for column in owner.schema.entries.map(\.column.id) {
                #expect(follower.cell(id, column) == owner.cell(id, column))
            }
        }
    }
}
