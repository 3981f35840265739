// The cells of one column, by slot. It knows values and their layout in memory, nothing of
// rules. The bytes of texts are in TextArena.swift.
import TableValue

/// The cells of one column in chunks of 1,024 slots; a chunk without a value takes no memory.
///
/// A chunk is one array of words: the values packed by the column's type, then one bit for each
/// slot that says whether there is a value. Null is the absence of that bit, whatever the word.
struct ColumnStore: Sendable {
    static var chunkBits: UInt32 { 10 }
    static var chunkSize: Int { 1 << 10 }
    private static var presenceWords: Int { 16 }

    let type: ColumnType
    private var chunks: [[UInt64]] = []
    private var arenas: [TextArena] = []
    /// The stamps of cells that were written after their row began.
    var stamps = StampMap()

    init(type: ColumnType) {
        self.type = type
    }

    /// How many words hold the values of a chunk.
    private static func valueWords(_ type: ColumnType) -> Int {
        switch type {
        case .text, .int, .double: chunkSize
        case .bool: chunkSize / 64
        case .date: chunkSize / 2
        case .datetime: chunkSize + chunkSize / 4
        case .uuid: chunkSize * 2
        }
    }

    private func isPresent(_ chunk: Int, _ offset: Int) -> Bool {
        guard chunk < chunks.count, !chunks[chunk].isEmpty else { return false }
        let word = chunks[chunk].count - Self.presenceWords + offset >> 6
        return chunks[chunk][word] >> UInt64(offset & 63) & 1 != 0
    }

    // MARK: Reading

    /// The value of a slot.
    func value(_ slot: UInt32) -> Value {
        let chunk = Int(slot >> Self.chunkBits)
        let offset = Int(slot) & (Self.chunkSize - 1)
        guard isPresent(chunk, offset) else { return .null }
        switch type {
        case .text:
            return .text(arenas[chunk].text(at: chunks[chunk][offset]))
        case .int:
            return .int(Int64(bitPattern: chunks[chunk][offset]))
        case .double:
            return .double(Double(bitPattern: chunks[chunk][offset]))
        case .bool:
            return .bool(chunks[chunk][offset >> 6] >> UInt64(offset & 63) & 1 != 0)
        case .date:
            return .date(Day(daysSinceEpoch: days(chunk, offset)))
        case .datetime:
            let instant = Int64(bitPattern: chunks[chunk][offset])
            return .datetime(
                Moment(
                    microsecondsSinceEpoch: instant, offsetMinutes: offsetMinutes(chunk, offset)))
        case .uuid:
            let high = chunks[chunk][offset]
            return .uuid(Identifier128(high: high, low: chunks[chunk][offset + Self.chunkSize]))
        }
    }

    private func days(_ chunk: Int, _ offset: Int) -> Int32 {
        let word = chunks[chunk][offset >> 1]
        return Int32(truncatingIfNeeded: word >> UInt64((offset & 1) << 5))
    }

    private func offsetMinutes(_ chunk: Int, _ offset: Int) -> Int16 {
        let word = chunks[chunk][Self.chunkSize + offset >> 2]
        return Int16(truncatingIfNeeded: word >> UInt64((offset & 3) << 4))
    }

    /// True where the slot holds that value.
    func equals(_ slot: UInt32, _ value: Value) -> Bool {
        let chunk = Int(slot >> Self.chunkBits)
        let offset = Int(slot) & (Self.chunkSize - 1)
        guard isPresent(chunk, offset) else { return value.isNull }
        switch (type, value) {
        case (.text, .text(let text)):
            return arenas[chunk].equals(text, at: chunks[chunk][offset])
        case (.int, .int(let number)):
            return Int64(bitPattern: chunks[chunk][offset]) == number
        case (_, .null):
            return false
        default:
            return self.value(slot) == value
        }
    }

    /// Writes the value of a slot as the content hash reads it.
    func write(_ slot: UInt32, to bytes: inout CanonicalBytes) {
        let chunk = Int(slot >> Self.chunkBits)
        let offset = Int(slot) & (Self.chunkSize - 1)
        if case .text = type, isPresent(chunk, offset) {
            bytes.append(text: arenas[chunk].bytes[TextArena.range(of: chunks[chunk][offset])])
        } else {
            bytes.append(value(slot))
        }
    }

    // MARK: Writing

    /// Stores a value, which must be null or of the column's type.
    ///
    /// - Returns: false, with nothing stored, where the type differs or the chunk is full.
    @discardableResult
    mutating func set(_ slot: UInt32, _ value: Value) -> Bool {
        let chunk = Int(slot >> Self.chunkBits)
        let offset = Int(slot) & (Self.chunkSize - 1)
        if case .null = value {
            clear(chunk, offset)
            return true
        }
        guard fits(value) else { return false }
        if chunk >= chunks.count || chunks[chunk].isEmpty { makeChunk(chunk) }
        if case .text(let text) = value { return store(text, chunk, offset) }
        Self.put(value, at: offset, in: &chunks[chunk])
        return true
    }

    /// True for a value of the column's type; by patterns, which cost nothing.
    private func fits(_ value: Value) -> Bool {
        switch (type, value) {
        case (.text, .text), (.int, .int), (.double, .double), (.bool, .bool), (.date, .date),
            (.datetime, .datetime), (.uuid, .uuid):
            true
        default:
            false
        }
    }

    /// Puts a value that is not a text into the words of its chunk.
    private static func put(_ value: Value, at offset: Int, in words: inout [UInt64]) {
        switch value {
        case .null, .text:
            return
        case .int(let number):
            words[offset] = UInt64(bitPattern: number)
        case .double(let number):
            words[offset] = number.bitPattern
        case .bool(let flag):
            put(flag ? 1 : 0, bits: 1, at: offset, after: 0, in: &words)
        case .date(let day):
            let days = UInt64(UInt32(bitPattern: day.daysSinceEpoch))
            put(days, bits: 32, at: offset, after: 0, in: &words)
        case .datetime(let moment):
            words[offset] = UInt64(bitPattern: moment.microsecondsSinceEpoch)
            let minutes = UInt64(UInt16(bitPattern: moment.offsetMinutes))
            put(minutes, bits: 16, at: offset, after: chunkSize, in: &words)
        case .uuid(let identifier):
            words[offset] = identifier.high
            words[offset + chunkSize] = identifier.low
        }
        markPresent(offset, in: &words)
    }

    private static func markPresent(_ offset: Int, in words: inout [UInt64]) {
        words[words.count - presenceWords + offset >> 6] |= 1 << UInt64(offset & 63)
    }

    /// Puts a number of less than a word's bits at its place among its like.
    private static func put(
        _ number: UInt64, bits: Int, at offset: Int, after: Int, in words: inout [UInt64]
    ) {
        let perWord = 64 / bits
        let shift = UInt64(offset % perWord * bits)
        let mask = (UInt64(1) << UInt64(bits) - 1) << shift
        let word = after + offset / perWord
        words[word] = words[word] & ~mask | number << shift
    }

    private mutating func store(_ text: Text, _ chunk: Int, _ offset: Int) -> Bool {
        guard arenas[chunk].hasRoom(for: text.byteCount) else { return false }
        // A null text has the place 0: no bytes, so nothing is given up.
        let old = chunks[chunk][offset]
        chunks[chunk][offset] = arenas[chunk].store(text, replacing: old)
        Self.markPresent(offset, in: &chunks[chunk])
        compactIfWorthwhile(chunk)
        return true
    }

    private mutating func clear(_ chunk: Int, _ offset: Int) {
        guard isPresent(chunk, offset) else { return }
        let word = chunks[chunk].count - Self.presenceWords + offset >> 6
        chunks[chunk][word] &= ~(1 << UInt64(offset & 63))
        guard case .text = type else { return }
        arenas[chunk].release(chunks[chunk][offset])
        chunks[chunk][offset] = 0
        compactIfWorthwhile(chunk)
    }

    private mutating func compactIfWorthwhile(_ chunk: Int) {
        guard arenas[chunk].isMostlyDead else { return }
        var places = chunks[chunk][..<Self.chunkSize]
        arenas[chunk].compact(&places)
        chunks[chunk].replaceSubrange(..<Self.chunkSize, with: places)
    }

    private mutating func makeChunk(_ chunk: Int) {
        while chunks.count <= chunk {
            chunks.append([])
            if case .text = type { arenas.append(TextArena()) }
        }
        if chunks[chunk].isEmpty {
            chunks[chunk] = [UInt64](
                repeating: 0, count: Self.valueWords(type) + Self.presenceWords)
        }
    }
}

extension ColumnStore {
    /// The bytes that the texts take, dead ones included.
    var textBytesHeld: Int { arenas.reduce(0) { $0 + $1.bytes.count } }
}
