// Objects of a JSON text: each kind of object names its keys in an enum, and a key is compared
// with them as bytes. Unknown and repeated keys are refused here, for every object.
// Next: JSONValidator.swift.
package import TableValue

/// The keys of one kind of object, as an enum of their names.
///
///     enum PointKey: String, JSONKeySet {
///         case x, y
///         static let lookup = JSONKeyTable<PointKey>()
///     }
///
/// It has at most 64 cases, of at most 24 bytes each.
package protocol JSONKeySet: RawRepresentable<String>, CaseIterable, Sendable {
    /// Its names, prepared for look-up.
    static var lookup: JSONKeyTable<Self> { get }
}

/// The names of a set of keys, in order of their length.
package struct JSONKeyTable<Key: JSONKeySet>: Sendable {
    private let entries: [(words: KeyWords, key: Key)]
    /// Where the entries of a length begin; one more for the end of the last.
    private let starts: [Int]

    /// Prepares the names of `Key`.
    package init() {
        var sorted: [(words: KeyWords, key: Key)] = []
        var starts = [0]
        for length in 0...KeyWords.byteCountMax {
            for key in Key.allCases where key.rawValue.utf8.count == length {
                sorted.append((KeyWords(Array(key.rawValue.utf8)), key))
            }
            starts.append(sorted.count)
        }
        precondition(sorted.count == Key.allCases.count, "a key has more than 24 bytes")
        precondition(sorted.count <= 64, "an object has more than 64 keys")
        entries = sorted
        self.starts = starts
    }

    /// The key of that name, and its number among all.
    @inline(__always)
    func find(_ words: KeyWords, length: Int) -> (index: Int, key: Key)? {
        guard length <= KeyWords.byteCountMax else { return nil }
        var index = starts[length]
        let last = starts[length &+ 1]
        while index < last {
            if entries[index].words == words { return (index, entries[index].key) }
            index &+= 1
        }
        return nil
    }
}

/// A key of at most 24 bytes as three words, filled up with zeros.
struct KeyWords: Equatable, Sendable {
    static let byteCountMax = 24

    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0

    init(first: UInt64 = 0) {
        self.first = first
    }

    /// The words of a key; bytes beyond the limit are left out.
    init(_ bytes: [UInt8]) {
        for (index, byte) in bytes.prefix(Self.byteCountMax).enumerated() {
            append(byte, at: index)
        }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8, at index: Int) {
        let shifted = UInt64(byte) &<< UInt64((index & 7) &* 8)
        if index < 8 {
            first |= shifted
        } else if index < 16 {
            second |= shifted
        } else {
            third |= shifted
        }
    }
}

/// An object that is being read, key by key.
///
///     var object = try reader.beginObject(PointKey.self)
///     while let key = try object.next(&reader) {
///         switch key {
///         case .x: x = try reader.readInteger()
///         case .y: y = try reader.readInteger()
///         }
///     }
package struct JSONObject<Key: JSONKeySet> {
    private var seen: UInt64 = 0
    private var isFirst = true

    /// Goes to the value of the next key; nil once the object has been left.
    ///
    /// Throws for a key that is not of this kind of object or comes again.
    package mutating func next(_ reader: inout JSONReader) throws(WireError) -> Key? {
        guard try reader.nextMember(isFirst: &isFirst, closing: UInt8(ascii: "}")) else {
            return nil
        }
        reader.skipSpace()
        let place = reader.offset
        let (words, length) = try reader.readKeyWords()
        guard let (index, key) = Key.lookup.find(words, length: length) else {
            throw reader.malformed("an unknown field", at: place)
        }
        let bit: UInt64 = 1 &<< UInt64(index)
        guard seen & bit == 0 else { throw reader.malformed("a field comes twice", at: place) }
        seen |= bit
        try reader.passColon()
        return key
    }
}

/// An object whose keys are not known beforehand, such as column names.
package struct JSONFreeObject {
    private var isFirst = true
    /// The keys so far; in `index` too once they are many.
    private var seen: [Text] = []
    private var index: Set<Text> = []

    /// Goes to the value of the next key, which must not have come before; nil at the end.
    package mutating func next(_ reader: inout JSONReader) throws(WireError) -> Text? {
        guard try reader.nextMember(isFirst: &isFirst, closing: UInt8(ascii: "}")) else {
            return nil
        }
        reader.skipSpace()
        let place = reader.offset
        let key = try reader.readKeyText()
        guard insert(key) else { throw reader.malformed("a field comes twice", at: place) }
        try reader.passColon()
        return key
    }

    /// Notes a key; false where it has come before.
    private mutating func insert(_ key: Text) -> Bool {
        if seen.count < 8 {
            if seen.contains(key) { return false }
            seen.append(key)
            return true
        }
        if index.isEmpty { index.formUnion(seen) }
        return index.insert(key).inserted
    }
}

extension JSONReader {
    /// Enters an object with the keys of `Key`.
    package mutating func beginObject<Key: JSONKeySet>(
        _: Key.Type
    ) throws(WireError) -> JSONObject<Key> {
        try enter(UInt8(ascii: "{"), "expected an object")
        return JSONObject()
    }

    /// Enters an object with any keys.
    package mutating func beginFreeObject() throws(WireError) -> JSONFreeObject {
        try enter(UInt8(ascii: "{"), "expected an object")
        return JSONFreeObject()
    }

    /// Reads an object that has exactly one key, and gives its value to `body`.
    package mutating func readSingle<Key: JSONKeySet, Result>(
        _: Key.Type, _ body: (inout JSONReader, Key) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        var object = try beginObject(Key.self)
        guard let key = try object.next(&self) else {
            throw malformed("the object is empty", at: offset &- 1)
        }
        let result = try body(&self, key)
        let place = offset
        guard try object.next(&self) == nil else {
            throw malformed("the object has more than one field", at: place)
        }
        return result
    }

    /// Reads a key as words; zeros and its length where it has more than 24 bytes.
    @inline(__always)
    mutating func readKeyWords() throws(WireError) -> (KeyWords, length: Int) {
        guard current == UInt8(ascii: "\"") else { throw malformed("expected a key in quotes") }
        let start = offset &+ 1
        // Nearly all keys have at most eight bytes and stand where eight can be loaded.
        if start &+ 8 <= end {
            let word = word(at: start)
            let hits = stringStops(in: word) | (word & 0x8080_8080_8080_8080)
            let bits = UInt64(hits.trailingZeroBitCount & ~7)
            if hits != 0, (word &>> bits) & 0xFF == UInt64(UInt8(ascii: "\"")) {
                let length = Int(bits) / 8
                offset = start &+ length &+ 1
                return (KeyWords(first: word & ((1 &<< bits) &- 1)), length)
            }
        }
        return try readLongKeyWords()
    }

    /// Reads a key that is longer than eight bytes, has escapes, or stands near the end.
    @inline(never)
    private mutating func readLongKeyWords() throws(WireError) -> (KeyWords, length: Int) {
        let start = offset &+ 1
        var words = KeyWords()
        var length = 0
        while length <= KeyWords.byteCountMax {
            let byte = byte(at: start &+ length)
            if byte == UInt8(ascii: "\"") {
                offset = start &+ length &+ 1
                return (words, length)
            }
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { break }
            if length < KeyWords.byteCountMax { words.append(byte, at: length) }
            length &+= 1
        }
        let key = try readKeyText()
        guard key.byteCount <= KeyWords.byteCountMax else { return (KeyWords(), key.byteCount) }
        return (KeyWords(Array(key.string.utf8)), key.byteCount)
    }

    /// Reads a key as text.
    mutating func readKeyText() throws(WireError) -> Text {
        guard current == UInt8(ascii: "\"") else { throw malformed("expected a key in quotes") }
        let token = try scanString()
        // An escape makes six bytes of at least one, so longer ones need no unescaping.
        guard (token.end &- token.start) / 6 <= limits.keyBytesMax else { throw tooLong(token) }
        let key = try text(of: token)
        guard key.byteCount <= limits.keyBytesMax else { throw tooLong(token) }
        return key
    }

    private func tooLong(_ key: JSONStringToken) -> WireError {
        malformed("a key has more than \(limits.keyBytesMax) bytes", at: key.start)
    }
}
