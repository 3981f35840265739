// Ids as they stand in strings: sessions, rows, runs of rows, columns and tables.
// A run is counted before it is unfolded. Next: ClientReader.swift.
package import TableModel
package import TableValue

/// A decimal number without leading zeros, and what follows it.
@inline(__always)
private func scanDecimal(
    _ bytes: Span<UInt8>, at index: inout Int, max: UInt64
) -> UInt64? {
    let start = index
    var number: UInt64 = 0
    while index < bytes.count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        number = number &* 10 &+ UInt64(digit)
        guard number <= max else { return nil }
        index &+= 1
    }
    guard index > start, index == start &+ 1 || bytes[start] != UInt8(ascii: "0") else {
        return nil
    }
    return number
}

/// The session and counter of `s12.4071` (or with another letter), and what follows them.
@inline(__always)
private func scanPair(
    _ bytes: Span<UInt8>, letter: UInt8, at index: inout Int
) -> (session: SessionNumber, counter: UInt32)? {
    guard index < bytes.count, bytes[index] == letter else { return nil }
    index &+= 1
    guard let session = scanDecimal(bytes, at: &index, max: 0x7FFF_FFFF),
        index < bytes.count, bytes[index] == UInt8(ascii: ".")
    else { return nil }
    index &+= 1
    guard let counter = scanDecimal(bytes, at: &index, max: UInt64(UInt32.max)), counter > 0
    else { return nil }
    return (SessionNumber(truncating: UInt32(session)), UInt32(counter))
}

/// The number of `t3`, where the whole is one.
private func scanNumbered(
    _ bytes: Span<UInt8>, letter: UInt8, max: UInt64
) -> UInt64? {
    guard bytes.count > 0, bytes[0] == letter else { return nil }
    var index = 1
    guard let number = scanDecimal(bytes, at: &index, max: max),
        index == bytes.count
    else { return nil }
    return number
}

extension RowID {
    /// Reads `s12.4071`; nil for anything else.
    package init?(text bytes: Span<UInt8>) {
        var index = 0
        guard let pair = scanPair(bytes, letter: UInt8(ascii: "s"), at: &index),
            index == bytes.count
        else { return nil }
        self.init(session: pair.session, counter: pair.counter)
    }

    /// Reads `s12.4071`; nil for anything else.
    package init?(_ text: Text) {
        guard let row = RowID(text: text.string.utf8.span) else { return nil }
        self = row
    }
}

extension ColumnID {
    /// Reads `c12.3`; nil for anything else.
    package init?(text bytes: Span<UInt8>) {
        var index = 0
        guard let pair = scanPair(bytes, letter: UInt8(ascii: "c"), at: &index),
            index == bytes.count
        else { return nil }
        self.init(session: pair.session, counter: pair.counter)
    }

    /// Reads `c12.3`; nil for anything else.
    package init?(_ text: Text) {
        guard let column = ColumnID(text: text.string.utf8.span) else { return nil }
        self = column
    }
}

extension TableID {
    /// Reads `t3`; nil for anything else.
    package init?(_ text: Text) {
        self.init(text: text.string.utf8.span)
    }

    /// Reads `t3`; nil for anything else.
    package init?(text bytes: Span<UInt8>) {
        let number = scanNumbered(
            bytes, letter: UInt8(ascii: "t"), max: UInt64(Int64.max) / 16)
        guard let number, number > 0 else { return nil }
        self.init(rawValue: Int64(number))
    }
}

extension JSONReader {
    /// Reads a row's id.
    package mutating func readRow() throws(WireError) -> RowID {
        skipSpace()
        let place = offset
        guard let row = try withStringBytes({ RowID(text: $0) }) else {
            throw malformed("expected a row's id, such as s12.4071", at: place)
        }
        return row
    }

    /// Reads a row's id or null.
    package mutating func readRowOrNull() throws(WireError) -> RowID? {
        if try readNull() { return nil }
        return try readRow()
    }

    /// Reads a list of rows and runs of rows.
    ///
    /// Runs are unfolded while all lists of the text together stay within `limits.partsMax`
    /// rows; beyond, rows are only checked and `hasTooManyRows` is set.
    package mutating func readRows() throws(WireError) -> [RowID] {
        var rows: [RowID] = []
        var list = try beginArray()
        while try list.next(&self) {
            let place = offset
            guard let run = try withStringBytes({ scanRun($0) }) else {
                throw malformed("expected a row or a run, such as s12.1-256", at: place)
            }
            let count = Int(run.last &- run.first.counter) &+ 1
            guard count <= rowsLeft else {
                rowsLeft = 0
                hasTooManyRows = true
                continue
            }
            rowsLeft &-= count
            rows.append(run.first)
            if count == 1 { continue }
            for counter in (run.first.counter &+ 1)...run.last {
                rows.append(RowID(session: run.first.session, counter: counter))
            }
        }
        return rows
    }

    /// Reads the rules of a column, as a server sends them.
    mutating func readRules() throws(WireError) -> ColumnRules {
        skipSpace()
        let place = offset
        let tree = try readTree()
        do {
            return try ColumnRules(tree)
        } catch {
            throw malformed(error.reason, at: place)
        }
    }

    /// Reads a column's id.
    package mutating func readColumn() throws(WireError) -> ColumnID {
        skipSpace()
        let place = offset
        guard let column = try withStringBytes({ ColumnID(text: $0) }) else {
            throw malformed("expected a column's id, such as c12.3", at: place)
        }
        return column
    }

    /// Reads a column's id or null.
    package mutating func readColumnOrNull() throws(WireError) -> ColumnID? {
        if try readNull() { return nil }
        return try readColumn()
    }

    /// Reads a list of columns' ids.
    package mutating func readColumns() throws(WireError) -> [ColumnID] {
        var columns: [ColumnID] = []
        var list = try beginArray()
        while try list.next(&self) { columns.append(try readColumn()) }
        return columns
    }

    /// Reads a column's id or name.
    package mutating func readColumnReference() throws(WireError) -> ColumnReference {
        skipSpace()
        let place = offset
        if let id = try readPlainString({ ColumnID(text: $0) }) { return .id(id) }
        return try columnReference(try readName(), at: place)
    }

    /// The column that a text names.
    func columnReference(_ text: Text, at place: Int) throws(WireError) -> ColumnReference {
        if let id = ColumnID(text) { return .id(id) }
        if NameKind.column.hasIDShape(text) {
            throw malformed("no column can have this id", at: place)
        }
        return .name(text)
    }

    /// Reads a table's id.
    package mutating func readTableID() throws(WireError) -> TableID {
        skipSpace()
        let place = offset
        guard let table = try withStringBytes({ TableID(text: $0) }) else {
            throw malformed("expected a table's id, such as t3", at: place)
        }
        return table
    }

    /// Reads a table's id or name.
    package mutating func readTableReference() throws(WireError) -> TableReference {
        skipSpace()
        let place = offset
        if let id = try readPlainString({ TableID(text: $0) }) { return .id(id) }
        let text = try readName()
        if let id = TableID(text) { return .id(id) }
        if NameKind.table.hasIDShape(text) {
            throw malformed("no table can have this id", at: place)
        }
        return .name(text)
    }

    /// Gives the bytes of a string of ASCII without escapes to `body`.
    ///
    /// Where it is another string, or `body` returns nil, the string is still to be read.
    @inline(__always)
    private mutating func readPlainString<Result>(
        _ body: (Span<UInt8>) -> Result?
    ) throws(WireError) -> Result? {
        let place = offset
        let token = try scanString()
        if !token.hasEscapes, token.isASCII {
            let bytes = unsafe UnsafeBufferPointer(
                start: base + token.start, count: token.end &- token.start)
            if let result = body(unsafe bytes.span) { return result }
        }
        offset = place
        return nil
    }

    /// Reads a session's number.
    package mutating func readSession() throws(WireError) -> SessionNumber {
        skipSpace()
        let place = offset
        let number = try withStringBytes {
            scanNumbered($0, letter: UInt8(ascii: "s"), max: 0x7FFF_FFFF)
        }
        guard let number else { throw malformed("expected a session, such as s12", at: place) }
        return SessionNumber(truncating: UInt32(number))
    }
}

/// A row, or the first row and last counter of a run.
private func scanRun(_ bytes: Span<UInt8>) -> (first: RowID, last: UInt32)? {
    var index = 0
    guard let pair = scanPair(bytes, letter: UInt8(ascii: "s"), at: &index) else {
        return nil
    }
    let first = RowID(session: pair.session, counter: pair.counter)
    if index == bytes.count { return (first, pair.counter) }
    guard bytes[index] == UInt8(ascii: "-") else { return nil }
    index &+= 1
    guard let last = scanDecimal(bytes, at: &index, max: UInt64(UInt32.max)),
        index == bytes.count, last >= UInt64(pair.counter)
    else { return nil }
    return (first, UInt32(last))
}
