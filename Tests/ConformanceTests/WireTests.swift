// clients/conformance/wire.jsonl: which lines the two readers take, and with which code they
// refuse the others.
import Foundation
import TableWire
import Testing

/// The code with which a line is refused; nil where it is taken.
private func refusal(of line: Reading) -> WireCode? {
    do throws(WireError) {
        if line.receiver == "server" {
            _ = try unsafe readClientLine(line.bytes.span.bytes, limits: line.limits)
        } else {
            _ = try unsafe readServerLine(line.bytes.span.bytes, limits: line.limits)
        }
        return nil
    } catch {
        return error.code
    }
}

/// The bytes of pairs of hexadecimal digits.
private func decoded(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
}

/// What a reader, with a rule bent where one is given, does otherwise than a line says.
private func complaints(
    of line: ConformanceLine, bentBy bend: Bend<Reading>? = nil
) throws -> [String] {
    let bytes =
        (line.members["hex"] as? String).map(decoded)
        ?? Array((line.members["line"] as? String ?? "").utf8)
    let receiver = try needed(line.members["to"] as? String, "nobody reads the line")
    var reading = Reading(bytes: bytes, receiver: receiver)
    bend?.bend(&reading)
    let code = refusal(of: reading)?.rawValue
    // A reader may meet either of two faults first.
    let isOther = line.members["or"] != nil && code == line.members["or"] as? String
    let isFine = isOther || code == line.members["code"] as? String
    let isTaken = line.members["accept"] as? Bool == true
    return isFine && (code == nil) == isTaken ? [] : [code ?? "it is taken"]
}

@Test("wire: a line is taken, or refused with its code", arguments: ConformanceLine.all("wire"))
func wireLine(_ line: ConformanceLine) throws {
    #expect(try complaints(of: line) == [])
}

@Test("wire: a reader that is wrong fails some line", arguments: bentReaders)
func bentReader(_ bend: Bend<Reading>) {
    expectNoticed(bend, by: ConformanceLine.all("wire")) { line in
        (try? complaints(of: line, bentBy: bend)) ?? ["it cannot be read"]
    }
}
