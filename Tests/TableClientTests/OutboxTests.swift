import TableModel
import TestSupport
import Testing

@testable import TableClient

/// An operation whose line is a letter repeated.
private func pending(_ number: ClientNumber, bytes: Int = 1) -> PendingOp {
    let letter = UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: number &- 1)
    return PendingOp(
        clientNumber: number, op: Op(body: []), line: [UInt8](repeating: letter, count: bytes))
}

/// An outbox behind a reference, so that expectations can call what changes it.
private final class Box {
    private var outbox: Outbox

    init(_ outbox: Outbox = Outbox()) {
        self.outbox = outbox
    }

    /// An outbox with operations whose lines have that many bytes.
    convenience init(_ count: Int64, bytes: Int = 1) {
        self.init()
        for number in 1...count { append(pending(number, bytes: bytes)) }
    }

    var count: Int { outbox.count }
    var nextNumber: ClientNumber { outbox.nextNumber }
    var firstUndecided: ClientNumber { outbox.firstUndecided }
    var rewindsWithoutProgress: Int { outbox.rewindsWithoutProgress }
    var pendingNumbers: [ClientNumber] { outbox.pending.map(\.clientNumber) }

    func append(_ pending: PendingOp, filled: FilledIDs = FilledIDs()) {
        outbox.append(pending, filled: filled)
    }

    func sent(ops: Int = 64, bytes: Int = 1_000) -> String {
        var output: [UInt8] = []
        outbox.send(windowOps: ops, windowBytes: bytes, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    func answered(_ number: ClientNumber, _ answer: Answer) -> Bool {
        outbox.answered(number, answer)
    }

    func decided(through sequence: SequenceNumber? = nil) -> [Decision] {
        outbox.takeDecided(confirmedThrough: sequence)
    }

    func resumed(after last: ClientNumber) -> Bool { outbox.resumed(after: last) }
    func gapFound(at number: ClientNumber) -> Bool { outbox.gapFound(at: number) }
    func refused(_ number: ClientNumber) { outbox.refused(number) }
    func connectionLost() { outbox.connectionLost() }
    func sendUnansweredAgain() { outbox.sendUnansweredAgain() }
}

private let ok = Outcome(status: .ok)

private func record(_ sequence: SequenceNumber) -> Answer {
    Answer(sequence: sequence, outcome: ok)
}

private let noRecord = Answer(sequence: nil, outcome: Outcome(status: .noop))

@Test("operations leave in order, as many as the window allows")
func windowOfOperations() {
    let box = Box(5)
    #expect(box.sent(ops: 3) == "abc")
    #expect(box.sent(ops: 3) == "")
    #expect(box.answered(1, record(1)))
    #expect(box.sent(ops: 3) == "d")
    #expect(box.decided().map(\.clientNumber) == [1])
    #expect(box.firstUndecided == 2)
    #expect(box.sent(ops: 3) == "")
    #expect(box.answered(3, record(2)))
    #expect(box.sent(ops: 3) == "e")
}

@Test("bytes in flight are bounded, but one operation always fits")
func windowOfBytes() {
    let box = Box(3, bytes: 10)
    #expect(box.sent(bytes: 25) == String(repeating: "a", count: 10) + "bbbbbbbbbb")
    let other = Box(2, bytes: 30)
    #expect(other.sent(bytes: 25).count == 30)
    #expect(other.sent(bytes: 25) == "")
    #expect(other.answered(1, record(1)))
    #expect(other.sent(bytes: 25).count == 30)
}

@Test("each operation is decided once, in the order of numbers")
func decidedOnceInOrder() {
    let box = Box(3)
    _ = box.sent()
    #expect(box.answered(2, noRecord))
    #expect(box.decided().isEmpty)
    #expect(!box.answered(2, record(9)), "the second answer does not count")
    #expect(box.answered(1, record(1)))
    let decided = box.decided()
    #expect(
        decided == [
            Decision(clientNumber: 1, answer: record(1)),
            Decision(clientNumber: 2, answer: noRecord),
        ])
    #expect(!box.answered(1, record(1)))
    #expect(!box.answered(4, record(1)), "never given")
    #expect(!box.answered(0, record(1)))
    #expect(box.decided().isEmpty)
    #expect(box.pendingNumbers == [3])
}

@Test("an answer waits until the record it names is in the replica")
func answerWaitsForItsRecord() {
    let box = Box(2)
    _ = box.sent()
    #expect(box.answered(1, record(7)))
    #expect(box.answered(2, noRecord))
    #expect(box.decided(through: 6).isEmpty)
    #expect(box.decided(through: 7).map(\.clientNumber) == [1, 2])
}

@Test("after a reconnect the undecided are sent again, the same bytes in order")
func resend() {
    let box = Box(5)
    #expect(box.sent(ops: 4) == "abcd")
    #expect(box.answered(1, record(1)))
    _ = box.decided()
    box.connectionLost()
    // The server has decided 2 and 3 and will say so.
    #expect(box.resumed(after: 3))
    #expect(box.sent() == "de")
    #expect(box.answered(2, record(2)))
    #expect(box.answered(3, noRecord))
    #expect(box.decided().map(\.clientNumber) == [2, 3])
}

@Test("what a resumed session said it decided but never answers is asked again")
func unansweredIsSentAgain() {
    let box = Box(3)
    _ = box.sent()
    box.connectionLost()
    #expect(box.resumed(after: 2))
    #expect(box.sent() == "c")
    #expect(box.answered(1, record(1)))
    box.sendUnansweredAgain()
    #expect(box.sent() == "b", "only what is neither answered nor on its way")
    box.sendUnansweredAgain()
    #expect(box.sent() == "")
}

@Test("a server that knows less than it has told is not believed")
func forgetfulServer() {
    let box = Box(3)
    _ = box.sent()
    #expect(box.answered(1, record(1)))
    #expect(box.answered(2, record(2)))
    _ = box.decided()
    box.connectionLost()
    #expect(!box.resumed(after: 1))
    #expect(box.resumed(after: 2))
}

@Test("a session that another run carried on: numbers go on behind it, or it is refused")
func sessionCarriedOnElsewhere() {
    let empty = Box(Outbox(after: 3))
    #expect(empty.nextNumber == 4)
    #expect(empty.resumed(after: 9))
    #expect(empty.nextNumber == 10)
    let box = Box(3)
    #expect(!box.resumed(after: 4))
}

@Test("a gap rewinds the send pointer once, however many operations it hit")
func gapRewindsOnce() {
    let box = Box(4)
    #expect(box.sent() == "abcd")
    #expect(box.answered(1, record(1)))
    #expect(box.gapFound(at: 3))
    #expect(box.sent() == "bcd")
    #expect(!box.gapFound(at: 4), "an answer to the first sending")
    #expect(box.sent() == "")
    // The second sending is lost too.
    #expect(box.gapFound(at: 3))
    #expect(box.rewindsWithoutProgress == 2)
    #expect(box.sent() == "bcd")
    #expect(!box.gapFound(at: 4))
    for number in 2...4 as ClosedRange<Int64> { #expect(box.answered(number, record(number))) }
    #expect(box.rewindsWithoutProgress == 0)
    #expect(box.decided().count == 4)
}

@Test("an operation refused for now goes again with all behind it")
func refusedForNow() {
    let box = Box(4)
    #expect(box.sent() == "abcd")
    box.refused(2)
    #expect(!box.gapFound(at: 3))
    #expect(!box.gapFound(at: 4))
    #expect(box.answered(1, record(1)))
    #expect(box.sent() == "bcd")
    for number in 2...4 as ClosedRange<Int64> { #expect(box.answered(number, record(number))) }
    #expect(box.count == 4)
    #expect(box.decided().count == 4)
}

@Test("operations of an earlier run are taken over only without a gap")
func restoring() throws {
    let box = Box(try #require(Outbox(restoring: [pending(5), pending(6)])))
    #expect(box.firstUndecided == 5)
    #expect(box.nextNumber == 7)
    #expect(box.resumed(after: 5))
    #expect(box.sent() == "f")
    #expect(Outbox(restoring: [pending(5), pending(7)]) == nil)
    #expect(Outbox(restoring: [pending(0)]) == nil)
}

@Test("ids that the client filled in stand in the outcome of an operation that was performed")
func filledIDsAreNamed() {
    let filled = FilledIDs(rows: [RowID(session: .server, counter: 4)])
    let box = Box()
    box.append(pending(1), filled: filled)
    box.append(pending(2), filled: filled)
    _ = box.sent()
    #expect(box.answered(1, record(1)))
    #expect(box.answered(2, noRecord))
    let decided = box.decided()
    #expect(decided.map(\.answer.outcome?.rows) == [filled.rows, []])
}

@Test("the counts in flight never drift, whatever comes", arguments: 0..<20 as Range<UInt64>)
func outboxUnderRandomEvents(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let box = Box()
    var decided: [ClientNumber] = []
    var answered: Set<ClientNumber> = []
    var atServer: ClientNumber = 0
    for _ in 0..<3_000 {
        switch random.below(9) {
        case 0, 1, 2:
            box.append(pending(box.nextNumber, bytes: 1 + random.below(9)))
        case 3:
            _ = box.sent(ops: 4, bytes: 20)
        case 4, 5:
            guard atServer + 1 < box.nextNumber else { continue }
            atServer += 1
            if box.answered(atServer, record(atServer)) { answered.insert(atServer) }
        case 6:
            decided += box.decided().map(\.clientNumber)
        case 7:
            box.connectionLost()
            #expect(box.resumed(after: atServer), "seed \(seed)")
        default:
            let number = box.firstUndecided + ClientNumber(random.below(5))
            if random.below(2) == 0 { box.refused(number) } else { _ = box.gapFound(at: number) }
        }
    }
    while atServer + 1 < box.nextNumber {
        atServer += 1
        if box.answered(atServer, record(atServer)) { answered.insert(atServer) }
    }
    decided += box.decided().map(\.clientNumber)
    #expect(decided == Array(1...max(atServer, 1)), "seed \(seed)")
    #expect(box.count == 0)
    for _ in 0..<4 { box.append(pending(box.nextNumber)) }
    #expect(box.sent(ops: 4).count == 4, "seed \(seed): the window is all free again")
}
