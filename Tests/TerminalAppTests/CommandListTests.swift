// The one list of commands: complete, without clashes of keys, and the source of palette, help
// and guide.
import Foundation
import TableModel
import TableValue
import TableWire
import Terminal
import Testing

@testable import TerminalApp

@Test("every command stands in the list exactly once, with a name of its own and a line of help")
func everyCommandOnce() {
    #expect(CommandEntry.all.count == AppCommand.allCases.count)
    #expect(Set(CommandEntry.all.map(\.command)) == Set(AppCommand.allCases))
    #expect(CommandEntry.all.allSatisfy { !$0.help.isEmpty && !$0.help.hasSuffix(".") })
}

@Test("the help page lists every command exactly once, with its keys in either set")
func helpListsAll() {
    let listed = HelpText.lines.compactMap { line -> AppCommand? in
        if case .command(let command) = line { command } else { nil }
    }
    #expect(listed.count == AppCommand.allCases.count)
    #expect(Set(listed) == Set(AppCommand.allCases))
    for preset in KeyPreset.allCases {
        let seat = Stage("name:text").seat(width: 110, height: 130) { $0.options.keys = preset }
        seat.press("F1")
        let screen = seat.screen
        for entry in CommandEntry.all {
            #expect(screen.contains("  \(entry.command.name) "))
            #expect(screen.contains(entry.help))
            for key in entry.keys(in: preset) { #expect(screen.contains(key)) }
        }
    }
}

@Test(
    "all keys can be read, and none is another's or the beginning of another's",
    arguments: KeyPreset.allCases)
func keysDoNotClash(preset: KeyPreset) {
    var seen: [(keys: [KeyPress], command: AppCommand)] = []
    for entry in CommandEntry.all {
        for text in entry.keys(in: preset) {
            guard let keys = KeyMap.keys(in: text) else {
                Issue.record("\(text) cannot be read")
                continue
            }
            #expect(keys.map(KeyMap.label).joined() == text)
            for other in seen {
                let length = min(keys.count, other.keys.count)
                let clash = keys.prefix(length) == other.keys.prefix(length)
                #expect(!clash, "\(text): \(entry.command) and \(other.command)")
            }
            seen.append((keys, entry.command))
        }
    }
}

@Test("FT13: the palette finds every command by its name and runs it")
func paletteFindsAll() {
    for command in AppCommand.allCases where command != .palette {
        var palette = Palette()
        palette.field = TextField(command.name)
        #expect(palette.choices([]).first == .command(command), "\(command.name)")
    }
    let seat = Stage("name:text", rows: [["a"], ["b"]]).seat(height: 20)
    seat.press("Ctrl-P")
    seat.type("last row")
    #expect(seat.screen.contains("Ctrl-End"))
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 1)
    seat.press(":", "Esc")
    #expect(seat.app.layer == nil)
}

@Test("every command can be run on an empty table, on a full one, and before there is one")
func everyCommandRuns() {
    let stages = [
        Stage(""), Stage("name:text"), Stage("name:text ok:bool", rows: [["a", "true"]]),
    ]
    for stage in stages {
        let seat = stage.seat("ann", role: "owner")
        let before = seat.app
        for command in AppCommand.allCases {
            seat.app = before
            var turn = Turn(sheet: seat.sheet)
            seat.app.run(command, &turn)
            _ = seat.frame
            seat.app.arrange(seat.sheet)
        }
    }
    var app = App(table: .name("stock"), size: Size(width: 80, height: 24))
    for command in AppCommand.allCases {
        var turn = Turn(sheet: nil)
        app.run(command, &turn)
        app.layer = nil
    }
}

@Test("there is no command for what is not there yet")
func nothingPromised() {
    for word in ["filter"] {
        #expect(!AppCommand.allCases.contains { $0.name.contains(word) })
    }
}

@Test("the tables of keys in docs/guides/terminal.md are the list's")
func guideIsTrue() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let guide = try String(
        contentsOf: root.appending(path: "docs/guides/terminal.md"), encoding: .utf8)
    #expect(
        guide.contains(HelpText.guide),
        "replace the tables by those that HelpText.guide makes:\n\(HelpText.guide)")
}

@Test("in vim's set no command needs Alt with a letter, so that Esc and a letter are two keys")
func vimNeedsNoAlt() {
    for entry in CommandEntry.all {
        #expect(!entry.vimKeys.contains { $0.hasPrefix("Alt-") && $0.count == 5 })
        // Whatever has keys in the standard set has some here.
        #expect(entry.standardKeys.isEmpty || !entry.vimKeys.isEmpty, "\(entry.command.name)")
    }
    let seat = Stage("name:text", rows: [["a"]]).seat { $0.options.keys = .vim }
    #expect(!readsAlt(seat))
    let standard = Stage("name:text", rows: [["a"]]).seat()
    #expect(readsAlt(standard))
    standard.press("Enter")
    #expect(!readsAlt(standard))
}

/// True where Esc and a letter right behind it are that letter with Alt.
private func readsAlt(_ seat: Seat) -> Bool {
    var decoder = InputDecoder()
    seat.app.instruct(&decoder)
    return decoder.readsAltFromEscape
}
