// A column of another type, a column like another, the rows of another table: each asked for in
// words. What becomes of cells is worked out on a copy of the table and shown before it is done.
import TableClient
import TableModel
import TableValue

extension App {
    /// Asks what a column shall hold.
    mutating func askForType(_ sheet: Sheet?) {
        guard let column = sheet?.column(at: grid.columnPosition) else {
            return refuse("there is no column here")
        }
        var prompt = Prompt(kind: .retype(column))
        prompt.field = TextField(column.type.rawValue, isSelected: true)
        layer = .prompt(prompt)
    }

    /// A type was typed: asks with what would become of the cells; says why not.
    mutating func planRetype(_ column: Column, to text: String, _ sheet: Sheet?) -> String? {
        guard let sheet else { return nil }
        guard let now = sheet.column(column.id) else {
            return "the column was deleted meanwhile; Esc closes"
        }
        let word = ChoiceWord(text)
        guard let type = ColumnType(rawValue: word.word.string) else {
            return "no such type; there are "
                + ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
        }
        guard word.choices == nil || type == .choice else {
            return "only choice has a list in brackets: choice(open|done)"
        }
        guard type != now.type || word.choices != nil else {
            return "the column is \(type.rawValue) already"
        }
        var retyping = RetypeColumn(
            column: .id(column.id), type: type,
            rules: word.choices == nil ? .object([]) : word.rules)
        var emptied = 0
        switch sheet.tried(.retypeColumn(retyping), clock: clock) {
        case .success: break
        case .failure(let rejection) where rejection.code == .cannotConvert:
            retyping.unconvertible = .empty
            guard case .success(let resolution) = sheet.tried(.retypeColumn(retyping), clock: clock)
            else { return rejection.message }
            for case .converted(_, let count) in resolution.outcome.notes { emptied = count }
            ask(retyping, now, emptying: emptied, rejection.offenders, sheet)
            return nil
        case .failure(let rejection): return rejection.message
        }
        ask(retyping, now, emptying: 0, [], sheet)
        return nil
    }

    private mutating func ask(
        _ retyping: RetypeColumn, _ column: Column, emptying count: Int, _ offenders: [RowID],
        _ sheet: Sheet
    ) {
        let name = glance(column.name.string, widthMax: 20)
        var details: [String] = []
        for row in offenders.prefix(3) {
            guard let position = sheet.position(of: row) else { continue }
            let old = glance(CellLook(sheet.value(row, column.id)).text, widthMax: 30)
            details.append("row \(grouped(position + 1)): \(old) → ∅")
        }
        if count > details.count, !details.isEmpty { details.append("…") }
        details.append(
            count == 0
                ? "Every value can be one of the new type."
                : "\(counted(count, "value")) cannot be \(retyping.type.rawValue): emptied.")
        details.append("For everybody; \(keyText(.undo)) brings back all that was.")
        layer = .question(
            Question(
                kind: .whole(
                    WholePlan(
                        intent: .retypeColumn(retyping), purpose: .retype(column.name.string),
                        question: "Make \(name) \(retyping.type.rawValue)?", details: details,
                        yes: count == 0 ? "change it" : "change it and empty these",
                        no: "leave it"))))
    }

    /// Adds a column like the cursor's, right behind it.
    mutating func duplicateColumn(_ turn: inout Turn) {
        guard let column = turn.sheet?.column(at: grid.columnPosition) else {
            return refuse("there is no column here")
        }
        turn.perform(
            .duplicateColumn(DuplicateColumn(column: .id(column.id))),
            for: .duplicateColumn(column.name.string))
    }

    /// Appends the rows of a table whose name was typed; says why not.
    mutating func appendTable(named text: String, _ turn: inout Turn) -> String? {
        let name = text.trimmingSpaces
        guard !name.isEmpty else { return "name a table of this server" }
        guard mayEdit(turn.sheet) else { return nil }
        turn.perform(.appendTable(AppendTable(source: Text(name))), for: .appendTable(name))
        return nil
    }
}

extension String {
    /// Without spaces at both ends.
    var trimmingSpaces: String {
        guard let first = firstIndex(where: { $0 != " " }),
            let last = lastIndex(where: { $0 != " " })
        else { return "" }
        return String(self[first...last])
    }
}
