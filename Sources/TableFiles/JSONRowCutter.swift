// The bytes of a file of JSON cut into rows: the members of one list, or one line after the other.
// It only looks for brackets, quotes and commas; what is between them JSONImport.swift reads with
// the strict reader of the wire.

/// Which files of rows there are.
package enum FileShape: Hashable, Sendable {
    /// Fields between delimiters, such as CSV.
    case delimited
    /// One JSON list of objects.
    case json
    /// One JSON object a line.
    case ndjson
}

/// Cuts a file of JSON, given piece by piece, into the texts of its rows.
struct JSONRowCutter: Sendable {
    private enum State {
        /// Before the opening bracket of the list.
        case fileStart
        /// Behind the opening bracket, and behind a comma.
        case listStart, nextRow
        case row
        /// Behind the closing bracket.
        case listEnd
    }

    /// The text of the row that was last cut.
    private(set) var row: [UInt8] = []
    /// The line of the file on which it begins, from 1.
    private(set) var rowLine = 1
    private let isLines: Bool
    private let rowBytesMax: Int
    private var state: State
    private var isRowComplete = false
    /// Brackets of the row that are open.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var line = 1

    init(_ shape: FileShape, rowBytesMax: Int) {
        isLines = shape == .ndjson
        state = isLines ? .nextRow : .fileStart
        self.rowBytesMax = rowBytesMax
    }

    /// Reads on from `position` in a piece until a row is complete; false where it is used up.
    mutating func cut(
        _ bytes: Span<UInt8>, from position: inout Int
    ) throws(FileError) -> Bool {
        if isRowComplete {
            isRowComplete = false
            row.removeAll(keepingCapacity: true)
        }
        while position < bytes.count {
            let byte = bytes[position]
            position &+= 1
            if byte == Byte.lineFeed { line &+= 1 }
            if case .row = state {
                if isLines ? byte == Byte.lineFeed : endsRow(byte) {
                    isRowComplete = true
                    state = isLines || byte == Byte.comma ? .nextRow : .listEnd
                    return true
                }
                try append(byte)
            } else if !isSpace(byte) {
                try begin(with: byte)
            }
        }
        return false
    }

    /// Ends the file; true where that completed a last row.
    mutating func finish() throws(FileError) -> Bool {
        switch state {
        case .row where isLines && !isRowComplete:
            isRowComplete = true
            state = .nextRow
            return true
        case .nextRow where isLines:
            row.removeAll()
            return false
        case .listEnd:
            row.removeAll()
            return false
        case .fileStart: throw FileError(.notJSON("the file is empty; expected a list of objects"))
        default: throw FileError(.notJSON("the file ends within its list"), line: line)
        }
    }

    /// Takes a byte between rows that is no white space.
    private mutating func begin(with byte: UInt8) throws(FileError) {
        switch state {
        case .fileStart:
            guard byte == UInt8(ascii: "[") else {
                throw FileError(
                    .notJSON(
                        "expected a list of objects: [{…}, {…}]; "
                            + "one object a line is the format ndjson"), line: line)
            }
            state = .listStart
        case .listStart where byte == UInt8(ascii: "]"):
            state = .listEnd
        case .listEnd:
            throw FileError(.notJSON("something follows the end of the list"), line: line)
        default:
            state = .row
            rowLine = line
            depth = 0
            isInString = false
            isEscaped = false
            // A comma or bracket without a row before it makes a text that is no object.
            if !isLines { _ = endsRow(byte) }
            try append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) throws(FileError) {
        guard row.count < rowBytesMax else {
            throw FileError(.rowTooLong(bytesMax: rowBytesMax), line: rowLine)
        }
        row.append(byte)
    }

    /// Follows strings and brackets; true for the comma or bracket behind a row.
    private mutating func endsRow(_ byte: UInt8) -> Bool {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == Byte.quote {
                isInString = false
            }
            return false
        }
        switch byte {
        case Byte.quote: isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == 0 { return byte == UInt8(ascii: "]") }
            depth &-= 1
        case Byte.comma: return depth == 0
        default: break
        }
        return false
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == Byte.space || byte == Byte.tab || byte == Byte.lineFeed
            || byte == Byte.carriageReturn
    }
}
