// Rules S9 to S12 and U11: a column comes to hold another type.
// A is always session 2, B session 3. Column 1 is "qty" (int), column 2 "name" (text).
import TableValue
import Testing

@testable import TableModel

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))
private let redoLast = Intent.undo(UndoRequest(.lastUndone(ofUser: false)))

private func retype(
    _ name: Text, _ type: ColumnType, rules: JSONTree = .object([]), emptying: Bool = false
) -> Intent {
    .retypeColumn(
        RetypeColumn(
            column: .name(name), type: type, rules: rules,
            unconvertible: emptying ? .empty : .reject))
}

/// Rows whose "name" are these texts.
private func world(_ texts: Text...) throws -> World {
    var world = try World(rows: UInt32(texts.count))
    for (index, text) in texts.enumerated() {
        try world.act(1, set(row(UInt32(index + 1)), column(2), .text(text)))
    }
    return world
}

private func names(_ world: World) -> [Value] {
    world.rows.compactMap { world.value($0, column(2)) }
}

@Suite("A column of another type")
struct RetypeTests {
    @Test("S11: cells are converted, and the author is told how many")
    func converted() throws {
        var world = try world("12", "7")
        let done = try world.act(2, retype("name", .int))
        #expect(names(world) == [.int(12), .int(7)])
        #expect(done.notes == [.converted(count: 2, emptied: 0)])
        #expect(
            done.changes == [
                .columnRetyped(column(2), .int, ColumnRules()),
                .cellsFilled(column(2), rows: [row(1), row(2)], values: [.int(12), .int(7)]),
            ])
    }

    @Test("S11: what cannot be converted refuses with its rows, or is emptied on request")
    func unconvertible() throws {
        var world = try world("12", "soon", "late")
        let refusal = world.refusal(2, retype("name", .int))
        #expect(refusal?.code == .cannotConvert)
        #expect(refusal?.offenders == [row(2), row(3)])
        let done = try world.act(2, retype("name", .int, emptying: true))
        #expect(names(world) == [.int(12), .null, .null])
        #expect(done.notes == [.converted(count: 1, emptied: 2)])
        try world.act(2, undoLast)
        #expect(names(world) == [.text("12"), .text("soon"), .text("late")])
        try world.act(2, redoLast)
        #expect(names(world) == [.int(12), .null, .null])
    }

    @Test("S9: a value that was meant for the type before is converted")
    func stale() throws {
        var world = try world("1", "2")
        let base = world.now
        try world.act(2, base: base, retype("name", .bool, emptying: true))
        let edit = try world.act(3, base: base, set(row(2), column(2), .text("true")))
        #expect(world.value(row(2), column(2)) == .bool(true))
        #expect(edit.notes.contains(.converted(count: 1, emptied: 0)))
        // Who has seen the new type means it.
        let refused = world.refusal(3, base: world.now, set(row(1), column(2), .text("true")))
        #expect(refused?.code == .wrongType)
    }

    @Test("S10: a value that cannot be converted changes nothing, and its author is told")
    func staleRefused() throws {
        var world = try world("1", "2")
        let base = world.now
        try world.act(2, base: base, retype("name", .int))
        let edits = Intent.setCells([
            CellEdit(row: row(1), column: .id(column(2)), value: .text("soon")),
            CellEdit(row: row(2), column: .id(column(2)), value: .text("9")),
        ])
        let edit = try world.act(3, base: base, edits)
        #expect(edit.status == .partial)
        #expect(edit.outcome.rejection?.code == .wrongType)
        #expect(edit.outcome.rejection?.row == row(1))
        #expect(names(world) == [.int(1), .int(9)])
    }

    @Test("S12: the last change of type wins, from what the cells hold then")
    func twice() throws {
        var world = try world("0", "1")
        let base = world.now
        try world.act(2, base: base, retype("name", .int))
        try world.act(3, base: base, retype("name", .bool))
        #expect(names(world) == [.bool(false), .bool(true)])
    }

    @Test("S7: a hidden column changes its type too, unseen")
    func hidden() throws {
        var world = try world("1", "2")
        let base = world.now
        try world.act(2, base: base, .deleteColumn(.name("name")))
        let done = try world.act(
            3, base: base, .retypeColumn(RetypeColumn(column: .id(column(2)), type: .int)))
        #expect(done.status == .hidden)
        try world.act(2, undoLast)
        #expect(names(world) == [.int(1), .int(2)])
    }

    @Test("S7: rows that came while a required column was hidden keep its type from nobody")
    func hiddenAndRequired() throws {
        var world = try world("1")
        let rules = JSONTree.object([JSONMember(key: "required", value: .bool(true))])
        try world.act(2, .changeRules(.name("name"), rules))
        try world.act(2, .deleteColumn(.name("name")))
        try world.act(3, insert([row(1, 3)], .last))
        let done = try world.act(
            3, .retypeColumn(RetypeColumn(column: .id(column(2)), type: .int)))
        #expect(done.status == .hidden)
    }

    @Test("U11: untouched cells come back as they were, edited ones are converted back")
    func undone() throws {
        var world = try world("012", "soon", "3")
        try world.act(2, retype("name", .int, emptying: true))
        try world.act(3, set(row(3), column(2), .int(44)))
        try world.act(3, insert([row(1, 3)], .last))
        try world.act(3, set(row(1, 3), column(2), .int(5)))
        let undone = try world.act(2, undoLast)
        #expect(names(world) == [.text("012"), .text("soon"), .text("44"), .text("5")])
        #expect(undone.notes == [.converted(count: 2, emptied: 0)])
        // What the other has written is still the other's.
        let kept = try world.act(1, undoLast)
        #expect(kept.status == .noop || kept.status == .partial)
        #expect(world.value(row(3), column(2)) == .text("44"))
    }

    @Test("U11: after a restart the same comes back")
    func undoneAfterRestart() throws {
        var world = try world("012", "soon")
        try world.act(2, retype("name", .int, emptying: true))
        try world.act(3, set(row(1), column(2), .int(44)))
        world.restart()
        try world.act(2, undoLast)
        #expect(names(world) == [.text("44"), .text("soon")])
        world.restart()
        try world.act(2, redoLast)
        #expect(names(world) == [.int(44), .null])
    }

    @Test("U11: rules that others have taken back since do not come back with the type")
    func rulesOfOthers() throws {
        var world = try world("1", "2")
        let unique = JSONTree.object([JSONMember(key: "unique", value: .bool(true))])
        try world.act(2, retype("name", .list))
        try world.act(2, .changeRules(.name("name"), unique))
        try world.act(3, .undo(UndoRequest(.sequence(world.now - 1))))
        #expect(world.owner.column(column(2))?.rules.tree == unique)
        try world.act(2, undoLast)
        try world.act(3, undoLast)
        #expect(world.owner.column(column(2))?.type == .list)
        #expect(world.owner.column(column(2))?.rules.isEmpty == true)
    }

    @Test("U7 U11: a type that somebody else has changed again stays")
    func retypedAgain() throws {
        var world = try world("1", "2")
        try world.act(2, retype("name", .int))
        try world.act(3, retype("name", .double))
        let undone = try world.act(2, undoLast)
        #expect(undone.status == .noop || undone.status == .partial)
        #expect(world.owner.column(column(2))?.type == .double)
    }

    @Test("U1 U11: what was set before the change of type can be taken back after it was")
    func undoneInOrder() throws {
        var world = try world("1", "2")
        try world.act(2, set(row(1), column(2), .text("soon")))
        try world.act(2, retype("name", .int, emptying: true))
        try world.act(2, undoLast)
        #expect(world.value(row(1), column(2)) == .text("soon"))
        try world.act(2, undoLast)
        #expect(names(world) == [.text("1"), .text("2")])
        try world.act(2, redoLast)
        try world.act(2, redoLast)
        #expect(names(world) == [.null, .int(2)])
    }

    @Test("S15: rules come along as values of the type, or refuse")
    func rules() throws {
        var world = try world("1", "2")
        func rules(_ members: (Text, JSONTree)...) -> JSONTree {
            .object(members.map { JSONMember(key: $0.0, value: $0.1) })
        }
        try world.act(2, .changeRules(.name("qty"), rules(("min", .int(5)), ("default", .int(7)))))
        try world.act(2, retype("qty", .decimal))
        #expect(
            world.owner.column(column(1))?.rules.tree
                == rules(("default", .text("7")), ("min", .text("5"))))
        #expect(world.refusal(2, retype("qty", .text))?.code == .badRule)
        try world.act(2, retype("qty", .text, rules: rules(("min", .null))))
        #expect(world.owner.column(column(1))?.rules.tree == rules(("default", .text("7"))))
        try world.act(2, .changeRules(.name("name"), rules(("unique", .bool(true)))))
        try world.act(2, set(row(1), column(2), .text("02")))
        let refusal = world.refusal(2, retype("name", .int))
        #expect(refusal?.code == .ruleBroken && refusal?.rule == "unique")
    }

    @Test("S15: texts become choices; those that the rows have where none are named")
    func choices() throws {
        var world = try world("open", "done", "open")
        try world.act(2, retype("name", .choice))
        #expect(world.owner.column(column(2))?.rules.choices == ["open", "done"])
        #expect(names(world) == [.choice("open"), .choice("done"), .choice("open")])
        try world.act(2, retype("name", .text))
        #expect(world.owner.column(column(2))?.rules.choices == [])
        let some = JSONTree.object([
            JSONMember(key: "choices", value: .list([.text("open")]))
        ])
        #expect(world.refusal(2, retype("name", .choice, rules: some))?.offenders == [row(2)])
    }

    @Test("S15: a column that expressions read keeps its type")
    func read() throws {
        var world = try world("1", "2")
        let check = JSONTree.object([JSONMember(key: "check", value: .text("qty > 0"))])
        try world.act(2, .changeRules(.name("name"), check))
        #expect(world.refusal(2, retype("qty", .double))?.code == .ruleBroken)
        #expect(world.refusal(2, retype("name", .int))?.code == .badRule)
        let without = JSONTree.object([JSONMember(key: "check", value: .null)])
        try world.act(2, retype("name", .int, rules: without))
        try world.act(2, retype("qty", .double))
    }

    @Test("a dry run says what would come of it, and changes nothing")
    func dryRun() throws {
        var world = try world("12", "soon")
        let op = Op(
            base: world.now, body: [retype("name", .int, emptying: true)], isDryRun: true)
        let resolution = try world.tryOut(op, by: 2)
        #expect(resolution.changes.isEmpty)
        #expect(resolution.outcome.notes == [.converted(count: 1, emptied: 1)])
        #expect(names(world) == [.text("12"), .text("soon")])
    }
}
