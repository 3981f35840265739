// SHA-256 (FIPS 180-4), written for the tests so that they need no library: the content hash is
// compared with one that a Python program computed.
import TableModel

/// SHA-256 that gathers all bytes and digests them at the end.
struct Sha256: ContentDigest {
    private var message: [UInt8] = []

    mutating func update(_ bytes: borrowing RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe message.append(contentsOf: $0) }
    }

    mutating func finish() -> [UInt8] {
        let bitCount = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
            0x1f83_d9ab, 0x5be0_cd19,
        ]
        for start in stride(from: 0, to: message.count, by: 64) {
            digest(message[start..<start + 64], into: &state)
        }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - $0 * 8)) }
        }
    }

    private func digest(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() {
            words[index / 4] = words[index / 4] << 8 | UInt32(byte)
        }
        for index in 16..<64 {
            let older = words[index - 15]
            let newer = words[index - 2]
            let first = turn(older, 7) ^ turn(older, 18) ^ older >> 3
            let second = turn(newer, 17) ^ turn(newer, 19) ^ newer >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mixedE = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ mixedE &+ choice &+ Self.constants[index] &+ words[index]
            let mixedA = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ mixedA &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The cube root in units of 2^-32, found bit by bit.
            var root: UInt64 = 0
            for bit in stride(from: 35, through: 0, by: -1) {
                let trial = root | 1 << UInt64(bit)
                let square = trial.multipliedFullWidth(by: trial)
                let (low, carry) = Self.timesTrial(square, trial)
                if carry == 0, low < UInt64(prime) { root = trial }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()

    /// The whole part of trial³ / 2^96, and what is above 64 bits of it.
    private static func timesTrial(
        _ square: (high: UInt64, low: UInt64), _ trial: UInt64
    ) -> (UInt64, UInt64) {
        let low = square.low.multipliedFullWidth(by: trial)
        let high = square.high.multipliedFullWidth(by: trial)
        let (middle, carry) = high.low.addingReportingOverflow(low.high)
        let top = high.high &+ (carry ? 1 : 0)
        return (top << 32 | middle >> 32, top >> 32)
    }
}
