// The same table once more, as plainly as possible: rows in one array, cells in dictionaries, every
// search from the front. Slow and short, so that its meaning can be seen at a glance; the real
// table is compared with it over histories by chance.
import TableValue

@testable import TableModel

struct NaiveTable {
    struct Written: Equatable {
        var value: Value
        var sequence: SequenceNumber
        var session: UInt32
    }

    struct Row {
        var id: RowID
        var isHidden = false
        var created: (sequence: SequenceNumber, session: UInt32)
        var moved: (sequence: SequenceNumber, session: UInt32)?
        var cells: [ColumnID: Written] = [:]
    }

    struct Field {
        var column: Column
        var isHidden = false
    }

    var rows: [Row] = []
    var fields: [Field] = []
    var sequence: SequenceNumber = 0
    /// The number of the last operation that changed a column.
    var schemaSequence: SequenceNumber = 0
    private var op = Op(body: [])
    private(set) var author: UInt32 = 0
    var sum = Sum()

    /// What one operation came to.
    struct Sum: Equatable {
        var applied = 0
        var hidden = 0
        var gone = 0
        var refused = 0
        var changed = false
        var notes: Set<Note> = []
        var overrode = 0
        var overrodeSequence: SequenceNumber = 0
        var rowsSet: Set<RowID> = []
        var setsMoved = false
        var given: [RowID] = []
        var values: [Value] = []
    }

    struct Refused: Error {}

    /// Performs an operation; false, with nothing changed, where it is refused.
    mutating func perform(_ op: Op, by author: UInt32) -> Bool {
        let before = self
        self.op = op
        self.author = author
        sum = Sum()
        guard op.preconditions.allSatisfy(holds) else { return false }
        for intent in op.body {
            do {
                try perform(intent)
            } catch {
                if op.mode == .strict {
                    self = before
                    return false
                }
                sum.refused += intent.partCount
            }
        }
        if !sum.changed, sum.applied + sum.hidden == 0, sum.refused > 0 {
            self = before
            return false
        }
        if sum.changed { sequence += 1 }
        if sum.overrode > 0 {
            sum.notes.insert(.overrode(count: sum.overrode, sequence: sum.overrodeSequence))
        }
        if sum.rowsSet.count > 1, sum.setsMoved { sum.notes.insert(.orderChanged) }
        return true
    }

    // MARK: Finding

    private func place(_ id: RowID) -> Int? { rows.firstIndex { $0.id == id } }

    func field(_ reference: ColumnReference) -> Int? {
        switch reference {
        case .id(let id): fields.firstIndex { $0.column.id == id }
        case .name(let name): holder(of: name)
        }
    }

    func holder(of name: Text) -> Int? {
        fields.firstIndex {
            !$0.isHidden && simpleCaseFolded($0.column.name) == simpleCaseFolded(name)
        }
    }

    private func isNews(_ stamp: (sequence: SequenceNumber, session: UInt32)?) -> Bool {
        guard let stamp else { return false }
        return op.base > 0 && stamp.sequence > op.base && stamp.session != author
    }

    private func highest(_ session: UInt32) -> UInt32 {
        rows.filter { $0.id.session.rawValue == session }.map(\.id.counter).max() ?? 0
    }

    // MARK: Preconditions

    private func holds(_ precondition: Precondition) -> Bool {
        switch precondition {
        case .cellVersion(let row, let column, let version):
            written(row, column)?.sequence == version
        case .cellValue(let row, let column, let value):
            field(column).flatMap { fitting(value, fields[$0].column.type) }
                .map { written(row, column)?.value == $0 } ?? false
        case .rowVersion(let row, let version):
            place(row).map { place in
                let numbers = rows[place].cells.values.map(\.sequence)
                return (numbers + [rows[place].created.sequence]).allSatisfy { $0 <= version }
            } ?? false
        case .rowLive(let row): place(row).map { !rows[$0].isHidden } ?? false
        // Drawn only where this table is not compared.
        case .rowAbsent: false
        case .tableSequence(let number): sequence <= number
        case .schemaSequence(let number): schemaSequence <= number
        }
    }

    /// A cell with who wrote it; nil where there is no such row or column.
    private func written(_ row: RowID, _ column: ColumnReference) -> Written? {
        guard let place = place(row), let field = field(column) else { return nil }
        let created = rows[place].created
        return rows[place].cells[fields[field].column.id]
            ?? Written(value: .null, sequence: created.sequence, session: created.session)
    }

    // MARK: Intents

    private mutating func perform(_ intent: Intent) throws(Refused) {
        switch intent {
        case .insertRows(let insertion): try insert(insertion)
        case .setCells(let edits): try set(edits)
        case .addNumber(let row, let column, let amount): try add(row, column, amount)
        case .deleteRows(let ids): try delete(ids)
        case .moveRows(let ids, let anchor): try move(ids, anchor)
        case .addColumn(let addition): try addColumn(addition)
        case .renameColumn(let column, let name, let onClash): try rename(column, name, onClash)
        case .moveColumn(let column, let anchor): try moveColumn(column, anchor)
        case .deleteColumn(let column): try deleteColumn(column)
        case .changeRules(let column, let patch): try changeRules(column, patch)
        // Drawn only where this table is not compared.
        case .sortRows, .transformColumn, .clear, .truncate, .undo, .restore, .combineCell,
            .upsertRow, .retypeColumn, .setColumn, .duplicateColumn, .duplicateRows, .appendTable,
            .claimRow, .changeLease, .changeDisplay, .comment:
            throw Refused()
        }
    }

    private mutating func missing() throws(Refused) {
        if op.mode == .strict { throw Refused() }
        sum.gone += 1
    }

    private mutating func refuse() throws(Refused) {
        if op.mode == .strict { throw Refused() }
        sum.refused += 1
    }

    mutating func count(hidden: Bool) throws(Refused) {
        if hidden, op.mode == .strict { throw Refused() }
        if hidden { sum.hidden += 1 } else { sum.applied += 1 }
    }

    /// Where in the array rows shall be put: the index that the first of them will have.
    private mutating func spot(_ anchor: RowAnchor) -> Int {
        switch anchor {
        case .first:
            return 0
        case .last:
            return rows.count
        case .after(let id):
            guard let place = place(id) else {
                sum.notes.insert(.anchorGone)
                return rows.count
            }
            if rows[place].isHidden { sum.notes.insert(.anchorHidden) }
            if isNews(rows[place].moved) { sum.notes.insert(.anchorMoved) }
            return place + 1
        }
    }

    private mutating func insert(_ insertion: InsertRows) throws(Refused) {
        guard insertion.rowCount > 0 else { return }
        var ids = insertion.ids
        if ids.isEmpty {
            let top = highest(0)
            ids = (1...UInt32(insertion.rowCount)).map { row(top + $0, 0) }
        } else {
            let limit = UInt64(highest(author)) + 65_536
            for id in ids {
                guard author > 0, id.session.rawValue == author, id.counter > 0,
                    UInt64(id.counter) <= limit, place(id) == nil
                else { throw Refused() }
            }
            if Set(ids).count != ids.count { throw Refused() }
        }
        let columns = insertion.cells.isEmpty ? [] : insertion.columns.map { field($0) }
        let known = columns.compactMap { $0 }
        if Set(known).count != known.count { throw Refused() }
        var news = ids.map { Row(id: $0, created: (sequence + 1, author)) }
        for (index, value) in insertion.cells.enumerated() {
            guard let field = columns[index % columns.count],
                let value = fitting(value, fields[field].column)
            else {
                try refuse()
                continue
            }
            try count(hidden: fields[field].isHidden)
            if value != .null {
                news[index / columns.count].cells[fields[field].column.id] = Written(
                    value: value, sequence: sequence + 1, session: author)
            }
        }
        let spot = spot(insertion.anchor)
        if let next = rows[spot...].first(where: { !$0.isHidden }), isNews(next.created) {
            sum.notes.insert(.sibling)
        }
        rows.insert(contentsOf: news, at: spot)
        sum.applied += ids.count
        sum.changed = true
        if insertion.ids.isEmpty { sum.given += ids }
    }

    func fitting(_ value: Value, _ column: Column) -> Value? {
        guard let value = fitting(value, column.type) else { return nil }
        if case .choice(let text) = value, !column.rules.choices.contains(text) { return nil }
        return value
    }

    private func fitting(_ value: Value, _ type: ColumnType) -> Value? {
        guard let value = try? value.converted(to: type) else { return nil }
        if case .double(let number) = value, number.isNaN { return .double(.nan) }
        return value
    }

    private mutating func set(_ edits: [CellEdit]) throws(Refused) {
        var good: [(place: Int, column: ColumnID, value: Value)] = []
        for edit in edits {
            guard let place = place(edit.row) else {
                try missing()
                continue
            }
            guard let field = field(edit.column),
                let value = fitting(edit.value, fields[field].column)
            else {
                try refuse()
                continue
            }
            try count(hidden: rows[place].isHidden || fields[field].isHidden)
            good.append((place, fields[field].column.id, value))
        }
        for (place, column, value) in good {
            sum.rowsSet.insert(rows[place].id)
            if isNews(rows[place].moved) { sum.setsMoved = true }
            write(place, column, value, noting: true)
        }
    }

    private mutating func write(_ place: Int, _ column: ColumnID, _ value: Value, noting: Bool) {
        let old = rows[place].cells[column]
        guard (old?.value ?? .null) != value else { return }
        let stamp = old.map { ($0.sequence, $0.session) } ?? rows[place].created
        if noting, isNews(stamp) { noteOverridden(stamp.0) }
        rows[place].cells[column] = Written(value: value, sequence: sequence + 1, session: author)
        sum.changed = true
    }

    private mutating func noteOverridden(_ sequence: SequenceNumber) {
        sum.overrode += 1
        sum.overrodeSequence = max(sum.overrodeSequence, sequence)
    }

    private mutating func add(
        _ row: RowID, _ column: ColumnReference, _ amount: Value
    ) throws(Refused) {
        guard let place = place(row) else { return try missing() }
        guard let field = field(column) else { throw Refused() }
        let column = fields[field].column
        let old = rows[place].cells[column.id]?.value ?? .null
        var result = Value.null
        switch column.type {
        case .int:
            var whole = amount
            if case .double(let number) = amount {
                guard number.magnitude < 0x1p63, Double(Int64(number)) == number else {
                    throw Refused()
                }
                whole = .int(Int64(number))
            }
            guard case .int(let number)? = fitting(whole, .int) else { throw Refused() }
            let base: Int64 = if case .int(let number) = old { number } else { 0 }
            let (sum, overflow) = base.addingReportingOverflow(number)
            if overflow { throw Refused() }
            result = .int(sum)
        case .double:
            guard case .double(let number)? = fitting(amount, .double) else { throw Refused() }
            let base = if case .double(let number) = old { number } else { 0.0 }
            result = .double((base + number).isNaN ? .nan : base + number)
        case .decimal:
            guard case .decimal(let number)? = fitting(amount, .decimal) else { throw Refused() }
            let base = if case .decimal(let number) = old { number } else { ExactDecimal(0) }
            guard let sum = base.adding(number) else { throw Refused() }
            result = .decimal(sum)
        default:
            throw Refused()
        }
        try count(hidden: rows[place].isHidden || fields[field].isHidden)
        sum.values.append(result)
        write(place, column.id, result, noting: false)
    }

    private mutating func delete(_ ids: [RowID]) throws(Refused) {
        for id in ids where place(id) == nil { try missing() }
        for id in ids {
            guard let place = place(id) else { continue }
            sum.applied += 1
            if !rows[place].isHidden { sum.changed = true }
            rows[place].isHidden = true
        }
    }

    private mutating func move(_ ids: [RowID], _ anchor: RowAnchor) throws(Refused) {
        var moving: [RowID] = []
        for id in ids {
            guard let place = place(id) else {
                try missing()
                continue
            }
            if moving.contains(id) { continue }
            moving.append(id)
            try count(hidden: rows[place].isHidden)
        }
        guard !moving.isEmpty else { return }
        var spot: Int
        if case .after(let id) = anchor, moving.contains(id), let own = place(id) {
            spot = own
        } else {
            spot = self.spot(anchor)
        }
        let before = rows.map(\.id)
        let leaving = rows[..<spot].filter { moving.contains($0.id) }.count
        var taken: [Row] = []
        for id in moving {
            if let place = place(id) { taken.append(rows.remove(at: place)) }
        }
        spot -= leaving
        rows.insert(contentsOf: taken, at: spot)
        guard rows.map(\.id) != before else { return }
        for place in spot..<spot + taken.count {
            if let moved = rows[place].moved, isNews(moved) { noteOverridden(moved.sequence) }
            rows[place].moved = (sequence + 1, author)
        }
        sum.changed = true
    }
}
