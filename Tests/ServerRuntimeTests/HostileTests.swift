// Peers that mean no good, or know no better: each gets the documented answer, and nobody else
// notices.
import Foundation
import Testing
import Transport

@Suite("Hostile peers")
struct HostileTests {
    @Test(
        "GP1: a line that is none is answered with a code, and only its sender is gone",
        arguments: [
            ("not json", "malformed"), (#"{"type":"ping","type":"ping"}"#, "malformed"),
            (String(repeating: "[", count: 10_000), "malformed"),
            (
                #"{"type":"op","table":"t","body":"# + String(repeating: "[", count: 10_000),
                "malformed"
            ),
            // Before the type is known every value is passed over, however deep.
            (#"{"body":"# + String(repeating: "[", count: 10_000), "too_deep"),
            (
                #"{"body":"# + String(repeating: "[", count: 10_000)
                    + String(repeating: "]", count: 10_000) + #","type":"ping"}"#, "too_deep"
            ),
            (#"{"type":"ping","extra":1}"#, "malformed"), ("{\"type\":\"ping\"", "malformed"),
        ])
    func badLine(line: String, code: String) throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let other = try LineClient(to: server, token: token)
        let client = try LineClient(to: server, token: token)
        let answer = try client.expect("error", after: line)
        #expect(answer["code"] as? String == code)
        #expect(answer["offset"] is Int)
        #expect(try client.expect("bye")["code"] as? String == code)
        #expect(client.next() == nil)
        #expect(client.waitForEnd() == .peer)
        try other.expect("pong", after: #"{"type":"ping"}"#)
    }

    @Test("GB5: more than a megabyte without an end of line is refused and cut")
    func endlessLine() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let other = try LineClient(to: server, token: token)
        let client = try LineClient(to: server, token: token)
        client.send(bytes: [UInt8](repeating: 97, count: (1 << 20) + 70_000))
        var codes: [String] = []
        while let message = client.next() {
            if let code = message["code"] as? String { codes.append(code) }
        }
        #expect(codes.contains("too_large"))
        try other.expect("pong", after: #"{"type":"ping"}"#)
    }

    @Test("GB4: before login a line has 4 KiB, and nothing but hello, login and ping is understood")
    func beforeLogin() throws {
        let server = try ServerProcess()
        try server.start()
        let long = try LineClient(to: server)
        long.send(bytes: [UInt8](repeating: 97, count: 5_000))
        #expect(long.next()?["code"] as? String == "too_large")
        _ = long.waitForEnd()
        let eager = try LineClient(to: server)
        eager.send(#"{"type":"tables"}"#)
        #expect(eager.next()?["code"] as? String == "not_authenticated")
        _ = eager.waitForEnd()
        let polite = try LineClient(to: server)
        try polite.expect("pong", after: #"{"type":"ping"}"#)
    }

    @Test("A follower that never reads holds up nobody, and is told slow_consumer in the end")
    func neverReads() throws {
        let server = try ServerProcess()
        try server.start(settings: "slow_consumer_seconds = 1\nleave_seconds = 60\n")
        let token = try server.token()
        let writer = try LineClient(to: server, token: token)
        try writer.expect(
            "created",
            after: #"""
                {"type":"create","table":"t","columns":[{"name":"text","type":"text"}]}
                """#)
        let deaf = try LineClient(to: server, token: token)
        try deaf.expect(
            "opened", after: #"{"type":"open","table":"t","write":false,"start":"head"}"#)
        try deaf.expect("live")
        deaf.stopReading()
        let long = String(repeating: "x", count: 100_000)
        for number in 0..<150 {
            let reply = try writer.expect(
                "reply",
                after: #"""
                    {"type":"op","id":\#(number),"table":"t",\#
                    "body":[{"append":{"text":"\#(long)"}}]}
                    """#)
            #expect(reply["id"] as? Int == number)
        }
        func isHere() throws -> Bool {
            let who = try writer.expect("who", after: #"{"type":"who","table":"t"}"#)
            return (who["who"] as? [Any])?.isEmpty == false
        }
        try wait(until: "the server gives it up") { try !isHere() }
        deaf.startReading()
        var last: [String: Any]?
        while let message = deaf.next() { last = message }
        #expect(last?["type"] as? String == "bye")
        #expect(last?["code"] as? String == "slow_consumer")
        #expect(deaf.waitForEnd() == .peer)
        // It may come back for the rest.
        _ = try LineClient(to: server, token: token)
    }

    @Test("GB8: out of file descriptors, accepting rests, and goes on once some are free")
    func outOfDescriptors() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        server.killHard()
        try server.start(limit: "-n 40")
        let first = try LineClient(to: server, token: token)
        var others = try (0..<45).map { _ in try LineClient(to: server, waits: false) }
        try wait(until: "no more are let in") {
            for client in others { client.look() }
            return others.filter(\.isOpen).count >= 15
        }
        try first.expect("pong", after: #"{"type":"ping"}"#)
        for client in others where client.isOpen { client.close() }
        others.removeAll { $0.reason != nil }
        try wait(until: "the others are let in") {
            for client in others where client.isOpen && client.reason == nil { client.close() }
            for client in others where client.reason == nil { client.look() }
            return others.allSatisfy(\.isOpen)
        }
        try first.expect("pong", after: #"{"type":"ping"}"#)
    }
}
