// Secrets as the server keeps them: only their hashes. The text of a secret is made here, given
// away once, and never stored or reported.
import TableValue
import TableWire

/// The SHA-256 of a secret, compared in constant time.
struct SecretHash: Hashable, Sendable {
    private let words: InlineArray<4, UInt64>

    /// Takes 32 bytes; nil where there are not so many.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        var words = InlineArray<4, UInt64>(repeating: 0)
        for index in 0..<32 {
            words[index >> 3] = words[index >> 3] << 8 | UInt64(bytes[index])
        }
        self.words = words
    }

    /// Reads 64 lower-case hexadecimal digits.
    init?(hexadecimal text: Text) {
        guard text.byteCount == 64 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        var high: UInt8?
        for digit in text.string.utf8 {
            guard let value = hexadecimalValue(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes)
    }

    /// Equal where all bits are; looks at all of them whatever the first ones are.
    static func == (left: SecretHash, right: SecretHash) -> Bool {
        var difference: UInt64 = 0
        for index in 0..<4 { difference |= left.words[index] ^ right.words[index] }
        return difference == 0
    }

    func hash(into hasher: inout Hasher) {
        for index in 0..<4 { hasher.combine(words[index]) }
    }

    /// The 64 hexadecimal digits.
    var hexadecimal: Text {
        var digits = ""
        for index in 0..<4 { digits += hexadecimalDigits(words[index]) }
        return Text(digits)
    }
}

/// Sixteen lower-case hexadecimal digits, leading zeros kept.
func hexadecimalDigits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The value of a lower-case hexadecimal digit.
func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}

extension ServerEnvironment {
    /// Fresh random bytes.
    mutating func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            var word = random.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// A fresh secret of that many random bytes behind a prefix.
    mutating func secret(prefix: String, randomByteCount: Int) -> Text {
        Text(prefix + base32(randomBytes(randomByteCount)))
    }

    /// The hash under which a secret is stored; nil where it is too long to be one.
    func hash(of secret: Text) -> SecretHash? {
        guard secret.byteCount <= secretBytesMax else { return nil }
        return SecretHash(sha256(Array(secret.string.utf8)))
    }
}

/// No secret of this server is longer; a longer text is not even hashed.
let secretBytesMax = 256
