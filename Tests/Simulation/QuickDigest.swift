// The hash functions of the seeded world. The product passes SHA-256 into the cores; here a
// quick one does, since nobody attacks a simulation and equal content is all that counts.
import TableModel

/// Two 64-bit FNV-1a lanes over bytes; the same however the bytes are cut into pieces.
struct ByteHash {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x6C62_272E_07BB_0142

    /// Adds bytes.
    mutating func update(_ bytes: borrowing RawSpan) {
        var first = first
        var second = second
        for offset in bytes.byteOffsets {
            let byte = UInt64(
                unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
            first = (first ^ byte) &* 0x0000_0100_0000_01B3
            second = (second ^ byte) &* 0x9E37_79B9_7F4A_7C15
        }
        self.first = first
        self.second = second
    }

    /// Adds a number.
    mutating func update(_ number: Int64) {
        first = (first ^ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
        first ^= first >> 29
    }

    /// The first lane.
    var value: UInt64 { SeededGenerator.mix(first ^ SeededGenerator.mix(second)) }

    /// 32 bytes made of both lanes.
    var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(32)
        for lane in 0..<4 {
            var word = SeededGenerator.mix(
                (lane < 2 ? first : second) &+ UInt64(lane) &* 0x2545_F491_4F6C_DD1D)
            for _ in 0..<8 {
                output.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return output
    }
}

/// A 32-byte digest that is quick and not secure.
struct QuickDigest: ContentDigest {
    private var hash = ByteHash()

    init() {}

    mutating func update(_ bytes: borrowing RawSpan) {
        hash.update(bytes)
    }

    mutating func finish() -> [UInt8] {
        hash.bytes
    }

    /// The digest of bytes that are all there.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = QuickDigest()
        unsafe digest.update(bytes.span.bytes)
        return digest.finish()
    }
}
