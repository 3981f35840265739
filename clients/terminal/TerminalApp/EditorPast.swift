// The texts that an open editor had, so that a change can be taken back while it is open. A word
// that is typed counts as one change. Which keys ask for it stands in App+Editing.swift.
import TableModel
import Terminal

/// The text of an editor at one time.
struct EditorText: Hashable, Sendable {
    var field: TextField
    var isNull: Bool
}

/// The texts that an editor had before its changes, and those that were taken back.
struct EditorPast: Hashable, Sendable {
    private var before: [EditorText] = []
    private var after: [EditorText] = []
    /// True while letters go on being typed into the same word.
    private var isInWord = false

    /// Characters kept besides the newest text.
    static let charactersMax = 200_000

    /// Takes note of a text that is about to give way to another.
    mutating func note(_ text: EditorText, isPartOfWord: Bool) {
        after = []
        defer { isInWord = isPartOfWord }
        if isPartOfWord, isInWord { return }
        before.append(text)
        var count = before.dropLast().reduce(0) { $0 + $1.field.characters.count }
        while count > EditorPast.charactersMax {
            count -= before.removeFirst().field.characters.count
        }
    }

    /// The caret was moved: what is typed now is another change.
    mutating func endWord() { isInWord = false }

    /// The text before, in exchange for the present one; nil where there is none.
    mutating func takeBack(_ present: EditorText) -> EditorText? {
        guard let text = before.popLast() else { return nil }
        after.append(present)
        isInWord = false
        return text
    }

    /// The text that was taken back last, in exchange for the present one.
    mutating func doAgain(_ present: EditorText) -> EditorText? {
        guard let text = after.popLast() else { return nil }
        before.append(present)
        isInWord = false
        return text
    }
}

extension CellEditor {
    /// What is in it now.
    var text: EditorText { EditorText(field: field, isNull: isNull) }

    /// Gives back the text before the last change, or the one after it; false for neither.
    mutating func restoreText(isRedo: Bool) -> Bool {
        guard let text = isRedo ? past.doAgain(text) : past.takeBack(text) else { return false }
        field = text.field
        isNull = text.isNull
        problem = nil
        choicesTyped()
        return true
    }
}

extension KeyPress {
    /// True for a key that types part of a word.
    var isLetter: Bool {
        guard modifiers.isEmpty, case .character(let scalar) = key else { return false }
        return !scalar.properties.isWhitespace
    }
}

extension App {
    /// Does something, and keeps the editor's text of before where that changes it.
    mutating func remembering(asPartOfWord: Bool = false, _ change: (inout App) -> Void) {
        guard let before = editor else { return change(&self) }
        let text = before.text
        let past = before.past
        change(&self)
        guard let now = editor, now.row == before.row, now.column.id == before.column.id,
            now.past == past
        else { return }
        if now.isNull != text.isNull || now.field.characters != text.field.characters {
            editor?.past.note(text, isPartOfWord: asPartOfWord)
        } else if !asPartOfWord {
            editor?.past.endWord()
        }
    }
}
