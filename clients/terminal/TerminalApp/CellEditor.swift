// One cell under edit: whose it is (by ids), the text as typed, and what others did to the cell
// meanwhile. It belongs to its row wherever that goes. Keys reach it in App+Editing.swift.
import TableModel
import TableValue
import Terminal

/// A row that was inserted to be edited, and where the cursor was before.
struct NewRow: Hashable, Sendable {
    let row: RowID
    let cameFrom: RowID?
    let column: ColumnID?
}

/// A cell under edit.
struct CellEditor: Hashable, Sendable {
    /// What somebody else did to the cell since the edit began.
    enum Interference: Hashable, Sendable {
        case changed(to: Value, by: Author)
        case rowDeleted(by: Author)
        case columnDeleted(by: Author)

        /// Who did it.
        var author: Author {
            switch self {
            case .changed(_, let who), .rowDeleted(let who), .columnDeleted(let who): who
            }
        }
    }

    let row: RowID
    /// The column as it is, but of the type that it had when the edit began.
    var column: Column
    /// The value when the edit began, or what was written there since by the user's consent.
    var original: Value
    var field: TextField
    /// Nothing at all, as opposed to an empty text.
    var isNull: Bool
    /// The list of a choice column; nil for others.
    var choices: ChoiceList?
    /// Why the text cannot be taken.
    var problem: String?
    var interference: Interference?
    /// The row's values and the row before it, to make it again if it is deleted.
    var rowValues: [ColumnID: Value] = [:]
    var rowBefore: RowID?
    /// What the text was before, and what it was before that was taken back.
    var past = EditorPast()

    /// Begins to edit a value, all of it selected.
    init(row: RowID, column: Column, value: Value) {
        self.row = row
        self.column = column
        original = value
        field = TextField(value.canonicalText, isSelected: true)
        isNull = value.isNull
        if column.type == .choice { choices = ChoiceList(value) }
    }

    /// True where the text is not what it was at the beginning.
    var isChanged: Bool {
        isNull != original.isNull || (!isNull && field.text != original.canonicalText)
    }

    /// True where values are chosen, not typed.
    var isBox: Bool { column.type == .bool }

    /// True where the text may have several lines.
    var takesLineBreaks: Bool { [.text, .json, .list].contains(column.type) }

    // MARK: What was typed

    /// The value that was typed, or why it is none.
    func value() -> Result<Value, ValueError> {
        let text = field.text
        if isNull || (text.isEmpty && column.type != .text) { return .success(.null) }
        do throws(ValueError) {
            return .success(try Value(Text(text), as: column.type))
        } catch {
            return .failure(error)
        }
    }

    /// Takes text as if it was typed.
    mutating func insert(_ text: String) {
        guard !text.isEmpty else { return }
        problem = nil
        if isBox { return choose(text) }
        isNull = false
        field.insert(text)
        choicesTyped()
    }

    /// Makes it nothing at all.
    mutating func setNull() {
        problem = nil
        field.set("")
        isNull = true
        choices?.clear()
    }

    /// Takes a value of somebody else as its own.
    mutating func take(_ value: Value) {
        original = value
        isNull = value.isNull
        field.set(value.canonicalText, isSelected: true)
        problem = nil
        interference = nil
        let mayAdd = choices?.mayAdd ?? false
        if choices != nil { choices = ChoiceList(value) }
        choices?.mayAdd = mayAdd
    }

    /// Does what a key means in a text; false where it means nothing there.
    ///
    /// `clock` is the time of day where the user is; nil where the shell has not told.
    mutating func take(_ press: KeyPress, clock: Moment?) -> Bool {
        if isBox { return takeInBox(press) }
        if takeInChoices(press) || step(press, clock: clock) { return true }
        let before = field.characters.count
        let textBefore = choices == nil ? nil : field.text
        let wasSelected = !field.selection.isEmpty
        guard field.take(press) else { return false }
        problem = nil
        // Deleting in what is nothing leaves nothing; anything else is text from now on.
        if field.characters.count > 0 {
            isNull = false
        } else if press.key == .backspace || press.key == .delete, before > 0 || wasSelected {
            isNull = false
        }
        if let textBefore, textBefore != field.text { choicesTyped() }
        return true
    }

    // MARK: Boxes

    private mutating func takeInBox(_ press: KeyPress) -> Bool {
        switch press.key {
        case .up, .down, .left, .right: toggle()
        case .backspace, .delete: setNull()
        case .character(let scalar) where press.modifiers.isEmpty:
            choose(String(Character(scalar)))
        default: return false
        }
        return true
    }

    /// The other value: true, then false.
    mutating func toggle() {
        problem = nil
        let isTrue = !isNull && field.text == "true"
        field.set(isTrue ? "false" : "true")
        isNull = false
    }

    private mutating func choose(_ text: String) {
        switch text.first {
        case " ": toggle()
        case "t", "T", "y", "Y", "1", "x":
            field.set("true")
            isNull = false
        case "f", "F", "n", "N", "0":
            field.set("false")
            isNull = false
        default: problem = "a bool is true (t) or false (f); Space toggles"
        }
    }
}
