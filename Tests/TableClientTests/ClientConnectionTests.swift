import TableModel
import TableValue
import TableWire
import Testing

@testable import TableClient

@Test("a client connects, says hello and logs in at once, then opens what is wanted")
func firstConnection() {
    let play = Play()
    play.open(OpenRequest(table: .name("stage")))
    #expect(play.takeActions().isEmpty, "nothing happens before start")
    play.start()
    #expect(play.takeActions() == [.connect])
    play.connected()
    #expect(
        play.takeSent() == [
            ClientLine(message: .hello(versions: [1], features: [], client: "roundtable")),
            ClientLine(message: .login(.token("rt1d_secret"))),
        ])
    play.hears(.welcome(Welcome()))
    #expect(play.takeActions().isEmpty)
    play.hears(.loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    var wanted = OpenRequest(table: .name("stage"))
    wanted.window = 64
    let actions = play.takeActions()
    #expect(
        Play.notices(in: actions) == [
            .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil)
        ])
    #expect(Play.lines(in: actions).map(\.message) == [.open(wanted)])
}

@Test("an invite is redeemed once: afterwards its token counts")
func inviteIsRedeemedOnce() {
    let play = Play { $0.credential = .invite("rt1i_x", name: "Ada") }
    play.start()
    play.connected()
    #expect(play.takeSent().last?.message == .login(.invite("rt1i_x", name: "Ada")))
    play.hears(
        .welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "owner", token: "rt1d_new"))
    play.lost()
    play.waitForConnect()
    play.connected()
    #expect(play.takeSent().last?.message == .login(.token("rt1d_new")))
}

@Test("a lost connection is tried again, later and later, until a table is open")
func backoffIsResetByOpened() {
    let play = Play { $0.random = Highest() }
    play.open(OpenRequest(table: .id(t1)))
    play.start()
    for bound in [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30] {
        play.connected()
        // Being connected and logged in is not yet being served.
        play.hears(
            .welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
        play.lost("reset by peer")
        let notices = play.takeNotices()
        guard case .reconnecting(let seconds, "reset by peer") = notices.last else {
            Issue.record("\(notices)")
            return
        }
        #expect(seconds <= bound && seconds > bound * 0.99)
        play.wait(seconds: bound * 0.98)
        #expect(play.takeActions().isEmpty)
        play.wait(seconds: bound * 0.03)
        #expect(play.takeActions() == [.connect])
    }
    play.connected()
    play.hears(.welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    play.hears(answer: .opened(opened(sequence: 0)), to: play.openID)
    play.lost()
    guard case .reconnecting(let seconds, _) = play.takeNotices().last else {
        Issue.record("no notice")
        return
    }
    #expect(seconds <= 0.25)
}

@Test("without tables the login is what counts for the next delay")
func backoffIsResetByLogin() {
    let play = Play { $0.random = Highest() }
    play.start()
    for _ in 0..<5 {
        play.lost("refused")
        play.waitForConnect()
    }
    play.connected()
    play.hears(.welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    play.lost()
    guard case .reconnecting(let seconds, _) = play.takeNotices().last else {
        Issue.record("no notice")
        return
    }
    #expect(seconds <= 0.25)
}

@Test("the server's delay is kept: it asked for it")
func serverAsksToWait() {
    let play = Play()
    play.logIn()
    _ = play.takeActions()
    play.hears(.bye(ErrorMessage(.goingAway, "stopping", retrySeconds: 12)))
    let actions = play.takeActions()
    #expect(
        actions == [
            .disconnect,
            .notify(.reconnecting(afterSeconds: 12, reason: "going_away: stopping")),
        ])
    play.lost("late news of the old connection")
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 11.9)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.2)
    #expect(play.takeActions() == [.connect])
}

@Test("a delay that no server may ask for is cut")
func absurdDelay() {
    let play = Play()
    play.logIn()
    play.hears(.bye(ErrorMessage(.goingAway, "stopping", retrySeconds: 1e300)))
    guard case .reconnecting(let seconds, _) = play.takeNotices().last else {
        Issue.record("no notice")
        return
    }
    #expect(seconds == 3_600)
}

@Test(
    "what would come to the same again is final",
    arguments: [
        WireCode.loginFailed, .noCommonVersion, .sessionForked, .sessionExpired, .forbidden,
        .malformed, .tooLarge, .clientNumberReused,
    ])
func finalFailures(code: WireCode) {
    let play = Play()
    play.start()
    play.connected()
    let asked = play.request(.tables)
    _ = play.takeActions()
    let error = ErrorMessage(code, "no")
    play.hears(.error(error))
    let actions = play.takeActions()
    #expect(actions.first == .disconnect)
    let notices = Play.notices(in: actions)
    #expect(notices.last == .failed(error))
    #expect(notices.first == .answered(asked, .error(ErrorMessage(.internalError, "no"))))
    play.lost()
    play.wait(seconds: 100)
    play.start()
    #expect(play.takeActions().isEmpty)
    #expect(play.client.deadline == nil)
}

@Test(
    "what may pass is tried again",
    arguments: [
        WireCode.loginTimeout, .tooManyConnections, .slowConsumer, .goingAway, .storageFailed,
        .internalError, .rateLimited,
    ])
func passingFailures(code: WireCode) {
    let play = Play()
    play.logIn()
    _ = play.takeActions()
    play.hears(.error(ErrorMessage(code, "later")))
    #expect(play.takeActions().first == .disconnect)
    play.waitForConnect()
    #expect(play.takeActions() == [.connect])
}

@Test("a second connection with the same session ends this one for good")
func forkedElsewhere() {
    let play = Play.live()
    play.submit(edit(row(1), name, .text("x")))
    _ = play.takeActions()
    let error = ErrorMessage(.sessionForked, "this session is open elsewhere")
    play.hears(.bye(error))
    #expect(play.takeActions() == [.disconnect, .notify(.failed(error))])
    #expect(play.submit(edit(row(1), name, .text("y"))) == nil)
    #expect(play.client.pendingOps(in: t1).count == 1, "what was not sent can be looked at")
}

@Test(
    "a table whose session went on elsewhere is given up, the others come back",
    arguments: [WireCode.sessionForked, .sessionExpired])
func forkedOfTwo(code: WireCode) {
    let play = Play.live()
    play.submit(edit(row(1), name, .text("x")))
    var looking = OpenRequest(table: .name("another"))
    looking.write = false
    play.open(looking)
    _ = play.takeActions()
    // Of a table that is not open here: nothing is lost.
    play.hears(.bye(ErrorMessage(code, "m", table: TableID(rawValue: 9))))
    #expect(!play.takeNotices().contains { if case .failed = $0 { true } else { false } })
    play.logInAgain()
    #expect(play.takeSent().count == 2, "both tables are opened again")
    // Without a table: of those that are open for writing.
    play.hears(.bye(ErrorMessage(code, "m")))
    let error = ErrorMessage(code, "table t1: m", table: t1)
    let notices = play.takeNotices()
    #expect(notices.first == .failed(error))
    #expect(notices.count == 2, "and that the connection is lost")
    #expect(play.client.pendingOps(in: t1).count == 1, "what is in doubt can be looked at")
    play.logInAgain()
    let sent = play.takeSent().map(\.message)
    looking.window = 64
    #expect(sent == [.open(looking)])
}

@Test("when nothing is heard a ping goes out, then the connection is given up")
func silence() {
    let play = Play()
    play.logIn()
    _ = play.takeActions()
    play.wait(seconds: 14)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 2)
    #expect(play.takeSent() == [ClientLine(message: .ping)])
    play.hears(.pong)
    play.wait(seconds: 28)
    #expect(play.takeSent() == [ClientLine(message: .ping)])
    play.wait(seconds: 16.9)
    #expect(play.takeSent() == [ClientLine(message: .ping), ClientLine(message: .ping)])
    play.wait(seconds: 0.2)
    #expect(play.takeActions().first == .disconnect)
    #expect(play.client.deadline != nil)
}

@Test("a client that only listens still shows that it is there")
func pingWhileListening() {
    let play = Play()
    play.logIn()
    _ = play.takeActions()
    for _ in 0..<40 {
        play.wait(seconds: 1)
        play.hears(.pong)
    }
    #expect(play.takeSent().map(\.message) == [.ping, .ping])
}

@Test("a connection attempt without an answer is given up")
func silentConnect() {
    let play = Play()
    play.start()
    _ = play.takeActions()
    play.wait(seconds: 44.9)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.1)
    #expect(play.takeActions().first == .disconnect)
    play.waitForConnect()
    #expect(play.takeActions() == [.connect])
}

@Test("stop says bye, answers what was asked, and nothing follows")
func stopping() {
    let play = Play.live()
    let asked = play.request(.hash(.id(t1)))
    play.submit(edit(row(1), name, .text("x")))
    _ = play.takeActions()
    play.stop()
    let actions = play.takeActions()
    #expect(Play.lines(in: actions) == [ClientLine(message: .bye)])
    #expect(actions.contains(.disconnect))
    guard case .answered(asked, .error(let error)) = Play.notices(in: actions).first else {
        Issue.record("\(actions)")
        return
    }
    #expect(error.code == .internalError)
    play.wait(seconds: 100)
    #expect(play.takeActions().isEmpty)
    #expect(play.client.replica(of: t1)?.pending.count == 1)
}

@Test("case 42: a request is answered once, also when the connection is lost")
func requestsAreAnsweredOnce() {
    let play = Play()
    let early = play.request(.tables)
    play.logIn()
    let sent = play.takeSent()
    #expect(sent.last == ClientLine(id: early, message: .tables))
    play.hears(answer: .tables([]), to: early)
    #expect(play.takeNotices() == [.answered(early, .tables([]))])
    play.hears(answer: .tables([]), to: early)
    #expect(play.takeNotices().isEmpty, "the second answer is nobody's")

    let late = play.request(.who(.id(t1)))
    play.lost()
    let answers = play.takeNotices().filter { if case .answered = $0 { true } else { false } }
    guard case .answered(late, .error(let error)) = answers.first, answers.count == 1 else {
        Issue.record("\(answers)")
        return
    }
    #expect(error.code == .internalError)
    // One that was not sent yet is sent on the next connection.
    let waiting = play.request(.tables)
    play.waitForConnect()
    play.connected()
    _ = play.takeActions()
    play.hears(.welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    #expect(play.takeSent() == [ClientLine(id: waiting, message: .tables)])
}

@Test("what is no request is refused at once, and so is one too many")
func refusedRequests() {
    let play = Play { $0.requestsMax = 2 }
    for message in [ClientMessage.bye, .close(.id(t1)), .login(.token("x"))] {
        let id = play.request(message)
        guard case .answered(id, .error) = play.takeNotices().last else {
            Issue.record("\(message) was taken")
            continue
        }
    }
    for _ in 0..<2 { _ = play.request(.tables) }
    #expect(play.takeActions().isEmpty)
    let third = play.request(.tables)
    guard case .answered(third, .error) = play.takeNotices().last else {
        Issue.record("one too many was taken")
        return
    }
}

@Test("the cursor is told at most ten times a second, the last place counts")
func cursorIsPaced() {
    let play = Play.live()
    play.moveCursor(row(1), name)
    #expect(play.takeSent().map(\.message) == [.presence(.id(t1), row: row(1), column: name)])
    play.moveCursor(row(1), name)
    play.moveCursor(row(2), name)
    play.moveCursor(row(3), amount)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.05)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.06)
    #expect(play.takeSent().map(\.message) == [.presence(.id(t1), row: row(3), column: amount)])
    // A new connection is a new entry: it is told again.
    play.lost()
    play.logInAgain()
    play.hears(answer: .opened(opened(sequence: 10)), to: play.openID)
    #expect(
        play.takeSent().map(\.message).last == .presence(.id(t1), row: row(3), column: amount))
}

@Test("that a cell is being edited is told, and that it no longer is")
func editingIsTold() {
    let play = Play.live()
    play.moveCursor(row(1), name, isEditing: true)
    #expect(
        play.takeSent().map(\.message)
            == [.presence(.id(t1), row: row(1), column: name, isEditing: true)])
    play.moveCursor(row(1), name)
    play.wait(seconds: 0.11)
    #expect(play.takeSent().map(\.message) == [.presence(.id(t1), row: row(1), column: name)])
}

@Test("a cursor that may not be shown harms nothing, and one that is not followed is not told")
func cursorRefused() {
    let play = Play.live()
    play.moveCursor(row(1), name)
    let id = play.takeSent().first?.id
    #expect(id != nil)
    play.hears(answer: .error(ErrorMessage(.forbidden, "no cursor", table: t1)), to: id)
    #expect(play.takeActions().isEmpty)
    #expect(play.submit(edit(row(1), amount, .int(5))) == 1)

    let writer = Play()
    var request = OpenRequest(table: .id(t1))
    request.follow = false
    writer.open(request)
    writer.logIn()
    writer.hears(answer: .opened(opened(sequence: 10)), to: writer.openID)
    _ = writer.takeActions()
    writer.moveCursor(row(1), name)
    writer.wait(seconds: 1)
    #expect(writer.takeActions().isEmpty)
}

@Test("a list of people is bounded")
func presenceIsBounded() {
    let play = Play.live { $0.presenceMax = 2 }
    let who = (1...5).map { Presence(connection: $0, user: "u3", name: "Bob") }
    play.hears(.presence(t1, who))
    #expect(play.takeNotices() == [.presence(t1, Array(who.prefix(2)))])
    play.hears(.presence(TableID(rawValue: 9), who))
    #expect(play.takeNotices().isEmpty)
}

/// A generator that always draws the highest.
private struct Highest: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { .max }
}
