// The innermost loops of the reader: plain and quoted bytes copied up to the next that matters.
// Eight bytes are looked at together; what is special is left to DelimitedReader.

/// The bytes that end a plain field, each eight times in a word.
struct SpecialBytes: Sendable {
    let delimiter: UInt8
    let quote: UInt8
    private let delimiters: UInt64
    private let quotes: UInt64

    /// Takes the dialect's bytes; the same byte twice where there is no quote.
    init(delimiter: UInt8, quote: UInt8) {
        self.delimiter = delimiter
        self.quote = quote
        delimiters = eightfold(delimiter)
        quotes = eightfold(quote)
    }

    /// The highest bit of each byte of the word that is special.
    @inline(__always)
    func hits(in word: UInt64) -> UInt64 {
        zeroBytes(word ^ delimiters) | zeroBytes(word ^ quotes)
            | zeroBytes(word ^ eightfold(Byte.lineFeed))
            | zeroBytes(word ^ eightfold(Byte.carriageReturn))
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == quote || byte == Byte.lineFeed
            || byte == Byte.carriageReturn
    }
}

/// A word of the same byte eight times.
@inline(__always)
private func eightfold(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

/// The highest bit of each byte of the word that is zero, and no other bit.
@inline(__always)
private func zeroBytes(_ word: UInt64) -> UInt64 {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~(((word & low) &+ low) | word | low)
}

/// Bytes that are looked at together.
let wordBytes = 8

extension FileRow {
    /// Copies plain fields up to the first byte that is neither theirs nor a delimiter.
    ///
    /// There must be room for as many bytes as lie between `start` and `end`, and a word.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the file.
    ///   - start: where to begin in it, inside a plain field.
    ///   - end: where to stop at the latest.
    ///   - special: what ends a field.
    ///   - limits: a delimiter that would exceed one is left to the caller.
    /// - Returns: the place of a quote, a line end or such a delimiter, or `end`.
    mutating func copyPlain(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, _ special: SpecialBytes,
        _ limits: FileLimits
    ) -> Int {
        var index = start
        while index &+ wordBytes <= end {
            let word = unsafe UInt64(
                littleEndian: bytes.bytes.unsafeLoadUnaligned(
                    fromByteOffset: index, as: UInt64.self))
            unsafe storage.withUnsafeMutableBytes { output in
                unsafe output.storeBytes(
                    of: word.littleEndian, toByteOffset: used, as: UInt64.self)
            }
            union |= word
            var hits = special.hits(in: word)
            let wordStart = used
            while hits != 0 {
                let offset = hits.trailingZeroBitCount / 8
                used = wordStart &+ offset
                guard UInt8(truncatingIfNeeded: word >> UInt64(offset &* 8)) == special.delimiter,
                    endFieldWithin(limits)
                else { return index &+ offset }
                hits &= hits &- 1
            }
            used = wordStart &+ wordBytes
            index &+= wordBytes
        }
        while index < end {
            let byte = bytes[index]
            if special.contains(byte) {
                guard byte == special.delimiter, endFieldWithin(limits) else { return index }
            } else {
                append(byte)
            }
            index &+= 1
        }
        return index
    }

    /// Ends a plain field unless it or the row would be too long.
    @inline(__always)
    private mutating func endFieldWithin(_ limits: FileLimits) -> Bool {
        guard used &- fieldStart <= limits.fieldBytesMax, marks.count < limits.columnsMax else {
            return false
        }
        endField(isQuoted: false)
        return true
    }

    /// Copies bytes of a quoted field up to the first quote or line end.
    ///
    /// There must be room for as many bytes as lie between `start` and `end`.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the file.
    ///   - start: where to begin in it, inside a quoted field.
    ///   - end: where to stop at the latest.
    ///   - quote: the byte that ends it.
    /// - Returns: the place of a quote or a line end, or `end`.
    mutating func copyQuoted(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, _ quote: UInt8
    ) -> Int {
        var index = start
        var target = used
        var seen = UInt8(0)
        unsafe storage.withUnsafeMutableBufferPointer { output in
            while index < end {
                let byte = bytes[index]
                if byte == quote || byte == Byte.lineFeed || byte == Byte.carriageReturn { break }
                unsafe output[target] = byte
                seen |= byte
                target &+= 1
                index &+= 1
            }
        }
        used = target
        union |= UInt64(seen)
        return index
    }
}
