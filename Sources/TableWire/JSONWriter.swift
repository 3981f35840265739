// A writer of JSON text: compact, keys in the order in which they are given, strings escaped only
// where JSON demands it. It does not check that the calls make a whole; its tests do.
// The reader of what it writes is JSONReader.swift.
package import TableValue

/// Writes JSON into bytes, keeping track of commas.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("x")
///     writer.integer(4)
///     writer.endObject()
///     writer.endLine()
///     writer.append(to: &output)
///
/// It has storage of its own because a line is made of many small pieces, and appending each of
/// them to an array costs three times as much.
@safe
package struct JSONWriter: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes have been written.
    package private(set) var byteCount = 0
    private var needsComma = false
    /// Where the text of a value is made that TableValue appends to an array.
    private var scratch: [UInt8] = []

    /// An empty writer.
    package init() {
        capacity = 512
        unsafe base = UnsafeMutablePointer.allocate(capacity: capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Appends what has been written to `output`.
    package func append(to output: inout [UInt8]) {
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: base, count: byteCount))
    }

    /// What has been written.
    package var bytes: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: base, count: byteCount))
    }

    /// Makes room for `count` bytes more.
    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if capacity &- byteCount < count { grow(count) }
    }

    @inline(never)
    private mutating func grow(_ count: Int) {
        let larger = max(capacity * 2, byteCount + count)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.update(from: base, count: byteCount)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[byteCount] = byte
        byteCount &+= 1
    }

    @inline(__always)
    private mutating func append(_ literal: StaticString) {
        let count = literal.utf8CodeUnitCount
        reserve(count)
        unsafe (base + byteCount).update(from: literal.utf8Start, count: count)
        byteCount &+= count
    }

    mutating func append(_ bytes: Span<UInt8>) {
        let count = bytes.count
        reserve(count)
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe (base + byteCount).update(from: start, count: count)
        }
        byteCount &+= count
    }

    /// Puts a comma where a value or key stands before.
    @inline(__always)
    mutating func separate() {
        if needsComma { append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Begins an object.
    package mutating func beginObject() {
        separate()
        append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends an object.
    package mutating func endObject() {
        append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins a list.
    package mutating func beginArray() {
        separate()
        append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends a list.
    package mutating func endArray() {
        append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Ends the line; the next value begins a new one.
    package mutating func endLine() {
        append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes a key that needs no escape.
    @inline(__always)
    package mutating func key(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        reserve(count &+ 4)
        var place = unsafe base + byteCount
        if needsComma {
            unsafe place.pointee = UInt8(ascii: ",")
            unsafe place += 1
        }
        needsComma = false
        unsafe place.pointee = UInt8(ascii: "\"")
        unsafe (place + 1).update(from: name.utf8Start, count: count)
        unsafe place += count &+ 1
        unsafe place.pointee = UInt8(ascii: "\"")
        unsafe place[1] = UInt8(ascii: ":")
        byteCount = unsafe (place - base) &+ 2
    }

    /// Writes a key of any text.
    package mutating func freeKey(_ name: Text) {
        text(name)
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes null.
    package mutating func null() {
        separate()
        append("null")
    }

    /// Writes true or false.
    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    /// Writes an integer as a number, whatever its size.
    package mutating func integer(_ value: Int64) {
        separate()
        appendInteger(value)
    }

    /// Writes an integer as a number.
    package mutating func integer(_ value: Int) {
        integer(Int64(value))
    }

    /// Writes a double as a number, or as a string where it is none; a whole one is written
    /// without a fraction where that is exact.
    package mutating func double(_ value: Double) {
        // No conversion that asks the mathematics library, which this room does not link.
        if value.magnitude <= 9_007_199_254_740_992 {
            let whole = Int64(value)
            if Double(whole) == value, whole != 0 || value.sign == .plus {
                integer(whole)
                return
            }
        }
        separate()
        if value.isFinite {
            append(value.description.utf8.span)
        } else {
            append(value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
        }
    }

    /// Writes a string that is known to need no escape.
    package mutating func string(_ literal: StaticString) {
        separate()
        let count = literal.utf8CodeUnitCount
        reserve(count &+ 2)
        let place = unsafe base + byteCount
        unsafe place.pointee = UInt8(ascii: "\"")
        unsafe (place + 1).update(from: literal.utf8Start, count: count)
        unsafe place[count &+ 1] = UInt8(ascii: "\"")
        byteCount &+= count &+ 2
    }

    /// Writes a string.
    package mutating func text(_ text: Text) {
        separate()
        append(UInt8(ascii: "\""))
        appendEscaped(text.string.utf8.span)
        append(UInt8(ascii: "\""))
    }

    /// Writes a string.
    package mutating func text(_ string: String) {
        text(Text(string))
    }

    /// Writes the value of a cell as docs/protocol.md spells its type.
    package mutating func value(_ value: Value) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value):
            // Beyond 2^53 many readers would round a number.
            if value.magnitude <= 1 << 53 {
                integer(value)
            } else {
                separate()
                append(UInt8(ascii: "\""))
                appendInteger(value)
                append(UInt8(ascii: "\""))
            }
        case .double(let value): double(value)
        case .text(let value): text(value)
        case .choice(let value): text(value)
        case .list(let json), .json(let json): self.json(json)
        case .date, .datetime, .uuid, .decimal:
            separate()
            var text: [UInt8] = []
            swap(&text, &scratch)
            text.removeAll(keepingCapacity: true)
            value.writeText(to: &text)
            append(UInt8(ascii: "\""))
            append(text.span)
            append(UInt8(ascii: "\""))
            swap(&text, &scratch)
        }
    }

    /// Writes a JSON value, which its canonical text is already.
    package mutating func json(_ json: CanonicalJSON) {
        separate()
        append(json.text.string.utf8.span)
    }

    /// Writes a JSON value.
    package mutating func tree(_ tree: JSONTree) {
        json(CanonicalJSON(tree))
    }

    /// Appends text with `"`, `\` and controls escaped.
    private mutating func appendEscaped(_ text: Span<UInt8>) {
        reserve(text.count)
        var start = 0
        while true {
            let end = firstEscape(in: text, from: start)
            append(text.extracting(start..<end))
            guard end < text.count else { return }
            appendEscape(text[end])
            start = end &+ 1
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            append("u00")
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            append(hexadecimalDigit(byte & 15))
        default: append(byte)
        }
    }

    @inline(__always)
    mutating func appendInteger(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    mutating func appendDigits(_ value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
            return
        }
        // Written from the end, two at a time, behind the room that they can need at most.
        reserve(2 * JSONWriter.digitsMax)
        let end = byteCount &+ 2 &* JSONWriter.digitsMax
        var place = end
        var rest = value
        while rest >= 10 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            place &-= 2
            let digits = unsafe twoDigits.utf8Start + Int(pair) &* 2
            unsafe base[place] = digits[0]
            unsafe base[place &+ 1] = digits[1]
            rest = quotient
        }
        if rest > 0 {
            place &-= 1
            unsafe base[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
        let count = end &- place
        unsafe (base + byteCount).update(from: base + place, count: count)
        byteCount &+= count
    }

    /// A number of 64 bits has at most so many digits.
    private static var digitsMax: Int { 20 }
}

/// The numbers below 100, two digits each.
private var twoDigits: StaticString {
    """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546\
    4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293\
    949596979899
    """
}

/// The first byte from a place on that JSON wants escaped; the end where there is none.
private func firstEscape(in text: Span<UInt8>, from start: Int) -> Int {
    unsafe text.withUnsafeBytes { buffer in
        var place = start
        while place &+ 8 <= buffer.count {
            let word = unsafe UInt64(
                littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let hits = stringStops(in: word)
            if hits != 0 { return place &+ hits.trailingZeroBitCount / 8 }
            place &+= 8
        }
        while place < buffer.count {
            let byte = unsafe buffer[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return place
            }
            place &+= 1
        }
        return place
    }
}

/// The hexadecimal digit of a number below 16, in lower case.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
}
