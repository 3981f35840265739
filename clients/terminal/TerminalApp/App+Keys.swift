// A key's way: to what lies over the grid, else to the editor, else through the key map to a
// command. Pastes and answers of the terminal come through here too; the mouse's way is in
// App+Mouse.swift.
import Terminal

extension App {
    /// Takes what came from the terminal.
    mutating func take(_ input: InputEvent, _ turn: inout Turn) {
        switch input {
        case .key(let press): take(normalized(press), &turn)
        case .mouse(let mouse):
            remembering { $0.take(mouse, &turn) }
        case .pasted(let bytes, let isCut):
            remembering { $0.takePaste(bytes, isCut: isCut, &turn) }
        case .replied(.background(let red, let green, let blue)):
            background = Theme.Background(red: red, green: green, blue: blue)
        case .focusGained, .focusLost, .replied: break
        }
    }

    /// The key without what terminals add to it in different ways.
    private func normalized(_ press: KeyPress) -> KeyPress {
        guard case .character(let scalar) = press.key else { return press }
        var press = press
        if press.modifiers.contains(.control) || press.modifiers.contains(.alt) {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
            press.key = .character(lower)
        }
        press.modifiers.remove(.shift)
        return press
    }

    private mutating func take(_ press: KeyPress, _ turn: inout Turn) {
        // A button whose release never came is up by now.
        drag = nil
        quitsWhenSent = false
        let isInGrid = layer == nil && editor == nil
        if !isInGrid || KeyMap.of(options.keys).match([press]) != .command(.cancel) {
            notices.keyPressed(at: now)
        }
        if layer != nil {
            takeInLayer(press, &turn)
        } else if editor != nil {
            let isLetter = press.isLetter
            remembering(asPartOfWord: isLetter) { $0.takeInEditor(press, &turn) }
        } else {
            takeInGrid(press, &turn)
        }
    }

    private mutating func takeInGrid(_ press: KeyPress, _ turn: inout Turn) {
        if options.keys == .vim, keysSoFar.isEmpty, takeCount(press) { return }
        let keys = keysSoFar + [press]
        switch KeyMap.of(options.keys).match(keys) {
        case .command(let command):
            keysSoFar = []
            let count = countSoFar
            countSoFar = nil
            run(command, count: count, &turn)
        case .begun: keysSoFar = keys
        case .none:
            let wasBegun = !keysSoFar.isEmpty
            keysSoFar = []
            countSoFar = nil
            if wasBegun {
                guard press.key != .escape else { return }
                refuse("no command has the keys \(keys.map(KeyMap.label).joined())")
            } else {
                takeUnbound(press, &turn)
            }
        }
    }

    /// A number in front of a command.
    private mutating func takeCount(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty, case .character(let scalar) = press.key,
            let digit = ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil,
            digit > 0 || countSoFar != nil
        else { return false }
        countSoFar = min((countSoFar ?? 0) * 10 + digit, App.countMax)
        return true
    }

    /// A key without a command: in the standard set a letter begins to type into the cell.
    private mutating func takeUnbound(_ press: KeyPress, _ turn: inout Turn) {
        if options.keys == .standard, press.modifiers.isEmpty,
            case .character(let scalar) = press.key
        {
            return beginEditing(.typing(String(Character(scalar))), &turn)
        }
        if press == KeyPress(.character("s"), .control) {
            return say(
                unsentCount == 0
                    ? "everything is saved as you go"
                    : "everything is sent as you go; \(counted(unsentCount, "change")) on the way")
        }
        refuse("no command has the key \(KeyMap.label(press)); \(keyText(.help)) lists them")
    }

    /// Says something in passing.
    mutating func say(_ text: String) { notices.say(text, at: now) }

    /// Says why what was asked for is not done.
    mutating func refuse(_ text: String) { notices.refuse(text, at: now) }

    /// The beginning of a text, made harmless, for a sentence.
    func glance(_ text: String, widthMax: Int) -> String {
        rules.fit(text, widthMax: widthMax).clusters.map(\.text).joined()
    }

    private static let countMax = 1_000_000_000
}
