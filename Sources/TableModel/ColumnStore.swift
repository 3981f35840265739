// The cells of one column, by slot. It knows values and their layout in memory, nothing of
// rules. How each type is packed into words is in CellWords.swift, texts are in TextArena.swift.
import TableValue

/// The cells of one column in chunks of 2,048 slots; a chunk without a value takes no memory.
///
/// A chunk is one array of words. A word of zero is an empty cell: values are stored so that
/// none is zero, but for one value that nobody has, whose slots are noted (`exceptions`). So one
/// look at one word tells all: looking at a large table is waiting for memory.
struct ColumnStore: Sendable {
    static var chunkBits: UInt32 { 11 }
    static var chunkSize: Int { 1 << 11 }

    let type: ColumnType
    /// True where writing here concerns a rule of a column; kept by RuleBook.swift.
    var isRuled = false
    var chunks: [[UInt64]] = []
    var arenas: [TextArena] = []
    /// Slots whose word is zero and which have a value nevertheless.
    var exceptions = SlotBits()
    /// The stamps of cells that were written after their row began.
    var stamps = StampMap()

    init(type: ColumnType) {
        self.type = type
    }

    /// A slot's chunk, and its place in that.
    struct Place {
        let slot: UInt32
        var chunk: Int { Int(slot >> ColumnStore.chunkBits) }
        var offset: Int { Int(slot) & (ColumnStore.chunkSize - 1) }
    }

    private func hasChunk(_ place: Place) -> Bool {
        place.chunk < chunks.count && !chunks[place.chunk].isEmpty
    }

    // MARK: Reading

    /// The value of a slot.
    func value(_ slot: UInt32) -> Value {
        let place = Place(slot: slot)
        guard hasChunk(place) else { return .null }
        switch type {
        case .text: return text(place).map { .text($0) } ?? .null
        case .choice: return text(place).map { .choice($0) } ?? .null
        case .list: return text(place).map { .list(CanonicalJSON(stored: $0)) } ?? .null
        case .json: return text(place).map { .json(CanonicalJSON(stored: $0)) } ?? .null
        case .int:
            return number(place).map { .int(Int64(bitPattern: $0)) } ?? .null
        case .double:
            return number(place).map { .double(Double(bitPattern: $0)) } ?? .null
        case .bool:
            return flag(place).map { .bool($0) } ?? .null
        case .date:
            return days(place).map { .date(Day(daysSinceEpoch: $0)) } ?? .null
        case .datetime:
            return moment(place).map { .datetime($0) } ?? .null
        case .uuid:
            return identifier(place).map { .uuid($0) } ?? .null
        case .decimal:
            return decimal(place).map { .decimal($0) } ?? .null
        }
    }

    /// True where the values are texts in the arenas.
    var isTextual: Bool {
        switch type {
        case .text, .choice, .list, .json: true
        case .int, .double, .bool, .date, .datetime, .uuid, .decimal: false
        }
    }

    /// The slots that have a value, or had one written or taken.
    func usedSlots(below end: UInt32) -> [UInt32] { (0..<end).filter(isUsed) }

    /// True where a slot has a value, or had one written or taken.
    func isUsed(_ slot: UInt32) -> Bool { stamps[slot] != nil || !equals(slot, .null) }

    /// The bytes of the text in which a slot's value is kept; 0 for values kept as numbers.
    func textByteCount(_ slot: UInt32) -> Int {
        let place = Place(slot: slot)
        guard isTextual, hasChunk(place) else { return 0 }
        return TextArena.range(of: chunks[place.chunk][place.offset]).count
    }

    private func text(_ place: Place) -> Text? {
        let text = chunks[place.chunk][place.offset]
        return text == 0 ? nil : arenas[place.chunk].text(at: text)
    }

    /// True where the slot holds that value.
    func equals(_ slot: UInt32, _ value: Value) -> Bool {
        let place = Place(slot: slot)
        guard hasChunk(place) else { return value.isNull }
        switch (type, value) {
        case (.text, .text(let text)):
            let present = chunks[place.chunk][place.offset]
            return present != 0 && arenas[place.chunk].equals(text, at: present)
        case (.int, .int(let wanted)):
            return number(place) == UInt64(bitPattern: wanted)
        default:
            return self.value(slot) == value
        }
    }

    /// Writes the value of a slot as the content hash reads it.
    func write(_ slot: UInt32, to bytes: inout CanonicalBytes) {
        let place = Place(slot: slot)
        if case .text = type, hasChunk(place), chunks[place.chunk][place.offset] != 0 {
            let range = TextArena.range(of: chunks[place.chunk][place.offset])
            bytes.append(text: arenas[place.chunk].bytes[range])
        } else {
            bytes.append(value(slot))
        }
    }

    /// The bytes that the texts take, dead ones included.
    var textBytesHeld: Int { arenas.reduce(0) { $0 + $1.bytes.count } }

    /// About how many bytes its values take in memory.
    var byteCount: Int {
        chunks.reduce(0) { $0 + $1.count * 8 } + textBytesHeld
    }

    // MARK: Writing

    /// Stores a value, which must be null or of the column's type.
    ///
    /// - Returns: false, with nothing stored, where the type differs or the chunk is full.
    @discardableResult
    mutating func set(_ slot: UInt32, _ value: Value) -> Bool {
        let place = Place(slot: slot)
        if case .null = value {
            if hasChunk(place) { clear(place) }
            return true
        }
        guard fits(value) else { return false }
        if !hasChunk(place) { makeChunk(place.chunk) }
        switch value {
        case .null: break
        case .text(let text): return store(text, place)
        case .int(let number): put(UInt64(bitPattern: number), place)
        case .double(let number): put(number.bitPattern, place)
        case .bool(let flag): put(flag, place)
        case .date(let day): put(day.daysSinceEpoch, place)
        case .datetime(let moment): put(moment, place)
        case .uuid(let identifier): put(identifier, place)
        case .decimal(let decimal): put(decimal, place)
        case .choice(let text): return store(text, place)
        case .list(let json), .json(let json): return store(json.text, place)
        }
        return true
    }

    /// True for a value of the column's type; by patterns, which cost nothing.
    private func fits(_ value: Value) -> Bool {
        switch (type, value) {
        case (.text, .text), (.int, .int), (.double, .double), (.bool, .bool), (.date, .date),
            (.datetime, .datetime), (.uuid, .uuid), (.decimal, .decimal), (.choice, .choice),
            (.list, .list), (.json, .json):
            true
        default:
            false
        }
    }

    private mutating func store(_ text: Text, _ place: Place) -> Bool {
        guard arenas[place.chunk].hasRoom(for: text.byteCount) else { return false }
        let old = chunks[place.chunk][place.offset]
        chunks[place.chunk][place.offset] = arenas[place.chunk].store(text, replacing: old)
        compactIfWorthwhile(place.chunk)
        return true
    }

    private mutating func clear(_ place: Place) {
        guard isTextual else {
            clearWords(place)
            return
        }
        arenas[place.chunk].release(chunks[place.chunk][place.offset])
        chunks[place.chunk][place.offset] = 0
        compactIfWorthwhile(place.chunk)
    }

    private mutating func compactIfWorthwhile(_ chunk: Int) {
        if arenas[chunk].isMostlyDead { arenas[chunk].compact(&chunks[chunk]) }
    }

    private mutating func makeChunk(_ chunk: Int) {
        while chunks.count <= chunk {
            chunks.append([])
            if isTextual { arenas.append(TextArena()) }
        }
        chunks[chunk] = [UInt64](repeating: 0, count: wordsInChunk)
    }
}
