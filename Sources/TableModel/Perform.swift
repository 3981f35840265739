// An operation at the sequencer: checked, resolved intent by intent, applied as it is resolved.
// This is the only place that may refuse; what it came to is replayed by Apply.swift.
// The rules are in ResolveRows.swift, ResolveCells.swift and ResolveColumns.swift.
import TableValue

extension Table {
    /// Performs an operation: resolves each intent against the table as the intents before it
    /// left it, and applies what it came to.
    ///
    /// The table is unchanged where this throws, and where the resolution has no changes.
    ///
    /// - Parameters:
    ///   - op: what is wanted.
    ///   - author: whose it is, who may only make ids of that session.
    ///   - sequence: the number the record will have if there are changes: `head + 1`.
    ///   - circumstances: who it is and when, as the record will say; where nobody says, cells
    ///     that default to either stay empty.
    ///   - past: the table as it was, for an operation that brings it back.
    /// - Returns: what happened, to be put in the record of that number, and the outcome.
    /// - Throws: `Rejection`, with the table as it was.
    package mutating func perform(
        _ op: Op, by author: OpAuthor, as sequence: SequenceNumber,
        in circumstances: Circumstances? = nil, from past: Table? = nil
    ) throws(Rejection) -> Resolution {
        try checkShape(of: op)
        var rowsToLookAt = limits.partsMax
        for precondition in op.preconditions { try check(precondition, &rowsToLookAt) }
        ruleBook.stepsLeft = limits.ruleStepsMax
        var progress = Progress(
            op, author: author, sequence: sequence, circumstances: circumstances, past: past)
        // In best mode, and in a single intent, whatever refuses does so before it changes
        // anything; only a later intent of a strict operation has something to take back, or a
        // later row where the rules of columns have to be asked row by row.
        if keepsUndo || op.isDryRun
            || (op.mode == .strict && (op.body.count > 1 || !ruleBook.isEmpty))
        {
            beginJournal()
        }
        for (part, intent) in op.body.enumerated() {
            progress.part = part
            do {
                try perform(intent, &progress)
            } catch {
                if op.mode == .strict {
                    rollBack()
                    throw numbered(error, part)
                }
                try progress.refuse(error, parts: intent.partCount)
            }
        }
        let undid = progress.undid
        let isRestore = progress.restored != nil
        let resolution: Resolution
        do {
            resolution = try progress.resolution()
        } catch {
            journal = Journal()
            throw error
        }
        if op.isDryRun {
            rollBack()
            return Resolution(changes: [], outcome: resolution.outcome)
        }
        if resolution.changes.isEmpty {
            journal = Journal()
            if let undid { spendUndo(of: undid) }
        } else {
            head = sequence
            keepUndo(by: author, target: undid, keepsEachWrite: isRestore)
        }
        return resolution
    }

    /// Performs an operation of a session whose number does not matter.
    package mutating func perform(
        _ op: Op, by session: SessionNumber, as sequence: SequenceNumber,
        in circumstances: Circumstances? = nil
    ) throws(Rejection) -> Resolution {
        let author = OpAuthor(session: session, user: circumstances?.user ?? "")
        return try perform(op, by: author, as: sequence, in: circumstances)
    }

    private func numbered(_ rejection: Rejection, _ part: Int) -> Rejection {
        var numbered = rejection
        numbered.part = part
        return numbered
    }

    /// Performs one intent.
    ///
    /// Throws, before anything is changed, where the intent as a whole cannot be; parts of it
    /// that cannot are given to `progress`.
    private mutating func perform(_ intent: Intent, _ progress: inout Progress) throws(Rejection) {
        switch intent {
        case .setCells(let edits):
            try performSet(edits, &progress)
        case .addNumber(let row, let column, let amount):
            try performAdd(amount, row, column, &progress)
        case .combineCell(let combine):
            try performCombine(combine, &progress)
        case .upsertRow(let upsert):
            try performUpsert(upsert, &progress)
        case .claimRow(let claim):
            try performClaim(claim, &progress)
        case .changeLease(let change):
            try performLeaseChange(change, &progress)
        case .insertRows(let insertion):
            try performInsert(insertion, &progress)
        case .deleteRows(let ids):
            try performDelete(ids, &progress)
        case .moveRows(let ids, let anchor):
            try performMove(ids, to: anchor, &progress)
        case .addColumn(let addition):
            try performAddColumn(addition, &progress)
        case .renameColumn(let column, let name, let onClash):
            try performRenameColumn(column, to: name, onClash, &progress)
        case .moveColumn(let column, let anchor):
            try performMoveColumn(column, to: anchor, &progress)
        case .deleteColumn(let column):
            try performDeleteColumn(column, &progress)
        case .changeRules(let column, let patch):
            try performChangeRules(column, patch, &progress)
        case .changeDisplay(let change):
            try performDisplay(change, &progress)
        case .retypeColumn(let retyping):
            try performRetype(retyping, &progress)
        case .duplicateColumn(let duplication):
            try performDuplicateColumn(duplication, &progress)
        case .setColumn(let setting):
            try performSetColumn(setting, &progress)
        case .duplicateRows(let duplication):
            try performDuplicateRows(duplication, &progress)
        case .appendTable(let appending):
            try performAppendTable(appending, &progress)
        case .sortRows(let sort):
            try performSort(sort, &progress)
        case .transformColumn(let transform):
            try performTransform(transform, &progress)
        case .clear, .truncate:
            try performClear(includingNewer: intent == .truncate, &progress)
        case .comment(let intent):
            try performComment(intent, &progress)
        case .undo(let request):
            try performUndo(request, &progress)
        case .restore(let request):
            try performRestore(request, &progress)
        }
    }

    /// Refuses what is too large or contradicts itself, before anything is done.
    private func checkShape(of op: Op) throws(Rejection) {
        var parts = 0
        for (part, intent) in op.body.enumerated() {
            if case .insertRows(let insertion) = intent, let problem = insertion.shapeProblem {
                throw Rejection(.malformed, problem, part: part)
            }
            if intent.standsAlone, op.body.count > 1 {
                throw Rejection(
                    .malformed, "An undo, redo, restore or claim is an operation of its own.",
                    part: part)
            }
            let (sum, overflow) = parts.addingReportingOverflow(intent.partCount)
            guard !overflow, sum <= limits.partsMax else {
                throw Rejection(
                    .tooManyParts,
                    "An operation may touch \(limits.partsMax) rows and cells; send several.",
                    part: part)
            }
            parts = sum
        }
    }
}

extension Op {
    /// True where it may take a look at every row.
    package var looksAtAllRows: Bool {
        if preconditions.contains(where: { if case .rowAbsent = $0 { true } else { false } }) {
            return true
        }
        return body.contains { intent in
            switch intent {
            case .changeRules, .retypeColumn, .duplicateColumn, .transformColumn, .clear, .truncate,
                .undo, .restore:
                true
            case .sortRows(let sort): sort.rows == nil
            default: false
            }
        }
    }
}

extension Op {
    /// About how many rows, cells and columns it speaks of, preconditions included: what
    /// performing it costs grows with that.
    package var partCount: Int {
        body.reduce(preconditions.count) { $0 &+ $1.partCount }
    }
}

extension Intent {
    /// How many rows, cells and columns it speaks of.
    ///
    /// Needs `shapeProblem` to be nil.
    var partCount: Int {
        switch self {
        case .insertRows(let insertion):
            insertion.rowCount.addingReportingOverflow(insertion.cells.count).partialValue
        case .setCells(let edits): edits.count
        case .deleteRows(let ids): ids.count
        case .moveRows(let ids, _): ids.count
        case .claimRow(let claim): 1 &+ claim.cells.count
        case .upsertRow(let upsert): 1 &+ upsert.cells.count &+ upsert.cellsOfNew.count
        case .setColumn(let setting): max(1, setting.values.count)
        // What stands in the rows counts when it is known.
        case .duplicateRows(let duplication): duplication.rows.count
        case .addNumber, .combineCell, .changeLease, .addColumn, .renameColumn, .moveColumn,
            .deleteColumn, .changeRules, .changeDisplay, .retypeColumn, .duplicateColumn,
            .appendTable, .transformColumn, .clear, .truncate, .undo, .comment:
            1
        case .sortRows(let sort): sort.rows?.count ?? 1
        case .restore(let request): request.rows?.count ?? 1
        }
    }

    /// True for what no other intent may stand beside.
    fileprivate var standsAlone: Bool {
        switch self {
        case .undo, .restore, .claimRow: true
        default: false
        }
    }
}

extension InsertRows {
    /// What contradicts itself in it; nil where nothing does.
    var shapeProblem: String? {
        guard ids.isEmpty || ids.count == rowCount else {
            return "The number of row ids differs from the number of rows."
        }
        guard rowCount >= 0, rowCount <= RowStore.slotsMax else {
            return "The number of rows makes no sense."
        }
        let (cellCount, overflow) = rowCount.multipliedReportingOverflow(by: columns.count)
        guard cells.isEmpty || (!overflow && cells.count == cellCount) else {
            return "The number of cells is not rows times columns."
        }
        return nil
    }
}
