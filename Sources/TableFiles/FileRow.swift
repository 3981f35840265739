// One row of a file as bytes: all fields in one buffer that is used again for the next row.
// No field becomes a String here; TypeInference and ImportRows look at the bytes.
package import TableValue

/// The fields of one row, unquoted, with a note of which were quoted.
package struct FileRow: Sendable {
    /// The line of the file on which the row begins, from 1.
    package internal(set) var line = 1
    /// The bytes of all fields with one byte of no meaning between them; valid up to `used`.
    var storage: [UInt8] = []
    /// The bytes in use.
    var used = 0
    /// Where the field that is not ended yet begins.
    var fieldStart = 0
    /// All bytes or-ed together, eight at a time, to know whether any is beyond ASCII.
    var union: UInt64 = 0
    /// For each field where it ends in `storage`, times two, plus one where it was quoted.
    var marks: [Int] = []

    /// The number of fields.
    package var count: Int { marks.count }

    /// Where the bytes of a field lie in `storage`.
    func range(of field: Int) -> Range<Int> {
        let start = field == 0 ? 0 : marks[field &- 1] >> 1 &+ 1
        return start..<(marks[field] >> 1)
    }

    /// True where the field was written in quotes.
    package func isQuoted(_ field: Int) -> Bool { marks[field] & 1 == 1 }

    /// True where the field has no byte.
    package func isEmpty(_ field: Int) -> Bool { range(of: field).isEmpty }

    /// True for what an empty line gives: one field, empty and not quoted.
    package var isBlank: Bool { marks.count == 1 && marks[0] == 0 }

    /// Gives the bytes of a field, from 0, to `body` without copying them.
    package func withField<Result, Failure: Error>(
        _ field: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = storage.span
        return try body(bytes.extracting(range(of: field)))
    }

    /// The text of a field, from 0.
    package func text(_ field: Int) -> Text {
        // The reader lets only UTF-8 through.
        withField(field) { bytes in unsafe Text(validating: bytes.bytes) } ?? ""
    }

    /// True where a byte may be beyond ASCII.
    var mayBeBeyondASCII: Bool { union & 0x8080_8080_8080_8080 != 0 }

    /// Ends a field; there must be room for one byte.
    mutating func endField(isQuoted: Bool) {
        marks.append(used << 1 | (isQuoted ? 1 : 0))
        used &+= 1
        fieldStart = used
    }

    /// Adds empty fields that are not quoted until there are `count`.
    mutating func pad(to count: Int) {
        makeRoom(max(0, count - marks.count))
        while marks.count < count { endField(isQuoted: false) }
    }

    /// Empties the row and keeps its memory.
    mutating func removeAll() {
        used = 0
        fieldStart = 0
        union = 0
        marks.removeAll(keepingCapacity: true)
    }

    /// Makes sure that `count` more bytes fit.
    mutating func makeRoom(_ count: Int) {
        let missing = used &+ count &- storage.count
        if missing > 0 {
            storage.append(contentsOf: repeatElement(0, count: max(missing, storage.count)))
        }
    }

    /// Adds one byte; there must be room.
    mutating func append(_ byte: UInt8) {
        storage[used] = byte
        union |= UInt64(byte)
        used &+= 1
    }
}
