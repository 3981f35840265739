import TableModel
import TableValue
import TableWire
import Testing

@testable import TableClient

@Test("a table is open once its snapshot is whole, live once it has caught up")
func snapshotThenRecords() {
    let play = Play()
    play.open(OpenRequest(table: .name("stage")))
    play.logIn()
    let openID = play.openID
    _ = play.takeActions()
    play.hears(answer: .opened(opened(sequence: 12)), to: openID)
    #expect(play.takeNotices().isEmpty)
    play.hearsSnapshot()
    #expect(play.takeNotices() == [.opened(opened(sequence: 12))])
    play.hears(record(11, setCell(row(2), amount, .int(20))))
    guard case .applied(t1, let applied, isMine: false) = play.takeNotices().last else {
        Issue.record("no notice")
        return
    }
    #expect(applied.sequence == 11)
    play.hears(record(12, .rowsHidden([row(1)])), .live(t1, sequence: 12))
    #expect(play.takeNotices().last == .live(t1, sequence: 12))
    play.hears(.live(t1, sequence: 12))
    #expect(play.takeActions().isEmpty, "the server's heartbeat is no news")
    let replica = play.client.replica(of: t1)
    #expect(replica?.rowCount == 2)
    #expect(replica?.row(at: 0) == row(2))
    #expect(replica?.position(of: row(3)) == 1)
    #expect(replica?.value(row(2), amount) == .int(20))
    #expect(replica?.columns == stageColumns)
    #expect(replica?.confirmed.head == 12)
}

@Test("S17: a new name of an open table is told; one of another table is not")
func newNameIsTold() {
    let play = Play.live()
    play.hears(.renamed(t1, name: "parts"), .renamed(TableID(rawValue: 9), name: "bits"))
    #expect(play.takeNotices() == [.renamed(t1, name: "parts")])
}

@Test("S18: a dropped table is given up, and is not closed once more; the connection stays")
func droppedTableIsGivenUp() {
    let play = Play.live()
    _ = play.takeActions()
    play.hears(.error(ErrorMessage(.tableDeleted, "m", table: t1)))
    guard case .failed(let error) = play.takeNotices().last else {
        Issue.record("no notice")
        return
    }
    #expect(error.code == .tableDeleted && error.table == t1)
    #expect(play.takeSent().isEmpty)
    #expect(play.client.replica(of: t1)?.rowCount == 3)
}

@Test("after a reconnect the tail is asked for, with session and number")
func resumeAsksForTheTail() {
    let play = Play.live()
    play.hears(record(11, setCell(row(2), amount, .int(20))))
    play.lost()
    play.logInAgain()
    var wanted = OpenRequest(table: .id(t1))
    wanted.window = 64
    wanted.have = OpenRequest.Held(lineage: "history", sequence: 11)
    wanted.resume = OpenRequest.Resume(session: mine, token: "token-1", next: 1)
    #expect(Play.lines(in: play.takeActions()).last?.message == .open(wanted))
}

@Test("each open gives a new token, and the newest is used")
func newestTokenIsUsed() {
    let play = Play.live()
    for token in ["token-2", "token-3"] as [Text] {
        play.lost()
        play.logInAgain()
        play.hears(answer: .opened(opened(sequence: 10, token: token)), to: play.openID)
        play.lost()
        play.logInAgain()
        guard case .open(let request) = Play.lines(in: play.actions).last?.message else {
            Issue.record("no open")
            return
        }
        #expect(request.resume?.token == token)
    }
}

@Test("values are of their columns' types, however the wire spells them")
func valuesAreConverted() {
    let play = Play.live()
    play.hears(
        record(
            11, setCell(row(1), due, .text("2026-11-30")),
            .columnAdded(
                Column(id: column(9), name: "big", type: .int), at: ColumnPlace(after: nil)),
            .rowsInserted(
                RowBlock(
                    ids: [row(4)], place: RowPlace(after: nil), columns: [column(9), due],
                    cells: [.text("9007199254740993"), .text("2026-12-01")]))))
    let replica = play.client.replica(of: t1)
    #expect(replica?.value(row(1), due)?.type == .date)
    #expect(replica?.value(row(4), column(9)) == .int(9_007_199_254_740_993))
    #expect(replica?.value(row(4), due)?.type == .date)
    #expect(replica?.row(at: 0) == row(4))
}

/// A stream that makes no sense: it leads to a fresh snapshot, not to a crash or a wrong table.
private let senseless: [(String, [ServerMessage])] = [
    ("a gap", [record(12, setCell(row(1), amount, .int(5)))]),
    ("a record twice", [record(10, setCell(row(1), amount, .int(5)))]),
    ("a value of another type", [record(11, setCell(row(1), amount, .text("five")))]),
    ("live behind the table", [.live(t1, sequence: 11)]),
    ("rows without a snapshot", [.chunk(Chunk(table: t1, rows: [row(9)], columns: [], cells: []))]),
    ("an end without a snapshot", [.snapshotEnd(t1, sequence: 10)]),
    (
        "a snapshot with a row missing",
        [
            .snapshot(t1, sequence: 11, rowCount: 2, columns: stageColumns),
            .chunk(Chunk(table: t1, rows: [row(9)], columns: [], cells: [])),
            .snapshotEnd(t1, sequence: 11),
        ]
    ),
    (
        "a snapshot with too many rows",
        [
            .snapshot(t1, sequence: 11, rowCount: 1, columns: stageColumns),
            .chunk(Chunk(table: t1, rows: [row(9), row(8)], columns: [], cells: [])),
        ]
    ),
    (
        "a snapshot with a row twice",
        [
            .snapshot(t1, sequence: 11, rowCount: 2, columns: stageColumns),
            .chunk(Chunk(table: t1, rows: [row(9), row(9)], columns: [], cells: [])),
        ]
    ),
    (
        "a record within a snapshot",
        [
            .snapshot(t1, sequence: 11, rowCount: 2, columns: stageColumns),
            record(12, setCell(row(1), amount, .int(5))),
        ]
    ),
]

@Test("a stream that makes no sense leads to a fresh snapshot", arguments: senseless.indices)
func senselessStream(index: Int) {
    let (what, messages) = senseless[index]
    let play = Play.live()
    for message in messages { play.hears(message) }
    #expect(play.takeActions().contains(.disconnect), "\(what)")
    play.logInAgain()
    guard case .open(let request) = Play.lines(in: play.takeActions()).last?.message else {
        Issue.record("no open after \(what)")
        return
    }
    #expect(request.have == nil, "\(what)")
    #expect(request.resume != nil, "\(what)")
}

@Test("a table that never fits is given up after some tries; the connection lives on")
func reloadsAreBounded() {
    let play = Play.live { $0.faultsMax = 2 }
    for _ in 0..<2 {
        play.hears(record(15, setCell(row(1), amount, .int(5))))
        play.logInAgain()
        play.hears(answer: .opened(opened(sequence: 14)), to: play.openID)
        play.hearsSnapshot(sequence: 14)
        play.hears(record(14, setCell(row(1), amount, .int(5))))
        if play.client.deadline == nil { break }
        if play.client.state == .ready { break }
    }
    let notices = play.takeNotices()
    guard case .failed(let error) = notices.last else {
        Issue.record("\(notices)")
        return
    }
    #expect(error.table == t1)
    #expect(play.client.state == .ready)
    play.hears(record(15, setCell(row(1), amount, .int(5))))
    #expect(play.takeNotices().isEmpty, "what still comes is passed over")
    #expect(play.submit(edit(row(1), amount, .int(1))) == nil)
}

@Test("another history: what is pending is set aside, the table is loaded anew")
func lineageChanged() {
    let play = Play.live()
    let op = Op(base: 10, body: [edit(row(1), amount, .int(5))])
    play.submit(op)
    play.lost()
    play.logInAgain()
    let openID = play.openID
    _ = play.takeActions()
    let answer = opened(sequence: 3, lineage: "restored", session: other)
    play.hears(answer: .opened(answer), to: openID)
    let actions = play.takeActions()
    #expect(Play.notices(in: actions) == [.lineageChanged(t1, setAside: [op])])
    #expect(opNumbers(Play.lines(in: actions)).isEmpty, "they are not sent under another history")
    play.hearsSnapshot(sequence: 3)
    play.hears(.live(t1, sequence: 3))
    #expect(play.takeNotices() == [.opened(answer), .live(t1, sequence: 3)])
    #expect(play.client.replica(of: t1)?.value(row(1), amount) == .int(1))
    #expect(play.submit(edit(row(1), amount, .int(6))) == 1, "a new session counts from 1")
}

@Test("a server that refuses to go on with another history is asked without one")
func lineageRefused() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.lost()
    play.logInAgain()
    let openID = play.openID
    _ = play.takeActions()
    play.hears(answer: .error(ErrorMessage(.lineageChanged, "restored")), to: openID)
    let actions = play.takeActions()
    guard case .lineageChanged(t1, let setAside) = Play.notices(in: actions).first else {
        Issue.record("\(actions)")
        return
    }
    #expect(setAside.count == 1)
    guard case .open(let request) = Play.lines(in: actions).last?.message else {
        Issue.record("no open")
        return
    }
    #expect(request.have == nil && request.resume == nil)
    // Asked for nothing of the past, the server has no reason to refuse it again.
    let again = Play.lines(in: actions).last?.id
    play.hears(answer: .error(ErrorMessage(.lineageChanged, "restored")), to: again)
    guard case .failed = play.takeNotices().last else {
        Issue.record("it asks for ever")
        return
    }
}

@Test("operations of an earlier run are set aside too, under the id that the server names")
func lineageRefusedToRestored() {
    let op = Op(base: 3, body: [edit(row(1), amount, .int(5))])
    let play = Play()
    var request = OpenRequest(table: .name("stage"))
    request.resume = OpenRequest.Resume(session: mine, token: "old", next: 4)
    play.open(request, restoring: [PendingOp(clientNumber: 4, op: op, line: [0x7B, 0x7D, 0x0A])])
    play.logIn()
    let openID = play.openID
    _ = play.takeActions()
    let error = ErrorMessage(.lineageChanged, "restored", table: t1)
    play.hears(answer: .error(error), to: openID)
    #expect(play.takeNotices() == [.lineageChanged(t1, setAside: [op])])
}

@Test(
    "a table that cannot be opened is given up, the others are not",
    arguments: [WireCode.unknownTable, .forbidden, .sessionExpired, .sessionForked, .tooManyTables])
func openRefused(code: WireCode) {
    let play = Play()
    play.open(OpenRequest(table: .name("stage")))
    play.open(OpenRequest(table: .name("another")))
    play.logIn()
    let ids = Play.lines(in: play.takeActions()).compactMap(\.id)
    play.hears(answer: .error(ErrorMessage(code, "no")), to: ids.last)
    #expect(play.takeNotices() == [.failed(ErrorMessage(code, "table \"another\": no"))])
    play.hears(answer: .opened(opened(sequence: 10)), to: ids.first)
    play.lost()
    play.logInAgain()
    let opens = Play.lines(in: play.takeActions())
    #expect(opens.count == 1, "what failed is not asked again")
    // The user may want it again.
    play.open(OpenRequest(table: .name("another")))
    #expect(play.takeSent().count == 1)
}

@Test("a table that cannot be opened now is asked again later")
func openRefusedForNow() {
    let play = Play()
    play.open(OpenRequest(table: .name("stage")))
    play.logIn()
    let openID = play.openID
    _ = play.takeActions()
    let error = ErrorMessage(.storageFailed, "disk", retrySeconds: 5)
    play.hears(answer: .error(error), to: openID)
    #expect(
        play.takeActions() == [
            .disconnect,
            .notify(.reconnecting(afterSeconds: 5, reason: "storage_failed: disk")),
        ])
    play.logInAgain()
    #expect(play.openID != nil)
}

@Test("from its head, records are told of and no rows are kept")
func followFromHead() {
    let play = Play()
    var request = OpenRequest(table: .id(t1))
    request.start = .head
    play.open(request)
    play.logIn()
    let openID = play.openID
    _ = play.takeActions()
    play.hears(answer: .opened(opened(sequence: 10)), to: openID)
    play.hears(.live(t1, sequence: 10))
    #expect(play.takeNotices() == [.opened(opened(sequence: 10)), .live(t1, sequence: 10)])
    #expect(play.client.replica(of: t1) == nil)
    #expect(play.submit(edit(row(1), amount, .int(5))) == 1)
    play.hears(record(11, setCell(row(2), due, .text("2026-11-30"))))
    play.hears(record(12, mine: 1, setCell(row(1), amount, .int(5))))
    let notices = play.takeNotices()
    #expect(notices.count == 3)
    #expect(decidedNumbers(notices) == [1])
    play.lost()
    play.logInAgain()
    guard case .open(let again) = Play.lines(in: play.actions).last?.message else {
        Issue.record("no open")
        return
    }
    #expect(again.have == OpenRequest.Held(lineage: "history", sequence: 12))
    #expect(again.start == .head)
    play.hears(answer: .opened(opened(sequence: 13, last: 1)), to: play.openID)
    _ = play.takeActions()
    play.hears(record(13, setCell(row(2), amount, .int(5))), .live(t1, sequence: 13))
    #expect(play.takeNotices().count == 2)
    play.hears(record(15, setCell(row(2), amount, .int(5))))
    #expect(play.takeActions().contains(.disconnect), "a record is missing")
}

@Test("records since a number are asked for")
func followSinceANumber() {
    let play = Play()
    var request = OpenRequest(table: .id(t1))
    request.start = .head
    request.write = false
    request.have = OpenRequest.Held(lineage: "history", sequence: 4)
    play.open(request)
    play.logIn()
    guard case .open(let sent) = Play.lines(in: play.actions).last?.message else {
        Issue.record("no open")
        return
    }
    #expect(sent.have == request.have)
    play.hears(answer: .opened(opened(sequence: 6, session: nil)), to: play.openID)
    _ = play.takeActions()
    play.hears(
        record(5, setCell(row(1), amount, .int(5))), record(6, setCell(row(1), amount, .int(6))),
        .live(t1, sequence: 6))
    #expect(play.takeNotices().count == 3)
    #expect(play.submit(edit(row(1), amount, .int(1))) == nil, "it is not open for writing")
}

@Test("records that are not sent any more are not missed in silence")
func recordsThatAreGone() {
    let play = Play()
    var request = OpenRequest(table: .id(t1))
    request.start = .head
    request.have = OpenRequest.Held(lineage: "history", sequence: 4)
    play.open(request)
    play.logIn()
    play.hears(answer: .opened(opened(sequence: 6)), to: play.openID)
    _ = play.takeActions()
    play.hearsSnapshot(sequence: 6)
    let notices = play.takeNotices()
    guard case .failed(let error) = notices.first, notices.count == 1 else {
        Issue.record("\(notices)")
        return
    }
    #expect(error.table == t1)
}
