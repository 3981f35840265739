// The hash is stored, so its values may never change.
import Testing

@testable import TableWire

@Suite struct Hash64Tests {
    private func hash(_ bytes: [UInt8]) -> UInt64 { unsafe hash64(bytes.span.bytes) }

    @Test("The hash of known bytes is what it always was")
    func fixed() {
        #expect(hash([]) == 14_949_514_079_732_398_897)
        #expect(hash(bytes("a")) == 7_422_243_897_505_045_670)
        #expect(hash(bytes("abcdefgh")) == 8_579_297_931_250_151_310)
        #expect(
            hash(bytes("{\"type\":\"op\",\"table\":\"t1\",\"cseq\":7}"))
                == 1_505_503_022_153_647_167)
    }

    @Test("One changed bit, a zero more and a swap of words all change it")
    func differences() {
        let base = bytes("0123456789abcdef0123456789abcdefxyz")
        var seen: Set<UInt64> = [hash(base), hash(base + [0])]
        for index in base.indices {
            for bit in 0..<8 {
                var changed = base
                changed[index] ^= 1 << UInt8(bit)
                seen.insert(hash(changed))
            }
        }
        seen.insert(hash(Array(base[8..<16] + base[..<8] + base[16...])))
        #expect(seen.count == base.count * 8 + 3)
    }
}
