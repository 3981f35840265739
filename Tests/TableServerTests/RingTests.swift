// The shared ring of encoded records: any cursor, any limit, whole lines only.
import TableModel
import Testing

@testable import TableServer

@Suite struct RingTests {
    /// A ring of records 1 to `count`, and the lines that were put in.
    func filled(_ count: Int, segmentBytes: Int, seed: UInt64) -> (Ring, [[UInt8]]) {
        var random = SeededGenerator(state: seed)
        var ring = Ring(after: 0, segmentBytes: segmentBytes)
        var lines: [[UInt8]] = []
        for number in 0..<count {
            let length = Int.random(in: 1...40, using: &random)
            let line = [UInt8](repeating: UInt8(number % 200 + 20), count: length) + [10]
            ring.append([1, 2, 3] + line, in: 3..<3 + line.count)
            lines.append(line)
        }
        return (ring, lines)
    }

    @Test("W8: what is copied is what was put in, whole lines, whatever the cursor and the room")
    func copies() {
        for seed in UInt64(1)...20 {
            var random = SeededGenerator(state: seed)
            let (ring, lines) = filled(100, segmentBytes: 90, seed: seed)
            var cursor = Int64.random(in: 0...100, using: &random)
            let limit = Int64.random(in: cursor...100, using: &random)
            var all: [UInt8] = []
            let expected = lines[Int(cursor)..<Int(limit)].flatMap { $0 }
            while cursor < limit {
                var output: [UInt8] = [0]
                let most = Int.random(in: 2...200, using: &random)
                let next = ring.copy(
                    after: cursor, through: limit, into: &output, byteCountMax: most)
                #expect(next > cursor, "seed \(seed)")
                #expect(output.count < most + 41, "seed \(seed)")
                #expect(output.last == 10)
                cursor = next
                all.append(contentsOf: output.dropFirst())
            }
            #expect(all == expected, "seed \(seed)")
        }
    }

    @Test("the oldest blocks are forgotten; byte counts say what is left")
    func trims() {
        var (ring, lines) = filled(100, segmentBytes: 90, seed: 3)
        #expect(ring.byteCount(after: 0) == lines.reduce(0) { $0 + $1.count })
        ring.trim(to: 500)
        #expect(ring.byteCount <= 500)
        #expect(ring.last == 100)
        #expect(ring.first > 1)
        let first = Int(ring.first)
        #expect(ring.byteCount(after: ring.first - 2) == nil)
        #expect(
            ring.byteCount(after: ring.first - 1)
                == lines[(first - 1)...].reduce(0) { $0 + $1.count })
        #expect(ring.byteCount(after: 100) == 0)
        var output: [UInt8] = []
        #expect(ring.copy(after: 3, through: 100, into: &output, byteCountMax: 9_999) == 3)
        #expect(output.isEmpty)
        ring.trim(to: 0)
        #expect(ring.segmentCount == 1)
    }

    @Test("an empty ring goes on where it stands")
    func empty() {
        var ring = Ring(after: 7, segmentBytes: 64)
        #expect(ring.first == 8)
        #expect(ring.byteCount(after: 7) == 0)
        #expect(ring.byteCount(after: 6) == nil)
        ring.append([65, 10], in: 0..<2)
        #expect(ring.first == 8 && ring.last == 8)
        var output: [UInt8] = []
        #expect(ring.copy(after: 7, through: 8, into: &output, byteCountMax: 1) == 8)
        #expect(output == [65, 10])
    }
}
