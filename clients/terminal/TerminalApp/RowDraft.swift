// A new row where columns are required: its cells are asked for one after the other, and the row
// is inserted once all are there. Until then it is nowhere but here.
import TableModel
import TableValue

/// A row that is filled before it is inserted.
struct RowDraft: Hashable, Sendable {
    let anchor: RowAnchor
    /// The columns that need a value; never empty.
    let columns: [Column]
    /// What was typed for each.
    private(set) var texts: [String]
    /// The one that is asked for.
    private(set) var index = 0

    /// A draft of a row; nil where no column needs a value.
    init?(_ columns: [Column], at anchor: RowAnchor) {
        let needed = columns.filter { $0.rules.mustBeGiven }
        guard !needed.isEmpty else { return nil }
        self.anchor = anchor
        self.columns = needed
        texts = needed.map { _ in "" }
    }

    /// The column that is asked for.
    var column: Column { columns[index] }
    /// What was typed for it so far.
    var text: String { texts[index] }
    var isLast: Bool { index == columns.count - 1 }

    /// Keeps a text, and goes on to another column or back.
    mutating func keep(_ text: String, step: Int) {
        texts[index] = text
        index = max(0, min(index + step, columns.count - 1))
    }

    /// Goes to the column that was refused, else to the first.
    mutating func goBack(to column: ColumnID?) {
        index = columns.firstIndex { $0.id == column } ?? 0
    }

    /// The value of the text of a column, or why it is none.
    func value(at index: Int) -> Result<Value, DraftFault> {
        let (column, text) = (columns[index], texts[index])
        guard !text.isEmpty else {
            return .failure(DraftFault(reason: "\(column.name) needs a value"))
        }
        let value: Value
        do throws(ValueError) {
            value = try Value(Text(choice(text, of: column) ?? text), as: column.type)
        } catch {
            return .failure(DraftFault(reason: error.wanted(for: text)))
        }
        return column.accepted(value, limits: TableLimits())
            .mapError { DraftFault(reason: $0.message) }
    }

    /// The choice that a text begins, where it begins one alone.
    private func choice(_ text: String, of column: Column) -> String? {
        guard column.type == .choice else { return nil }
        let choices = column.rules.choices.map(\.string)
        if choices.contains(text) { return text }
        let fitting = choices.filter { $0.lowercased().hasPrefix(text.lowercased()) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    var label: String {
        let place = columns.count > 1 ? ", \(index + 1) of \(columns.count)" : ""
        return "new row: \(column.name) (\(column.type.sign)\(place))"
    }

    var hint: String {
        var hint = "the column is required · Enter \(isLast ? "inserts the row" : "goes on")"
        if index > 0 { hint += " · Shift-Tab back" }
        guard column.type == .choice else { return hint + " · Esc inserts nothing" }
        return column.rules.choices.prefix(8).map(\.string).joined(separator: " | ") + " · " + hint
    }
}

/// Why a text cannot stand in a new row.
struct DraftFault: Error, Hashable, Sendable {
    let reason: String
}

extension App {
    /// Enter or Tab: the text is taken where it can be, and the next column asked for.
    ///
    /// After the last one the row is inserted. Says why not.
    mutating func take(_ draft: RowDraft, _ text: String, _ turn: inout Turn) -> String? {
        var kept = draft
        kept.keep(text, step: 0)
        if case .failure(let fault) = kept.value(at: kept.index) { return fault.reason }
        guard kept.isLast else {
            kept.keep(text, step: 1)
            ask(for: kept)
            return nil
        }
        var cells: [Value] = []
        for index in kept.columns.indices {
            switch kept.value(at: index) {
            case .success(let value): cells.append(value)
            case .failure(let fault):
                kept.goBack(to: kept.columns[index].id)
                ask(for: kept, problem: fault.reason)
                return nil
            }
        }
        guard mayEdit(turn.sheet) else { return nil }
        let insert = InsertRows(
            rowCount: 1, anchor: kept.anchor, columns: kept.columns.map { .id($0.id) },
            cells: cells)
        turn.perform(.insertRows(insert), for: .fillRow(kept))
        return nil
    }

    /// Asks for the value of the draft's next column.
    mutating func ask(for draft: RowDraft, problem: String? = nil) {
        var prompt = Prompt(kind: .newRow(draft))
        prompt.field = TextField(draft.text, isSelected: true)
        prompt.problem = problem
        layer = .prompt(prompt)
    }

    /// The server refused the row: what was typed comes back to be changed.
    mutating func draftRefused(_ draft: RowDraft, because rejection: Rejection?) {
        let reason = rejection?.message ?? "the server gave no reason"
        guard layer == nil, editor == nil else {
            let texts = zip(draft.columns, draft.texts).map { "\($0.name): \($1)" }
            let typed = glance(texts.joined(separator: ", "), widthMax: 80)
            return notices.warn("the new row was refused (\(typed)): \(reason)", at: now)
        }
        var again = draft
        again.goBack(to: rejection?.column)
        ask(for: again, problem: reason)
    }
}
