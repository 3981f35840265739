// A strict reader of one JSON text over bytes: it goes forward once, allocates nothing but the
// texts it is asked for, and never recurses. Strings are in JSONReader+Strings.swift, numbers in
// JSONReader+Numbers.swift, keys in JSONKeys.swift; MessageReader.swift puts messages together.
package import TableValue

/// Reads `bytes` as one JSON text with `body`, which must consume the whole of it.
///
/// The reader cannot outlive the call. White space is allowed around the text.
///
/// - Parameters:
///   - bytes: the text, without the end of its line.
///   - limits: how long and how deep it may be.
///   - body: reads the value, such as with `beginObject`.
/// - Returns: what `body` returned.
/// - Throws: `WireError` with the byte at which reading stopped.
@inline(__always)
package func withJSONReader<Result>(
    _ bytes: borrowing RawSpan, limits: WireLimits,
    _ body: (inout JSONReader) throws(WireError) -> Result
) throws(WireError) -> Result {
    try unsafe bytes.withUnsafeBytes { (buffer) throws(WireError) -> Result in
        guard let base = buffer.baseAddress, buffer.count > 0 else {
            throw WireError(code: .malformed, reason: "the line is empty", offset: 0)
        }
        var reader = unsafe JSONReader(
            base: base.assumingMemoryBound(to: UInt8.self), end: buffer.count, limits: limits)
        let result = try body(&reader)
        try reader.expectEnd()
        return result
    }
}

/// A position in a JSON text, and what has been entered on the way there.
///
/// Every read checks the end first. The reader can only be had from `withJSONReader`, whose
/// closure borrows it, so that the bytes outlive it.
@safe
package struct JSONReader: ~Copyable {
    let base: UnsafePointer<UInt8>
    let end: Int
    /// What may be read.
    package let limits: WireLimits
    /// The byte that is read next.
    package internal(set) var offset = 0
    /// How many objects and lists are open.
    var depth = 0
    /// How many rows runs may still unfold to; see `readRows`.
    var rowsLeft: Int
    /// True once runs named more rows than that; the rows beyond were not collected.
    var hasTooManyRows = false

    fileprivate init(base: UnsafePointer<UInt8>, end: Int, limits: WireLimits) {
        unsafe self.base = unsafe base
        self.end = end
        self.limits = limits
        rowsLeft = limits.partsMax
    }

    /// The next byte; 0, which no JSON text has outside of strings, at the end.
    @inline(__always)
    var current: UInt8 { offset < end ? unsafe base[offset] : 0 }

    /// The byte at a place; 0 outside of the text.
    @inline(__always)
    func byte(at place: Int) -> UInt8 { place >= 0 && place < end ? unsafe base[place] : 0 }

    /// Passes over the white space of JSON.
    @inline(__always)
    mutating func skipSpace() {
        while offset < end {
            let byte = unsafe base[offset]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            else { return }
            offset &+= 1
        }
    }

    /// An error at the current byte, or at `place`.
    @inline(never)
    package func malformed(_ reason: String, at place: Int? = nil) -> WireError {
        WireError(code: .malformed, reason: reason, offset: place ?? offset)
    }

    /// An error for a field that must be there, at the end of its object.
    @inline(never)
    package func missing(_ field: StaticString) -> WireError {
        WireError(code: .malformed, reason: "the field \"\(field)\" is missing", offset: offset)
    }

    /// An error at an opening bracket that goes too deep.
    @inline(never)
    private func tooDeep() -> WireError {
        WireError(code: .tooDeep, reason: "nested deeper than \(limits.depthMax)", offset: offset)
    }

    /// Goes one level deeper over an opening bracket.
    @inline(__always)
    mutating func enter(_ bracket: UInt8, _ reason: String) throws(WireError) {
        skipSpace()
        guard current == bracket else { throw malformed(reason) }
        guard depth < limits.depthMax else { throw tooDeep() }
        depth &+= 1
        offset &+= 1
    }

    /// Passes a comma before a member, or the closing bracket: false then.
    @inline(__always)
    mutating func nextMember(isFirst: inout Bool, closing: UInt8) throws(WireError) -> Bool {
        skipSpace()
        let byte = current
        if byte == closing {
            offset &+= 1
            depth &-= 1
            return false
        }
        if isFirst {
            isFirst = false
            return true
        }
        guard byte == UInt8(ascii: ",") else {
            throw malformed("expected a comma or the closing bracket")
        }
        offset &+= 1
        skipSpace()
        guard current != closing else {
            throw malformed("a comma stands before the closing bracket")
        }
        return true
    }

    /// Passes the colon between a key and its value.
    @inline(__always)
    mutating func passColon() throws(WireError) {
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw malformed("expected a colon") }
        offset &+= 1
        skipSpace()
    }

    fileprivate mutating func expectEnd() throws(WireError) {
        skipSpace()
        guard offset == end else { throw malformed("something follows the value") }
    }
}

/// A list that is being read, member by member.
///
///     var list = try reader.beginArray()
///     while try list.next(&reader) { …read one value… }
package struct JSONArray {
    private var isFirst = true

    /// Goes to the next value; false once the list has been left.
    @inline(__always)
    package mutating func next(_ reader: inout JSONReader) throws(WireError) -> Bool {
        let hasNext = try reader.nextMember(isFirst: &isFirst, closing: UInt8(ascii: "]"))
        if hasNext { reader.skipSpace() }
        return hasNext
    }

    /// Goes to a value that must be there.
    package mutating func expectNext(_ reader: inout JSONReader) throws(WireError) {
        guard try next(&reader) else { throw reader.malformed("the list is too short") }
    }

    /// Leaves the list, which must have no further value.
    package mutating func expectEnd(_ reader: inout JSONReader) throws(WireError) {
        guard try !next(&reader) else { throw reader.malformed("the list is too long") }
    }
}

extension JSONReader {
    /// Enters a list.
    package mutating func beginArray() throws(WireError) -> JSONArray {
        try enter(UInt8(ascii: "["), "expected a list")
        return JSONArray()
    }

    /// Reads `null` where it stands next.
    package mutating func readNull() throws(WireError) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: "n") else { return false }
        try readWord("null")
        return true
    }

    /// Reads `true` or `false`.
    package mutating func readBool() throws(WireError) -> Bool {
        skipSpace()
        switch current {
        case UInt8(ascii: "t"):
            try readWord("true")
            return true
        case UInt8(ascii: "f"):
            try readWord("false")
            return false
        default:
            throw malformed("expected true or false")
        }
    }

    /// Reads one of the three words of JSON.
    mutating func readWord(_ word: StaticString) throws(WireError) {
        let count = word.utf8CodeUnitCount
        var index = 0
        while index < count {
            guard unsafe byte(at: offset &+ index) == word.utf8Start[index] else {
                throw malformed("expected a value", at: offset &+ index)
            }
            index &+= 1
        }
        offset &+= count
    }

    /// Reads one value of a cell.
    ///
    /// Every text stays a text, a number keeps its kind, a list or object is a JSON value;
    /// `Value.converted(to:)` makes it fit its column.
    package mutating func readValue() throws(WireError) -> Value {
        skipSpace()
        switch current {
        case UInt8(ascii: "\""):
            return .text(try readText(bytesMax: end))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try readNumber()
        case UInt8(ascii: "n"):
            try readWord("null")
            return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            return .bool(try readBool())
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            return .json(CanonicalJSON(try readTree()))
        default:
            throw malformed("expected a cell's value: null, true, false, a number, a text or JSON")
        }
    }

    /// Reads any JSON value, nested no deeper than a cell may hold.
    package mutating func readTree() throws(WireError) -> JSONTree {
        skipSpace()
        let bytes = unsafe Span(_unsafeStart: base, count: end)
        do {
            let (tree, end) = try readJSONTree(bytes, at: offset)
            offset = end
            return tree
        } catch {
            throw WireError(
                code: error.isTooDeep ? .tooDeep : .malformed, reason: error.reason,
                offset: error.offset)
        }
    }
}
