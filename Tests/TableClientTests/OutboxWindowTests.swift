// Operations on their way: what may be sent when.
import TableModel
import Testing

@testable import TableClient

private func op(_ number: ClientNumber) -> PendingOp {
    PendingOp(clientNumber: number, op: Op(body: []), line: [UInt8(number), 10])
}

@Test("answers that a resumed session is owed fill the window, so that none of them is forgotten")
func answersOwedFillTheWindow() throws {
    var outbox = try #require(Outbox(restoring: (1...3).map(op)))
    let isResumed = outbox.resumed(after: 3)
    #expect(isResumed)
    outbox.append(op(4), filled: FilledIDs())
    outbox.append(op(5), filled: FilledIDs())
    var output: [UInt8] = []
    outbox.send(windowOps: 4, windowBytes: 1_000, into: &output)
    #expect(output == [4, 10])
    for number in 1...2 as ClosedRange<ClientNumber> {
        _ = outbox.answered(number, Answer(sequence: nil, outcome: Outcome(status: .noop)))
    }
    outbox.send(windowOps: 4, windowBytes: 1_000, into: &output)
    #expect(output == [4, 10, 5, 10])
    outbox.sendUnansweredAgain()
    outbox.send(windowOps: 4, windowBytes: 1_000, into: &output)
    #expect(output == [4, 10, 5, 10, 3, 10])
}
