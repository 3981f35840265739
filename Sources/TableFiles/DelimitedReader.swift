// Delimited text into rows: bytes come in pieces of any size, rows go out one at a time.
// The same rows whatever the split. It knows nothing of columns, types or null; next: CheckedRows.

/// Reads rows of fields from the bytes of a file, given piece by piece.
///
/// Feed each piece until `readRow` answers false, then the next; call `finish` at the end:
///
///     var position = 0
///     while try reader.readRow(piece, from: &position) { use(reader.row) }
///     if try reader.finish() { use(reader.row) }
///
/// A field is quoted where its first byte is a quote. A quote inside any other field is refused,
/// since readers disagree about it; so is text between a closing quote and the delimiter. An
/// empty line is a row of one empty field. Fields must be UTF-8.
package struct DelimitedReader: Sendable {
    private enum State {
        /// At the very start, so many bytes of a byte order mark seen.
        case fileStart(matched: Int)
        case fieldStart, plain, quoted
        /// Behind a quote inside a quoted field: its end, or the first of two.
        case quoteSeen
    }

    /// The row that was last completed.
    package private(set) var row = FileRow()
    private var state = State.fileStart(matched: 0)
    private var isRowComplete = false
    /// True behind a CR, when an LF belongs to the same line end.
    private var isAfterCarriageReturn = false
    private var line = 1
    /// Bytes of the file before the current line, and before the current stride.
    private var lineStart = 0
    private var consumed = 0
    /// Where the current field's opening quote stands in the file.
    private var quoteLine = 0
    private var quoteByte = 0

    private let special: SpecialBytes
    private let delimiter: UInt8
    private let quote: UInt8
    private let hasQuote: Bool
    private let limits: FileLimits

    /// Bytes that are looked at before memory and limits are looked at again.
    private static let strideBytes = 64 * 1024

    /// Begins a file.
    package init(_ dialect: Dialect, limits: FileLimits = FileLimits()) {
        delimiter = dialect.delimiter
        // Where there is no quote the delimiter stands in, which is always asked for first.
        quote = dialect.quote ?? dialect.delimiter
        hasQuote = dialect.quote != nil
        special = SpecialBytes(delimiter: delimiter, quote: quote)
        self.limits = limits
    }

    /// Reads on from `position` in a piece of the file until a row is complete.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the file.
    ///   - position: where to go on in it, moved behind what was read.
    /// - Returns: true where `row` is complete; false where the piece is used up.
    /// - Throws: `FileError`; the reader is then of no further use.
    package mutating func readRow(
        _ bytes: Span<UInt8>, from position: inout Int
    ) throws(FileError) -> Bool {
        beginRow()
        while position < bytes.count {
            let start = position
            let end = min(bytes.count, start &+ Self.strideBytes)
            row.makeRoom(end &- start &+ spareBytes)
            let isComplete = try scan(bytes, from: &position, to: end)
            consumed &+= position &- start
            if isComplete { return true }
            try checkLengths()
        }
        return false
    }

    /// Ends the file; true where that completed a last row.
    ///
    /// - Throws: `FileError`.
    package mutating func finish() throws(FileError) -> Bool {
        beginRow()
        row.makeRoom(spareBytes)
        switch state {
        case .fileStart(let matched):
            guard matched > 0 else { return false }
            restoreMark(matched)
        case .fieldStart:
            guard row.count > 0 else { return false }
        case .quoted:
            throw FileError(
                .unterminatedQuote, line: quoteLine, field: row.count + 1, byte: quoteByte)
        case .plain, .quoteSeen:
            break
        }
        try endField()
        try endRow()
        return true
    }

    /// Makes the row as long as the caller says with empty fields.
    mutating func padRow(to count: Int) { row.pad(to: count) }

    private mutating func beginRow() {
        guard isRowComplete else { return }
        isRowComplete = false
        row.removeAll()
        row.line = line
    }

    /// Reads bytes until a row or the stride is complete.
    private mutating func scan(
        _ bytes: Span<UInt8>, from index: inout Int, to end: Int
    ) throws(FileError) -> Bool {
        let start = index
        while index < end {
            switch state {
            case .plain:
                index = row.copyPlain(bytes, from: index, to: end, special, limits)
                guard index < end else { return false }
                let byte = bytes[index]
                if byte == quote && hasQuote {
                    guard row.used == row.fieldStart else {
                        throw failure(.quoteInPlainField, at: index &- start)
                    }
                    state = .fieldStart
                } else {
                    index &+= 1
                    if try endField(at: byte, before: index &- start) { return true }
                }
            case .fieldStart:
                let byte = bytes[index]
                if byte == quote && hasQuote {
                    quoteLine = line
                    quoteByte = consumed &+ index &- start &- lineStart &+ 1
                    index &+= 1
                    state = .quoted
                } else if byte == Byte.lineFeed && isAfterCarriageReturn {
                    index &+= 1
                    lineStart = consumed &+ index &- start
                } else {
                    state = .plain
                }
                isAfterCarriageReturn = false
            case .quoted:
                index = copyQuoted(bytes, from: index, to: end, scanStart: start)
                guard index < end else { return false }
                index &+= 1
                isAfterCarriageReturn = false
                state = .quoteSeen
            case .quoteSeen:
                let byte = bytes[index]
                if byte == quote {
                    row.append(byte)
                    state = .quoted
                } else if byte != delimiter && !isLineEnd(byte) {
                    throw failure(.textAfterQuote, at: index &- start)
                }
                index &+= 1
                if byte != quote, try endField(at: byte, before: index &- start) { return true }
            case .fileStart(let matched):
                index = try readMark(bytes, matched, at: index)
            }
        }
        return false
    }

    /// Copies bytes of a quoted field up to the next quote or the stride's end, and counts lines.
    private mutating func copyQuoted(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, scanStart: Int
    ) -> Int {
        var index = start
        while true {
            let before = index
            index = row.copyQuoted(bytes, from: index, to: end, quote)
            if index > before { isAfterCarriageReturn = false }
            guard index < end, bytes[index] != quote else { return index }
            let byte = bytes[index]
            row.append(byte)
            index &+= 1
            if byte == Byte.carriageReturn || !isAfterCarriageReturn { line &+= 1 }
            lineStart = consumed &+ index &- scanStart
            isAfterCarriageReturn = byte == Byte.carriageReturn
        }
    }

    private func isLineEnd(_ byte: UInt8) -> Bool {
        byte == Byte.lineFeed || byte == Byte.carriageReturn
    }

    /// Passes over a byte order mark, the bytes of which may come one by one.
    private mutating func readMark(
        _ bytes: Span<UInt8>, _ matched: Int, at index: Int
    ) throws(FileError) -> Int {
        let byte = bytes[index]
        if matched == 0 && byte >= 0xFE { throw FileError(.utf16, line: 1, byte: 1) }
        guard byte == byteOrderMark[matched] else {
            restoreMark(matched)
            return index
        }
        if matched == 2 {
            state = .fieldStart
            lineStart = byteOrderMark.count
        } else {
            state = .fileStart(matched: matched + 1)
        }
        return index &+ 1
    }

    /// Takes bytes that were held for the beginnings of a mark as what they are: text.
    private mutating func restoreMark(_ matched: Int) {
        for byte in byteOrderMark[..<matched] { row.append(byte) }
        state = matched == 0 ? .fieldStart : .plain
    }

    /// Ends a field, and the row where the byte behind the field is a line end.
    private mutating func endField(at byte: UInt8, before offset: Int) throws(FileError) -> Bool {
        try endField()
        guard byte != delimiter else { return false }
        try endRow()
        line &+= 1
        lineStart = consumed &+ offset
        isAfterCarriageReturn = byte == Byte.carriageReturn
        return true
    }

    private mutating func endField() throws(FileError) {
        try checkLengths()
        if row.count >= limits.columnsMax {
            throw FileError(.tooManyColumns(max: limits.columnsMax), line: row.line)
        }
        if case .quoteSeen = state {
            row.endField(isQuoted: true)
        } else {
            row.endField(isQuoted: false)
        }
        state = .fieldStart
    }

    private mutating func endRow() throws(FileError) {
        isRowComplete = true
        guard row.mayBeBeyondASCII else { return }
        for field in 0..<row.count {
            let isValid = row.withField(field) { bytes in
                (try? UTF8Span(validating: bytes)) != nil
            }
            if !isValid { throw FileError(.notUTF8, line: row.line, field: field + 1) }
        }
    }

    private func checkLengths() throws(FileError) {
        if row.used &- row.fieldStart > limits.fieldBytesMax {
            throw FileError(
                .fieldTooLong(bytesMax: limits.fieldBytesMax), line: row.line,
                field: row.count + 1)
        }
        if row.used > limits.rowBytesMax {
            throw FileError(.rowTooLong(bytesMax: limits.rowBytesMax), line: row.line)
        }
    }

    private func failure(_ problem: FileError.Problem, at offset: Int) -> FileError {
        FileError(
            problem, line: line, field: row.count + 1,
            byte: consumed &+ offset &- lineStart &+ 1)
    }
}

/// Room beyond the bytes of a stride: for the beginnings of a mark, the end of the last field,
/// and the rest of a word.
private let spareBytes = 16

/// U+FEFF in UTF-8.
private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
