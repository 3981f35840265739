// The limits hold, and nothing that is only announced takes memory or time.
import TableModel
import TableValue
import Testing

@testable import TableWire

/// The error of a client's line.
private func refusal(_ line: String, limits: WireLimits = WireLimits()) -> WireError? {
    do throws(WireError) {
        _ = try readClient(line, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// The operation of a line.
private func submitted(
    _ body: String, limits: WireLimits = WireLimits()
) throws -> SubmittedOp {
    let line = try readClient(
        "{\"type\":\"op\",\"table\":\"t1\",\"cseq\":7,\"body\":[\(body)]}", limits: limits)
    guard case .op(let submitted) = line.message else {
        throw WireError(code: .malformed, reason: "no operation", offset: 0)
    }
    return submitted
}

@Suite struct LimitTests {
    @Test("Nesting of 16 passes, 17 and 10,000 are too deep")
    func depth() {
        func nested(_ count: Int) -> [UInt8] {
            bytes(String(repeating: "[", count: count) + String(repeating: "]", count: count))
        }
        #expect(fault(nested(16)) == nil)
        #expect(fault(nested(17))?.code == .tooDeep)
        #expect(fault(nested(17))?.offset == 16)
        #expect(fault(nested(10_000))?.code == .tooDeep)
        #expect(fault(bytes(String(repeating: "[", count: 10_000)))?.code == .tooDeep)
        let objects = bytes(String(repeating: "{\"a\":", count: 10_000))
        #expect(fault(objects)?.code == .tooDeep)
        #expect(
            refusal("{\"type\":\"ping\",\"id\":" + String(repeating: "[", count: 10_000)) != nil)
        #expect(
            refusal("{\"x\":" + String(repeating: "[", count: 10_000) + ",\"type\":\"ping\"}")?.code
                == .tooDeep)
    }

    @Test("A key of 128 bytes passes, 129 and 200,000 do not", arguments: ["k", "\\u0041", "世"])
    func keys(letter: String) {
        let plain = letter == "\\u0041" ? "A" : letter
        let fitting = 128 / plain.utf8.count
        func object(_ count: Int) -> [UInt8] {
            bytes("{\"" + String(repeating: letter, count: count) + "\":1}")
        }
        #expect(fault(object(fitting)) == nil)
        #expect(fault(object(fitting + 1))?.code == .malformed)
        #expect(fault(object(200_000))?.code == .malformed)
        // A message knows its keys, so that any long one is unknown.
        #expect(
            refusal("{\"type\":\"ping\",\"\(String(repeating: letter, count: 200_000))\":1}") != nil
        )
    }

    @Test("A text of 256 KiB passes, one byte more is too large")
    func texts() {
        func text(_ count: Int) -> [UInt8] {
            bytes("[\"" + String(repeating: "x", count: count) + "\"]")
        }
        #expect(fault(text(256 << 10)) == nil)
        #expect(fault(text(256 << 10 + 1))?.code == .tooLarge)
    }

    @Test("A cell's text is left to the table, which refuses it under the operation's number")
    func cells() throws {
        let long = String(repeating: "x", count: 300 << 10)
        let op = try submitted("{\"set\":[[\"s1.1\",\"c1.1\",\"\(long)\"]]}").op
        guard case .setCells(let edits) = op.body.first, case .text(let text) = edits.first?.value
        else {
            Issue.record("no cell was set")
            return
        }
        #expect(text.byteCount == 300 << 10)
    }

    @Test("A number of 1,024 bytes passes, a longer one does not")
    func numbers() {
        #expect(fault(bytes("0." + String(repeating: "1", count: 1_022))) == nil)
        #expect(fault(bytes("0." + String(repeating: "1", count: 1_023)))?.code == .malformed)
        #expect(fault(bytes("1" + String(repeating: "0", count: 1_000_000)))?.code == .malformed)
        #expect(fault(bytes("1e" + String(repeating: "9", count: 900)))?.code == .malformed)
    }

    @Test("Long runs of combining marks are read as fast as anything, as values and as keys")
    func combining() {
        let marks = String(repeating: "\u{301}\u{316}", count: 60_000)
        #expect(fault(bytes("[\"a\(marks)\",\"a\(marks)\"]")) == nil)
        #expect(fault(bytes("{\"a\(marks)\":1}"))?.code == .malformed)
        #expect(refusal("{\"type\":\"a\(marks)\"}")?.code == .malformed)
        #expect(refusal("{\"type\":\"op\",\"table\":\"t1\",\"mode\":\"a\(marks)\"}") != nil)
    }

    @Test(
        "An operation that announces too many rows keeps its number and gets its refusal",
        arguments: [
            "{\"delete\":[\"s1.1-4000000000\"]}", "{\"insert\":{\"rows\":[\"s1.1-4294967295\"]}}",
            "{\"insert\":{\"count\":2000000000}}", "{\"insert\":{\"count\":50001}}",
            "{\"move\":{\"rows\":[\"s1.1-50000\",\"s2.1\"],\"at\":\"first\"}}",
            "{\"delete\":[\"s1.1-30000\"]},{\"delete\":[\"s2.1-30000\"]}",
            "{\"insert\":{\"rows\":[\"s1.1-50001\"],\"columns\":[\"a\"],\"cells\":[[1]]}}",
            "{\"delete\":[\"s1.1-40000\",\"s1.1-40000\"]},{\"set\":[[\"s1.1\",\"a\",1]]}",
        ])
    func announced(body: String) throws {
        let submitted = try submitted(body)
        #expect(submitted.clientNumber == 7)
        #expect(submitted.op.body.isEmpty)
        #expect(submitted.refusal?.code == .tooManyParts)
    }

    @Test("Exactly as many rows as the limit pass")
    func fitting() throws {
        let exact = try submitted("{\"delete\":[\"s1.1-50000\"]}")
        #expect(exact.refusal == nil)
        #expect(exact.op.body == [.deleteRows(rows(1, 1...50_000))])
        let counted = try submitted("{\"insert\":{\"count\":50000}}")
        #expect(counted.refusal == nil)
    }

    @Test("An error in an operation that is too large is still an error")
    func largeAndBroken() {
        #expect(throws: WireError.self) {
            try submitted("{\"delete\":[\"s1.1-4000000000\"]},{\"delete\":[\"s1.1-\"]}")
        }
    }

    @Test("A read and a server's line that name too many rows are too large")
    func others() {
        #expect(
            refusal("{\"type\":\"read\",\"table\":\"t1\",\"rows\":[\"s1.1-50001\"]}")?.code
                == .tooLarge)
        let record = """
            {"type":"record","table":"t1","seq":1,"session":"s1","user":"u1","time":0,\
            "changes":[{"delete":["s1.1-4000000000"]}]}
            """
        do throws(WireError) {
            _ = try readServer(record)
            Issue.record("the record was accepted")
        } catch {
            #expect(error.code == .tooLarge)
        }
    }
}
