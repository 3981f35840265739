// Histories by chance: several authors with stale views act on one table, from one seed.
import TableValue

@testable import TableModel

/// One table with its authors; each step performs one operation.
struct RandomHistory {
    var generator: Seeded
    var owner = Table()
    var records: [Record] = []
    /// Undos that found nothing to take back, by how many records there were then.
    var spent: [Int: [SequenceNumber]] = [:]
    let authors: [UInt32]
    private var nextRow: [UInt32: UInt32] = [:]
    private var nextColumn: [UInt32: UInt32] = [:]
    private var knownRows: [RowID] = []
    private var knownColumns: [ColumnID] = []

    private let drawsUndo: Bool

    init(seed: UInt64, authors: Int = 3, drawsUndo: Bool = false) {
        generator = Seeded(seed: seed)
        self.drawsUndo = drawsUndo
        owner.keepsUndo = true
        self.authors = Array(1...UInt32(authors))
    }

    /// One operation of one author and what it came to; nil where it was refused.
    mutating func step() -> (op: Op, author: UInt32, resolution: Resolution?) {
        let author = generator.pick(authors) ?? 1
        let op = randomOp(author)
        return (op, author, perform(op, by: author))
    }

    /// Performs an operation and keeps its record.
    @discardableResult
    mutating func perform(_ op: Op, by author: UInt32) -> Resolution? {
        let sequence = owner.head + 1
        let opAuthor = Self.author(author)
        guard let resolution = try? owner.perform(op, by: opAuthor, as: sequence) else {
            return nil
        }
        guard !resolution.changes.isEmpty else {
            if let undid = resolution.outcome.undid {
                spent[records.count, default: []].append(undid)
            }
            return resolution
        }
        records.append(
            Record(
                sequence: sequence, session: session(author), clientNumber: 0, user: "u1",
                timeMilliseconds: 0, changes: resolution.changes, outcome: resolution.outcome))
        return resolution
    }

    /// An author as its records name it.
    static func author(_ number: UInt32) -> OpAuthor {
        OpAuthor(session: session(number), user: "u1")
    }

    // MARK: Operations

    mutating func randomOp(_ author: UInt32) -> Op {
        if drawsUndo, generator.chance(20) { return Op(body: [.undo(randomUndo())]) }
        let count = generator.chance(70) ? 1 : 1 + generator.below(4)
        let stale = generator.chance(80) ? generator.below(30) : 0
        let body = (0..<count).map { _ in randomIntent(author) }
        let conditionCount = generator.chance(75) ? 0 : 1 + generator.below(2)
        return Op(
            base: max(0, owner.head - SequenceNumber(stale)),
            mode: generator.chance(75) ? .best : .strict,
            preconditions: (0..<conditionCount).map { _ in randomPrecondition() }, body: body)
    }

    private mutating func randomUndo() -> UndoRequest {
        let isForced = generator.chance(15)
        switch generator.below(10) {
        case ..<5: return UndoRequest(.last(ofUser: generator.chance(30)), isForced: isForced)
        case ..<8: return UndoRequest(.lastUndone(ofUser: generator.chance(30)), isForced: isForced)
        default:
            let sequence = 1 + SequenceNumber(generator.below(Int(owner.head) + 2))
            return UndoRequest(.sequence(sequence), isForced: isForced)
        }
    }

    /// A condition that holds about as often as not.
    mutating func randomPrecondition() -> Precondition {
        let holds = generator.chance(60)
        let row = anyRow()
        let column = anyColumn()
        let recent = owner.head - SequenceNumber(holds ? 0 : generator.below(20))
        switch generator.below(6) {
        case 0:
            let version = holds ? cell(row, column)?.version : nil
            return .cellVersion(row: row, column: column, version: version ?? max(0, recent))
        case 1:
            let value = holds ? cell(row, column)?.value : nil
            return .cellValue(row: row, column: column, value: value ?? randomValue())
        case 2: return .rowVersion(row: row, version: max(0, recent))
        case 3: return .rowLive(row)
        case 4: return .tableSequence(max(0, recent))
        default: return .schemaSequence(max(0, recent))
        }
    }

    private func cell(_ row: RowID, _ column: ColumnReference) -> CurrentCell? {
        switch column {
        case .id(let id): owner.cell(row, id)
        case .name(let name): owner.column(named: name).flatMap { owner.cell(row, $0.id) }
        }
    }

    mutating func randomIntent(_ author: UInt32) -> Intent {
        switch generator.below(100) {
        case ..<25: return .insertRows(randomInsertion(author))
        case ..<50: return .setCells((0...generator.below(4)).map { _ in randomEdit() })
        case ..<56:
            return .addNumber(row: anyRow(), column: anyColumn(), amount: randomValue())
        case ..<70: return .deleteRows((0...generator.below(3)).map { _ in anyRow() })
        case ..<90:
            return .moveRows((0...generator.below(4)).map { _ in anyRow() }, to: anyAnchor())
        case ..<94: return .addColumn(randomAddition(author))
        case ..<96:
            return .renameColumn(
                anyColumn(), name: anyName(), onClash: generator.chance(50) ? .suffix : .reject)
        case ..<97: return .moveColumn(anyColumn(), to: anyColumnAnchor())
        case ..<98: return .changeRules(anyColumn(), randomRules())
        default: return .deleteColumn(anyColumn())
        }
    }

    /// An operation that the table as it is has no reason to refuse: values that fit, in live rows
    /// and columns.
    ///
    /// Nil where there are none.
    mutating func plainOp(_ author: UInt32) -> Op? {
        guard let first = owner.columns.first, owner.rowCount > 0 else { return nil }
        let columns = (0..<3).map { _ in generator.pick(owner.columns) ?? first }
        let rows = columns.map { _ in owner.row(at: generator.below(owner.rowCount)) ?? row(1) }
        if generator.chance(30) {
            let cells = (0..<2).flatMap { _ in [fittingValue(columns[0].type)] }
            return Op(body: [
                .insertRows(
                    InsertRows(
                        ids: [], rowCount: 2, anchor: anyAnchor(), columns: [.id(columns[0].id)],
                        cells: cells))
            ])
        }
        return Op(body: [
            .setCells(
                zip(rows, columns).map { row, column in
                    CellEdit(row: row, column: .id(column.id), value: fittingValue(column.type))
                })
        ])
    }

    private mutating func fittingValue(_ type: ColumnType) -> Value {
        for _ in 0..<100 {
            let value = randomValue()
            if (try? value.converted(to: type)) != nil { return value }
        }
        return .null
    }

    private mutating func randomInsertion(_ author: UInt32) -> InsertRows {
        let isLarge = generator.chance(4) && owner.rowCount < 150
        let count = isLarge ? 300 : 1 + generator.below(4)
        var ids: [RowID] = []
        if generator.chance(80) {
            for _ in 0..<count {
                let counter = nextRow[author] ?? 1
                nextRow[author] = counter + 1 + (generator.chance(5) ? 3 : 0)
                ids.append(row(counter, author))
            }
            if generator.chance(10) { ids.reverse() }
            knownRows.append(contentsOf: ids.prefix(5))
        }
        var columns: [ColumnReference] = []
        if generator.chance(70) {
            for column in knownColumns where generator.chance(50) { columns.append(.id(column)) }
        }
        let cells = (0..<count * columns.count).map { _ in randomValue() }
        return InsertRows(
            ids: ids, rowCount: count, anchor: anyAnchor(), columns: columns, cells: cells)
    }

    private mutating func randomAddition(_ author: UInt32) -> AddColumn {
        var id: ColumnID?
        if generator.chance(80) {
            let counter = nextColumn[author] ?? 1
            nextColumn[author] = counter + 1
            id = column(counter, author)
            knownColumns.append(column(counter, author))
        }
        let type = generator.pick(ColumnType.allCases) ?? .text
        return AddColumn(
            id: id, name: anyName(), type: type,
            rules: type == .choice || generator.chance(3) ? randomRules() : .object([]),
            anchor: anyColumnAnchor(), onClash: generator.chance(70) ? .suffix : .reject,
            ifAbsent: generator.chance(20))
    }

    /// A choice or two of few, as the whole list or as additions; sometimes what is no rule.
    private mutating func randomRules() -> JSONTree {
        let choices = (0..<generator.below(4)).map { _ in
            JSONTree.text(generator.pick(["12", "soon", "red", "green"]) ?? "")
        }
        let key: Text = generator.pick(["choices", "choices", "choices_added", "rule"]) ?? ""
        let value = generator.chance(10) ? JSONTree.null : .list(choices)
        return .object([JSONMember(key: key, value: value)])
    }

    private mutating func randomEdit() -> CellEdit {
        CellEdit(row: anyRow(), column: anyColumn(), value: randomValue())
    }

    // MARK: Parts

    private mutating func anyRow() -> RowID {
        switch generator.below(20) {
        case 0: row(4_000_000_000, 9)
        case ..<12: owner.row(at: generator.below(max(1, owner.rowCount))) ?? row(1)
        default: generator.pick(knownRows) ?? row(1)
        }
    }

    private mutating func anyAnchor() -> RowAnchor {
        switch generator.below(10) {
        case 0: .first
        case 1: .last
        default: .after(anyRow())
        }
    }

    private mutating func anyColumn() -> ColumnReference {
        if generator.chance(15) { return .name(anyName()) }
        return .id(generator.pick(knownColumns) ?? column(1, 9))
    }

    private mutating func anyColumnAnchor() -> ColumnAnchor {
        switch generator.below(5) {
        case 0: .first
        case 1: .last
        default: .after(anyColumn())
        }
    }

    private mutating func anyName() -> Text {
        generator.pick(["Due", "due", "DUE", "Qty", "ñame", "Straße", "x", ""]) ?? "x"
    }

    mutating func randomValue() -> Value {
        switch generator.below(15) {
        case 0: .null
        case 1: .bool(generator.chance(50))
        case 2: .double([0.5, -0.0, .nan, .infinity, 1e300][generator.below(5)])
        case 3: .text(Text(String(repeating: "é", count: generator.below(40))))
        case 4: .date(Day(daysSinceEpoch: Int32(generator.below(20_000)) - 5_000))
        case 5:
            .datetime(
                Moment(
                    microsecondsSinceEpoch: Int64(generator.below(1_000_000_000)),
                    offsetMinutes: Int16(generator.below(120)) - 60))
        case 6: .uuid(Identifier128(high: generator.next(), low: generator.next()))
        case 7: .int([.max, .min, 0, 1 << 53][generator.below(4)])
        case 9:
            .json(
                CanonicalJSON(
                    .list([
                        .text("a"), generator.chance(20) ? .null : .int(Int64(generator.below(3))),
                    ])))
        case 10:
            ExactDecimal(coefficient: Int128(generator.below(500)), scale: generator.below(3))
                .map { .decimal($0) } ?? .null
        case 11: .text(generator.pick(["red", "green", "soon"]) ?? "")
        case 8: .text(generator.pick(["12", "2026-11-30", "", "soon", "true"]) ?? "")
        default: .int(Int64(generator.below(10)))
        }
    }
}
