// Token buckets, the pace of flushes, answers in their order, presence lists, secrets: each by
// itself, with a clock turned by hand.
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableServer

private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

@Suite struct TokenBucketTests {
    @Test("a burst, then one every 1/rate, by monotonic time")
    func paces() {
        var bucket = TokenBucket(perSecond: 10, burst: 3, at: at(0))
        for _ in 0..<3 {
            #expect(bucket.wait(at: at(0)) == nil)
            bucket.take()
        }
        #expect(bucket.wait(at: at(0)) == at(100_000))
        #expect(bucket.wait(at: at(99_999)) == at(100_000))
        #expect(bucket.wait(at: at(100_000)) == nil)
        bucket.take()
        #expect(bucket.wait(at: at(50_000)) == at(150_000))
        #expect(bucket.wait(at: at(1_000_000_000)) == nil)
        for _ in 0..<3 { bucket.take() }
        #expect(bucket.wait(at: at(1_000_000_000)) != nil)
    }

    @Test("no rate is no limit, and no span of time overflows")
    func unlimited() {
        var free = TokenBucket(perSecond: 0, burst: 0, at: at(0))
        for _ in 0..<10_000 { free.take() }
        #expect(free.wait(at: at(0)) == nil)
        var bucket = TokenBucket(perSecond: 2_000, burst: 20_000, at: at(0))
        for _ in 0..<20_000 { bucket.take() }
        #expect(bucket.wait(at: at(.max)) == nil)
    }
}

@Suite struct FlushPacerTests {
    let limits = ServerLimits()

    @Test("when it is quiet nobody waits")
    func quiet() {
        var pacer = FlushPacer()
        for time in stride(from: Int64(0), to: 1_000_000, by: 10_000) {
            let isDue = pacer.recordsBecameDurable(
                at: at(time), followerCount: 1_000, limits: limits)
            #expect(isDue)
            #expect(pacer.dueAt == nil)
        }
    }

    @Test("under load the flushes are as far apart as the followers make it worth, 2 ms at most")
    func load() {
        for (followers, pause) in [(1, 20), (50, 1_000), (100, 2_000), (10_000, 2_000)] {
            var pacer = FlushPacer()
            var flushes: [Int64] = []
            for time in stride(from: Int64(0), to: 100_000, by: 10) {
                var isDue = pacer.flush(at: at(time))
                if !isDue {
                    isDue = pacer.recordsBecameDurable(
                        at: at(time), followerCount: followers, limits: limits)
                }
                if isDue { flushes.append(time) }
            }
            let gaps = zip(flushes.dropFirst(), flushes).map { $0.0 - $0.1 }
            #expect(gaps.allSatisfy { $0 == Int64(pause) }, "\(followers) followers")
        }
    }
}

@Suite struct AnswerQueueTests {
    @Test("answers come out in order, each once, with their gates")
    func order() {
        var queue = AnswerQueue()
        for number in UInt8(0)..<100 {
            queue.append(gate: AnswerGate(batch: Int64(number))) { $0.append(number) }
        }
        #expect(queue.byteCount == 100)
        #expect(queue.lastBatch == 99)
        var output: [UInt8] = []
        for number in 0..<50 {
            #expect(queue.first?.gate.batch == Int64(number))
            queue.takeFirst(into: &output)
        }
        queue.append(gate: AnswerGate(batch: 200)) { $0.append(contentsOf: [100, 101]) }
        queue.truncate { $0.batch == 60 }
        while !queue.isEmpty { queue.takeFirst(into: &output) }
        #expect(output == Array(0..<60))
        #expect(queue.byteCount == 0)
        #expect(queue.first?.byteCount == nil)
    }

    @Test("large answers are given back piece by piece")
    func large() {
        var queue = AnswerQueue()
        var output: [UInt8] = []
        var expected: [UInt8] = []
        for round in 0..<50 {
            let bytes = [UInt8](repeating: UInt8(round), count: 10_000)
            queue.append(gate: AnswerGate()) { $0.append(contentsOf: bytes) }
            expected.append(contentsOf: bytes)
            if round % 3 == 0 { queue.takeFirst(into: &output) }
        }
        while !queue.isEmpty { queue.takeFirst(into: &output) }
        #expect(output == expected)
    }
}

@Suite struct PresenceBoardTests {
    func presence(_ number: Int64, row: RowID? = nil) -> Presence {
        Presence(connection: number, user: "u1", name: "Ada", row: row)
    }

    @Test("W7: ten lists a second at most, the newest place wins, nothing where nothing changed")
    func coalesces() {
        let limits = ServerLimits()
        var board = PresenceBoard()
        #expect(board.dueAt(followerCount: 2, limits: limits) == nil)
        board.place(presence(1), of: ConnectionID(rawValue: 1))
        board.place(presence(2), of: ConnectionID(rawValue: 2))
        #expect(board.dueAt(followerCount: 2, limits: limits) ?? at(1) <= at(0))
        board.encode(table: TableID(rawValue: 1), at: at(5), limits: limits)
        #expect(board.version == 1)
        #expect(board.dueAt(followerCount: 2, limits: limits) == nil)
        let row = RowID(session: SessionNumber(truncating: 3), counter: 4)
        board.place(presence(2, row: row), of: ConnectionID(rawValue: 2))
        #expect(board.dueAt(followerCount: 2, limits: limits) == at(100_005))
        board.show(false, ConnectionID(rawValue: 1))
        #expect(board.shown(max: 10) == [presence(2, row: row)])
        board.show(true, ConnectionID(rawValue: 1))
        #expect(board.shown(max: 1) == [presence(1)])
        board.remove(ConnectionID(rawValue: 1))
        board.encode(table: TableID(rawValue: 1), at: at(100_005), limits: limits)
        #expect(
            String(decoding: board.line, as: UTF8.self)
                == #"{"type":"presence","table":"t1","who":[{"connection":2,"user":"u1","#
                + #""name":"Ada","row":"s3.4","column":null}]}"# + "\n")
    }

    @Test("a list for many is sent less often, so that all copies stay within their share")
    func affordable() {
        let limits = ServerLimits()
        var board = PresenceBoard()
        for number in Int64(0)..<500 {
            board.place(presence(number), of: ConnectionID(rawValue: number))
        }
        board.encode(table: TableID(rawValue: 1), at: at(0), limits: limits)
        board.remove(ConnectionID(rawValue: 0))
        let due = board.dueAt(followerCount: 500, limits: limits) ?? at(0)
        let bytesPerSecond = Int64(board.line.count) * 500 * 1_000_000 / due.microseconds
        #expect(bytesPerSecond <= Int64(limits.presenceBytesPerSecondMax))
        #expect(due > at(1_000_000))
    }
}

@Suite struct SecretsTests {
    @Test("a hash survives its digits; anything else is none")
    func digits() {
        let bytes = (0..<32).map { UInt8($0 * 7 % 256) }
        let hash = SecretHash(bytes)
        #expect(hash?.hexadecimal.byteCount == 64)
        #expect(hash.flatMap { SecretHash(hexadecimal: $0.hexadecimal) } == hash)
        #expect(SecretHash(Array(bytes.dropLast())) == nil)
        #expect(SecretHash(hexadecimal: "abc") == nil)
        #expect(SecretHash(hexadecimal: Text(String(repeating: "G", count: 64))) == nil)
        for bit in 0..<256 {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SecretHash(other) != hash)
        }
    }
}
