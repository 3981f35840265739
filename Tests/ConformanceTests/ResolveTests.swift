// clients/conformance/resolve.jsonl: what operations of several sessions come to, by `perform`, and
// that whoever follows the records ends with the same table.
import TableModel
import TableValue
import TableWire
import Testing

/// What a step came to, as JSON spells it.
private struct Came {
    var outcome: [String: Any] = [:]
    var changes: Any?
    var record: Record?
}

/// The message of an operation, as the server reads it.
private func operation(_ object: [String: Any]) throws -> SubmittedOp {
    let line = try bytes(of: object)
    let message = try unsafe readClientLine(line.span.bytes, limits: WireLimits()).message
    guard case .op(let submitted) = message else {
        throw WireError(code: .malformed, reason: "no operation", offset: 0)
    }
    return submitted
}

/// Performs an operation as the server does.
private func perform(
    _ submitted: SubmittedOp, by session: SessionNumber, on table: inout Table
) throws -> Came {
    let sequence = table.head + 1
    var line: [UInt8] = []
    do throws(Rejection) {
        let resolution = try table.perform(submitted.op, by: session, as: sequence)
        if !resolution.changes.isEmpty {
            let record = Record(
                sequence: sequence, session: session, clientNumber: submitted.clientNumber,
                user: "u1", timeMilliseconds: 0, changes: resolution.changes,
                outcome: resolution.outcome)
            writeRecordLine(record, table: TableID(rawValue: 1), to: &line)
            let written = try? object(of: line)
            return Came(
                outcome: withoutMessage(written?["outcome"]), changes: written?["changes"],
                record: record)
        }
        write(reply(submitted, resolution.outcome), to: &line)
    } catch {
        var outcome = Outcome(status: .rejected)
        outcome.rejection = error
        write(reply(submitted, outcome), to: &line)
    }
    return Came(outcome: withoutMessage(try object(of: line)["outcome"]))
}

private func reply(_ submitted: SubmittedOp, _ outcome: Outcome) -> ServerLine {
    ServerLine(
        message: .reply(
            Reply(
                table: TableID(rawValue: 1), clientNumber: submitted.clientNumber, sequence: nil,
                outcome: outcome, isExactlyOnce: true)))
}

@Test("resolve: R1–R17, C1–C14, S1–S8 and S13", arguments: ConformanceLine.all("resolve"))
func resolveLine(_ line: ConformanceLine) throws {
    let begin: [String: Any] = [
        "type": "snapshot", "table": "t1", "seq": 1, "rows": 0,
        "columns": try line.objects("columns"),
    ]
    guard case .snapshot(_, let head, _, let columns) = try serverMessage(begin) else { return }
    var owner = Table(columns: columns, head: head)
    var follower = Table(columns: columns, head: head)
    for (number, step) in try line.objects("steps").enumerated() {
        let op = try #require(step["op"] as? [String: Any])
        let name = try #require(step["session"] as? String)
        let session = SessionNumber(truncating: try #require(UInt32(name.dropFirst())))
        let came = try perform(try operation(op), by: session, on: &owner)
        #expect(
            areEqual(came.outcome, withoutMessage(step["outcome"])),
            "step \(number): \(came.outcome)")
        #expect(areEqual(came.changes, step["changes"]), "step \(number)")
        #expect(areEqual(step["seq"], came.record?.sequence), "step \(number)")
        if let record = came.record {
            let isApplied = follower.apply(record)
            #expect(isApplied, "step \(number)")
        }
    }
    let result = try #require(line.members["result"] as? [String: Any])
    try expect(&owner, is: result)
    try expect(&follower, is: result)
}
