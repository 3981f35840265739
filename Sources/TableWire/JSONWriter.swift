// A writer of JSON text: compact, keys in the order in which they are given, strings escaped only
// where JSON demands it. It does not check that the calls make a whole; its tests do.
// The reader of what it writes is JSONReader.swift.
package import TableModel
package import TableValue

/// Writes JSON into bytes, keeping track of commas.
///
///     var writer = JSONWriter(taking: &output)
///     writer.beginObject()
///     writer.key("x")
///     writer.integer(4)
///     writer.endObject()
///     writer.endLine()
///     output = writer.bytes
package struct JSONWriter: Sendable {
    /// What has been written, behind what was there before.
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Goes on behind `output`, which is left empty so that nothing is copied.
    package init(taking output: inout [UInt8]) {
        bytes = []
        swap(&bytes, &output)
    }

    /// Puts a comma where a value or key stands before.
    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends a literal as it is.
    ///
    /// It stands for whole tokens; `needsComma` tells whether a value has ended with it.
    @inline(__always)
    mutating func raw(_ literal: StaticString, needsComma: Bool) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: literal.utf8Start, count: literal.utf8CodeUnitCount))
        self.needsComma = needsComma
    }

    /// Begins an object.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends an object.
    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins a list.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends a list.
    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Ends the line; the next value begins a new one.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes a key that needs no escape.
    @inline(__always)
    package mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        raw(name, needsComma: false)
        raw("\":", needsComma: false)
    }

    /// Writes a key of any text.
    package mutating func freeKey(_ name: Text) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes null.
    package mutating func null() {
        separate()
        raw("null", needsComma: true)
    }

    /// Writes true or false.
    package mutating func bool(_ value: Bool) {
        separate()
        raw(value ? "true" : "false", needsComma: true)
    }

    /// Writes an integer as a number, whatever its size.
    package mutating func integer(_ value: Int64) {
        separate()
        appendInteger(value)
    }

    /// Writes an integer as a number.
    package mutating func integer(_ value: Int) {
        integer(Int64(value))
    }

    /// Writes a double as a number, or as a string where it is none.
    package mutating func double(_ value: Double) {
        separate()
        if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(
                contentsOf: (value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity").utf8)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a string that is known to need no escape.
    package mutating func string(_ literal: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        raw(literal, needsComma: true)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string.
    package mutating func text(_ text: Text) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe text.withBytes { unsafe appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string.
    package mutating func text(_ string: String) {
        text(Text(string))
    }

    /// Writes the value of a cell as docs/protocol.md spells its type.
    package mutating func value(_ value: Value) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value):
            // Beyond 2^53 many readers would round a number.
            if value.magnitude <= 1 << 53 {
                integer(value)
            } else {
                separate()
                bytes.append(UInt8(ascii: "\""))
                appendInteger(value)
                bytes.append(UInt8(ascii: "\""))
            }
        case .double(let value): double(value)
        case .text(let value): text(value)
        case .date, .datetime, .uuid:
            separate()
            bytes.append(UInt8(ascii: "\""))
            value.writeText(to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends text with `"`, `\` and controls escaped.
    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = unsafe text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                index &+= 1
                continue
            }
            unsafe bytes.append(contentsOf: text[start..<index])
            appendEscape(byte)
            index &+= 1
            start = index
        }
        unsafe bytes.append(contentsOf: text[start...])
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            raw("u00", needsComma: needsComma)
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            bytes.append(hexadecimalDigit(byte & 15))
        default: bytes.append(byte)
        }
    }

    @inline(__always)
    private mutating func appendInteger(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    private mutating func appendDigits(_ value: UInt64) {
        if value < 10 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
            return
        }
        let start = bytes.count
        var rest = value
        while rest != 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
            rest = quotient
        }
        bytes[start...].reverse()
    }
}

/// The hexadecimal digit of a number below 16, in lower case.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
}

extension JSONWriter {
    /// Writes a row's id.
    package mutating func row(_ row: RowID) {
        quoted { $0.appendRow(row) }
    }

    /// Writes a row's id or null.
    package mutating func row(_ row: RowID?) {
        if let row { self.row(row) } else { null() }
    }

    /// Writes rows as a list in which consecutive ids are runs.
    package mutating func rows(_ rows: [RowID]) {
        beginArray()
        var index = 0
        while index < rows.count {
            let first = rows[index]
            var last = first
            index &+= 1
            while index < rows.count, rows[index].rawValue == last.rawValue &+ 1,
                rows[index].session == first.session
            {
                last = rows[index]
                index &+= 1
            }
            quoted { writer in
                writer.appendRow(first)
                if last != first {
                    writer.bytes.append(UInt8(ascii: "-"))
                    writer.appendDigits(UInt64(last.counter))
                }
            }
        }
        endArray()
    }

    /// Writes a column's id.
    package mutating func column(_ column: ColumnID) {
        quoted { writer in
            writer.bytes.append(UInt8(ascii: "c"))
            writer.appendDigits(UInt64(column.session.rawValue))
            writer.bytes.append(UInt8(ascii: "."))
            writer.appendDigits(UInt64(column.counter))
        }
    }

    /// Writes a column's id or null.
    package mutating func column(_ column: ColumnID?) {
        if let column { self.column(column) } else { null() }
    }

    /// Writes a column as an operation names it.
    package mutating func column(_ column: ColumnReference) {
        switch column {
        case .id(let id): self.column(id)
        case .name(let name): text(name)
        }
    }

    /// Writes the ids of columns as a list.
    package mutating func columns(_ columns: [ColumnID]) {
        beginArray()
        for column in columns { self.column(column) }
        endArray()
    }

    /// Writes a session's number.
    package mutating func session(_ session: SessionNumber) {
        quoted { writer in
            writer.bytes.append(UInt8(ascii: "s"))
            writer.appendDigits(UInt64(session.rawValue))
        }
    }

    /// Writes a table's id.
    package mutating func table(_ table: TableID) {
        quoted { writer in
            writer.bytes.append(UInt8(ascii: "t"))
            writer.appendInteger(table.rawValue)
        }
    }

    /// Writes a table as a request names it.
    package mutating func table(_ table: TableReference) {
        switch table {
        case .id(let id): self.table(id)
        case .name(let name): text(name)
        }
    }

    /// Writes cells as one list a row, `width` values each.
    package mutating func cells(_ cells: [Value], width: Int, rowCount: Int) {
        beginArray()
        var index = 0
        for _ in 0..<rowCount {
            beginArray()
            for _ in 0..<width where index < cells.count {
                value(cells[index])
                index &+= 1
            }
            endArray()
        }
        endArray()
    }

    @inline(__always)
    private mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&self)
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func appendRow(_ row: RowID) {
        bytes.append(UInt8(ascii: "s"))
        appendDigits(UInt64(row.session.rawValue))
        bytes.append(UInt8(ascii: "."))
        appendDigits(UInt64(row.counter))
    }
}
