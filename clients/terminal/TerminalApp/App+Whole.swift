// Commands about all rows: sort for good, set a column by an expression, delete all. Each asks
// first and says how many rows it is about; WholePlan.swift works that out.
import TableModel
import TableValue

extension App {
    /// Does what a command about all rows says; false where the command does something else.
    mutating func changeWhole(_ command: AppCommand, _ turn: inout Turn) -> Bool {
        switch command {
        case .sort: askForSort(turn.sheet)
        case .sortUp: sortByColumn(isDescending: false, &turn)
        case .sortDown: sortByColumn(isDescending: true, &turn)
        case .transform:
            guard let column = turn.sheet?.column(at: grid.columnPosition) else {
                refuse("there is no column here")
                return true
            }
            layer = .prompt(Prompt(kind: .transform(column, value: nil)))
        case .clear: askToClear(turn.sheet, isTruncate: false)
        case .truncate: askToClear(turn.sheet, isTruncate: true)
        default: return false
        }
        return true
    }

    /// The user said yes.
    mutating func confirm(_ plan: WholePlan, _ turn: inout Turn) {
        guard mayEdit(turn.sheet) else { return }
        turn.perform(plan.intent, for: plan.purpose)
    }

    // MARK: Sorting

    private mutating func askForSort(_ sheet: Sheet?) {
        guard let sheet, let column = sheet.column(at: grid.columnPosition) else {
            return refuse("there is no column to sort by")
        }
        var prompt = Prompt(kind: .sort)
        let key = SortKey(column: column, isDescending: false)
        prompt.field = TextField(SortKey.text([key]), isSelected: true)
        layer = .prompt(prompt)
    }

    private mutating func sortByColumn(isDescending: Bool, _ turn: inout Turn) {
        guard let column = turn.sheet?.column(at: grid.columnPosition) else {
            return refuse("there is no column to sort by")
        }
        let key = SortKey(column: column, isDescending: isDescending)
        if let problem = planSort([key], turn.sheet) { refuse(problem) }
    }

    /// Asks whether to sort by columns that were typed; says why not.
    mutating func planSort(named text: String, _ sheet: Sheet?) -> String? {
        switch SortKey.read(text, sheet?.allColumns ?? []) {
        case .success(let keys): planSort(keys, sheet)
        case .failure(let fault): fault.reason
        }
    }

    private mutating func planSort(_ keys: [SortKey], _ sheet: Sheet?) -> String? {
        guard let sheet else { return nil }
        guard let chosen = chosenRows(sheet) else {
            return "at most \(grouped(Selection.rowsMax)) chosen rows can be sorted"
        }
        // The cursor's row alone is no choice.
        let rows = chosen.count > 1 ? chosen : nil
        let sort = SortRows(
            by: keys.map { SortRows.Key(.id($0.column.id), isDescending: $0.isDescending) },
            rows: rows)
        switch sheet.tried(.sortRows(sort), clock: clock) {
        case .failure(let rejection): return rejection.message
        case .success(let resolution):
            guard !resolution.changes.isEmpty else { return "the rows stand so already" }
        }
        let count = rows?.count ?? sheet.rowCount
        let by = SortKey.words(keys) { glance($0.name.string, widthMax: 20) }
        var details = ["For everybody and for good; rows that come later go where they are put."]
        if rows != nil { details.append("They change places among each other, the others stay.") }
        details.append("\(keyText(.undo)) takes it back in one step.")
        layer = .question(
            Question(
                kind: .whole(
                    WholePlan(
                        intent: .sortRows(sort), purpose: .sort(rows: count),
                        question: "Sort \(rows == nil ? "all" : "the chosen") "
                            + "\(counted(count, "row")) by \(by)?",
                        details: details, yes: "sort", no: "leave them"))))
        return nil
    }

    // MARK: Setting a column by an expression

    /// An expression was typed: it is read, and the condition asked for; says why not.
    mutating func planTransform(_ column: Column, to value: String, _ sheet: Sheet?) -> String? {
        guard let sheet else { return nil }
        guard sheet.column(column.id) != nil else { return App.columnGone }
        let trial = TransformColumn(
            column: .id(column.id), value: Text(value), condition: "false")
        if case .failure(let rejection) = sheet.tried(.transformColumn(trial), clock: clock) {
            return rejection.message
        }
        layer = .prompt(Prompt(kind: .transform(column, value: value)))
        return nil
    }

    /// A condition was typed, or nothing: asks whether to do it; says why not.
    mutating func planTransform(
        _ column: Column, to value: String, where condition: String, _ sheet: Sheet?
    ) -> String? {
        guard let sheet else { return nil }
        guard sheet.column(column.id) != nil else { return App.columnGone }
        let isForAll = condition.allSatisfy(\.isWhitespace)
        let intent = Intent.transformColumn(
            TransformColumn(
                column: .id(column.id), value: Text(value),
                condition: isForAll ? nil : Text(condition)))
        let look: TransformLook
        switch sheet.tried(intent, clock: clock) {
        case .failure(let rejection): return rejection.message
        case .success(let resolution): look = TransformLook(resolution, column: column.id)
        }
        guard !look.cells.isEmpty else { return "no row would change by that" }
        let name = glance(column.name.string, widthMax: 20)
        layer = .question(
            Question(
                kind: .whole(
                    WholePlan(
                        intent: intent, purpose: .transform(column.name.string),
                        question: "Change \(name) in \(counted(look.cells.count, "row")) of "
                            + "\(grouped(sheet.rowCount))?",
                        details: details(of: look, column, sheet), yes: "change",
                        no: "leave it"))))
        return nil
    }

    private func details(
        of look: TransformLook, _ column: Column, _ sheet: Sheet
    ) -> [String] {
        var lines = look.cells.prefix(3).map { edit in
            let place = sheet.position(of: edit.row).map { grouped($0 + 1) } ?? "?"
            let old = glance(CellLook(sheet.value(edit.row, column.id)).text, widthMax: 22)
            return "row \(place): \(old) → \(glance(CellLook(edit.value).text, widthMax: 22))"
        }
        if look.cells.count > lines.count { lines.append("…") }
        if look.leftOut > 0 {
            lines.append("\(counted(look.leftOut, "row")) without a value or against a rule stay:")
            let reason = look.reason ?? "the server says why"
            lines +=
                WrappedText(
                    reason, width: App.detailWidth, lineCountMax: 3, rules: rules, byWords: true
                ).lines
        }
        if selection.rows.count > 1 { lines.append("All rows are meant, not the chosen alone.") }
        lines.append("For everybody; \(keyText(.undo)) takes it back in one step.")
        return lines
    }

    /// Cells of a line of details.
    private static let detailWidth = 70
    private static let columnGone = "the column was deleted meanwhile; Esc closes"

    // MARK: Deleting all rows

    private mutating func askToClear(_ sheet: Sheet?, isTruncate: Bool) {
        guard let sheet, sheet.rowCount > 0 || isTruncate else {
            return refuse("there are no rows")
        }
        layer = .question(
            Question(
                kind: .whole(
                    WholePlan(
                        intent: isTruncate ? .truncate : .clear,
                        purpose: .clear(rows: sheet.rowCount),
                        question: "Delete all \(counted(sheet.rowCount, "row")), for everybody?",
                        details: [
                            isTruncate
                                ? "Rows that others insert meanwhile go too."
                                : "Rows that others insert meanwhile stay.",
                            "\(keyText(.undo)) brings them back in one step.",
                        ], yes: "delete all", no: "keep them"))))
    }
}
