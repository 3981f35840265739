// The conflict rules written a second time, as plainly as possible: what an operation should
// come to, given the table before it. It shares no code with TableModel's resolve. What it
// leaves open (notes, the order of hidden rows) is what nobody can see.
import TableModel
import TableValue

/// What an operation should come to.
struct ExpectedResult {
    /// The table after it.
    let table: ReferenceTable
    let status: Outcome.Status
}

/// Performs one operation on a reference table.
struct ReferenceResolver {
    var table: ReferenceTable
    let session: SessionNumber
    /// Who the author is and when, as the record says; nil where there is no record.
    let circumstances: Circumstances?
    /// True where it cannot be told without a record whether a default breaks a rule.
    var isUncertain = false
    let sequence: SequenceNumber
    /// Ids that the server gave, to be used where the operation names none.
    var givenRows: ArraySlice<RowID>
    private let undid: SequenceNumber?
    /// The last record that the author had seen.
    private(set) var base: SequenceNumber = 0
    var givenColumns: ArraySlice<ColumnID>
    var applied = 0
    var hidden = 0
    var gone = 0
    var refused = 0
    /// What an undo left as somebody else made it.
    var kept = 0
    var hasChanged = false

    /// What `op` should come to.
    ///
    /// - Parameters:
    ///   - op: the operation as it was submitted.
    ///   - session: its author.
    ///   - table: the table as the record before left it.
    ///   - outcome: what its author was told; only the ids that the server gave and the record
    ///     that it took back are used.
    ///   - circumstances: user and time of the record; nil where there is none.
    /// - Returns: the table after it, and the status its author should be told.
    static func expectation(
        of op: Op, by session: SessionNumber, on table: ReferenceTable, given outcome: Outcome,
        in circumstances: Circumstances?
    ) -> ExpectedResult {
        var resolver = ReferenceResolver(
            table: table, session: session, circumstances: circumstances, sequence: table.head + 1,
            givenRows: outcome.rows[...], givenColumns: outcome.columns[...],
            undid: outcome.undid)
        resolver.base = op.base
        guard op.preconditions.allSatisfy(resolver.holds) else {
            return ExpectedResult(table: table, status: .rejected)
        }
        for intent in op.body { resolver.perform(intent, op.mode, op.base) }
        if resolver.isUncertain { return ExpectedResult(table: table, status: outcome.status) }
        let status = resolver.status(op.mode)
        return ExpectedResult(table: status == .rejected ? table : resolver.table, status: status)
    }

    private init(
        table: ReferenceTable, session: SessionNumber, circumstances: Circumstances?,
        sequence: SequenceNumber, givenRows: ArraySlice<RowID>,
        givenColumns: ArraySlice<ColumnID>, undid: SequenceNumber?
    ) {
        self.table = table
        self.circumstances = circumstances
        self.session = session
        self.sequence = sequence
        self.givenRows = givenRows
        self.givenColumns = givenColumns
        self.undid = undid
    }

    /// For what the server does itself.
    init(table: ReferenceTable, circumstances: Circumstances) {
        self.init(
            table: table, session: .server, circumstances: circumstances,
            sequence: table.head + 1, givenRows: [], givenColumns: [], undid: nil)
    }

    func status(_ mode: OpMode) -> Outcome.Status {
        if mode == .strict, hidden + gone + refused + kept > 0 { return .rejected }
        if refused > 0, applied + hidden == 0, !hasChanged { return .rejected }
        guard hasChanged else {
            if gone > 0, applied + hidden + refused == 0 { return .gone }
            return refused + gone > 0 ? .partial : .noop
        }
        if hidden + gone + refused + kept == 0 { return .ok }
        return applied + gone + refused + kept == 0 ? .hidden : .partial
    }

    // MARK: Preconditions

    private func holds(_ precondition: Precondition) -> Bool {
        switch precondition {
        case .cellVersion(let row, let reference, let version):
            guard let column = column(reference), table.rowPlace(row) != nil else { return false }
            return table.version(row, column.column.id) == version
        case .cellValue(let row, let reference, let value):
            guard let column = column(reference), table.rowPlace(row) != nil else { return false }
            let typed = try? value.converted(to: column.column.type)
            return typed == table.value(row, column.column.id)
        case .rowVersion(let row, let version):
            guard table.rowPlace(row) != nil, table.created[row] ?? 0 <= version else {
                return false
            }
            return table.cells.allSatisfy { $0.key.row != row || $0.value.version <= version }
        case .rowLive(let row):
            guard let place = table.rowPlace(row) else { return false }
            return !table.rows[place].isHidden
        case .rowAbsent(let reference, let value):
            guard let column = column(reference),
                let wanted = try? value.converted(to: column.column.type), wanted != .null
            else { return false }
            return !table.isTaken(wanted, column.column.id, besides: nil)
        case .tableSequence(let number):
            return table.head <= number
        case .schemaSequence(let number):
            return table.schemaHead <= number
        }
    }

    // MARK: Intents

    private mutating func perform(
        _ intent: Intent, _ mode: OpMode, _ base: SequenceNumber
    ) {
        switch intent {
        case .insertRows(let insert): performInsert(insert)
        case .setCells(let edits): performSet(edits)
        case .addNumber(let row, let column, let amount): performAdd(row, column, amount)
        case .combineCell(let combine): performCombine(combine)
        case .upsertRow(let upsert): performUpsert(upsert)
        case .claimRow(let claim): performClaim(claim)
        case .changeLease(let change): performLeaseChange(change)
        case .deleteRows(let ids): for id in ids { performDelete(id) }
        case .moveRows(let ids, let anchor): performMove(ids, anchor)
        case .addColumn(let add): performAddColumn(add)
        case .renameColumn(let reference, let name, let onClash):
            performRename(reference, name, onClash)
        case .moveColumn(let reference, let anchor): performMoveColumn(reference, anchor)
        case .deleteColumn(let reference): performDeleteColumn(reference)
        case .changeRules(let reference, let patch): performChangeRules(reference, patch)
        case .changeDisplay(let change): performDisplay(change)
        case .retypeColumn(let retyping): performRetype(retyping)
        case .duplicateColumn(let duplication): performDuplicateColumn(duplication)
        case .setColumn(let setting): performSetColumn(setting, base)
        case .duplicateRows(let duplication): performDuplicateRows(duplication)
        // Another table is not known here; the judge asks for none.
        case .appendTable: refused += 1
        // Comments are no part of the content; none are drawn.
        case .comment: refused += 1
        case .sortRows(let sort): performSort(sort)
        case .transformColumn(let transform): performTransform(transform)
        case .clear: performClear(base: base, includingNewer: false)
        case .truncate: performClear(base: base, includingNewer: true)
        case .undo(let request): performUndo(request, mode, given: undid)
        case .restore(let request): performRestore(request)
        }
    }

    /// R1 to R5: literally after the anchor, which may be hidden; at the end where it is gone.
    mutating func performInsert(_ insert: InsertRows) {
        var ids = insert.ids
        if ids.isEmpty {
            ids = Array(givenRows.prefix(insert.rowCount))
            givenRows = givenRows.dropFirst(insert.rowCount)
        } else if Set(ids.map(\.rawValue)).count < ids.count
            || ids.contains(where: { $0.session != session || table.rowPlace($0) != nil })
        {
            refused += ids.count
            return
        }
        var place = table.rows.count
        if case .first = insert.anchor { place = 0 }
        if case .after(let row) = insert.anchor, let found = table.rowPlace(row) {
            place = found + 1
        }
        let before = (table, applied, hidden, refused)
        table.rows.insert(contentsOf: ids.map { .init(id: $0) }, at: place)
        do {
            try fill(ids, insert)
        } catch {
            (table, applied, hidden, refused) = before
            refused += ids.count + insert.cells.count
            return
        }
        applied += ids.count
        hasChanged = hasChanged || !ids.isEmpty
    }

    /// C1, C6, C8, C9, S5.
    ///
    /// Row after row, in the order in which rows are first named; those before a cell that stands
    /// there twice come first.
    mutating func performSet(_ edits: [CellEdit]) {
        var drafts: [(row: RowID, cells: [(ReferenceTable.NamedColumn, Value)])] = []
        for edit in edits {
            guard table.rowPlace(edit.row) != nil else {
                gone += 1
                continue
            }
            guard let column = column(edit.column),
                let typed = stale(edit.value, for: column.column)
                    ?? (try? edit.value.converted(to: column.column.type)),
                ReferenceRules(column.column).keep(typed)
            else {
                refused += 1
                continue
            }
            let place = drafts.firstIndex { $0.row == edit.row }
            if let place, drafts[place].cells.contains(where: { $0.0 == column }) {
                for draft in drafts { write(draft.row, draft.cells) }
                drafts = [(edit.row, [(column, typed)])]
            } else if let place {
                drafts[place].cells.append((column, typed))
            } else {
                drafts.append((edit.row, [(column, typed)]))
            }
        }
        for draft in drafts { write(draft.row, draft.cells) }
    }

    /// Writes the cells of a row but those by which it would break a rule.
    private mutating func write(
        _ row: RowID, _ cells: [(ReferenceTable.NamedColumn, Value)]
    ) {
        let isHidden = table.rowPlace(row).map { table.rows[$0].isHidden } ?? false
        var kept = cells.filter { column, value in
            isHidden || !ReferenceRules(column.column).isUnique
                || !table.isTaken(value, column.column.id, besides: row)
        }
        refused += cells.count - kept.count
        while true {
            var new: [ColumnID: Value] = [:]
            for (column, value) in kept where table.value(row, column.column.id) != value {
                new[column.column.id] = value
            }
            for (column, value) in computed(row, new, of: Set(new.keys)) { new[column] = value }
            let culprits = brokenChecks(row, new, of: Set(new.keys))
            if culprits.isEmpty {
                for (column, _) in kept {
                    if isHidden || column.isHidden { hidden += 1 } else { applied += 1 }
                }
                for (column, value) in new { put(row, column, value) }
                hasChanged = hasChanged || !new.isEmpty
                return
            }
            let before = kept.count
            kept.removeAll { column, _ in
                culprits.contains(column.column.id) && new[column.column.id] != nil
            }
            refused += before - kept.count
        }
    }

    /// C4, C5.
    private mutating func performAdd(_ row: RowID, _ reference: ColumnReference, _ amount: Value) {
        guard table.rowPlace(row) != nil else {
            gone += 1
            return
        }
        guard let column = column(reference) else {
            refused += 1
            return
        }
        let old = table.value(row, column.column.id)
        switch (column.column.type, try? amount.converted(to: column.column.type)) {
        case (.int, .int(let amount)?):
            var current: Int64 = 0
            if case .int(let value) = old { current = value }
            let (sum, overflow) = current.addingReportingOverflow(amount)
            guard !overflow else {
                refused += 1
                return
            }
            performSet([CellEdit(row: row, column: reference, value: .int(sum))])
        case (.double, .double(let amount)?):
            var current = 0.0
            if case .double(let value) = old { current = value }
            performSet([
                CellEdit(row: row, column: reference, value: .double(current + amount))
            ])
        case (.decimal, .decimal(let amount)?):
            var current = ExactDecimal(0)
            if case .decimal(let value) = old { current = value }
            guard let sum = current.adding(amount) else {
                refused += 1
                return
            }
            performSet([CellEdit(row: row, column: reference, value: .decimal(sum))])
        default:
            refused += 1
        }
    }

    /// R7.
    private mutating func performDelete(_ id: RowID) {
        guard let place = table.rowPlace(id) else {
            gone += 1
            return
        }
        applied += 1
        guard !table.rows[place].isHidden else { return }
        table.rows[place].isHidden = true
        hasChanged = true
    }

    /// R8 to R17: contiguous, in the order listed; hidden rows move and stay hidden.
    private mutating func performMove(_ ids: [RowID], _ anchor: RowAnchor) {
        var moving: [ReferenceTable.Row] = []
        for id in ids where !moving.contains(where: { $0.id == id }) {
            guard let place = table.rowPlace(id) else {
                gone += 1
                continue
            }
            moving.append(table.rows[place])
            if table.rows[place].isHidden { hidden += 1 } else { applied += 1 }
        }
        guard !moving.isEmpty else { return }
        let isMoving = Set(moving.map(\.id))
        var place = table.rows.filter { !isMoving.contains($0.id) }.count
        if case .first = anchor { place = 0 }
        if case .after(let row) = anchor, let found = table.rowPlace(row) {
            place = table.rows[...found].filter { !isMoving.contains($0.id) }.count
        }
        let before = table.rows
        table.rows.removeAll { isMoving.contains($0.id) }
        table.rows.insert(contentsOf: moving, at: place)
        hasChanged = hasChanged || table.rows != before
    }

    /// Writes a cell.
    ///
    /// - Returns: true where the value is another than before; nil where it does not fit.
    mutating func write(
        _ row: RowID, _ column: ReferenceTable.NamedColumn, _ value: Value
    ) -> Bool? {
        let (id, rules) = (column.column.id, ReferenceRules(column.column))
        let plain = try? value.converted(to: column.column.type)
        guard let typed = stale(value, for: column.column) ?? plain, rules.keep(typed) else {
            return nil
        }
        let isLive = table.rowPlace(row).map { !table.rows[$0].isHidden } ?? false
        if rules.isUnique, isLive, table.isTaken(typed, id, besides: row) { return nil }
        guard table.value(row, id) != typed else { return false }
        put(row, id, typed)
        return true
    }

    /// Puts a value of the column's type into a cell.
    mutating func put(_ row: RowID, _ column: ColumnID, _ value: Value) {
        table.cells[.init(row: row, column: column)] = .init(value: value, version: sequence)
        table.raise(column, value)
    }

    func column(_ reference: ColumnReference) -> ReferenceTable.NamedColumn? {
        switch reference {
        case .id(let id): table.columns.first { $0.column.id == id }
        case .name(let name): table.columns.first { !$0.isHidden && folded($0) == fold(name) }
        }
    }
}
