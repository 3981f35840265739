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

/// What a line's steps come to.
private struct Resolved {
    var owner: Table
    var follower: Table
    /// What is otherwise than the line says.
    var complaints: [String] = []
}

/// Takes the steps of a line, by a table that has a rule bent where one is given.
private func resolve(_ line: ConformanceLine, bentBy rule: BentRule? = nil) throws -> Resolved {
    let begin: [String: Any] = [
        "type": "snapshot", "table": "t1", "seq": 1, "rows": 0,
        "columns": try line.objects("columns"),
    ]
    guard case .snapshot(_, let head, _, let columns) = try serverMessage(begin) else {
        throw WireError(code: .malformed, reason: "no columns", offset: 0)
    }
    let empty = Table(columns: columns, head: head)
    var resolved = Resolved(owner: empty, follower: empty)
    for (number, step) in try line.objects("steps").enumerated() {
        let op = try #require(step["op"] as? [String: Any])
        let name = try #require(step["session"] as? String)
        let session = SessionNumber(truncating: try #require(UInt32(name.dropFirst())))
        var submitted = try operation(op)
        if let rule { submitted.op = rule.bend(submitted.op, on: resolved.owner) }
        let came = try perform(submitted, by: session, on: &resolved.owner)
        if !areEqual(came.outcome, withoutMessage(step["outcome"])) {
            resolved.complaints.append("step \(number): \(came.outcome)")
        }
        if !areEqual(came.changes, step["changes"]) {
            resolved.complaints.append("step \(number): \(came.changes ?? "no changes")")
        }
        if !areEqual(step["seq"], came.record?.sequence) {
            resolved.complaints.append("step \(number): number \(resolved.owner.head)")
        }
        if let record = came.record, !resolved.follower.apply(record) {
            resolved.complaints.append("step \(number): not for a follower")
        }
    }
    return resolved
}

@Test("resolve: R1–R17, C1–C14, S1–S8 and S13", arguments: ConformanceLine.all("resolve"))
func resolveLine(_ line: ConformanceLine) throws {
    var resolved = try resolve(line)
    #expect(resolved.complaints == [])
    let result = try #require(line.members["result"] as? [String: Any])
    try expect(&resolved.owner, is: result)
    try expect(&resolved.follower, is: result)
}

@Test("resolve: each bent rule fails some line", arguments: BentRule.allCases)
func bentRule(_ rule: BentRule) throws {
    let isNoticed = try ConformanceLine.all("resolve").contains { line in
        try !resolve(line, bentBy: rule).complaints.isEmpty
    }
    #expect(isNoticed, "\(rule.rawValue)")
}
