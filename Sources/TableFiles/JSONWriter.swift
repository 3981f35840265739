// Rows into JSON: one array of objects, or one object a line.
// Values are spelled as on the wire (docs/protocol.md, "Ids and values").
package import TableValue

/// Writes rows as JSON objects with the columns' names as keys, in the columns' order.
///
/// Null is `null`; an integer beyond 2^53 is a string, since many readers would round it; NaN
/// and the infinities are strings. Control characters and those that turn the direction of text
/// are escaped, so that the text is safe on a terminal.
package struct JSONWriter: Sendable {
    /// Each column's name as a JSON string with the colon behind it.
    private let keys: [[UInt8]]
    private let isArray: Bool
    private var isFirst = true

    /// Begins an array, or lines.
    package init(columns: [TypedColumn], isArray: Bool) {
        keys = columns.map { column in
            var key: [UInt8] = []
            appendJSONString(column.name, to: &key)
            key.append(Byte.colon)
            return key
        }
        self.isArray = isArray
    }

    /// Writes the opening bracket of an array.
    package func begin(_ output: inout [UInt8]) {
        if isArray { output.append(UInt8(ascii: "[")) }
    }

    /// Writes a row, one value a column.
    package mutating func append(_ values: [Value], to output: inout [UInt8]) {
        if isArray {
            if !isFirst { output.append(Byte.comma) }
            output.append(Byte.lineFeed)
        }
        isFirst = false
        output.append(UInt8(ascii: "{"))
        for index in keys.indices {
            if index > 0 { output.append(Byte.comma) }
            output.append(contentsOf: keys[index])
            appendJSON(index < values.count ? values[index] : .null, to: &output)
        }
        output.append(UInt8(ascii: "}"))
        if !isArray { output.append(Byte.lineFeed) }
    }

    /// Writes the closing bracket of an array.
    package func end(_ output: inout [UInt8]) {
        guard isArray else { return }
        if !isFirst { output.append(Byte.lineFeed) }
        output.append(contentsOf: "]\n".utf8)
    }
}

/// Appends a value as JSON.
private func appendJSON(_ value: Value, to output: inout [UInt8]) {
    switch value {
    case .null:
        output.append(contentsOf: "null".utf8)
    case .text(let text), .choice(let text):
        appendJSONString(text, to: &output)
    case .list(let json), .json(let json):
        for scalar in json.text.string.unicodeScalars { appendSafe(scalar, to: &output) }
    case .bool:
        value.writeText(to: &output)
    case .int(let number) where number.magnitude <= jsonIntegerMax:
        value.writeText(to: &output)
    case .double(let number) where number.isFinite:
        value.writeText(to: &output)
    case .int, .double, .date, .datetime, .uuid, .decimal:
        output.append(Byte.quote)
        value.writeText(to: &output)
        output.append(Byte.quote)
    }
}

/// Appends a text as a JSON string.
private func appendJSONString(_ text: Text, to output: inout [UInt8]) {
    output.append(Byte.quote)
    for scalar in text.string.unicodeScalars {
        switch scalar {
        case "\"": output.append(contentsOf: "\\\"".utf8)
        case "\\": output.append(contentsOf: "\\\\".utf8)
        case "\n": output.append(contentsOf: "\\n".utf8)
        case "\r": output.append(contentsOf: "\\r".utf8)
        case "\t": output.append(contentsOf: "\\t".utf8)
        default: appendSafe(scalar, to: &output)
        }
    }
    output.append(Byte.quote)
}

/// Appends a character of a JSON string, escaped where it is active on a terminal.
private func appendSafe(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    guard isActiveCharacter(scalar) else {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return
    }
    let digits = String(scalar.value, radix: 16)
    output.append(contentsOf: "\\u".utf8)
    output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
    output.append(contentsOf: digits.utf8)
}
