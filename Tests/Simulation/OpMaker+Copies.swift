// Draws changes of type, columns set as a whole, and copies of rows.
// OpMaker.swift has the rest.
import TableClient
import TableModel
import TableValue

extension OpMaker {
    mutating func retype() -> Intent {
        // The first column takes what bots write, by which the judge knows them. Numbers stay
        // what they are: ReferenceExpressions.swift knows columns of ints and no others.
        let first = ColumnID(session: .server, counter: 1)
        let fixed: [ColumnType] = [.int, .double, .decimal]
        var column = someColumn()
        if let chosen = column, chosen.id == first || fixed.contains(chosen.type) {
            column = replica.columns.first { $0.id != first && !fixed.contains($0.type) }
        }
        let types: [ColumnType] = random.chance(60) ? [.text, .bool] : ColumnType.allCases
        let type = random.pick(types.filter { !fixed.contains($0) }) ?? .text
        return .retypeColumn(
            RetypeColumn(
                column: .id(column?.id ?? ColumnID(session: .server, counter: 4_000)), type: type,
                unconvertible: random.chance(70) ? .empty : .reject))
    }

    mutating func setColumn(by client: inout Client) -> Intent {
        let column = someColumn()
        let count = random.below(replica.rowCount + 3)
        let values = (0..<count).map { _ in value(column?.type ?? .text) }
        let rows = random.chance(40) ? rows(1 + random.below(4)) : nil
        let ids = client.makeRowIDs(count, in: table)
        return .setColumn(
            SetColumn(
                column: .id(column?.id ?? ColumnID(session: .server, counter: 4_000)),
                values: values, rows: rows, newRows: ids))
    }

    mutating func duplicateRows(by client: inout Client) -> Intent {
        let rows = rows(1 + random.below(4))
        let ids = client.makeRowIDs(rows.count, in: table)
        return .duplicateRows(
            DuplicateRows(rows: rows, ids: ids, anchor: random.chance(40) ? anchor() : nil))
    }
}
