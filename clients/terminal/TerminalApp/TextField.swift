// One line of text with a caret and a selection. Whatever is done to it, both stay within the
// text; what it means is its owner's business.
import Terminal

/// An editable text.
struct TextField: Hashable, Sendable {
    /// The text, by what a person counts as one character.
    private(set) var characters: [Character]
    /// 0 to the number of characters.
    private(set) var caret: Int
    /// The selection's other end; nil for no selection.
    private(set) var anchor: Int?
    /// The first character in sight.
    private(set) var scroll = 0

    /// A text with the caret at its end.
    init(_ text: String = "", isSelected: Bool = false) {
        characters = Array(text)
        caret = characters.count
        anchor = isSelected && caret > 0 ? 0 : nil
    }

    /// The text.
    var text: String { String(characters) }

    /// What is selected; empty where nothing is.
    var selection: Range<Int> {
        guard let anchor else { return caret..<caret }
        return min(anchor, caret)..<max(anchor, caret)
    }

    /// The selected text.
    var selectedText: String { String(characters[selection]) }

    // MARK: Changing

    /// Puts text in place of the selection.
    ///
    /// Marks that join a character before them do so; the caret stands behind what was typed.
    mutating func insert(_ text: String) {
        let replaced = selection
        let before = replaced.lowerBound > 0 ? String(characters[replaced.lowerBound - 1]) : ""
        let after =
            replaced.upperBound < characters.count ? String(characters[replaced.upperBound]) : ""
        let start = replaced.lowerBound - (before.isEmpty ? 0 : 1)
        let end = replaced.upperBound + (after.isEmpty ? 0 : 1)
        characters.replaceSubrange(start..<end, with: Array(before + text + after))
        place(start + (before + text).count)
    }

    /// Replaces the whole text.
    mutating func set(_ text: String, isSelected: Bool = false) {
        self = TextField(text, isSelected: isSelected)
    }

    /// Removes the selection, or what lies between the caret and a place.
    mutating func delete(to place: Int) {
        if selection.isEmpty { anchor = max(0, min(place, characters.count)) }
        insert("")
    }

    // MARK: Moving

    /// Puts the caret at a place, as near as there is one.
    mutating func place(_ caret: Int, selecting: Bool = false) {
        if selecting {
            anchor = anchor ?? self.caret
        } else {
            anchor = nil
        }
        self.caret = max(0, min(caret, characters.count))
        if anchor == self.caret, !selecting { anchor = nil }
    }

    /// Selects the whole text.
    mutating func selectAll() {
        anchor = 0
        caret = characters.count
    }

    /// The beginning of the word before the caret.
    var previousWord: Int {
        var place = caret
        while place > 0, !isWord(place - 1) { place -= 1 }
        while place > 0, isWord(place - 1) { place -= 1 }
        return place
    }

    /// The end of the word behind the caret.
    var nextWord: Int {
        var place = caret
        while place < characters.count, !isWord(place) { place += 1 }
        while place < characters.count, isWord(place) { place += 1 }
        return place
    }

    private func isWord(_ place: Int) -> Bool {
        characters[place].isLetter || characters[place].isNumber
    }

    // MARK: On the screen

    /// Scrolls as little as it takes to have the caret in sight.
    ///
    /// Complexity: linear in the width.
    mutating func scrollToCaret(width: Int, rules: WidthRules) {
        scroll = max(0, min(scroll, caret))
        guard width > 0 else { return }
        var start = caret
        // The caret itself takes a cell.
        var room = width - 1
        while start > 0 {
            let next = max(1, rules.width(of: String(characters[start - 1])))
            guard next <= room else { break }
            room -= next
            start -= 1
        }
        scroll = max(scroll, start)
        if start == 0 { scroll = 0 }
    }

    /// The place in the text that is drawn that many cells from the first in sight.
    func place(atCell cell: Int, rules: WidthRules) -> Int {
        var x = 0
        var place = scroll
        while place < characters.count {
            x += max(1, rules.width(of: String(characters[place])))
            guard x <= cell else { break }
            place += 1
        }
        return place
    }

    // MARK: Keys

    /// Does what a key means in a text; false where it means nothing there.
    mutating func take(_ press: KeyPress) -> Bool {
        let selecting = press.modifiers.contains(.shift)
        let byWord = press.modifiers.contains(.control) || press.modifiers.contains(.alt)
        switch press.key {
        case .left:
            let collapsed = anchor != nil && !selecting && !byWord
            let to = byWord ? previousWord : collapsed ? selection.lowerBound : caret - 1
            place(to, selecting: selecting)
        case .right:
            let collapsed = anchor != nil && !selecting && !byWord
            let to = byWord ? nextWord : collapsed ? selection.upperBound : caret + 1
            place(to, selecting: selecting)
        case .home, .up: place(0, selecting: selecting)
        case .end, .down: place(characters.count, selecting: selecting)
        case .backspace: delete(to: byWord ? previousWord : caret - 1)
        case .delete: delete(to: byWord ? nextWord : caret + 1)
        case .character(let scalar): return take(scalar, press.modifiers)
        default: return false
        }
        return true
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ modifiers: Modifiers) -> Bool {
        if modifiers.contains(.control) {
            switch scalar {
            case "a": selectAll()
            case "w": delete(to: previousWord)
            case "u": delete(to: 0)
            case "k": delete(to: characters.count)
            default: return false
            }
            return true
        }
        guard !modifiers.contains(.alt) else { return false }
        insert(String(Character(scalar)))
        return true
    }
}
