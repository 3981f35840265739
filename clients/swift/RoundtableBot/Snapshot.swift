// A table as of one stated number: rows that do not change while they are read, however long that
// takes, because a table is a value. Where it comes from: SharedTable.snapshot, Bot.snapshot.
import ClientRuntime
import TableModel
import TableValue

/// A row as it was when it was read.
public struct Row: Sendable {
    /// Its id, which it keeps for ever.
    public let id: RowID
    /// Its values, in the order of the columns.
    public let values: [Value]
    let names: [String: Int]

    /// The value of a column, by name or id; null where there is no such column.
    public subscript(column: String) -> Value {
        names[column].map { values[$0] } ?? .null
    }
}

/// A table as it was at one number.
///
/// Hold it for as long as it is read and let it go: while it is held, the next record has to copy
/// what it changes.
public struct Snapshot: Sendable, Sequence {
    /// The number: all that happened up to there is in it, nothing later.
    public let sequence: Int64
    /// The history that the number belongs to.
    public let lineage: String
    /// The columns in order.
    public let columns: [Column]
    private let table: Table
    private let ids: [ColumnID]
    private let names: [String: Int]

    init(_ table: Table, lineage: String) {
        self.table = table
        self.lineage = lineage
        sequence = table.head
        columns = table.columns.map { Column($0) }
        ids = table.columns.map(\.id)
        var names: [String: Int] = [:]
        for (index, column) in columns.enumerated() {
            names[column.name] = index
            names[column.id] = index
        }
        self.names = names
    }

    /// Where to go on watching behind it.
    public var position: Position { Position(lineage: lineage, sequence: sequence) }

    /// How many rows there are.
    public var count: Int { table.rowCount }

    /// Up to `count` rows from a position on, 0 the first.
    ///
    /// Complexity: logarithmic in the rows, then linear in what is read.
    public func rows(from position: Int, count: Int) -> [Row] {
        var rows: [Row] = []
        guard position >= 0 else { return rows }
        table.forEachRow(from: position, count: count, columns: ids) { row, values in
            rows.append(Row(id: RowID(row), values: values.map { Value($0) }, names: names))
            return true
        }
        return rows
    }

    /// The rows in pages of `size`, all of this one number.
    public func pages(of size: Int) -> some Sequence<[Row]> {
        stride(from: 0, to: count, by: Swift.max(1, size)).lazy.map { rows(from: $0, count: size) }
    }

    /// The row of an id; nil where it is not there.
    public func row(_ id: RowID) -> Row? {
        table.position(of: id.held).flatMap { rows(from: $0, count: 1).first }
    }

    /// One cell, by row and by the column's name or id; nil where there is none.
    public func cell(_ row: RowID, _ column: String) -> Value? {
        guard let index = names[column] else { return nil }
        return table.value(row.held, ids[index]).map { Value($0) }
    }

    /// The first row that holds the value in the column.
    ///
    /// Complexity: linear in the rows.
    public func first(where column: String, is value: Value) -> Row? {
        guard let index = names[column] else { return nil }
        let type = table.columns[index].type
        guard let wanted = try? value.held.converted(to: type) else { return nil }
        return first { $0.values[index].held == wanted }
    }

    /// The content hash, as `Bot.hash` gives it.
    public func contentHash() -> String {
        var table = table
        return hexadecimal(table.contentHash(using: ContentSHA256.self))
    }

    /// The rows in order.
    public func makeIterator() -> some IteratorProtocol<Row> {
        pages(of: 256).lazy.joined().makeIterator()
    }
}

/// The digits of bytes.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

/// Rows as the server has them at one number, asked for without a copy of the table.
public struct Page: Sendable {
    /// The number as of which it was read.
    public let sequence: Int64
    /// How many rows the table has.
    public let total: Int
    /// The ids of the columns.
    public let columns: [String]
    /// The ids of the rows.
    public let rows: [RowID]
    /// Row after row, as many values as columns, as the wire has them.
    public let cells: [[Value]]
    /// As `cells`: the number of the record that wrote each last.
    public let versions: [[Int64]]
}
