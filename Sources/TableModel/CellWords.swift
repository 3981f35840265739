// How the values of each type but text are packed into the words of a chunk.
// Where chunks lie is ColumnStore.swift's business; texts have an arena, TextArena.swift.
import TableValue

extension ColumnStore {
    /// Numbers are stored exclusive-or this one, so that zero is free to mean an empty cell.
    ///
    /// No int that people write, no moment and no UUID version is near it, and as a double it is
    /// none of the NaNs that are stored.
    private static var mask: UInt64 { 0xFFF4_9E37_79B9_7F4B }
    /// The same for days, far outside of the years 1 to 9999.
    private static var dayMask: UInt32 { 0x9E37_79B9 }

    /// How many words a chunk has.
    var wordsInChunk: Int {
        switch type {
        case .text, .choice, .list, .json, .int, .double: Self.chunkSize
        // Two bits each: 0 empty, 1 false, 2 true.
        case .bool: Self.chunkSize / 32
        case .date: Self.chunkSize / 2
        // The instants, then sixteen bits each for the offsets.
        case .datetime: Self.chunkSize + Self.chunkSize / 4
        // The upper halves, then the lower ones.
        case .uuid: Self.chunkSize * 2
        // The lower halves, the upper ones, then eight bits each for the scales.
        case .decimal: Self.chunkSize * 2 + Self.chunkSize / 8
        }
    }

    /// True for a slot whose word is zero although it has a value.
    private func isException(_ place: Place) -> Bool {
        !exceptions.isEmpty && exceptions[place.slot]
    }

    private mutating func noteException(_ isException: Bool, _ place: Place) {
        if isException || self.isException(place) { exceptions.set(place.slot, isException) }
    }

    mutating func clearWords(_ place: Place) {
        noteException(false, place)
        switch type {
        case .bool: putPart(0, bits: 2, place)
        case .date: putPart(0, bits: 32, place)
        default: chunks[place.chunk][place.offset] = 0
        }
    }

    // MARK: Whole words

    func number(_ place: Place) -> UInt64? {
        let word = chunks[place.chunk][place.offset]
        return word == 0 && !isException(place) ? nil : word ^ Self.mask
    }

    mutating func put(_ number: UInt64, _ place: Place) {
        let word = number ^ Self.mask
        chunks[place.chunk][place.offset] = word
        noteException(word == 0, place)
    }

    func identifier(_ place: Place) -> Identifier128? {
        guard let high = number(place) else { return nil }
        return Identifier128(high: high, low: chunks[place.chunk][place.offset + Self.chunkSize])
    }

    mutating func put(_ identifier: Identifier128, _ place: Place) {
        put(identifier.high, place)
        chunks[place.chunk][place.offset + Self.chunkSize] = identifier.low
    }

    func decimal(_ place: Place) -> ExactDecimal? {
        guard let low = number(place) else { return nil }
        let scale = part(bits: 8, after: Self.chunkSize * 2, place)
        return ExactDecimal(
            high: chunks[place.chunk][place.offset + Self.chunkSize], low: low,
            scale: UInt8(truncatingIfNeeded: scale))
    }

    mutating func put(_ decimal: ExactDecimal, _ place: Place) {
        put(decimal.words.low, place)
        chunks[place.chunk][place.offset + Self.chunkSize] = decimal.words.high
        putPart(UInt64(decimal.scale), bits: 8, after: Self.chunkSize * 2, place)
    }

    func moment(_ place: Place) -> Moment? {
        guard let instant = number(place) else { return nil }
        let minutes = part(bits: 16, after: Self.chunkSize, place)
        return Moment(
            microsecondsSinceEpoch: Int64(bitPattern: instant),
            offsetMinutes: Int16(truncatingIfNeeded: minutes))
    }

    mutating func put(_ moment: Moment, _ place: Place) {
        put(UInt64(bitPattern: moment.microsecondsSinceEpoch), place)
        let minutes = UInt64(UInt16(bitPattern: moment.offsetMinutes))
        putPart(minutes, bits: 16, after: Self.chunkSize, place)
    }

    // MARK: Parts of words

    func flag(_ place: Place) -> Bool? {
        let bits = part(bits: 2, place) & 3
        return bits == 0 ? nil : bits == 2
    }

    mutating func put(_ flag: Bool, _ place: Place) {
        putPart(flag ? 2 : 1, bits: 2, place)
    }

    func days(_ place: Place) -> Int32? {
        let word = UInt32(truncatingIfNeeded: part(bits: 32, place))
        return word == 0 && !isException(place) ? nil : Int32(bitPattern: word ^ Self.dayMask)
    }

    mutating func put(_ days: Int32, _ place: Place) {
        let word = UInt64(UInt32(bitPattern: days) ^ Self.dayMask)
        putPart(word, bits: 32, place)
        noteException(word == 0, place)
    }

    /// The word in which a slot's part stands among its like, and how far up in it.
    private func position(bits: Int, after: Int, _ place: Place) -> (word: Int, shift: UInt64) {
        let bit = place.offset * bits
        return (after + bit >> 6, UInt64(bit & 63))
    }

    private func part(bits: Int, after: Int = 0, _ place: Place) -> UInt64 {
        let (word, shift) = position(bits: bits, after: after, place)
        return chunks[place.chunk][word] >> shift
    }

    private mutating func putPart(_ number: UInt64, bits: Int, after: Int = 0, _ place: Place) {
        let (word, shift) = position(bits: bits, after: after, place)
        let mask = (UInt64(1) << UInt64(bits) - 1) << shift
        chunks[place.chunk][word] = chunks[place.chunk][word] & ~mask | number << shift
    }
}
