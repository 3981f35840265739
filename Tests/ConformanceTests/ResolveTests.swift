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
    _ submitted: SubmittedOp, by session: SessionNumber, on table: inout Table,
    after pasts: [SequenceNumber: Table]
) throws -> Came {
    let sequence = table.head + 1
    var line: [UInt8] = []
    do throws(Rejection) {
        let author = OpAuthor(
            session: session, clientNumber: submitted.clientNumber, user: user(of: session))
        let resolution = try table.perform(
            submitted.op, by: author, as: sequence, from: past(for: submitted.op, pasts))
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

/// The table that an operation brings back.
private func past(for op: Op, _ pasts: [SequenceNumber: Table]) -> Table? {
    guard case .restore(let request)? = op.body.first,
        case .sequence(let sequence) = request.moment
    else { return nil }
    return pasts[sequence]
}

private func reply(_ submitted: SubmittedOp, _ outcome: Outcome) -> ServerLine {
    ServerLine(
        message: .reply(
            Reply(
                table: TableID(rawValue: 1), clientNumber: submitted.clientNumber, sequence: nil,
                outcome: outcome, isExactlyOnce: true)))
}

/// Takes the steps of a line, by a table that has a rule bent where one is given.
///
/// Returns what is otherwise than the line says.
private func complaints(
    of line: ConformanceLine, bentBy bend: Bend<Asked>? = nil
) throws -> [String] {
    let begin: [String: Any] = [
        "type": "snapshot", "table": "t1", "seq": 1, "rows": 0,
        "columns": try line.objects("columns"),
    ]
    guard case .snapshot(_, let head, _, let columns, _) = try serverMessage(begin) else {
        throw Complaint("no columns")
    }
    var owner = Table(columns: columns, head: head)
    var follower = owner
    owner.keepsUndo = true
    var pasts = [head: owner.asPast]
    var found: [String] = []
    for (number, step) in try line.objects("steps").enumerated() {
        let op = try needed(step["op"] as? [String: Any], "no operation")
        let name = try needed(step["session"] as? String, "no session")
        let session = SessionNumber(
            truncating: try needed(UInt32(name.dropFirst()), "no session"))
        var submitted = try operation(op)
        if let bend {
            var asked = Asked(op: submitted.op, table: owner, session: session)
            bend.bend(&asked)
            (submitted.op, owner) = (asked.op, asked.table)
        }
        let came = try perform(submitted, by: session, on: &owner, after: pasts)
        pasts[owner.head] = owner.asPast
        if !areEqual(came.outcome, withoutMessage(step["outcome"])) {
            found.append("step \(number): \(came.outcome)")
        }
        if !areEqual(came.changes, step["changes"]) {
            found.append("step \(number): \(came.changes ?? "no changes")")
        }
        if !areEqual(step["seq"], came.record?.sequence) {
            found.append("step \(number): number \(owner.head)")
        }
        if let record = came.record, !follower.apply(record) {
            found.append("step \(number): not for a follower")
        }
    }
    let result = line.members["result"]
    found += differences(of: &owner, from: result)
    found += differences(of: &follower, from: result)
    return found
}

@Test("resolve: R1–R17, C1–C24, S1–S22, T1–T15, U1–U16", arguments: ConformanceLine.all("resolve"))
func resolveLine(_ line: ConformanceLine) throws {
    #expect(try complaints(of: line) == [])
}

/// All wrong tables.
let bentTables =
    bentRows + bentCells + bentColumns + bentDisplay + bentWhole + bentUndo + bentComments

@Test("resolve: each bent rule fails a line about it", arguments: bentTables)
func bentTable(_ bend: Bend<Asked>) {
    expectNoticed(bend, by: ConformanceLine.all("resolve")) { line in
        (try? complaints(of: line, bentBy: bend)) ?? ["it cannot be played"]
    }
}
