// A table written a second time, as plainly as possible: an array of rows, an array of columns,
// a dictionary of cells. It shares no code with TableModel's table and is fed from the log, so
// that a fault in either shows as a difference. Its judgement of operations is in
// ReferenceResolver.swift.
import TableModel
import TableValue

/// A table as an array of rows and a dictionary of cells.
struct ReferenceTable {
    struct Row: Hashable {
        let id: RowID
        var isHidden = false
    }

    struct NamedColumn: Hashable {
        var column: Column
        var isHidden = false
    }

    struct Place: Hashable {
        let row: RowID
        let column: ColumnID
    }

    struct Cell: Hashable {
        var value: Value
        var version: SequenceNumber
    }

    /// All rows in order, live and hidden.
    var rows: [Row] = []
    /// All columns in order, live and hidden.
    var columns: [NamedColumn] = []
    /// Cells that were ever written.
    var cells: [Place: Cell] = [:]
    /// The record that made each row.
    var created: [RowID: SequenceNumber] = [:]
    /// The highest number that a column has had since it had a sequence.
    var highest: [ColumnID: Int64] = [:]
    /// The last record applied.
    var head: SequenceNumber = 0
    /// The last record that added, renamed, moved or hid a column.
    var schemaHead: SequenceNumber = 0
    /// The columns whose type the record that is being applied has changed.
    private var retyped: Set<ColumnID> = []
    /// Rows that are given to somebody for a time.
    var leases: [RowID: ReferenceLease] = [:]
    /// Whose record is being applied.
    var applying: OpAuthor?
    /// What is said of how it is shown as a whole.
    var look = ReferenceLook()
    /// What undo asks for.
    var past = ReferencePast()

    func rowPlace(_ id: RowID) -> Int? { rows.firstIndex { $0.id == id } }

    func columnPlace(_ id: ColumnID) -> Int? { columns.firstIndex { $0.column.id == id } }

    func value(_ row: RowID, _ column: ColumnID) -> Value {
        cells[Place(row: row, column: column)]?.value ?? .null
    }

    /// The record that last wrote a cell: the one that made the row where none did since.
    func version(_ row: RowID, _ column: ColumnID) -> SequenceNumber {
        cells[Place(row: row, column: column)]?.version ?? created[row] ?? 0
    }

    var liveRows: [RowID] { rows.filter { !$0.isHidden }.map(\.id) }

    var liveColumns: [Column] { columns.filter { !$0.isHidden }.map(\.column) }
}

// MARK: Applying

/// What no right log holds.
struct ReferenceFault: Error {
    let reason: String
}

extension ReferenceTable {
    /// Applies a record as it stands in the log.
    ///
    /// - Throws: `ReferenceFault` where it names what is not there. Invariants I3 and I5.
    mutating func apply(_ record: Record) throws(ReferenceFault) {
        guard record.sequence == head + 1 else {
            throw ReferenceFault(reason: "record \(record.sequence) follows \(head)")
        }
        retyped = []
        applying = record.author
        var before = self
        before.past = ReferencePast()
        var operation = ReferencePast.Operation(
            before: before, writersBefore: past.writers, record: record)
        let target = record.outcome.undid.flatMap { past.operations[$0] }
        for change in record.changes {
            noteAnchor(change, record)
            var written = registers(of: change)
            if case .cellsFilled(let column, let rows, _) = change, retyped.contains(column) {
                written = rows.map { .cell(Place(row: $0, column: column)) }
            }
            try apply(change, record.sequence)
            for register in written {
                var origin = record.sequence
                // What the target wrote came from where its predecessor came from.
                if let target, let kept = keptOrigin(register, since: target.record.sequence) {
                    origin = kept
                } else if let target,
                    target.writersAfter[register] != target.writersBefore[register]
                {
                    origin = target.writersBefore[register]?.origin ?? beginning(of: register)
                }
                past.writers[register] = .init(sequence: record.sequence, origin: origin)
            }
        }
        head = record.sequence
        operation.writersAfter = past.writers
        past.operations[record.sequence] = operation
        past.note(record)
    }

    /// Where what was never written came from: a cell from the record that made its row.
    private func beginning(of register: ReferencePast.Register) -> SequenceNumber {
        if case .cell(let place) = register { created[place.row] ?? 0 } else { 0 }
    }

    /// Where a cell came from that was written after what is taken back, and comes along with its
    /// column's type; nil for others.
    private func keptOrigin(
        _ register: ReferencePast.Register, since target: SequenceNumber
    ) -> SequenceNumber? {
        guard case .cell(let place) = register, retyped.contains(place.column) else { return nil }
        if let writer = past.writers[register] {
            return writer.sequence > target ? writer.origin : nil
        }
        let created = created[place.row] ?? 0
        return created > target ? created : nil
    }

    /// Rows behind which another session inserts, and which are not the last of all.
    private mutating func noteAnchor(_ change: Change, _ record: Record) {
        guard case .rowsInserted(let block) = change, let index = try? index(block.place),
            index > 0, index < rows.count, rows[index - 1].id.session != record.session
        else { return }
        past.anchored[rows[index - 1].id] = record.sequence
    }

    mutating func apply(
        _ change: Change, _ sequence: SequenceNumber
    ) throws(ReferenceFault) {
        switch change {
        case .rowsInserted(let block):
            for id in block.ids where rowPlace(id) != nil {
                throw ReferenceFault(reason: "row \(id) is inserted twice")
            }
            rows.insert(contentsOf: block.ids.map { Row(id: $0) }, at: try index(block.place))
            for id in block.ids { created[id] = sequence }
            try fill(block, sequence)
        case .rowsShown(let block):
            try take(block.ids, to: block.place)
            for id in block.ids { setHidden(id, false) }
            try fill(block, sequence, keepingEqual: true)
        case .cellsSet(let changes):
            for cell in changes { try set(cell.row, cell.column, cell.value, sequence) }
        case .cellsFilled(let column, let rows, let values):
            guard rows.count == values.count else {
                throw ReferenceFault(reason: "a fill has not as many values as rows")
            }
            for (row, value) in zip(rows, values) {
                try set(
                    row, column, value, sequence, keepingEqual: !retyped.contains(column))
            }
        case .rowsHidden(let ids):
            for id in ids {
                guard rowPlace(id) != nil else { throw unknown(id) }
                setHidden(id, true)
            }
        case .rowsMoved(let ids, let place):
            try take(ids, to: place)
        case .rowsArranged(let ids):
            for id in ids {
                guard let place = rowPlace(id) else { throw unknown(id) }
                guard !rows[place].isHidden else {
                    throw ReferenceFault(reason: "row \(id) is arranged and not live")
                }
            }
            arrange(ids)
        case .leaseSet(let id, let milliseconds):
            guard rowPlace(id) != nil else { throw unknown(id) }
            var lease =
                leases[id]
                ?? ReferenceLease(
                    claim: sequence, session: applying?.session ?? .server,
                    user: applying?.user ?? "", until: milliseconds)
            lease.until = milliseconds
            leases[id] = lease
        case .leaseEnded(let id):
            guard leases[id] != nil else {
                throw ReferenceFault(reason: "row \(id) is given back and is nobody's")
            }
            leases[id] = nil
        case .displaySet(let change): try applyDisplay(change)
        default:
            try applyToColumns(change)
            schemaHead = sequence
        }
    }

    private mutating func applyToColumns(_ change: Change) throws(ReferenceFault) {
        switch change {
        case .columnAdded(let column, let place):
            guard columnPlace(column.id) == nil else {
                throw ReferenceFault(reason: "column \(column.id) is added twice")
            }
            columns.insert(NamedColumn(column: column), at: try columnIndex(place))
            noteSequence(column)
        case .columnRenamed(let id, let name):
            columns[try known(id)].column.name = name
        case .columnRulesSet(let id, let rules):
            let place = try known(id)
            columns[place].column.rules = rules
            noteSequence(columns[place].column)
        case .columnRetyped(let id, let type, let rules):
            let place = try known(id)
            columns[place].column.type = type
            columns[place].column.rules = rules
            for key in cells.keys where key.column == id { cells[key]?.value = .null }
            noteSequence(columns[place].column)
            retyped.insert(id)
        case .columnMoved(let id, let place):
            let moved = columns.remove(at: try known(id))
            columns.insert(moved, at: try columnIndex(place))
        case .columnHidden(let id):
            columns[try known(id)].isHidden = true
        case .columnShown(let column, let place):
            var shown = columns.remove(at: try known(column.id))
            guard shown.column == column else {
                throw ReferenceFault(reason: "column \(column.id) is shown as another")
            }
            shown.isHidden = false
            columns.insert(shown, at: try columnIndex(place))
        default: break
        }
    }

    private mutating func take(_ ids: [RowID], to place: RowPlace) throws(ReferenceFault) {
        var taken: [Row] = []
        for id in ids {
            guard let old = rowPlace(id) else { throw unknown(id) }
            taken.append(rows.remove(at: old))
        }
        rows.insert(contentsOf: taken, at: try index(place))
    }

    /// The index at which rows at that place begin.
    ///
    /// The live row and the hidden one that it names must belong together: nothing live stands
    /// between them.
    private func index(_ place: RowPlace) throws(ReferenceFault) -> Int {
        var liveIndex = -1
        if let after = place.after {
            guard let found = rowPlace(after) else { throw unknown(after) }
            guard !rows[found].isHidden else {
                throw ReferenceFault(reason: "anchor \(after) is not live")
            }
            liveIndex = found
        }
        guard let slot = place.slot else { return liveIndex + 1 }
        guard let slotIndex = rowPlace(slot) else { throw unknown(slot) }
        guard slotIndex > liveIndex, rows[(liveIndex + 1)...slotIndex].allSatisfy(\.isHidden)
        else {
            throw ReferenceFault(reason: "slot \(slot) is not in the gap after the anchor")
        }
        return slotIndex + 1
    }

    private mutating func fill(
        _ block: RowBlock, _ sequence: SequenceNumber, keepingEqual: Bool = false
    ) throws(ReferenceFault) {
        guard block.cells.count == block.ids.count * block.columns.count else {
            throw ReferenceFault(reason: "a block's cells are not rows times columns")
        }
        var next = 0
        for id in block.ids {
            for column in block.columns {
                try set(id, column, block.cells[next], sequence, keepingEqual: keepingEqual)
                next += 1
            }
        }
    }

    mutating func set(
        _ row: RowID, _ column: ColumnID, _ value: Value, _ sequence: SequenceNumber,
        keepingEqual: Bool = false
    ) throws(ReferenceFault) {
        guard rowPlace(row) != nil else { throw unknown(row) }
        let type = columns[try known(column)].column.type
        do {
            let typed = try value.converted(to: type)
            if keepingEqual, typed == self.value(row, column) { return }
            cells[Place(row: row, column: column)] = Cell(value: typed, version: sequence)
            raise(column, typed)
        } catch {
            throw ReferenceFault(reason: "a value of column \(column) is not of its type")
        }
    }

    private mutating func setHidden(_ id: RowID, _ isHidden: Bool) {
        if let place = rowPlace(id) { rows[place].isHidden = isHidden }
    }

    private func columnIndex(_ place: ColumnPlace) throws(ReferenceFault) -> Int {
        var liveIndex = -1
        if let after = place.after { liveIndex = try known(after) }
        if liveIndex >= 0, columns[liveIndex].isHidden {
            throw ReferenceFault(reason: "anchor \(columns[liveIndex].column.id) is not live")
        }
        guard let slot = place.slot else { return liveIndex + 1 }
        let slotIndex = try known(slot)
        guard slotIndex > liveIndex, columns[(liveIndex + 1)...slotIndex].allSatisfy(\.isHidden)
        else {
            throw ReferenceFault(reason: "slot \(slot) is not in the gap after the anchor")
        }
        return slotIndex + 1
    }

    private func known(_ id: ColumnID) throws(ReferenceFault) -> Int {
        guard let place = columnPlace(id) else {
            throw ReferenceFault(reason: "column \(id) is unknown")
        }
        return place
    }

    private func unknown(_ id: RowID) -> ReferenceFault {
        ReferenceFault(reason: "row \(id) is unknown")
    }
}
