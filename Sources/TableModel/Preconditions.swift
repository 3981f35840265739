// What must hold before an operation is performed; rule C3.
// They change nothing; Perform.swift asks for all of them before the first intent.
import TableValue

extension Table {
    /// Throws `precondition_failed`, with the facts, where the precondition does not hold.
    func check(_ precondition: Precondition) throws(Rejection) {
        switch precondition {
        case .cellVersion(let row, let column, let version):
            let (slot, index) = try cellOf(row, column)
            guard cellStamp(slot, index).sequence == version else {
                throw failed("The cell has been written since.", row, schemaID(index))
            }
        case .cellValue(let row, let column, let value):
            let (slot, index) = try cellOf(row, column)
            guard let wanted = fitted(value, to: cells[index].type),
                cells[index].equals(slot, wanted)
            else { throw failed("The cell holds another value.", row, schemaID(index)) }
        case .rowVersion(let row, let version):
            guard let slot = rows.slot(of: row) else { throw unknownRow(row) }
            guard rowVersion(slot) <= version else {
                throw failed("The row has been written since.", row, nil)
            }
        case .rowLive(let row):
            guard let slot = rows.slot(of: row) else { throw unknownRow(row) }
            guard !rows.order.isHidden(slot) else {
                throw failed("The row has been deleted.", row, nil)
            }
        case .tableSequence(let sequence):
            guard head <= sequence else {
                throw failed("The table is at \(head).", nil, nil)
            }
        case .schemaSequence(let sequence):
            guard schemaHead <= sequence else {
                throw failed("The columns were changed by \(schemaHead).", nil, nil)
            }
        }
    }

    /// The number of the record that last wrote any cell of the row.
    private func rowVersion(_ slot: UInt32) -> SequenceNumber {
        cells.reduce(rows.created[slot].sequence) { version, column in
            max(version, column.stamps[slot]?.sequence ?? 0)
        }
    }

    private func schemaID(_ index: Int) -> ColumnID { schema.entries[index].column.id }

    private func cellOf(
        _ row: RowID, _ column: ColumnReference
    ) throws(Rejection) -> (slot: UInt32, index: Int) {
        guard let slot = rows.slot(of: row) else { throw unknownRow(row) }
        guard let index = schema.index(of: column) else {
            throw failed("There is no such column.", row, nil)
        }
        return (slot, index)
    }

    private func unknownRow(_ row: RowID) -> Rejection {
        failed("There is no row \(row).", row, nil)
    }

    private func failed(_ fact: String, _ row: RowID?, _ column: ColumnID?) -> Rejection {
        var current: CurrentCell?
        if let row, let column { current = cell(row, column) }
        return Rejection(
            .preconditionFailed, fact + " Nothing was changed; look again and decide anew.",
            row: row, column: column, current: current)
    }
}
