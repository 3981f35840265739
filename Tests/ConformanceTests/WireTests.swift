// clients/conformance/wire.jsonl: which lines the two readers take, and with which code they
// refuse the others.
import Foundation
import TableWire
import Testing

/// The code with which a line is refused; nil where it is taken.
private func refusal(of line: [UInt8], to receiver: String) -> WireCode? {
    do throws(WireError) {
        if receiver == "server" {
            _ = try unsafe readClientLine(line.span.bytes, limits: WireLimits())
        } else {
            _ = try unsafe readServerLine(line.span.bytes, limits: WireLimits())
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

@Test("wire: a line is taken, or refused with its code", arguments: ConformanceLine.all("wire"))
func wireLine(_ line: ConformanceLine) throws {
    let receiver = try #require(line.members["to"] as? String)
    let bytes =
        (line.members["hex"] as? String).map(decoded)
        ?? Array((line.members["line"] as? String ?? "").utf8)
    let code = refusal(of: bytes, to: receiver)
    // A reader may meet either of two faults first.
    if line.members["or"] == nil || code?.rawValue != line.members["or"] as? String {
        #expect(code?.rawValue == line.members["code"] as? String)
    }
    #expect((code == nil) == (line.members["accept"] as? Bool))
}
