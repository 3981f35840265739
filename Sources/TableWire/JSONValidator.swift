// The value reader: passes over any one JSON value by all rules of this room, keeping nothing.
// It goes down with a counter instead of calling itself.

/// Checks that `bytes` are one JSON value by the rules of docs/protocol.md.
///
/// - Parameters:
///   - bytes: the value; white space is allowed around it.
///   - limits: depth, and length of texts, keys and numbers.
/// - Throws: `WireError` with the byte at which reading stopped.
package func validateJSON(
    _ bytes: borrowing RawSpan, limits: WireLimits = WireLimits()
) throws(WireError) {
    try withJSONReader(bytes, limits: limits) { (reader) throws(WireError) in
        try reader.skipValue()
    }
}

/// An object or list that is being passed over.
private enum OpenValue {
    case object(JSONFreeObject)
    case array(JSONArray)
}

extension JSONReader {
    /// Passes over one value, checking it whole.
    ///
    /// Complexity: linear in its bytes, but for the comparison of keys.
    package mutating func skipValue() throws(WireError) {
        var open: [OpenValue] = []
        while true {
            skipSpace()
            switch current {
            case UInt8(ascii: "{"): open.append(.object(try beginFreeObject()))
            case UInt8(ascii: "["): open.append(.array(try beginArray()))
            case UInt8(ascii: "\""): _ = try readText()
            case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
            case UInt8(ascii: "n"): _ = try readNull()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try readNumber()
            default: throw malformed("expected a value")
            }
            guard try goToNext(&open) else { return }
        }
    }

    /// Goes to the next value of the innermost open list or object, leaving those that end;
    /// false once none is open.
    private mutating func goToNext(_ open: inout [OpenValue]) throws(WireError) -> Bool {
        while let innermost = open.popLast() {
            switch innermost {
            case .object(var object):
                guard try object.next(&self) != nil else { continue }
                open.append(.object(object))
            case .array(var array):
                guard try array.next(&self) else { continue }
                open.append(.array(array))
            }
            return true
        }
        return false
    }
}
