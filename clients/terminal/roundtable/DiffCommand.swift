// diff: what differs between two moments of a table.
// Both tables are read whole and compared here; nothing is changed.
import ClientRuntime
import TableFiles
import TableModel
import TableValue
import TableWire

extension Command {
    /// Compares two moments.
    static let diff = Command(
        "diff", "prints what differs between two moments of a table",
        operands: [Operand("TABLE"), Operand("FROM"), Operand("TO", .optional)],
        options: [jsonOption] + connectionOptions,
        details: """
            FROM and TO are numbers of records or times such as 2026-11-30T08:00:00Z; without TO
            it is the newest record. `+` is a row or column that came, `-` one that went, `~` one
            that changed, `>` a row or column that stands elsewhere among those that are in both.
            With --json each difference is a line.
            """
    ) { invocation in
        let from = try PastMoment(moment: invocation.word("FROM"))
        let to = try invocation.optionalWord("TO").map {
            (word) throws(CommandFailure) in try PastMoment(moment: word)
        }
        let table = try invocation.openTable(for: .look)
        let old = try TableCopy(of: try table.past(from))
        let new = try TableCopy(of: try table.past(to ?? .sequence(table.opened.sequence)))
        table.conversation.end()
        let output = Output()
        var printer = DifferencePrinter(output: output, isJSON: invocation.has("json"))
        try printer.compareColumns(old, new)
        try printer.compareRows(old, new)
        try output.finish()
        talk(
            "record \(old.sequence) to \(new.sequence): "
                + counted(printer.differenceCount, "difference"))
    }
}

/// All rows of a table as it was.
private struct TableCopy {
    let sequence: SequenceNumber
    let columns: [Column]
    var rows: [RowID] = []
    var values: [RowID: [Value]] = [:]

    init(of past: PastAtHand) throws(CommandFailure) {
        sequence = past.answer.sequence
        columns = past.answer.columns
        // Collected outside: the closure may not change what is being made.
        var rows: [RowID] = []
        var values: [RowID: [Value]] = [:]
        try past.forEachRow(columns: columns) { (row, cells) throws(CommandFailure) in
            rows.append(row)
            values[row] = cells
        }
        self.rows = rows
        self.values = values
    }
}

/// Prints differences one by one.
private struct DifferencePrinter {
    let output: Output
    let isJSON: Bool
    private(set) var differenceCount = 0

    init(output: Output, isJSON: Bool) {
        self.output = output
        self.isJSON = isJSON
    }

    // MARK: Columns

    mutating func compareColumns(_ old: TableCopy, _ new: TableCopy) throws(CommandFailure) {
        for column in old.columns where !new.columns.contains(where: { $0.id == column.id }) {
            try tell(column, "deleted", "- column \(name(column))")
        }
        let shared = new.columns.filter { column in old.columns.contains { $0.id == column.id } }
        let places = shared.map { column in
            old.columns.firstIndex { $0.id == column.id } ?? 0
        }
        let movedIDs = Set(
            zip(shared, isKeptInOrder(places)).filter { !$0.1 }.map(\.0.id))
        for column in new.columns {
            guard let before = old.columns.first(where: { $0.id == column.id }) else {
                try tell(column, "added", "+ column \(name(column)) \(column.type.rawValue)")
                continue
            }
            if before.name != column.name {
                try tell(column, "renamed", "~ column \(name(before)) is called \(name(column))")
            }
            if before.type != column.type {
                try tell(
                    column, "retyped",
                    "~ column \(name(column)): \(before.type.rawValue) → \(column.type.rawValue)")
            }
            if before.rules != column.rules {
                try tell(column, "rules", "~ column \(name(column)): other rules")
            }
            if movedIDs.contains(column.id) {
                try tell(column, "moved", "> column \(name(column))")
            }
        }
    }

    private func name(_ column: Column) -> String { TerminalSafe.line(column.name.string) }

    private mutating func tell(
        _ column: Column, _ change: StaticString, _ text: String
    ) throws(CommandFailure) {
        differenceCount += 1
        guard isJSON else { return try output.line(text) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("column")
        writer.column(column.id)
        writer.key("change")
        writer.string(change)
        writer.key("name")
        writer.text(column.name)
        writer.key("type")
        writer.text(column.type.rawValue)
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
    }

    // MARK: Rows

    mutating func compareRows(_ old: TableCopy, _ new: TableCopy) throws(CommandFailure) {
        for row in old.rows where new.values[row] == nil {
            try tell(row, "deleted", "-", old.columns, old.values[row] ?? [])
        }
        var placeOf: [RowID: Int] = [:]
        for (place, row) in old.rows.enumerated() { placeOf[row] = place }
        let shared = new.rows.filter { placeOf[$0] != nil }
        let kept = isKeptInOrder(shared.map { placeOf[$0] ?? 0 })
        let moved = Set(zip(shared, kept).filter { !$0.1 }.map(\.0))
        let sharedColumns = new.columns.enumerated().compactMap { place, column in
            old.columns.firstIndex { $0.id == column.id }.map { ($0, place, column) }
        }
        for row in new.rows {
            let values = new.values[row] ?? []
            guard let before = old.values[row] else {
                try tell(row, "inserted", "+", new.columns, values)
                continue
            }
            for (oldPlace, place, column) in sharedColumns
            where before[oldPlace] != values[place] {
                try tell(row, column, from: before[oldPlace], to: values[place])
            }
            if moved.contains(row) { try tell(row, "moved", ">", [], []) }
        }
    }

    private mutating func tell(
        _ row: RowID, _ change: StaticString, _ sign: String, _ columns: [Column],
        _ values: [Value]
    ) throws(CommandFailure) {
        differenceCount += 1
        guard isJSON else {
            let cells = zip(columns, values).filter { !$0.1.isNull }
                .map { "\(name($0.0))=\(shortText($0.1))" }
            return try output.line("\(sign) \(row)" + cells.map { " " + $0 }.joined())
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("row")
        writer.row(row)
        writer.key("change")
        writer.string(change)
        if !columns.isEmpty {
            writer.key("cells")
            writer.beginObject()
            for (column, value) in zip(columns, values) {
                writer.freeKey(column.name)
                writer.value(value)
            }
            writer.endObject()
        }
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
    }

    private mutating func tell(
        _ row: RowID, _ column: Column, from: Value, to: Value
    ) throws(CommandFailure) {
        differenceCount += 1
        guard isJSON else {
            return try output.line(
                "~ \(row) \(name(column)): \(shortText(from)) → \(shortText(to))")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("row")
        writer.row(row)
        writer.key("change")
        writer.string("set")
        writer.key("column")
        writer.text(column.name)
        writer.key("from")
        writer.value(from)
        writer.key("to")
        writer.value(to)
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
    }
}

/// For each of some different numbers whether it is one of a longest run that ascends: what has
/// kept its order where the fewest are said to have moved.
///
/// Complexity: n log n.
func isKeptInOrder(_ numbers: [Int]) -> [Bool] {
    /// For each length the index that ends an ascending run of it with the least number.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        previous[index] = low > 0 ? ends[low - 1] : nil
        if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var kept = [Bool](repeating: false, count: numbers.count)
    var index = ends.last
    while let current = index {
        kept[current] = true
        index = previous[current]
    }
    return kept
}
