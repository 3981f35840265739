// Draws operations: which rows, columns, values and preconditions, from what the author sees at
// that moment and from ids that somebody once used, so that collisions are frequent. Tables
// are small and values few for the same reason.
import TableClient
import TableModel
import TableValue
import TableWire

/// Draws one operation of one client.
struct OpMaker {
    var random: SeededGenerator
    /// Rows and columns that ever were, live, hidden or never stored.
    let rowPool: [RowID]
    let columnPool: [ColumnID]
    /// What the author sees.
    let replica: Replica
    let table: TableID

    /// Draws an operation of a kind; `client` makes the ids of what is new.
    mutating func make(_ kind: OpKind, by client: inout Client) -> Op {
        var op = Op(base: replica.confirmed.head, body: [])
        if random.chance(15) { op.mode = .strict }
        switch kind {
        case .transaction:
            for _ in 0..<(2 + random.below(4)) {
                let kinds = OpKind.allCases.filter {
                    ![.transaction, .conditional, .undo, .restore, .claim].contains($0)
                }
                op.body.append(intent(random.pick(kinds) ?? .set, by: &client))
            }
        case .conditional:
            for _ in 0..<(1 + random.below(2)) { op.preconditions.append(precondition()) }
            op.body = [
                intent(random.pick([.set, .add, .combine, .delete, .move]) ?? .set, by: &client)
            ]
        default:
            op.body = [intent(kind, by: &client)]
        }
        return op
    }

    private mutating func intent(_ kind: OpKind, by client: inout Client) -> Intent {
        switch kind {
        case .insert: insert(1, by: &client)
        case .insertMany: insert(2 + random.below(5), by: &client)
        case .set, .transaction, .conditional: .setCells([edit()])
        case .setMany: .setCells((0..<(2 + random.below(8))).map { _ in edit() })
        case .add: addNumber()
        case .delete: .deleteRows(rows(1 + random.below(3)))
        case .move: .moveRows(rows(1 + random.below(4)), to: anchor())
        case .columnAdd: addColumn(by: &client)
        case .columnRename:
            .renameColumn(
                column(), name: columnName(), onClash: random.chance(50) ? .suffix : .reject)
        case .columnMove: .moveColumn(column(), to: columnAnchor())
        case .columnDelete: .deleteColumn(column())
        case .columnRules: changeRules()
        case .display: changeDisplay()
        case .combine: combine()
        case .upsert: upsert()
        case .columnRetype: retype()
        case .columnDuplicate:
            .duplicateColumn(
                DuplicateColumn(
                    column: column(), id: client.makeColumnID(in: table),
                    name: random.chance(40) ? columnName() : nil,
                    anchor: random.chance(30) ? columnAnchor() : nil,
                    onClash: random.chance(50) ? .suffix : .reject))
        case .columnSet: setColumn(by: &client)
        case .duplicate: duplicateRows(by: &client)
        case .claim: claim()
        case .lease: changeLease()
        case .undo: .undo(undo())
        case .restore: restore()
        case .sort: sort()
        case .transform: transform()
        case .clear: .clear
        case .truncate: .truncate
        }
    }

    private mutating func sort() -> Intent {
        // How lists and JSON values are sorted is tested with the values.
        let columns = replica.columns.filter { $0.type != .list && $0.type != .json }
        let keys = (0..<(1 + random.below(2))).map { _ in
            SortRows.Key(reference(random.pick(columns)), isDescending: random.chance(40))
        }
        return .sortRows(
            SortRows(by: keys, rows: random.chance(40) ? rows(2 + random.below(5)) : nil))
    }

    /// In the few forms that ReferenceExpressions.swift knows.
    private mutating func transform() -> Intent {
        let numbers = replica.columns.filter { $0.type == .int }
        let (target, input) = (random.pick(numbers), random.pick(numbers))
        let name = "\"\(input?.id ?? ColumnID(session: .server, counter: 2))\""
        let condition = random.chance(50) ? Text("\(name) <= \(random.between(-2, 5))") : nil
        return .transformColumn(
            TransformColumn(
                column: reference(target), value: Text("\(name) + \(random.between(0, 9))"),
                condition: condition))
    }

    private mutating func restore() -> Intent {
        let number = 1 + random.below(Int(replica.confirmed.head) + 1)
        var request = RestoreRequest(to: .sequence(SequenceNumber(number)))
        if random.chance(30) { request.columns = [column()] }
        return .restore(request)
    }

    private mutating func undo() -> UndoRequest {
        let isForced = random.chance(10)
        switch random.below(10) {
        case ..<5: return UndoRequest(.last(ofUser: false), isForced: isForced)
        case ..<8: return UndoRequest(.lastUndone(ofUser: false), isForced: isForced)
        default:
            let number = 1 + random.below(Int(replica.confirmed.head) + 1)
            return UndoRequest(.sequence(SequenceNumber(number)), isForced: isForced)
        }
    }

    // MARK: Rows

    private mutating func insert(_ count: Int, by client: inout Client) -> Intent {
        let ids = client.makeRowIDs(count, in: table)
        let columns = replica.columns
        var named: [Column] = []
        for _ in 0..<random.below(4) {
            guard let column = random.pick(columns) else { break }
            if !named.contains(column) { named.append(column) }
        }
        var cells: [Value] = []
        for _ in 0..<count {
            for column in named { cells.append(value(column.type)) }
        }
        return .insertRows(
            InsertRows(
                ids: ids, rowCount: count, anchor: anchor(),
                columns: named.map { .id($0.id) }, cells: cells))
    }

    mutating func anchor() -> RowAnchor {
        switch random.below(10) {
        case 0: .first
        case 1, 2: .last
        default: .after(row())
        }
    }

    /// Mostly a row that the author sees near the start, sometimes any that ever was.
    mutating func row() -> RowID {
        if random.chance(15), let row = random.pick(rowPool) { return row }
        let span = random.chance(60) ? min(6, replica.rowCount) : replica.rowCount
        if let row = replica.row(at: random.below(span)) { return row }
        return random.pick(rowPool) ?? RowID(session: .server, counter: 4_000_000)
    }

    mutating func rows(_ count: Int) -> [RowID] {
        var rows: [RowID] = []
        for _ in 0..<count {
            let row = row()
            if !rows.contains(row) { rows.append(row) }
        }
        return rows
    }

    // MARK: Cells

    private mutating func edit() -> CellEdit {
        let column = someColumn()
        return CellEdit(
            row: row(), column: reference(column),
            value: value(column?.type ?? .text))
    }

    private mutating func addNumber() -> Intent {
        let numbers = replica.columns.filter {
            $0.type == .int || $0.type == .double || $0.type == .decimal
        }
        let column = random.pick(numbers)
        let amount: Value =
            switch column?.type {
            case .double: .double(Double(random.below(8)) / 4)
            case .decimal: decimal()
            default: .int(random.between(-3, 5))
            }
        return .addNumber(row: row(), column: reference(column), amount: amount)
    }

    /// One of few values of a type; now and then one that stands out.
    mutating func value(_ type: ColumnType) -> Value {
        if random.chance(10) { return .null }
        switch type {
        case .text:
            let texts = [
                "", "a", "b", "e\u{301}", "\u{e9}", "line\nbreak", "\"quoted\"", "\u{1F600}",
                "tab\there", "\u{0}\u{7f}",
            ]
            if random.chance(30) { return .text(Text("t\(random.below(100_000))")) }
            return .text(Text(random.pick(texts) ?? ""))
        case .int:
            let edges: [Int64] = [.max, .min, 1 << 53, (1 << 53) + 1, -1 - (1 << 53)]
            return .int(random.chance(5) ? random.pick(edges) ?? 0 : random.between(-2, 6))
        case .double:
            let edges = [-0.0, 0.1, 1e300, .infinity, .nan, .leastNonzeroMagnitude]
            return .double(
                random.chance(15) ? random.pick(edges) ?? 0 : Double(random.below(16)) / 4)
        case .bool: return .bool(random.chance(50))
        case .date: return .date(Day(daysSinceEpoch: Int32(random.between(-3, 20_000))))
        case .datetime:
            return .datetime(
                Moment(
                    microsecondsSinceEpoch: random.between(0, 2_000_000_000) * 1_000_000,
                    offsetMinutes: Int16(random.between(-12, 12) * 15)))
        case .uuid:
            return .uuid(Identifier128(high: random.next(), low: random.next()))
        case .decimal: return decimal()
        case .choice: return .text(random.pick(choices) ?? "")
        case .list, .json: return .json(CanonicalJSON(json(type)))
        }
    }

    private mutating func decimal() -> Value {
        let digits = random.chance(5) ? Int128(Int64.max) << 40 : Int128(random.between(-300, 300))
        return .decimal(
            ExactDecimal(coefficient: digits, scale: random.below(3)) ?? ExactDecimal(0))
    }

    private mutating func json(_ type: ColumnType) -> JSONTree {
        let items: [JSONTree] = [
            .int(random.between(-2, 2)), .double(1), .text("a"), .bool(true),
            random.chance(20) ? .null : .text("é\n"),
        ]
        let list = JSONTree.list((0..<random.below(4)).map { _ in random.pick(items) ?? .null })
        guard type == .json, random.chance(60) else { return list }
        return .object([JSONMember(key: "k", value: list)])
    }

    // MARK: Rules

    private let choices: [Text] = ["open", "done", "late", "späť"]

    private mutating func changeRules() -> Intent {
        guard random.chance(40) else {
            // The first column takes what bots write, by which the judge knows them: no rule that
            // refuses a text, and by its id, since names change hands.
            let first = ColumnID(session: .server, counter: 1)
            guard let column = someColumn(), column.id != first else {
                let rule: Text = random.chance(50) ? "required" : "unique"
                let value = JSONTree.bool(random.chance(50))
                return .changeRules(.id(first), .object([JSONMember(key: rule, value: value)]))
            }
            return .changeRules(.id(column.id), rules(for: column.type))
        }
        let columns = replica.columns.filter { $0.type == .choice }
        let column = random.chance(90) ? random.pick(columns) ?? someColumn() : someColumn()
        return .changeRules(reference(column), rules())
    }

    /// One or two rules of those that suit a type, some of them contradictory, or one less.
    private mutating func rules(for type: ColumnType) -> JSONTree {
        var members: [JSONMember] = []
        for _ in 0..<(random.chance(70) ? 1 : 2) {
            let (key, value) = rule(for: type)
            if members.contains(where: { $0.key == key }) { continue }
            members.append(JSONMember(key: key, value: random.chance(25) ? .null : value))
        }
        return .object(members)
    }

    /// A check or a sum of columns, as ReferenceExpressions.swift reads them.
    private mutating func expression() -> (Text, JSONTree) {
        let columns = replica.columns.filter { $0.type == .int }
        guard let left = random.pick(columns), let right = random.pick(columns) else {
            return ("required", .bool(true))
        }
        let isSum = random.chance(50)
        let other = random.chance(50) ? "\"\(right.id)\"" : "\(random.between(0, 9))"
        let text = "\"\(left.id)\" \(isSum ? "+" : "<=") \(other)"
        return (isSum ? "computed" : "check", .text(Text(text)))
    }

    private mutating func rule(for type: ColumnType) -> (Text, JSONTree) {
        let number = random.between(-3, 8)
        switch (random.below(6), type) {
        case (0, _): return ("required", .bool(true))
        case (1, _): return ("unique", .bool(true))
        case (2, .int): return ("default_by", .text("sequence"))
        case (2, .text): return ("default_by", .text("author"))
        case (2, .date), (2, .datetime): return ("default_by", .text("now"))
        case (3, .int) where random.chance(60): return expression()
        case (3, .int): return ("default", .int(number))
        case (3, .text): return ("default", .text(random.chance(50) ? "a" : "t7"))
        case (3, .bool): return ("default", .bool(true))
        case (3, .choice): return ("default", .text("open"))
        case (_, .int), (_, .double):
            return random.chance(50) ? ("min", .int(number - 4)) : ("max", .int(number + 4))
        case (_, .decimal):
            let bound = JSONTree.text(Text("\(number).50"))
            return random.chance(50) ? ("min", bound) : ("max", bound)
        case (4, .text):
            return ("pattern", .text(random.pick(ReferenceRules.patterns.map(\.0)) ?? ""))
        case (_, .text):
            return random.chance(70)
                ? ("length_max", .int(max(3, number))) : ("length_min", .int(1))
        default: return ("required", .bool(true))
        }
    }

    private mutating func rules() -> JSONTree {
        let some = choices.filter { _ in random.chance(60) }.map { JSONTree.text($0) }
        let key: Text = random.chance(60) ? "choices_added" : "choices"
        return .object([
            JSONMember(key: key, value: random.chance(5) ? .null : .list(some))
        ])
    }

    // MARK: Columns

    mutating func someColumn() -> Column? {
        if random.chance(8), let id = random.pick(columnPool) {
            return replica.confirmed.column(id)
        }
        return random.pick(replica.columns)
    }

    private mutating func column() -> ColumnReference {
        reference(someColumn())
    }

    /// By id mostly, sometimes by name; an unknown id where there is no column.
    mutating func reference(_ column: Column?) -> ColumnReference {
        guard let column else { return .id(ColumnID(session: .server, counter: 4_000)) }
        return random.chance(20) ? .name(column.name) : .id(column.id)
    }

    private mutating func addColumn(by client: inout Client) -> Intent {
        let type = random.pick(ColumnType.allCases) ?? .text
        return .addColumn(
            AddColumn(
                id: client.makeColumnID(in: table), name: columnName(),
                type: type, rules: columnRules(type),
                anchor: columnAnchor(), onClash: random.chance(60) ? .suffix : .reject,
                ifAbsent: random.chance(20)))
    }

    private mutating func columnRules(_ type: ColumnType) -> JSONTree {
        if type == .choice || random.chance(3) { return rules() }
        return random.chance(30) ? rules(for: type) : .object([])
    }

    mutating func columnAnchor() -> ColumnAnchor {
        switch random.below(5) {
        case 0: .first
        case 1, 2: .last
        default: .after(column())
        }
    }

    private mutating func columnName() -> Text {
        Text(random.pick(["Due", "due", "DUE", "When", "when", "qty", "Name", "Due 2"]) ?? "Due")
    }

    // MARK: Preconditions

    private mutating func precondition() -> Precondition {
        let row = row()
        let confirmed = replica.confirmed
        let column = random.pick(confirmed.columns)
        let cell = column.flatMap { confirmed.cell(row, $0.id) }
        switch random.below(7) {
        case 6:
            guard let column else { return .rowLive(row) }
            return .rowAbsent(column: .id(column.id), value: value(column.type))
        case 0:
            guard let column, let cell else { return .rowLive(row) }
            return .cellVersion(row: row, column: .id(column.id), version: cell.version)
        case 1, 2:
            guard let column, let cell else { return .rowLive(row) }
            let value = random.chance(70) ? cell.value : value(column.type)
            return .cellValue(row: row, column: .id(column.id), value: value)
        case 3: return .rowVersion(row: row, version: confirmed.head)
        case 4: return .rowLive(row)
        default:
            return random.chance(50)
                ? .tableSequence(confirmed.head) : .schemaSequence(confirmed.head)
        }
    }
}
