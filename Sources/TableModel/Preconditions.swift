// What must hold before an operation is performed; rule C3.
// They change nothing; Perform.swift asks for all of them before the first intent.
import TableValue

extension Table {
    /// Throws `precondition_failed`, with the facts, where the precondition does not hold.
    ///
    /// `rowsToLookAt` is how many rows all preconditions together may still look at.
    func check(
        _ precondition: Precondition, _ rowsToLookAt: inout Int
    ) throws(Rejection) {
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
            let (written, index) = rowVersion(slot)
            guard written <= version else {
                throw failed("The row has been written since.", row, index.map(schemaID))
            }
        case .rowLive(let row):
            guard let slot = rows.slot(of: row) else { throw unknownRow(row) }
            guard !rows.order.isHidden(slot) else {
                throw failed("The row has been deleted.", row, nil)
            }
        case .rowAbsent(let column, let value):
            try checkAbsent(column, value, &rowsToLookAt)
        case .tableSequence(let sequence):
            guard head <= sequence else {
                throw failed("The table is at \(head).", nil, nil, at: head)
            }
        case .schemaSequence(let sequence):
            guard schemaHead <= sequence else {
                throw failed(
                    "The columns were changed by \(schemaHead).", nil, nil, at: schemaHead)
            }
        }
    }

    /// The number of the record that last wrote any cell of the row, and which cell; nil where
    /// none was written since the row began.
    private func rowVersion(_ slot: UInt32) -> (SequenceNumber, index: Int?) {
        var newest = (sequence: rows.created[slot].sequence, index: Int?.none)
        for index in cells.indices {
            let sequence = cells[index].stamps[slot]?.sequence ?? 0
            if sequence > newest.sequence { newest = (sequence, index) }
        }
        return newest
    }

    /// Looks for a live row that holds a value: where the column's values must differ by its index,
    /// else at all rows.
    private func checkAbsent(
        _ reference: ColumnReference, _ value: Value, _ rowsToLookAt: inout Int
    ) throws(Rejection) {
        guard let index = schema.index(of: reference) else {
            throw failed("There is no such column.", nil, nil)
        }
        let column = schema.entries[index].column
        guard let wanted = fitted(value, to: column.type), !wanted.isNull else {
            throw Rejection(
                .wrongType,
                "The column holds \(column.type.rawValue); ask for one, which null is not.",
                column: column.id)
        }
        let holder: UInt32?
        if ruleBook.isUnique(index) {
            holder = self.holder(of: wanted, index, besides: nil)
        } else {
            guard rowCount <= rowsToLookAt else {
                throw Rejection(
                    .tooManyParts,
                    "row_absent looks at \(limits.partsMax) rows of a column that is not unique; "
                        + "give the column that rule.", column: column.id)
            }
            rowsToLookAt -= rowCount
            let worth = wanted.worth
            holder = rows.order.liveSlots.first { cells[index].value($0).worth == worth }
        }
        if let holder { throw failed("A row has the value.", rows.ids[holder], column.id) }
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

    private func failed(
        _ fact: String, _ row: RowID?, _ column: ColumnID?, at sequence: SequenceNumber? = nil
    ) -> Rejection {
        var current: CurrentCell?
        if let row, let column { current = cell(row, column) }
        var rejection = Rejection(
            .preconditionFailed, fact + " Nothing was changed; look again and decide anew.",
            row: row, column: column, current: current)
        rejection.sequence = sequence
        return rejection
    }
}
