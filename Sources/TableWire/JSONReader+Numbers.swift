// Numbers of a JSON text: integers in place, doubles through the reader of TableValue.
// A number that no type can hold is refused; docs/protocol.md, "Ids and values". Next:
// JSONKeys.swift.
import TableValue

extension JSONReader {
    /// Reads a number as the kind it is written as: an integer without fraction and exponent in
    /// the 64-bit range is an int; any other, and `-0`, is a double.
    mutating func readNumber() throws(WireError) -> Value {
        let start = offset
        if let integer = try scanInteger() { return .int(integer) }
        offset = start
        try scanNumber()
        return .double(try double(from: start))
    }

    /// Reads an integer in the 64-bit range, without fraction and exponent.
    package mutating func readInteger() throws(WireError) -> Int64 {
        skipSpace()
        let start = offset
        guard let integer = try scanInteger() else {
            throw malformed("expected an integer", at: start)
        }
        return integer
    }

    /// Reads an integer from `range`.
    package mutating func readInteger(in range: ClosedRange<Int64>) throws(WireError) -> Int64 {
        skipSpace()
        let start = offset
        let integer = try readInteger()
        guard range.contains(integer) else {
            throw malformed("an integer is out of its range", at: start)
        }
        return integer
    }

    /// Reads a count or position: an integer from 0.
    package mutating func readCount() throws(WireError) -> Int {
        Int(try readInteger(in: 0...Int64(Int32.max)))
    }

    /// Reads a number as a double.
    package mutating func readDouble() throws(WireError) -> Double {
        skipSpace()
        let start = offset
        try scanNumber()
        return try double(from: start)
    }

    /// Reads an integer and stays behind it; nil, anywhere, for any other number.
    @inline(__always)
    private mutating func scanInteger() throws(WireError) -> Int64? {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { offset &+= 1 }
        let start = offset
        var magnitude: UInt64 = 0
        while true {
            let digit = current &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // The twentieth digit could overflow.
            if offset &- start >= 19 { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            offset &+= 1
        }
        let count = offset &- start
        guard count > 0 else { throw malformed("expected a digit") }
        if byte(at: start) == UInt8(ascii: "0"), count > 1 || isNegative {
            if count > 1 { throw malformed("a number has a leading zero", at: start) }
            return nil
        }
        let next = current
        if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        if isNegative {
            return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return magnitude < 1 << 63 ? Int64(truncatingIfNeeded: magnitude) : nil
    }

    /// Passes over a number by the grammar of JSON.
    mutating func scanNumber() throws(WireError) {
        let start = offset
        if current == UInt8(ascii: "-") { offset &+= 1 }
        if current == UInt8(ascii: "0") {
            offset &+= 1
            if isDigit(current) { throw malformed("a number has a leading zero", at: offset &- 1) }
        } else {
            try scanDigits()
        }
        if current == UInt8(ascii: ".") {
            offset &+= 1
            try scanDigits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            offset &+= 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset &+= 1 }
            try scanDigits()
        }
        guard offset &- start <= limits.numberBytesMax else {
            throw malformed("a number has more than \(limits.numberBytesMax) bytes", at: start)
        }
    }

    private mutating func scanDigits() throws(WireError) {
        guard isDigit(current) else { throw malformed("expected a digit") }
        while isDigit(current) { offset &+= 1 }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// The double of the number that was scanned from `start`.
    private func double(from start: Int) throws(WireError) -> Double {
        let digits = unsafe UnsafeBufferPointer(start: base + start, count: offset &- start)
        switch TableValue.readDouble(unsafe digits.span) {
        case .success(let value): return value
        case .failure(.malformed): throw malformed("expected a number", at: start)
        case .failure(.tooLarge):
            throw malformed("no type can hold so large a number", at: start)
        case .failure(.tooSmall):
            throw malformed("no type can hold so small a number", at: start)
        }
    }
}
