// Rules C1 to C14: what becomes of cells that are set and added to.
// It decides and changes the table through Mutate.swift; nothing here touches the order of rows.
import TableValue

extension Table {
    /// Texts up to this size are set without a look at the row's others: as many of them as there
    /// can be columns stay within a line.
    private static var smallTextBytesMax: Int { 1_024 }

    /// A cell that will be written.
    struct Target {
        var row: RowID
        var slot: UInt32
        var index: Int
        var value: Value
    }

    // MARK: Setting

    /// Sets cells: first every part is judged, then all that can be are written in order.
    mutating func performSet(_ edits: [CellEdit], _ progress: inout Progress) throws(Rejection) {
        guard ruleBook.isEmpty else { return try performRuledSet(edits, &progress) }
        if edits.count == 1 {
            guard let target = try target(of: edits[0], &progress),
                let change = write(target, &progress)
            else { return }
            progress.changes.append(.cellsSet([change]))
            return
        }
        var targets: [Target] = []
        targets.reserveCapacity(edits.count)
        for edit in edits {
            if let target = try target(of: edit, &progress) { targets.append(target) }
        }
        var changes: [CellChange] = []
        changes.reserveCapacity(targets.count)
        for target in targets {
            if let change = write(target, &progress) { changes.append(change) }
        }
        if !changes.isEmpty { progress.changes.append(.cellsSet(changes)) }
    }

    /// Writes a cell; nil where it holds the value already.
    ///
    /// Rule C6.
    mutating func write(_ target: Target, _ progress: inout Progress) -> CellChange? {
        if progress.mayMeetNews {
            let isNews = rows.moved.mayHaveNews(target.slot, since: progress.base)
            progress.noteSet(target.slot, moved: isNews ? rows.moved[target.slot] : nil)
        }
        if cells[target.index].equals(target.slot, target.value) { return nil }
        // Mostly nothing near the cell was written after the base, and then none needs to be
        // asked.
        if progress.mayMeetNews,
            rows.created.latest > progress.base
                || cells[target.index].stamps.mayHaveNews(target.slot, since: progress.base)
        {
            progress.noteOverridden(cellStamp(target.slot, target.index))
        }
        setCell(target.slot, target.index, target.value, stamp: progress.stamp)
        return CellChange(
            row: target.row, column: schema.entries[target.index].column.id, value: target.value)
    }

    /// The cell that an edit means, with its value as stored; nil where it was counted as gone
    /// or refused.
    mutating func target(
        of edit: CellEdit, _ progress: inout Progress
    ) throws(Rejection) -> Target? {
        guard let slot = rows.slot(of: edit.row) else {
            try progress.miss(edit.row)
            return nil
        }
        guard let index = schema.index(of: edit.column) else {
            try progress.refuse(unknownColumn(edit.column, row: edit.row), parts: 1)
            return nil
        }
        var value = edit.value
        if cells[index].isRuled || !isPlain(value, cells[index].type) {
            switch acceptedAlsoStale(value, for: index, &progress) {
            case .success(let fitting):
                value = fitting
            case .failure(var rejection):
                rejection.row = edit.row
                try progress.refuse(rejection, parts: 1)
                return nil
            }
        }
        if let text = value.textHeld, text.byteCount > Self.smallTextBytesMax,
            var rejection = rowProblem(slot, index, text)
        {
            rejection.row = edit.row
            try progress.refuse(rejection, parts: 1)
            return nil
        }
        try countTarget(edit.row, slot, index, &progress)
        return Target(row: edit.row, slot: slot, index: index, value: value)
    }

    /// The refusal of a large text with which its row would be too large for one line.
    func rowProblem(_ slot: UInt32, _ index: Int, _ text: Text) -> Rejection? {
        var byteCount = text.byteCount
        for other in cells.indices where other != index {
            byteCount += cells[other].textByteCount(slot)
        }
        guard byteCount > limits.rowTextBytesMax else { return nil }
        return Rejection(
            .cellTooLarge,
            "The texts of a row may have \(limits.rowTextBytesMax) bytes in all, these would have "
                + "\(byteCount).", column: schema.entries[index].column.id)
    }

    func countTarget(
        _ row: RowID, _ slot: UInt32, _ index: Int, _ progress: inout Progress
    ) throws(Rejection) {
        if rows.order.isHidden(slot) {
            try progress.meetHidden(row)
        } else if schema.entries[index].isHidden {
            try progress.meetHidden(schema.entries[index].column.id)
        } else {
            progress.applied += 1
        }
    }

    /// True for a value that needs no second look: of the type, and of no size that matters.
    ///
    /// All others are for `accepted(_:for:)`, which also says what is wrong with them.
    func isPlain(_ value: Value, _ type: ColumnType) -> Bool {
        switch (value, type) {
        case (.null, _), (.int, .int), (.bool, .bool), (.date, .date), (.datetime, .datetime),
            (.uuid, .uuid), (.decimal, .decimal):
            true
        case (.text(let text), .text):
            text.byteCount <= limits.cellBytesMax
        default:
            false
        }
    }

    /// The same as `accepted(_:for:)`, also where the author meant the type before.
    ///
    /// Rules S9, S10.
    mutating func acceptedAlsoStale(
        _ value: Value, for index: Int, _ progress: inout Progress
    ) -> Result<Value, Rejection> {
        guard let recast = recastStale(value, for: index, progress) else {
            return accepted(value, for: index)
        }
        let converted = accepted(recast, for: index)
        if case .success = converted { progress.noteConverted(1) }
        return converted
    }

    /// The value as it would be stored in a column, or why it cannot be.
    mutating func accepted(_ value: Value, for index: Int) -> Result<Value, Rejection> {
        let fitting: Value
        switch schema.entries[index].column.fitting(value, limits: limits) {
        case .success(let value): fitting = value
        case .failure(let rejection): return .failure(rejection)
        }
        let column = schema.entries[index].column
        if column.type == .choice, column.rules.isEmpty,
            let rejection = column.violation(of: fitting)
        {
            return .failure(rejection)
        }
        if let rejection = ruleBook.violation(of: fitting, index, in: column.id) {
            return .failure(rejection)
        }
        return .success(fitting)
    }

    /// The refusal of a part about a column that is not there.
    func unknownColumn(_ reference: ColumnReference, row: RowID? = nil) -> Rejection {
        switch reference {
        case .id(let id):
            Rejection(.unknownColumn, "There is no column \(id).", row: row, column: id)
        case .name:
            Rejection(.unknownColumn, "There is no column of that name.", row: row)
        }
    }

    // MARK: Adding

    /// Adds to a number as it is now.
    ///
    /// Rules C4 and C5.
    mutating func performAdd(
        _ amount: Value, _ row: RowID, _ reference: ColumnReference, _ progress: inout Progress
    ) throws(Rejection) {
        guard let slot = rows.slot(of: row) else {
            try progress.miss(row)
            return
        }
        guard let index = schema.index(of: reference) else {
            throw unknownColumn(reference, row: row)
        }
        let sum: Value
        switch schema.entries[index].column.sum(of: cells[index].value(slot), amount) {
        case .success(let value): sum = value
        case .failure(var rejection):
            rejection.row = row
            throw rejection
        }
        try putMade(sum, row, slot, index, &progress)
    }

    /// Writes a value that was made of what the cell holds, and tells its author; what concerns the
    /// value alone has been judged.
    mutating func putMade(
        _ value: Value, _ row: RowID, _ slot: UInt32, _ index: Int, _ progress: inout Progress
    ) throws(Rejection) {
        if var rejection = differenceProblem(slot, index, value) {
            rejection.row = row
            throw rejection
        }
        let isEqual = cells[index].equals(slot, value)
        var computed: [(index: Int, value: Value)] = []
        if cells[index].isRuled, ruleBook.hasRowRules, !isEqual {
            computed = try computedOf(slot, index, value, row)
        }
        try countTarget(row, slot, index, &progress)
        progress.values.append(value)
        if isEqual { return }
        var changes = [makeCell(slot, index, value, progress.stamp)]
        for cell in computed {
            changes.append(makeCell(slot, cell.index, cell.value, progress.stamp))
        }
        progress.changes.append(.cellsSet(changes))
    }
}
