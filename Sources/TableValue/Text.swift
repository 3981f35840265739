// Text as bytes: the one text type of cells and names.
// It never compares or hashes by Unicode equivalence; see docs/semantics.md, "Text".

/// UTF-8 text whose equality, order and hash are those of its bytes.
///
/// Swift's `String` compares by canonical equivalence, which would merge different texts and
/// costs quadratic time on long runs of combining marks. `Text` stores a native `String`
/// (fifteen bytes or fewer need no allocation) and only ever looks at its bytes.
package struct Text: Sendable {
    /// The text as a Swift string, always valid UTF-8.
    package let string: String

    /// Wraps a string.
    package init(_ string: String) {
        var native = string
        native.makeContiguousUTF8()
        self.string = native
    }

    /// Reads bytes that must be valid UTF-8; nil where they are not.
    package init?(validating bytes: borrowing RawSpan) {
        let string = unsafe bytes.withUnsafeBytes { buffer -> String? in
            let span = unsafe buffer.assumingMemoryBound(to: UInt8.self).span
            guard let valid = try? UTF8Span(validating: span) else { return nil }
            return String(copying: valid)
        }
        guard let string else { return nil }
        self.string = string
    }

    /// The number of bytes.
    package var byteCount: Int { string.utf8.count }

    /// True where there is no byte.
    package var isEmpty: Bool { string.utf8.isEmpty }

    /// Appends the bytes to `output`.
    package func write(to output: inout [UInt8]) {
        output.append(contentsOf: string.utf8)
    }
}

/// True where both hold the same bytes; eight are compared at a time.
package func haveSameBytes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
            var place = 0
            while place &+ 8 <= count {
                let ours = unsafe left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let theirs = unsafe right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                if ours != theirs { return false }
                place &+= 8
            }
            while place < count {
                if unsafe left[place] != right[place] { return false }
                place &+= 1
            }
            return true
        }
    }
}

// By spans: a generic closure over the bytes would cost several times the comparison.
extension Text: Hashable {
    package static func == (left: Text, right: Text) -> Bool {
        haveSameBytes(left.string.utf8.span, right.string.utf8.span)
    }

    package func hash(into hasher: inout Hasher) {
        unsafe string.utf8.span.withUnsafeBytes { bytes in
            unsafe hasher.combine(bytes: bytes)
        }
        hasher.combine(0xFF as UInt8)
    }
}

extension Text: Comparable {
    package static func < (left: Text, right: Text) -> Bool {
        let leftBytes = left.string.utf8.span
        let rightBytes = right.string.utf8.span
        let shared = min(leftBytes.count, rightBytes.count)
        for index in 0..<shared where leftBytes[index] != rightBytes[index] {
            return leftBytes[index] < rightBytes[index]
        }
        return leftBytes.count < rightBytes.count
    }
}

extension Text: ExpressibleByStringLiteral {
    /// Wraps a literal.
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Text: CustomStringConvertible {
    /// The text itself.
    package var description: String { string }
}
