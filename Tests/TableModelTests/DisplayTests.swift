// Rules S19 to S22 and U16: how a table is shown. A is always session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private func object(_ members: [(Text, JSONTree)]) -> JSONTree {
    .object(members.map { JSONMember(key: $0.0, value: $0.1) })
}

private func show(_ name: Text, _ members: (Text, JSONTree)...) -> Intent {
    .changeDisplay(.column(.name(name), object(members)))
}

private func style(_ name: Text, _ members: (Text, JSONTree)...) -> Intent {
    .changeDisplay(.style(name, object(members)))
}

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

extension World {
    fileprivate func display(_ name: Text) -> DisplaySettings? {
        table.column(named: name)?.display
    }
}

@Suite("How a table is shown")
struct DisplayTests {
    @Test("S19: two fields of one column both count, of one the later", arguments: [false, true])
    func fields(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, show("qty", ("width", .int(20)), ("align", .text("left"))))
        try world.act(3, show("qty", ("decimals", .int(2)), ("align", .text("right"))))
        if afterRestart { world.restart() }
        let shown = try #require(world.display("qty"))
        #expect(shown.number(.width) == 20 && shown.number(.decimals) == 2)
        #expect(shown.word(.align) == .right)
        let same = try world.act(3, show("qty", ("width", .int(20))))
        #expect(same.status == .noop && same.changes.isEmpty)
    }

    @Test("S19: it is no content: neither the hash nor the schema's number changes")
    func noContent() throws {
        var world = try World()
        var table = world.table
        let before = table.contentHash(using: TestDigest.self)
        let schemaHead = world.table.schemaHead
        try world.act(2, show("qty", ("hidden", .bool(true))))
        try world.act(
            2, style("late", ("when", .text("qty < 3")), ("color", .text("red"))),
            .changeDisplay(.table(object([("frozen", .int(1))]))))
        table = world.table
        let after = table.contentHash(using: TestDigest.self)
        #expect(after == before)
        #expect(world.table.schemaHead == schemaHead)
    }

    @Test(
        "S20: what is no setting or does not suit the type is refused, with column and field",
        arguments: [
            ("name", "decimals", JSONTree.int(2)), ("qty", "date", .text("iso")),
            ("qty", "width", .int(0)), ("qty", "width", .int(501)), ("qty", "width", .text("x")),
            ("qty", "align", .text("up")), ("qty", "hidden", .int(1)),
            ("qty", "decimals", .double(1.5)), ("qty", "thousands", .list([])),
        ] as [(Text, Text, JSONTree)])
    func refused(column: Text, field: Text, value: JSONTree) throws {
        var world = try World()
        let rejection = try #require(throws: Rejection.self) {
            var copy = world.table
            _ = try copy.perform(
                Op(body: [show(column, ("align", .text("left")), (field, value))]),
                by: session(2), as: copy.head + 1)
        }
        #expect(rejection.code == .badDisplay && rejection.rule == field)
        #expect(rejection.column == world.table.column(named: column)?.id)
        try world.act(2, show(column, ("align", .text("left"))))
    }

    @Test("S20: a deleted column keeps what is said of it, and comes back with it")
    func deletedColumn() throws {
        var world = try World()
        let id = try #require(world.table.column(named: "qty")?.id)
        try world.act(2, show("qty", ("width", .int(9))))
        try world.act(2, .deleteColumn(.name("qty")))
        let late = try world.act(
            3, .changeDisplay(.column(.id(id), object([("align", .text("center"))]))))
        #expect(late.status == .hidden)
        let shown = try world.act(2, undoLast)
        guard case .columnShown(let column, _)? = shown.changes.first else {
            Issue.record("the column is not shown")
            return
        }
        #expect(column.display.number(.width) == 9 && column.display.word(.align) == .center)
    }

    @Test("S20: a change of type keeps the settings; readers pass over what does not suit")
    func retyped() throws {
        var world = try World()
        try world.act(2, show("qty", ("decimals", .int(2)), ("width", .int(9))))
        try world.act(2, .retypeColumn(RetypeColumn(column: .name("qty"), type: .text)))
        let kept = try #require(world.display("qty"))
        #expect(kept.number(.decimals) == 2)
        #expect(kept.suiting(.text).entries == [DisplayEntry(.width, .number(9))])
    }

    @Test("S21: styles of two names both stand, one of the same name is replaced as a whole")
    func styles() throws {
        var world = try World()
        try world.act(
            2, style("late", ("when", .text("qty < 3")), ("color", .text("red"))),
            style("bold", ("when", .text("true")), ("bold", .bool(true))))
        try world.act(3, style("late", ("when", .text("qty < 5")), ("mark", .text("!"))))
        try world.act(
            3, style("first", ("when", .text("false")), ("dim", .bool(true)), ("rank", .int(-1))))
        #expect(world.table.look.styles.map(\.name) == ["first", "late", "bold"])
        let late = try #require(world.table.look.style("late"))
        #expect(late.color == nil && late.mark == "!" && late.rank == 1)
        #expect(late.condition == #""c0.1" < 5"#)
        try world.act(2, .changeDisplay(.style("late", nil)))
        #expect(world.table.look.style("late") == nil)
        #expect(try world.act(3, .changeDisplay(.style("late", nil))).status == .noop)
    }

    @Test(
        "S21: what is no style is refused",
        arguments: [
            (object([("color", .text("red"))]), .badDisplay),
            (object([("when", .text("true"))]), .badDisplay),
            (object([("when", .text("true")), ("color", .text("pink"))]), .badDisplay),
            (object([("when", .text("true")), ("mark", .text("é"))]), .badDisplay),
            (object([("when", .text("true")), ("mark", .text("\u{1b}"))]), .badDisplay),
            (
                object([("when", .text("true")), ("rank", .int(.max)), ("dim", .bool(true))]),
                .badDisplay
            ),
            (object([("when", .text("qty")), ("dim", .bool(true))]), .badExpression),
            (object([("when", .text("qty <")), ("dim", .bool(true))]), .badExpression),
            (object([("when", .text("nope = 1")), ("dim", .bool(true))]), .badExpression),
            (
                object([
                    ("when", .text(Text(String(repeating: "not ", count: 400) + "true"))),
                    ("dim", .bool(true)),
                ]), .badExpression
            ),
            (.list([]), .badDisplay),
        ] as [(JSONTree, Rejection.Code)])
    func badStyles(tree: JSONTree, code: Rejection.Code) throws {
        let world = try World()
        let rejection = try #require(throws: Rejection.self) {
            var copy = world.table
            _ = try copy.perform(
                Op(body: [.changeDisplay(.style("late", tree))]), by: session(2),
                as: copy.head + 1)
        }
        #expect(rejection.code == code)
    }

    @Test("S21: there are only so many styles, and replacing one is no more")
    func manyStyles() throws {
        var world = try World()
        world.limitStyles(2)
        let dim: [(Text, JSONTree)] = [("when", .text("true")), ("dim", .bool(true))]
        for name in ["a", "b", "b"] as [Text] {
            try world.act(2, .changeDisplay(.style(name, object(dim))))
        }
        let rejection = try #require(throws: Rejection.self) {
            var copy = world.table
            _ = try copy.perform(
                Op(body: [.changeDisplay(.style("c", object(dim)))]), by: session(2),
                as: copy.head + 1)
        }
        #expect(rejection.code == .tooManyStyles)
    }

    @Test("S22: a style follows its column, and rests while that has gone or holds something else")
    func columnsOfStyles() throws {
        var world = try World()
        try world.act(2, style("late", ("when", .text("qty < 3")), ("color", .text("red"))))
        try world.act(3, .renameColumn(.name("qty"), name: "count", onClash: .reject))
        func styler() -> RowStyler {
            RowStyler(world.table.look.styles, columns: world.table.columns, time: nil)
        }
        var ready = styler()
        #expect(ready.resting.isEmpty)
        #expect(ready.look { _ in .int(2) }.color == .red)
        #expect(ready.look { _ in .int(3) } == RowLook())
        let style = try #require(world.table.look.styles.first)
        #expect(style.printedCondition(for: world.table.columns) == "count < 3")
        try world.act(3, .retypeColumn(RetypeColumn(column: .name("count"), type: .text)))
        #expect(styler().resting.map(\.name) == ["late"])
        try world.act(3, undoLast)
        #expect(styler().resting.isEmpty)
        try world.act(3, .deleteColumn(.name("count")))
        #expect(styler().resting.map(\.name) == ["late"])
        try world.act(3, undoLast)
        #expect(styler().resting.isEmpty)
        #expect(world.table.look.styles == [style])
    }

    @Test("A condition that takes too many steps, or has no value, is not true")
    func costly() {
        var style = RowStyle(name: "x", condition: #"length("c0.1") > 3 or 1 / 0 > 2"#)
        style.isBold = true
        let columns = [Column(id: column(1), name: "n", type: .text)]
        var styler = RowStyler([style], columns: columns, time: nil)
        let huge = Value.text(Text(String(repeating: "x", count: 200_000)))
        #expect(styler.look { _ in huge } == RowLook())
        #expect(styler.look { _ in .text("four") }.isBold)
        #expect(styler.look { _ in .text("a") } == RowLook())
    }

    @Test("Of several styles the first that says something counts")
    func order() {
        var first = RowStyle(name: "a", rank: 1, condition: "true")
        first.color = .red
        var second = RowStyle(name: "b", rank: 2, condition: "true")
        second.color = .blue
        second.background = .yellow
        var styler = RowStyler([first, second], columns: [], time: nil)
        let look = styler.look { _ in .null }
        #expect(look.color == .red && look.background == .yellow)
    }

    @Test(
        "U16: a setting goes back where nobody has said something else since",
        arguments: [false, true])
    func undo(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, show("qty", ("width", .int(9)), ("align", .text("left"))))
        try world.act(3, show("qty", ("align", .text("right"))))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undoLast)
        #expect(undone.status == .partial)
        let shown = try #require(world.display("qty"))
        #expect(shown.entries == [DisplayEntry(.align, .word(.right))])
        try world.act(2, .undo(UndoRequest(.lastUndone(ofUser: false))))
        #expect(world.display("qty")?.number(.width) == 9)
        try world.act(2, style("late", ("when", .text("qty < 3")), ("color", .text("red"))))
        try world.act(2, .changeDisplay(.style("late", nil)))
        try world.act(2, undoLast)
        #expect(world.table.look.style("late")?.color == .red)
        try world.act(2, undoLast)
        #expect(world.table.look.isEmpty)
    }

    @Test("A copy of a column is shown as that is; a refused operation changes nothing")
    func copies() throws {
        var world = try World()
        try world.act(2, show("qty", ("width", .int(9))))
        try world.act(2, .duplicateColumn(DuplicateColumn(column: .name("qty"))))
        #expect(world.display("qty 2")?.number(.width) == 9)
        var copy = world.table
        #expect(throws: Rejection.self) {
            _ = try copy.perform(
                Op(
                    mode: .strict,
                    body: [show("qty", ("width", .int(10))), .deleteRows([row(99)])]),
                by: session(2), as: copy.head + 1)
        }
        #expect(copy.column(named: "qty")?.display.number(.width) == 9)
    }

    @Test("What a person says for herself lies over what the table says")
    func personal() throws {
        var mine = PersonalDisplay()
        mine.set(column(1), [DisplayEntry(.width, .word(.automatic)), DisplayEntry(.hidden, nil)])
        mine.set(nil, [DisplayEntry(.frozen, .number(2))])
        #expect(mine.count == 2)
        var table = DisplaySettings()
        table[.width] = .number(9)
        table[.hidden] = .flag(true)
        let joined = mine.settings(of: column(1)).over(table).suiting(.int)
        #expect(joined.entries == [DisplayEntry(.hidden, .flag(true))])
        #expect(try PersonalDisplay(reading: mine.tree) == mine)
        mine.clear(column(1))
        #expect(mine.columns.isEmpty && mine.settings.number(.frozen) == 2)
        mine.clear(nil)
        #expect(mine.isEmpty)
    }
}
