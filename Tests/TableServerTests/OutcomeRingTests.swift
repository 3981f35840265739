// The kept answers of a session: the newest ones, bounded in number and bytes.
import TableModel
import Testing

@testable import TableServer

@Suite struct OutcomeRingTests {
    @Test("W4: the newest answers are kept up to the window, found by client number")
    func keepsNewest() {
        var ring = OutcomeRing(capacityMax: 64)
        #expect(ring[1] == nil)
        for number in Int64(1)...1_000 {
            ring.append(
                DecidedOp(hash: UInt64(number), sequence: number * 2, head: number),
                replyBytesMax: 1_000)
            #expect(ring.last == number)
            #expect(ring[number]?.hash == UInt64(number))
            #expect(ring.count == min(Int(number), 64))
            #expect(ring.oldest == max(1, number - 63))
            #expect(ring[ring.oldest]?.hash == UInt64(ring.oldest))
        }
        #expect(ring[936] == nil)
        #expect(ring[1_001] == nil)
        #expect(ring[0] == nil)
        ring.capacityMax = 128
        for number in Int64(1_001)...1_100 {
            ring.append(
                DecidedOp(hash: UInt64(number), sequence: 0, head: 0), replyBytesMax: 1_000)
        }
        #expect(ring.count == 128)
        for number in ring.oldest...ring.last { #expect(ring[number]?.hash == UInt64(number)) }
    }

    @Test("stored replies are bounded in bytes; the newest always stays")
    func boundsBytes() {
        var ring = OutcomeRing(capacityMax: 64)
        for number in UInt64(1)...10 {
            let reply = [UInt8](repeating: 1, count: 400)
            ring.append(
                DecidedOp(hash: number, sequence: 0, head: 0, reply: reply), replyBytesMax: 1_000)
        }
        #expect(ring.count == 2)
        #expect(ring.oldest == 9)
        let huge = [UInt8](repeating: 1, count: 4_000)
        ring.append(
            DecidedOp(hash: 11, sequence: 0, head: 0, reply: huge), replyBytesMax: 1_000)
        #expect(ring.count == 1)
        #expect(ring[11]?.reply.count == 4_000)
    }
}
