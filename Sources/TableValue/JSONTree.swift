// A JSON value that a cell holds: read strictly, and written in one canonical form, so that equal
// values are equal bytes. The lines of the protocol are read by TableWire's reader, which hands
// the inside of a cell to this one. Next: ValueText.swift.

/// How deep objects and lists within a cell may be nested: so that the line around a cell, which
/// opens six before it, stays within the 16 that a line may have.
package let jsonDepthMax = 10

/// The longest key of an object, in bytes; as in the lines around a cell.
package let jsonKeyBytesMax = 128
/// The longest number, in bytes; as in the lines around a cell.
package let jsonNumberBytesMax = 1_024

/// A JSON value in parts.
///
/// A number that is whole and within 64 bits is an integer, however it is written, since many
/// languages have one kind of number and write 1.0 as 1; all others are doubles. Objects have their
/// keys in the order of the bytes.
package enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case text(Text)
    case list([JSONTree])
    case object([JSONMember])
}

extension JSONTree {
    /// A number as a JSON value has it: an integer where it is whole and within 64 bits.
    package init(_ number: Double) {
        // Not `exactly:`, which needs the mathematics library.
        if number >= -0x1p63, number < 0x1p63, Double(Int64(number)) == number {
            self = .int(Int64(number))
        } else {
            self = .double(number)
        }
    }
}

/// One member of an object.
package struct JSONMember: Sendable, Hashable {
    /// Its name in the object.
    package let key: Text
    /// What stands there.
    package let value: JSONTree

    /// Names the key and its value.
    package init(key: Text, value: JSONTree) {
        self.key = key
        self.value = value
    }
}

/// Why bytes are no JSON value that a cell can hold.
package struct JSONFault: Error, Hashable, Sendable {
    /// What is wrong, in words for a person, without the text itself.
    package let reason: String
    /// The byte at which reading stopped.
    package let offset: Int
    /// True where the fault is only that it is nested too deeply.
    package var isTooDeep = false
}

/// A JSON value as the one text in which it is stored, compared and sent: no white space, keys
/// in the order of their bytes, only those characters escaped that must be, each number in the
/// fewest digits.
package struct CanonicalJSON: Sendable, Hashable {
    /// The text.
    package let text: Text

    /// Writes a value.
    package init(_ tree: JSONTree) {
        var bytes: [UInt8] = []
        tree.write(to: &bytes)
        text = Text(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads bytes that are one JSON value.
    ///
    /// - Throws: `JSONFault` with the byte at which reading stopped.
    package init(reading bytes: Span<UInt8>) throws(JSONFault) {
        self.init(try readJSONTree(bytes))
    }

    /// Takes a text as it was stored, which `text` of another gave.
    package init(stored text: Text) { self.text = text }

    /// The value in parts.
    ///
    /// Complexity: linear in the bytes.
    package var tree: JSONTree { (try? readJSONTree(text.string.utf8.span)) ?? .null }
}

// MARK: Writing

extension JSONTree {
    /// Appends the canonical text.
    func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .int(let number): appendDecimal(number, to: &output)
        case .double(let number):
            if case .int(let whole) = JSONTree(number) {
                appendDecimal(whole, to: &output)
            } else {
                appendJSONDouble(number, to: &output)
            }
        case .text(let text): appendJSONString(text, to: &output)
        case .list(let items):
            output.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { output.append(UInt8(ascii: ",")) }
                item.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { output.append(UInt8(ascii: ",")) }
                appendJSONString(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}

/// Appends a double that is no 64-bit integer; what JSON has no number for is null.
private func appendJSONDouble(_ number: Double, to output: inout [UInt8]) {
    guard number.isFinite else {
        output.append(contentsOf: "null".utf8)
        return
    }
    appendDouble(number, to: &output)
}

/// Appends a string in quotes with `"`, `\` and controls escaped, nothing else.
private func appendJSONString(_ text: Text, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.string.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        case 0x0A: output.append(contentsOf: "\\n".utf8)
        case 0x0D: output.append(contentsOf: "\\r".utf8)
        case 0x09: output.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            output.append(contentsOf: "\\u00".utf8)
            output.append(hexadecimal(byte >> 4))
            output.append(hexadecimal(byte & 15))
        default: output.append(byte)
        }
    }
    output.append(UInt8(ascii: "\""))
}

private func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? Ascii.zero + digit : UInt8(ascii: "a") + digit - 10
}
