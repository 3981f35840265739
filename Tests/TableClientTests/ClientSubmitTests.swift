import TableModel
import TableValue
import TableWire
import Testing

@testable import TableClient

@Test("an operation shows at once, is sent, and its own record decides it")
func ownRecordDecides() {
    let play = Play.live()
    let number = play.submit(edit(row(1), amount, .int(5)))
    #expect(number == 1)
    let expected = SubmittedOp(
        table: .id(t1), clientNumber: 1, op: Op(base: 10, body: [edit(row(1), amount, .int(5))]))
    #expect(play.takeSent() == [ClientLine(message: .op(expected))])
    #expect(play.client.replica(of: t1)?.value(row(1), amount) == .int(5))
    #expect(play.client.replica(of: t1)?.isPending(row(1), amount) == true)
    #expect(play.client.replica(of: t1)?.confirmed.value(row(1), amount) == .int(1))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    let notices = play.takeNotices()
    guard case .applied(t1, _, isMine: true) = notices.first else {
        Issue.record("\(notices)")
        return
    }
    #expect(
        notices.last
            == .decided(t1, clientNumber: 1, sequence: 11, outcome: Outcome(status: .ok)))
    #expect(notices.count == 2)
    #expect(play.client.replica(of: t1)?.isPending(row(1), amount) == false)
    #expect(play.client.pendingOps(in: t1).isEmpty)
}

@Test("case 9: a refusal in the middle: each is decided once, in order")
func refusalInTheMiddle() {
    let play = Play.live()
    for value in 1...3 as ClosedRange<Int64> { play.submit(edit(row(1), amount, .int(value * 10))) }
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(10))))
    play.hears(reply(2, .rejected))
    #expect(play.client.replica(of: t1)?.value(row(1), amount) == .int(30))
    play.hears(record(12, mine: 3, setCell(row(1), amount, .int(30))))
    play.hears(reply(2, .rejected), reply(3, .ok, sequence: 12))
    #expect(decidedNumbers(play.takeNotices()) == [1, 2, 3])
    #expect(play.client.replica(of: t1)?.value(row(1), amount) == .int(30))
}

@Test("a refused operation disappears from what is shown")
func refusedDisappears() {
    let play = Play.live()
    play.submit(.insertRows(InsertRows(rowCount: 1)))
    play.submit(edit(row(2), amount, .int(7)))
    #expect(play.client.replica(of: t1)?.rowCount == 4)
    play.hears(reply(1, .rejected))
    #expect(play.client.replica(of: t1)?.rowCount == 3)
    #expect(play.client.replica(of: t1)?.value(row(2), amount) == .int(7))
    play.hears(reply(2, .noop))
    #expect(play.client.replica(of: t1)?.value(row(2), amount) == .int(2))
    #expect(decidedNumbers(play.takeNotices()) == [1, 2])
}

@Test("the window holds operations back; answers let them go")
func windowIsKept() {
    let play = Play.live(window: 2)
    for value in 1...4 as ClosedRange<Int64> { play.submit(edit(row(1), amount, .int(value))) }
    #expect(opNumbers(play.takeSent()) == [1, 2])
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(1))))
    #expect(opNumbers(play.takeSent()) == [3])
    // Two answers in one reading: one sending.
    var bytes: [UInt8] = []
    write(ServerLine(message: reply(2, .noop)), to: &bytes)
    write(ServerLine(message: reply(3, .noop)), to: &bytes)
    play.hears(bytes: bytes)
    let actions = play.takeActions()
    #expect(opNumbers(Play.lines(in: actions)) == [4])
    #expect(actions.filter { if case .send = $0 { true } else { false } }.count == 1)
}

@Test("bytes in flight are held to the window too")
func windowOfBytesIsKept() {
    let play = Play.live { $0.windowBytes = 300 }
    let long = Value.text(Text(String(repeating: "x", count: 100)))
    for _ in 0..<3 { play.submit(edit(row(1), name, long)) }
    #expect(opNumbers(play.takeSent()) == [1])
    play.hears(reply(1, .noop))
    #expect(opNumbers(play.takeSent()) == [2])
}

@Test("a gap at the server rewinds the sending, the same bytes again")
func gapRewinds() {
    let play = Play.live()
    for value in 1...3 as ClosedRange<Int64> { play.submit(edit(row(1), amount, .int(value))) }
    let first = play.takeActions().flatMap { action -> [UInt8] in
        if case .send(let bytes) = action { bytes } else { [] }
    }
    for number in 2...3 as ClosedRange<Int64> {
        play.hears(.error(ErrorMessage(.sequenceGap, "gap", table: t1, clientNumber: number)))
    }
    let second = play.takeActions()
    #expect(second == [.send(first)])
}

@Test("a server that finds gaps without end is left, then the table is given up")
func endlessGaps() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(1)))
    for _ in 0..<3 {
        for _ in 0..<10 where play.client.state == .ready {
            play.hears(.error(ErrorMessage(.sequenceGap, "gap", table: t1, clientNumber: 1)))
        }
        #expect(play.takeActions().contains(.disconnect))
        play.logInAgain()
        play.hears(answer: .opened(opened(sequence: 10)), to: play.openID)
    }
    for _ in 0..<10 {
        play.hears(.error(ErrorMessage(.sequenceGap, "gap", table: t1, clientNumber: 1)))
    }
    guard case .failed(let error) = play.takeNotices().last else {
        Issue.record("it goes on for ever")
        return
    }
    #expect(error.table == t1)
}

@Test("a rate that is too high: sending rests as long as the server asks, then goes on")
func rateLimited() {
    let play = Play.live()
    for value in 1...3 as ClosedRange<Int64> { play.submit(edit(row(1), amount, .int(value))) }
    _ = play.takeActions()
    play.hears(
        .error(
            ErrorMessage(.rateLimited, "slow", table: t1, clientNumber: 2, retrySeconds: 3)),
        .error(ErrorMessage(.sequenceGap, "gap", table: t1, clientNumber: 3)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(1))))
    #expect(opNumbers(play.takeSent()).isEmpty)
    play.wait(seconds: 2.9)
    #expect(opNumbers(play.takeSent()).isEmpty)
    play.wait(seconds: 0.2)
    #expect(opNumbers(play.takeSent()) == [2, 3])
}

@Test("a server that cannot store an operation: come back after the wait, resume, send it again")
func operationNotStored() {
    for code in [WireCode.storageFailed, .internalError, .goingAway] {
        let play = Play.live()
        play.submit(edit(row(1), amount, .int(1)))
        _ = play.takeActions()
        play.hears(.error(ErrorMessage(code, "no", table: t1, clientNumber: 1, retrySeconds: 90)))
        #expect(
            play.takeActions() == [
                .disconnect,
                .notify(.reconnecting(afterSeconds: 90, reason: "\(code.rawValue): no")),
            ])
        play.logInAgain()
        play.hears(answer: .opened(opened(sequence: 10)), to: play.openID)
        #expect(opNumbers(play.takeSent()).last == 1)
    }
}

@Test("a number used for two operations is a fault of the client: the table is given up")
func numberReused() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(1)))
    _ = play.takeActions()
    play.hears(.error(ErrorMessage(.clientNumberReused, "reused", table: t1, clientNumber: 1)))
    guard case .failed(let error) = play.takeNotices().last else {
        Issue.record("it goes on")
        return
    }
    #expect(error.code == .clientNumberReused)
    #expect(play.client.pendingOps(in: t1).count == 1)
}

@Test("row and column ids count on from what the server knows, and are never given twice")
func idsAreNeverReused() {
    let play = Play()
    play.open(OpenRequest(table: .id(t1)))
    play.logIn()
    var answer = opened(sequence: 10)
    answer.writer?.rowCounter = 40
    answer.writer?.columnCounter = 6
    play.hears(answer: .opened(answer), to: play.openID)
    #expect(play.client.makeRowIDs(2, in: t1) == [row(41, of: mine), row(42, of: mine)])
    #expect(play.client.makeColumnID(in: t1) == column(7, of: mine))
    play.hearsSnapshot()
    play.submit(
        .insertRows(InsertRows(rowCount: 2)),
        .addColumn(AddColumn(name: "new", type: .text)))
    // The server did not hear of them; it still knows the old counters.
    play.lost()
    play.logInAgain()
    play.hears(answer: .opened(answer), to: play.openID)
    #expect(play.client.makeRowIDs(1, in: t1) == [row(45, of: mine)])
    #expect(play.client.makeColumnID(in: t1) == column(9, of: mine))
    #expect(play.client.makeRowIDs(0, in: t1).isEmpty)
    #expect(play.client.makeRowIDs(-1, in: t1).isEmpty)
    #expect(play.client.makeRowIDs(1 << 40, in: t1).isEmpty)
    #expect(play.client.makeRowIDs(1, in: TableID(rawValue: 9)).isEmpty)
}

@Test("when no counter is left no id is given, least of all an old one")
func idsRunOut() {
    let play = Play()
    play.open(OpenRequest(table: .id(t1)))
    play.logIn()
    var answer = opened(sequence: 10)
    answer.writer?.rowCounter = .max - 1
    answer.writer?.columnCounter = .max
    play.hears(answer: .opened(answer), to: play.openID)
    #expect(play.client.makeRowIDs(2, in: t1).isEmpty)
    #expect(play.client.makeRowIDs(1, in: t1) == [row(.max, of: mine)])
    #expect(play.client.makeRowIDs(1, in: t1).isEmpty)
    #expect(play.client.makeColumnID(in: t1) == nil)
}

@Test("new rows get ids of the client, named in the outcome as the server's would be")
func newRowsGetIDs() {
    let play = Play.live()
    play.submit(.insertRows(InsertRows(rowCount: 2, columns: [], cells: [])))
    guard case .op(let sent) = play.takeSent().first?.message,
        case .insertRows(let insert) = sent.op.body.first
    else {
        Issue.record("nothing sent")
        return
    }
    #expect(insert.ids == [row(1, of: mine), row(2, of: mine)])
    let place = RowPlace(after: row(3))
    play.hears(
        record(
            11, mine: 1,
            .rowsInserted(RowBlock(ids: insert.ids, place: place, columns: [], cells: []))))
    guard case .decided(_, 1, 11, let outcome) = play.takeNotices().last else {
        Issue.record("not decided")
        return
    }
    #expect(outcome.rows == insert.ids)
}

@Test("an operation that the server would not read is not sent, and the connection stays")
func tooLongForTheServer() {
    let play = Play()
    play.open(OpenRequest(table: .id(t1)))
    play.start()
    play.connected()
    var welcome = Welcome()
    welcome.lineBytesMax = 4_096
    play.hears(
        .welcome(welcome), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    play.hears(answer: .opened(opened(sequence: 10)), to: play.openID)
    play.hearsSnapshot()
    _ = play.takeActions()
    let long = Value.text(Text(String(repeating: "x", count: 5_000)))
    #expect(play.submit(edit(row(1), name, long)) == nil)
    let actions = play.takeActions()
    guard case .decided(t1, 0, nil, let outcome) = Play.notices(in: actions).first else {
        Issue.record("\(actions)")
        return
    }
    #expect(outcome.status == .rejected && outcome.rejection != nil)
    #expect(actions.count == 1)
    #expect(play.submit(edit(row(1), name, .text("short"))) == 1)
}

@Test("without a session, without the table, or with too many waiting, nothing is taken")
func submitRefused() {
    let play = Play()
    #expect(play.submit(edit(row(1), amount, .int(1))) == nil)
    play.open(OpenRequest(table: .id(t1)))
    play.logIn()
    #expect(play.submit(edit(row(1), amount, .int(1))) == nil)
    play.hears(answer: .opened(opened(sequence: 10, session: nil)), to: play.openID)
    play.hearsSnapshot()
    #expect(play.submit(edit(row(1), amount, .int(1))) == nil)
    let full = Play.live { $0.pendingOpsMax = 1 }
    #expect(full.submit(edit(row(1), amount, .int(1))) == 1)
    #expect(full.submit(edit(row(1), amount, .int(1))) == nil)
}

@Test("a table that is only written keeps no rows; replies decide")
func writeOnly() {
    let play = Play()
    var request = OpenRequest(table: .id(t1))
    request.follow = false
    play.open(request)
    play.logIn()
    let openID = play.openID
    _ = play.takeActions()
    play.hears(answer: .opened(opened(sequence: 10)), to: openID)
    #expect(play.takeNotices() == [.opened(opened(sequence: 10))])
    for value in 1...3 as ClosedRange<Int64> { play.submit(edit(row(1), amount, .int(value))) }
    guard case .op(let sent) = play.takeSent().first?.message else {
        Issue.record("nothing sent")
        return
    }
    #expect(sent.op.base == 0)
    play.hears(reply(1, .ok, sequence: 11), reply(2, .rejected), reply(3, .ok, sequence: 12))
    #expect(decidedNumbers(play.takeNotices()) == [1, 2, 3])
    #expect(play.client.replica(of: t1) == nil)
    play.lost()
    play.logInAgain()
    guard case .open(let again) = Play.lines(in: play.takeActions()).last?.message else {
        Issue.record("no open")
        return
    }
    #expect(again.have == nil && again.resume?.next == 4)
}

@Test("an operation whose answer is no longer kept is in doubt, and the session goes on")
func answerNoLongerKept() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.submit(edit(row(2), amount, .int(6)))
    _ = play.takeActions()
    // The second is answered first: its author is told of it behind the first.
    let noop = Outcome(status: .noop)
    play.hears(
        .reply(
            Reply(table: t1, clientNumber: 2, sequence: nil, outcome: noop, isExactlyOnce: true)))
    #expect(play.takeNotices().isEmpty)
    play.hears(.error(ErrorMessage(.sessionExpired, "m", table: t1, clientNumber: 1)))
    #expect(
        play.takeNotices() == [
            .doubted(t1, clientNumber: 1),
            .decided(t1, clientNumber: 2, sequence: nil, outcome: noop),
        ])
    #expect(play.client.pendingOps(in: t1).isEmpty)
    #expect(play.client.replica(of: t1)?.value(row(1), amount) == .int(1))
    play.submit(edit(row(1), amount, .int(7)))
    #expect(opNumbers(play.takeSent()) == [3])
}

@Test("a session that comes back as another one is not written under")
func otherSession() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(1)))
    play.lost()
    play.logInAgain()
    let openID = play.openID
    _ = play.takeActions()
    play.hears(answer: .opened(opened(sequence: 10, session: other)), to: openID)
    let actions = play.takeActions()
    #expect(opNumbers(Play.lines(in: actions)).isEmpty)
    guard case .failed(let error) = Play.notices(in: actions).last else {
        Issue.record("\(actions)")
        return
    }
    #expect(error.code == .sessionExpired)
    #expect(play.client.pendingOps(in: t1).count == 1)
}
