// Base32 in lower case without padding (RFC 4648, section 6): for secrets that people copy.
// The reader takes one spelling only. Next: InviteText.swift.
import TableValue

/// Why a text is no base32.
package enum Base32Error: Error, Hashable, Sendable {
    /// The character at that place is none of `a` to `z` and `2` to `7`.
    case badCharacter(offset: Int)
    /// No number of bytes has so many characters.
    case badLength
    /// The bits behind the last byte are not zero.
    case trailingBits
}

/// The base32 text of bytes, in lower case without padding: eight characters for five bytes.
package func base32(_ bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count &* 8 &+ 4) / 5)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for byte in bytes {
        bits = (bits &<< 8 | UInt32(byte)) & 0xFFF
        bitCount &+= 8
        while bitCount >= 5 {
            bitCount &-= 5
            characters.append(base32Character(UInt8(truncatingIfNeeded: bits &>> bitCount) & 31))
        }
    }
    if bitCount > 0 {
        characters.append(
            base32Character(UInt8(truncatingIfNeeded: bits &<< (5 &- bitCount)) & 31))
    }
    return String(decoding: characters, as: UTF8.self)
}

/// The bytes of a base32 text in lower case without padding.
///
/// - Parameter text: the characters.
/// - Returns: the bytes, of which there is one spelling only.
/// - Throws: `Base32Error`.
package func bytes(base32 text: some Collection<UInt8>) throws(Base32Error) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count &* 5 / 8)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for (offset, character) in text.enumerated() {
        let value: UInt8
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character &- UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character &- UInt8(ascii: "2") &+ 26
        default: throw .badCharacter(offset: offset)
        }
        bits = (bits &<< 5 | UInt32(value)) & 0xFFF
        bitCount &+= 5
        if bitCount >= 8 {
            bitCount &-= 8
            bytes.append(UInt8(truncatingIfNeeded: bits &>> bitCount))
        }
    }
    // A character that adds no byte has been one too many.
    guard bitCount < 5 else { throw .badLength }
    guard bits & ((1 &<< bitCount) &- 1) == 0 else { throw .trailingBits }
    return bytes
}

private func base32Character(_ value: UInt8) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") &+ value : UInt8(ascii: "2") &+ (value &- 26)
}

/// The bytes that pairs of hexadecimal digits in lower case stand for; nil for anything else.
func bytes(hexadecimal text: Text) -> [UInt8]? {
    guard text.byteCount % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.string.utf8 {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
        default: return nil
        }
        if let first = high {
            bytes.append(first &<< 4 | digit)
            high = nil
        } else {
            high = digit
        }
    }
    return bytes
}
