// Reads one JSON value (RFC 8259) for a cell: strictly, and no deeper than it may be.
// What it makes of it is in JSONTree.swift.

/// Reads bytes that are one JSON value, with white space around it or not.
///
/// Refused beside what is no JSON: bytes that are not UTF-8, halves of surrogate pairs, a key that
/// comes twice in an object, numbers that no 64-bit integer and no double can hold, and nesting
/// beyond `jsonDepthMax`.
///
/// Complexity: linear in the bytes, but for sorting the keys of an object.
///
/// - Throws: `JSONFault` with the byte at which reading stopped.
package func readJSONTree(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONTree {
    var reader = JSONTreeReader(offset: 0)
    let tree = try reader.readValue(bytes, depth: 0)
    reader.skipSpace(bytes)
    guard reader.offset == bytes.count else {
        throw reader.fault("something stands behind the value")
    }
    return tree
}

/// Reads the JSON value that begins at a byte, and says where it ends.
///
/// - Parameters:
///   - bytes: the text around it.
///   - offset: where the value begins.
/// - Returns: the value and the first byte behind it.
/// - Throws: `JSONFault` with the byte at which reading stopped.
package func readJSONTree(
    _ bytes: Span<UInt8>, at offset: Int
) throws(JSONFault) -> (tree: JSONTree, end: Int) {
    var reader = JSONTreeReader(offset: offset)
    let tree = try reader.readValue(bytes, depth: 0)
    return (tree, reader.offset)
}

/// A place in the bytes, which every method is given.
private struct JSONTreeReader {
    var offset: Int

    func fault(_ reason: String) -> JSONFault { JSONFault(reason: reason, offset: offset) }

    func byte(_ bytes: Span<UInt8>) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) {
            offset += 1
        }
    }

    /// Reads a value; recursion ends at `jsonDepthMax`.
    mutating func readValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONTree {
        skipSpace(bytes)
        switch byte(bytes) {
        case UInt8(ascii: "{"): return try readObject(bytes, depth: depth)
        case UInt8(ascii: "["): return try readList(bytes, depth: depth)
        case UInt8(ascii: "\""): return .text(try readString(bytes))
        case UInt8(ascii: "t"): return try readWord(bytes, "true", .bool(true))
        case UInt8(ascii: "f"): return try readWord(bytes, "false", .bool(false))
        case UInt8(ascii: "n"): return try readWord(bytes, "null", .null)
        case Ascii.minus, Ascii.zero...Ascii.nine: return try readNumber(bytes)
        default: throw fault("expected a JSON value")
        }
    }

    private mutating func readWord(
        _ bytes: Span<UInt8>, _ word: StaticString, _ tree: JSONTree
    ) throws(JSONFault) -> JSONTree {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, equals(bytes.extracting(offset..<end), word) else {
            throw fault("expected a JSON value")
        }
        offset = end
        return tree
    }

    // MARK: Lists and objects

    private mutating func enter(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
        guard depth < jsonDepthMax else {
            throw JSONFault(
                reason: "nested deeper than \(jsonDepthMax)", offset: offset, isTooDeep: true)
        }
        offset += 1
        skipSpace(bytes)
    }

    /// Passes a comma, or the closing bracket: false then.
    private mutating func goesOn(_ bytes: Span<UInt8>, _ closing: UInt8) throws(JSONFault) -> Bool {
        skipSpace(bytes)
        let found = byte(bytes)
        guard found == closing || found == UInt8(ascii: ",") else {
            throw fault("expected a comma or the closing bracket")
        }
        offset += 1
        skipSpace(bytes)
        return found != closing
    }

    private mutating func readList(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONTree {
        try enter(bytes, depth: depth)
        var items: [JSONTree] = []
        if byte(bytes) == UInt8(ascii: "]") {
            offset += 1
            return .list(items)
        }
        repeat {
            items.append(try readValue(bytes, depth: depth + 1))
        } while try goesOn(bytes, UInt8(ascii: "]"))
        return .list(items)
    }

    private mutating func readObject(
        _ bytes: Span<UInt8>, depth: Int
    ) throws(JSONFault) -> JSONTree {
        try enter(bytes, depth: depth)
        var members: [JSONMember] = []
        if byte(bytes) == UInt8(ascii: "}") {
            offset += 1
            return .object(members)
        }
        repeat {
            guard byte(bytes) == UInt8(ascii: "\"") else { throw fault("expected a key") }
            let key = try readString(bytes)
            guard key.byteCount <= jsonKeyBytesMax else {
                throw fault("a key has more than \(jsonKeyBytesMax) bytes")
            }
            skipSpace(bytes)
            guard byte(bytes) == Ascii.colon else { throw fault("expected a colon") }
            offset += 1
            members.append(JSONMember(key: key, value: try readValue(bytes, depth: depth + 1)))
        } while try goesOn(bytes, UInt8(ascii: "}"))
        members.sort { $0.key < $1.key }
        for place in members.indices.dropFirst() where members[place].key == members[place - 1].key
        {
            throw fault("a key comes twice in one object")
        }
        return .object(members)
    }

    // MARK: Numbers

    private mutating func passDigits(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard decimalDigit(byte(bytes)) != nil else { throw fault("expected a digit") }
        while offset < bytes.count, decimalDigit(bytes[offset]) != nil { offset += 1 }
    }

    private mutating func readNumber(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONTree {
        let start = offset
        if byte(bytes) == Ascii.minus { offset += 1 }
        let first = byte(bytes)
        let firstPlace = offset
        try passDigits(bytes)
        guard first != Ascii.zero || offset == firstPlace + 1 else {
            throw fault("a number has a zero in front")
        }
        var isWhole = true
        if byte(bytes) == Ascii.point {
            isWhole = false
            offset += 1
            try passDigits(bytes)
        }
        if byte(bytes) | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            offset += 1
            if byte(bytes) == Ascii.plus || byte(bytes) == Ascii.minus { offset += 1 }
            try passDigits(bytes)
        }
        guard offset - start <= jsonNumberBytesMax else {
            throw fault("a number has more than \(jsonNumberBytesMax) bytes")
        }
        let digits = bytes.extracting(start..<offset)
        if isWhole, case .success(let number) = readInteger(digits) { return .int(number) }
        guard case .success(let number) = readDouble(digits) else {
            throw JSONFault(reason: "no 64-bit number can hold the number", offset: start)
        }
        return JSONTree(number)
    }

    // MARK: Strings

    /// Reads a string from its opening quote on.
    private mutating func readString(_ bytes: Span<UInt8>) throws(JSONFault) -> Text {
        offset += 1
        let start = offset
        var unescaped: [UInt8] = []
        var copied = start
        while true {
            guard offset < bytes.count else { throw fault("a string has no end") }
            let next = bytes[offset]
            if next == UInt8(ascii: "\"") { break }
            guard next >= 0x20 else { throw fault("a control character must be escaped") }
            if next == UInt8(ascii: "\\") {
                append(bytes.extracting(copied..<offset), to: &unescaped)
                try readEscape(bytes, into: &unescaped)
                copied = offset
            } else {
                offset += 1
            }
        }
        let text: Text?
        if copied == start {
            text = unsafe Text(validating: bytes.extracting(start..<offset).bytes)
        } else {
            append(bytes.extracting(copied..<offset), to: &unescaped)
            text = unsafe Text(validating: unescaped.span.bytes)
        }
        guard let text else { throw fault("a string is not UTF-8") }
        offset += 1
        return text
    }

    private func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        for index in 0..<bytes.count { output.append(bytes[index]) }
    }

    private mutating func readEscape(
        _ bytes: Span<UInt8>, into output: inout [UInt8]
    ) throws(JSONFault) {
        offset += 1
        let kind = byte(bytes)
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(kind)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try readEscapedScalar(bytes)
            output.append(contentsOf: String(Character(scalar)).utf8)
        default: throw fault("there is no such escape")
        }
    }

    /// Reads four hexadecimal digits, and the second half of a surrogate pair where the first came.
    private mutating func readEscapedScalar(
        _ bytes: Span<UInt8>
    ) throws(JSONFault) -> Unicode.Scalar {
        var code = try readHexadecimal(bytes)
        if (0xD800..<0xDC00).contains(code) {
            guard byte(bytes) == UInt8(ascii: "\\"), offset + 1 < bytes.count,
                bytes[offset + 1] == UInt8(ascii: "u")
            else { throw fault("half of a surrogate pair is missing") }
            offset += 2
            let low = try readHexadecimal(bytes)
            guard (0xDC00..<0xE000).contains(low) else {
                throw fault("half of a surrogate pair is missing")
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw fault("half of a surrogate pair is missing")
        }
        return scalar
    }

    private mutating func readHexadecimal(_ bytes: Span<UInt8>) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let digit = byte(bytes)
            switch digit {
            case Ascii.zero...Ascii.nine: code = code << 4 | UInt32(digit - Ascii.zero)
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                code = code << 4 | UInt32((digit | 0x20) - UInt8(ascii: "a") + 10)
            default: throw fault("expected four hexadecimal digits")
            }
            offset += 1
        }
        return code
    }
}
