// A line that swallows bytes is told of in seconds, and again once answers come; in virtual time.
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableClient

/// What was told of answers that do not come, and of those that come again.
private func told(_ notices: [ClientNotice]) -> [ClientNotice] {
    notices.filter {
        switch $0 {
        case .unanswered, .answering: true
        default: false
        }
    }
}

private func pingCount(_ lines: [ClientLine]) -> Int {
    lines.count { $0.message == .ping }
}

@Test("FT24: an operation without an answer is asked after in a second and told of in three")
func operationUnanswered() {
    let play = Play.live()
    play.wait(seconds: 5)
    play.submit(edit(row(1), amount, .int(5)))
    let since = play.now
    _ = play.takeActions()
    play.wait(seconds: 0.9)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.2)
    #expect(pingCount(play.takeSent()) == 1)
    play.wait(seconds: 1.8)
    #expect(play.takeActions().isEmpty)
    play.wait(seconds: 0.2)
    #expect(play.takeActions() == [.notify(.unanswered(since: since))])
    // Told once; the connection is given up no earlier than before.
    play.wait(seconds: 10)
    #expect(told(play.takeNotices()).isEmpty)
    #expect(play.client.isConnected)
    // The answer comes after all.
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    #expect(told(play.takeNotices()) == [.answering])
    // Of the ping nothing was heard yet.
    play.wait(seconds: 3.1)
    #expect(told(play.takeNotices()).count == 1)
    play.hears(.pong)
    #expect(told(play.takeNotices()) == [.answering])
    play.wait(seconds: 10)
    #expect(told(play.takeNotices()).isEmpty)
}

@Test("FT24: others' records are no answer; the server may hear nothing of what is sent")
func othersDoNotAnswer() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    for sequence in 11...15 as ClosedRange<SequenceNumber> {
        play.wait(seconds: 0.7)
        play.hears(record(sequence, setCell(row(2), amount, .int(sequence))))
    }
    #expect(told(play.takeNotices()).count == 1)
}

@Test("FT24: a server that is slow to store, but answers pings, is not told of")
func slowToStore() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    for _ in 0..<20 {
        play.wait(seconds: 1.1)
        let actions = play.takeActions()
        #expect(told(Play.notices(in: actions)).isEmpty)
        for _ in 0..<pingCount(Play.lines(in: actions)) { play.hears(.pong) }
    }
}

@Test("FT24: a moved cursor is enough to find out, and so is the heartbeat of who does nothing")
func idleIsFoundOut() {
    let play = Play.live()
    play.moveCursor(row(1), amount)
    play.wait(seconds: 3.1)
    #expect(told(play.takeNotices()).count == 1)
    let idle = Play.live()
    idle.hears(.pong)
    idle.wait(seconds: 15)
    #expect(pingCount(idle.takeSent()) >= 1)
    idle.wait(seconds: 3.1)
    #expect(told(idle.takeNotices()).count == 1)
}

@Test("FT24: whoever slept through the time does not take his own sleep for silence")
func sleeper() {
    let play = Play.live()
    play.hears(.pong)
    play.moveCursor(row(1), amount)
    play.pass(seconds: 20)
    play.tick()
    #expect(told(play.takeNotices()).isEmpty)
    play.wait(seconds: 0.5)
    play.hears(.pong)
    #expect(told(play.takeNotices()).isEmpty)
}

@Test("FT24: a lost connection starts anew, with nothing owed")
func lossForgets() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.wait(seconds: 3.1)
    #expect(told(play.takeNotices()).count == 1)
    play.lost()
    #expect(play.client.answers.owedSince == nil)
    #expect(told(play.takeNotices()).isEmpty)
}
