// A follower that reads a table's log, because the ring has forgotten what it needs. The server
// runs in this process, so that its limits can be chosen; what it says is TableServerTests' matter.
import TableServer
import Testing

@Suite("Following")
struct FollowingTests {
    @Test("A follower behind the ring gets piece after piece of the log and waits for no timer")
    func piecesFollowOneAnother() throws {
        var limits = ServerLimits()
        // The ring keeps one record, and a piece of the log is what one turn stored.
        limits.ringSegmentBytes = 1
        limits.ringBytes = 1
        limits.catchUpBytes = 1
        // No timer would come to the aid of a piece that nobody asked for.
        limits.sweepSeconds = 3_600
        let server = try ServerThread(limits: limits)
        let recordCount = 20

        let writer = try LineClient(to: server, token: server.token)
        try writer.expect(
            "created",
            after: #"{"type":"create","table":"log","columns":[{"name":"n","type":"int"}]}"#)
        let opened = try writer.expect("opened", after: #"{"type":"open","table":"log"}"#)
        let lineage = try #require(opened["lineage"] as? String)
        writer.close()
        let appender = try LineClient(to: server, token: server.token)
        for number in 2...recordCount {
            try appender.expect(
                "reply",
                after: #"{"type":"op","table":"log","body":[{"append":{"n":\#(number)}}]}"#)
        }
        appender.close()

        let follower = try LineClient(to: server, token: server.token)
        let held = #"{"lineage":"\#(lineage)","seq":0}"#
        try follower.expect(
            "opened", after: #"{"type":"open","table":"log","write":false,"have":\#(held)}"#)
        for sequence in 1...recordCount {
            let record = try follower.expect("record")
            #expect(record["seq"] as? Int == sequence)
        }
        try follower.expect("live")
    }
}
