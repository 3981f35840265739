// Rules C21 to C24: comments, what crosses, what undo does to them, and what is kept of them. Every
// step is also replayed, and joined by who has only a snapshot.
import TableValue
import Testing

@testable import TableModel

/// A table that the server would keep, with two rows and two columns.
private struct Board {
    var table = Table()
    var records: [Record] = []
    /// The columns "a" and "b".
    var columns: [ColumnID] { named }
    private var named: [ColumnID] = []

    init(limits: TableLimits = TableLimits()) throws {
        table.keepsUndo = true
        table.limits = limits
        try act(
            1, .addColumn(AddColumn(name: "a", type: .text)),
            .addColumn(AddColumn(name: "b", type: .text)),
            .insertRows(InsertRows(ids: [row(1), row(2)], rowCount: 2)))
        named = table.columns.map(\.id)
    }

    @discardableResult
    mutating func act(
        _ number: UInt32, mode: OpMode = .best, _ body: Intent...
    ) throws(Rejection) -> Outcome {
        let user = Text("u\(number)")
        let circumstances = Circumstances(user: user, timeMilliseconds: Int64(records.count))
        let author = OpAuthor(session: session(number), user: user)
        let resolution = try table.perform(
            Op(mode: mode, body: body), by: author, as: table.head + 1, in: circumstances)
        guard !resolution.changes.isEmpty else { return resolution.outcome }
        records.append(
            Record(
                sequence: table.head, session: author.session, clientNumber: 0, user: user,
                timeMilliseconds: circumstances.timeMilliseconds, changes: resolution.changes,
                outcome: resolution.outcome))
        return resolution.outcome
    }

    /// The comments, which who replays the log and who joins by a snapshot have as well.
    func comments() -> [TableComment] {
        var again = Table()
        again.keepsUndo = true
        for record in records {
            let isApplied = again.apply(record)
            #expect(isApplied)
        }
        #expect(again.comments() == table.comments())
        #expect(again.commentCount == table.commentCount)
        #expect(again.openCommentCount == table.openCommentCount)
        var joined = Table(columns: table.columns, head: table.head)
        let isLoaded = joined.load(table.comments())
        #expect(isLoaded && joined.comments() == table.comments())
        return table.comments()
    }

    mutating func make(
        _ number: UInt32, _ text: Text, on row: RowID = row(1), _ column: Text? = nil,
        to other: CommentID? = nil
    ) throws -> CommentID {
        let making = MakeComment(
            row: row, column: column.map { .name($0) }, text: text, replyTo: other)
        return try #require(try act(number, .comment(.make(making))).comments.first)
    }

    mutating func refusal(_ number: UInt32, mode: OpMode = .best, _ intent: CommentIntent)
        -> Rejection.Code?
    {
        do throws(Rejection) {
            try act(number, mode: mode, .comment(intent))
            return nil
        } catch {
            return error.code
        }
    }
}

@Suite struct CommentTests {
    @Test("FC14: a comment is made, answered, changed, resolved, opened again and taken back")
    func life() throws {
        var board = try Board()
        let first = try board.make(1, "why?", "b")
        let answer = try board.make(2, "because", to: first)
        #expect(first.description == "m2.1" && answer.description == "m3.1")
        try board.act(1, .comment(.edit(first, text: "how?")))
        try board.act(2, .comment(.resolve(first, isResolved: true)))
        var found = try #require(board.comments().first)
        #expect(found.text == "how?" && found.made.user == "u1" && found.column == board.columns[1])
        #expect(found.edited == CommentStamp(user: "u1", timeMilliseconds: 3))
        #expect(found.resolved == CommentStamp(user: "u2", timeMilliseconds: 4))
        #expect(board.comments().map(\.replyTo) == [nil, first])
        #expect(board.table.openCommentCount == 1 && board.table.openCommentCount(of: row(1)) == 1)
        #expect(!board.table.hasOpenComment(row(1), board.columns[1]))
        try board.act(1, .comment(.resolve(first, isResolved: false)))
        #expect(board.table.hasOpenComment(row(1), board.columns[1]))
        try board.act(2, .comment(.delete(answer)))
        found = try #require(board.comments().first)
        #expect(found.isOpen && board.comments().count == 1)
    }

    @Test("C21: a comment on a deleted row or column is kept, and comes back with it")
    func deletedPlaces() throws {
        var board = try Board()
        let first = try board.make(1, "on a cell", "b")
        try board.act(2, .deleteRows([row(1)]))
        #expect(board.table.isAboutDeleted(try #require(board.table.comment(first))))
        let late = try board.act(
            1, .comment(.make(MakeComment(row: row(1), text: "late"))))
        #expect(late.status == .hidden && late.comments.count == 1)
        let strict = board.refusal(1, mode: .strict, .make(MakeComment(row: row(1), text: "no")))
        #expect(strict == .rowHidden)
        try board.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(board.comments().map(\.text) == ["on a cell", "late"])
        #expect(!board.comments().contains { board.table.isAboutDeleted($0) })
        try board.act(2, .deleteColumn(.name("b")))
        #expect(board.comments().map { board.table.isAboutDeleted($0) } == [true, false])
        let onColumn = MakeComment(row: row(2), column: .id(board.columns[1]), text: "on a column")
        let hidden = try board.act(1, .comment(.make(onColumn)))
        #expect(hidden.status == .hidden)
        #expect(board.refusal(1, mode: .strict, .make(onColumn)) == .columnHidden)
        try board.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(!board.comments().contains { board.table.isAboutDeleted($0) })
    }

    @Test("C22, C23: a text and a resolve both hold; what is deleted takes no change")
    func crossing() throws {
        var board = try Board()
        let id = try board.make(1, "why?")
        try board.act(2, .comment(.resolve(id, isResolved: true)))
        try board.act(1, .comment(.edit(id, text: "how?")))
        #expect(board.comments()[0].resolved?.user == "u2" && board.comments()[0].text == "how?")
        let again = try board.act(3, .comment(.resolve(id, isResolved: true)))
        #expect(again.status == .noop && board.comments()[0].resolved?.user == "u2")
        try board.act(1, .comment(.delete(id)))
        #expect(board.refusal(2, .edit(id, text: "x")) == .unknownComment)
        #expect(board.refusal(2, .resolve(id, isResolved: false)) == .unknownComment)
        #expect(try board.act(2, .comment(.delete(id))).status == .noop)
        try board.act(1, .undo(UndoRequest(.last(ofUser: false))))
        #expect(board.comments()[0].resolved?.user == "u2" && board.comments()[0].text == "how?")
    }

    @Test("C24, U14: undo and redo of each, also after a restart; what others changed stays")
    func undo() throws {
        var board = try Board()
        let id = try board.make(1, "why?")
        try board.act(1, .comment(.edit(id, text: "how?")))
        try board.act(1, .comment(.resolve(id, isResolved: true)))
        let last = board.comments()
        for _ in 0..<3 { try board.act(1, .undo(UndoRequest(.last(ofUser: false)))) }
        #expect(board.comments().isEmpty)
        var again = Table()
        again.keepsUndo = true
        for record in board.records {
            let isApplied = again.apply(record)
            #expect(isApplied)
        }
        board.table = again
        for _ in 0..<3 { try board.act(1, .undo(UndoRequest(.lastUndone(ofUser: false)))) }
        #expect(board.comments() == last)
        try board.act(2, .comment(.resolve(id, isResolved: false)))
        let kept = try board.act(1, .undo(UndoRequest(.sequence(2))))
        #expect(kept.status == .noop && board.comments().count == 1)
        let forced = try board.act(1, .undo(UndoRequest(.sequence(2), isForced: true)))
        #expect(forced.status == .ok && board.comments().isEmpty)
    }

    @Test("comments are no part of the content, and no copy or restore touches them")
    func content() throws {
        var board = try Board()
        let hash = board.table.contentHash(using: TestDigest.self)
        let id = try board.make(1, "why?")
        #expect(board.table.contentHash(using: TestDigest.self) == hash)
        try board.act(
            1, .duplicateRows(DuplicateRows(rows: [row(1)], ids: [row(5)], anchor: .last)))
        #expect(board.comments().map(\.id) == [id])
    }

    @Test(
        "what is refused: no such row, column, comment or text, or too many; nothing is left of it")
    func refused() throws {
        var limits = TableLimits()
        limits.commentsMax = 3
        limits.commentTextBytesMax = 8
        var board = try Board(limits: limits)
        let id = try board.make(1, "12345678")
        let nowhere = CommentID(sequence: 99, ordinal: 1)
        func making(_ text: Text, _ column: Text? = nil, to other: CommentID? = nil)
            -> CommentIntent
        {
            .make(
                MakeComment(
                    row: row(2), column: column.map { .name($0) }, text: text, replyTo: other))
        }
        #expect(board.refusal(1, making("123456789")) == .badComment)
        #expect(board.refusal(1, making("")) == .badComment)
        #expect(board.refusal(1, making("x", "no such")) == .unknownColumn)
        #expect(board.refusal(1, making("x", to: nowhere)) == .unknownComment)
        #expect(board.refusal(1, making("x", to: id)) == .unknownComment)
        #expect(board.refusal(1, .edit(id, text: "")) == .badComment)
        #expect(board.refusal(1, .delete(nowhere)) == .unknownComment)
        let gone = try board.act(1, .comment(.make(MakeComment(row: row(9), text: "x"))))
        #expect(gone.status == .gone)
        let head = board.table.head
        // The first two are made and taken back with the third.
        #expect(throws: Rejection.self) {
            var copy = board
            try copy.act(
                1, mode: .strict, .comment(making("x")), .comment(making("y")),
                .comment(making("z")))
        }
        do throws(Rejection) {
            try board.act(
                1, mode: .strict, .comment(making("x")), .comment(making("y")),
                .comment(making("z")))
        } catch {
            #expect(error.code == .tooManyComments && error.part == 2)
        }
        #expect(board.table.head == head && board.comments().map(\.id) == [id])
        let two = try board.act(1, .comment(making("x")), .comment(making("y")))
        #expect(two.comments.map(\.description) == ["m3.1", "m3.2"])
        #expect(board.refusal(1, making("z")) == .tooManyComments)
        #expect(board.refusal(1, .edit(id, text: "full")) == nil)
        #expect(board.comments().count == 3)
    }

    @Test(
        "comments by chance: found by row, column and state as by a look at all of them",
        arguments: 1...8)
    func chance(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        var board = try Board()
        for _ in 0..<120 {
            let known = board.table.comments().map(\.id)
            let id = random.pick(known) ?? CommentID(sequence: 1, ordinal: 1)
            let number = UInt32(2 + random.below(3))
            switch random.below(6) {
            case 0, 1:
                _ = try board.make(
                    number, "text", on: row(UInt32(1 + random.below(2))),
                    random.pick(["a", "b", nil]) ?? nil)
            case 2: _ = board.refusal(number, .edit(id, text: Text("t\(random.below(9))")))
            case 3: _ = board.refusal(number, .resolve(id, isResolved: random.chance(60)))
            case 4: _ = board.refusal(number, .delete(id))
            default: _ = try? board.act(number, .undo(UndoRequest(.last(ofUser: false))))
            }
        }
        let all = board.comments()
        for row in [row(1), row(2), row(3)] {
            for column in [nil, board.columns[0], board.columns[1]] as [ColumnID?] {
                var filter = CommentFilter()
                (filter.row, filter.column, filter.isOpenOnly) = (row, column, random.chance(50))
                filter.after = random.pick(all)?.id
                let wanted = all.filter {
                    $0.row == row && (column == nil || $0.column == column)
                        && (!filter.isOpenOnly || $0.isOpen)
                        && (filter.after.map { $0 } ?? CommentID(sequence: 0, ordinal: 0)) < $0.id
                }
                #expect(board.table.comments(filter) == wanted, "seed \(seed)")
                #expect(board.table.comments(filter, limit: 1) == Array(wanted.prefix(1)))
            }
        }
    }

    @Test("a comment that does not fit what is there is refused by who follows")
    func misfits() {
        var table = Table()
        func put(_ id: Int64, _ row: RowID) -> Bool {
            let comment = TableComment(
                id: CommentID(sequence: id, ordinal: 1), row: row,
                made: CommentStamp(user: "u1", timeMilliseconds: 0), text: "x")
            return table.apply(
                Record(
                    sequence: table.head + 1, session: session(1), clientNumber: 0, user: "u1",
                    timeMilliseconds: 0, changes: [.commentPut(comment)],
                    outcome: Outcome(status: .ok)))
        }
        #expect(put(5, row(1)))
        #expect(!put(4, row(1)))
        #expect(!put(5, row(2)))
        #expect(table.comments().count == 1)
    }
}
