// What a paste would do to the table as it is: which cells go where, which of them their columns
// would refuse, and whether it fits into one operation. Nothing is sent here.
import TableModel
import TableValue
import TableWire

/// What a paste comes to in the table as it is.
struct PastePlan {
    /// What is to be done, all or nothing.
    private(set) var body: [Intent] = []
    /// Why it cannot be pasted.
    private(set) var problem: String?
    private var editCount = 0
    private var newRows = 0
    private var cellsLeftOut = 0
    /// Cells that their columns would refuse: how many, and the first of them with the reason.
    private var refusedCount = 0
    private var refusals: [String] = []

    /// Refused cells that are named, each with its reason.
    private static let refusalsMax = 4
    /// Bytes of a line besides the operation's parts: more than a line ever needs.
    private static let otherBytesMax = 1_024

    /// Works out what goes where, in the types and by the rules of the columns.
    ///
    /// Complexity: linear in the cells and their bytes, as far as one operation may have them.
    init(_ preview: PastePreview, _ sheet: Sheet, in table: TableID?) {
        let partsMax = TableLimits().partsMax
        guard preview.cellCount <= partsMax else {
            problem = PastePlan.tooMany(preview.cellCount, "cells")
            return
        }
        guard let first = sheet.columnPosition(of: preview.column) else {
            problem = "the column is gone"
            return
        }
        var start = sheet.rowCount
        if let row = preview.row {
            guard let position = sheet.position(of: row) else {
                problem = "the row is gone"
                return
            }
            start = position
        }
        let columns = Array(sheet.columns[first...].prefix(preview.width))
        place(preview.rows, columns, from: start, sheet)
        if refusedCount > 0 {
            problem = "\(counted(refusedCount, "cell")) would be refused; nothing is pasted"
        } else {
            problem = sizeProblem(in: table)
        }
        if problem != nil { body = [] }
    }

    /// What there is to say before the user decides, in lines.
    var summary: [String] {
        var lines: [String] = []
        if editCount > 0 { lines.append("\(counted(editCount, "cell")) will be replaced") }
        if newRows > 0 { lines.append("\(counted(newRows, "row")) will be added at the end") }
        if cellsLeftOut > 0 {
            lines.append("\(counted(cellsLeftOut, "cell")) beyond the last column are left out")
        }
        guard problem != nil else { return lines }
        let rest = refusedCount - refusals.count
        return refusals + (rest > 0 ? ["and \(counted(rest, "more cell"))"] : [])
    }

    private mutating func place(
        _ rows: [[PastedCell]], _ columns: [Column], from start: Int, _ sheet: Sheet
    ) {
        var edits: [CellEdit] = []
        var newCells: [Value] = []
        for (offset, cells) in rows.enumerated() {
            cellsLeftOut += max(0, cells.count - columns.count)
            let values = values(cells, columns, line: offset + 1)
            if let row = sheet.row(at: start + offset) {
                for (value, column) in zip(values, columns) {
                    edits.append(CellEdit(row: row, column: .id(column.id), value: value))
                }
            } else {
                newRows += 1
                newCells += values
                newCells += Array(repeating: .null, count: columns.count - values.count)
            }
        }
        editCount = edits.count
        if !edits.isEmpty { body.append(.setCells(edits)) }
        guard newRows > 0 else { return }
        body.append(
            .insertRows(
                InsertRows(
                    rowCount: newRows, anchor: .last, columns: columns.map { .id($0.id) },
                    cells: newCells)))
    }

    /// The values of a line; null for those that are refused.
    private mutating func values(
        _ cells: [PastedCell], _ columns: [Column], line: Int
    ) -> [Value] {
        zip(cells, columns).map { cell, column in
            switch PastePlan.value(of: cell, column) {
            case .success(let value): return value
            case .failure(let refusal):
                refusedCount += 1
                if refusals.count < PastePlan.refusalsMax {
                    refusals.append("line \(line), column \(column.name): \(refusal.reason)")
                }
                return .null
            }
        }
    }

    /// Why a cell is refused.
    private struct Refusal: Error {
        let reason: String
    }

    private static func value(
        of cell: PastedCell, _ column: Column
    ) -> Result<Value, Refusal> {
        if cell.isNull || (cell.text.isEmpty && column.type != .text) { return .success(.null) }
        let value: Value
        do throws(ValueError) {
            value = try Value(Text(cell.text), as: column.type)
        } catch {
            return .failure(Refusal(reason: error.wanted(for: cell.text)))
        }
        return column.accepted(value, limits: TableLimits()).mapError { rejection in
            guard rejection.rule == "choices" else { return Refusal(reason: rejection.message) }
            let names = column.rules.choices.prefix(6).map(\.string).joined(separator: ", ")
            let more = column.rules.choices.count > 6 ? ", …" : ""
            return Refusal(reason: "none of the choices (\(names)\(more))")
        }
    }

    // MARK: Size

    private static func tooMany(_ count: Int, _ what: String) -> String {
        "\(grouped(count)) \(what) are more than the \(grouped(TableLimits().partsMax)) of one "
            + "operation; use `roundtable import`"
    }

    /// Why the operation would be too large; nil where it is not.
    private func sizeProblem(in table: TableID?) -> String? {
        let op = Op(mode: .strict, body: body)
        guard op.partCount <= TableLimits().partsMax else {
            return PastePlan.tooMany(op.partCount, "cells and new rows")
        }
        let bytesMax = WireLimits().lineBytesMax
        var bytes: [UInt8] = []
        if let table {
            let submitted = SubmittedOp(table: .id(table), clientNumber: 0, op: op)
            write(ClientLine(message: .op(submitted)), to: &bytes)
        }
        guard bytes.count + PastePlan.otherBytesMax > bytesMax else { return nil }
        return "it takes \(grouped(bytes.count)) bytes, one operation has \(grouped(bytesMax)) at "
            + "most; paste it in parts, or use `roundtable import`"
    }
}
