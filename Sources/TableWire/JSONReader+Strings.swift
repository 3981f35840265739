// Strings of a JSON text: found eight bytes at a time, checked once, unescaped only where needed.
// Nothing here compares or hashes Swift strings. Next: JSONKeys.swift.
package import TableValue

/// Where the inside of a string lies, and whether it has escapes.
struct JSONStringToken {
    var start: Int
    var end: Int
    var hasEscapes: Bool
    var isASCII: Bool
}

/// True in the high bit of each byte of `word` that is a quote, a backslash or a control; bytes
/// above the lowest hit may be marked wrongly, so only the lowest counts.
@inline(__always)
func stringStops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let quoteHits = (quotes &- ones) & ~quotes
    let slashHits = (slashes &- ones) & ~slashes
    let controlHits = (word &- (ones &* 0x20)) & ~word
    return (quoteHits | slashHits | controlHits) & highs
}

extension JSONReader {
    /// Eight bytes from `place` as they lie, the first lowest.
    ///
    /// The caller has checked the end.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        UInt64(
            littleEndian: unsafe UnsafeRawPointer(base).loadUnaligned(
                fromByteOffset: place, as: UInt64.self))
    }

    /// Finds the end of the string that opens at the current byte, and goes behind it.
    ///
    /// Escapes are only stepped over, and bytes above ASCII not yet checked: `readText` and
    /// `withStringBytes` do both.
    mutating func scanString() throws(WireError) -> JSONStringToken {
        guard current == UInt8(ascii: "\"") else { throw malformed("expected a string") }
        let start = offset &+ 1
        var place = start
        var hasEscapes = false
        var seen: UInt64 = 0
        while true {
            while place &+ 8 <= end {
                let word = word(at: place)
                let hits = stringStops(in: word)
                if hits != 0 {
                    let clear = hits.trailingZeroBitCount & ~7
                    seen |= word & ((1 &<< UInt64(clear)) &- 1)
                    place &+= clear / 8
                    break
                }
                seen |= word
                place &+= 8
            }
            let byte = byte(at: place)
            if byte == UInt8(ascii: "\"") { break }
            if place >= end { throw malformed("the string has no end", at: end) }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                place &+= 2
                continue
            }
            if byte < 0x20 { throw malformed("a control character in a string", at: place) }
            seen |= UInt64(byte)
            place &+= 1
        }
        offset = place &+ 1
        return JSONStringToken(
            start: start, end: place, hasEscapes: hasEscapes,
            isASCII: seen & 0x8080_8080_8080_8080 == 0)
    }

    /// Reads a string of at most `limits.textBytesMax` bytes.
    package mutating func readText() throws(WireError) -> Text {
        try readText(bytesMax: limits.textBytesMax)
    }

    /// Reads a string that names something: it has no NUL.
    package mutating func readName() throws(WireError) -> Text {
        skipSpace()
        let place = offset
        let name = try readText()
        return try checkedName(name, at: place)
    }

    /// The name, where it has no NUL.
    func checkedName(_ name: Text, at place: Int) throws(WireError) -> Text {
        if hasNul(name.string.utf8.span) {
            throw malformed("a name has the character NUL", at: place)
        }
        return name
    }

    mutating func readText(bytesMax: Int) throws(WireError) -> Text {
        skipSpace()
        let token = try scanString()
        let text = try text(of: token)
        guard text.byteCount <= bytesMax else {
            throw WireError(
                code: .tooLarge, reason: "a text has more than \(bytesMax) bytes",
                offset: token.start)
        }
        return text
    }

    /// The text of a string that was scanned.
    func text(of token: JSONStringToken) throws(WireError) -> Text {
        if token.hasEscapes {
            let bytes = try unescaped(token)
            return try validText(bytes.span, token)
        }
        return try unsafe validText(
            UnsafeBufferPointer(start: base + token.start, count: token.end &- token.start).span,
            token)
    }

    /// The text of bytes that come from the string `token`.
    @inline(__always)
    private func validText(
        _ bytes: Span<UInt8>, _ token: JSONStringToken
    ) throws(WireError) -> Text {
        if token.isASCII, !token.hasEscapes {
            return unsafe Text(String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true)))
        }
        do {
            return Text(String(copying: try UTF8Span(validating: bytes)))
        } catch {
            // Where there are escapes the place is only near.
            throw malformed(
                "the string is not valid UTF-8", at: token.start &+ error.byteOffsets.lowerBound)
        }
    }

    /// Gives the bytes of the string that stands next to `body`, unescaped; valid UTF-8.
    mutating func withStringBytes<Result>(
        _ body: (Span<UInt8>) -> Result
    ) throws(WireError) -> Result {
        skipSpace()
        let token = try scanString()
        if token.hasEscapes || !token.isASCII {
            return body(try text(of: token).string.utf8.span)
        }
        let bytes = unsafe UnsafeBufferPointer(
            start: base + token.start, count: token.end &- token.start)
        return body(unsafe bytes.span)
    }
}

/// True where a byte is 0.
private func hasNul(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 { return true }
    return false
}

extension JSONReader {
    /// The bytes of a string with its escapes replaced.
    func unescaped(_ token: JSONStringToken) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(token.end &- token.start)
        var place = token.start
        while place < token.end {
            let byte = byte(at: place)
            if byte == UInt8(ascii: "\\") {
                try unescape(at: &place, into: &bytes)
            } else {
                bytes.append(byte)
                place &+= 1
            }
        }
        return bytes
    }

    /// Appends what the escape at `place` stands for, and goes behind it.
    private func unescape(at place: inout Int, into bytes: inout [UInt8]) throws(WireError) {
        let plain: UInt8
        switch byte(at: place &+ 1) {
        case UInt8(ascii: "\""): plain = UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): plain = UInt8(ascii: "\\")
        case UInt8(ascii: "/"): plain = UInt8(ascii: "/")
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            try unescapeScalar(at: &place, into: &bytes)
            return
        default:
            throw malformed("an unknown escape in a string", at: place)
        }
        bytes.append(plain)
        place &+= 2
    }

    /// Appends the scalar of `\uXXXX` or of a pair of surrogates.
    private func unescapeScalar(at place: inout Int, into bytes: inout [UInt8]) throws(WireError) {
        let first = try hexadecimal(at: place &+ 2)
        var value = first
        var length = 6
        if first & 0xF800 == 0xD800 {
            guard first < 0xDC00, byte(at: place &+ 6) == UInt8(ascii: "\\"),
                byte(at: place &+ 7) == UInt8(ascii: "u")
            else { throw malformed("a lone surrogate in a string", at: place) }
            let second = try hexadecimal(at: place &+ 8)
            guard second & 0xFC00 == 0xDC00 else {
                throw malformed("a lone surrogate in a string", at: place)
            }
            value = 0x10000 &+ ((first & 0x3FF) &<< 10 | (second & 0x3FF))
            length = 12
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw malformed("a lone surrogate in a string", at: place)
        }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        place &+= length
    }

    /// The four hexadecimal digits at a place.
    private func hexadecimal(at place: Int) throws(WireError) -> UInt32 {
        var value: UInt32 = 0
        for index in place..<(place &+ 4) {
            let byte = byte(at: index)
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- UInt8(ascii: "A") &+ 10
            default: throw malformed("expected four hexadecimal digits", at: index)
            }
            value = value &<< 4 | UInt32(digit)
        }
        return value
    }
}
