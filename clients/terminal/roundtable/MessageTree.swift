// A line of JSON as a tree, for the few places where its shape is not known beforehand. Unlike a
// cell's value (JSONTree of TableValue) it keeps the order of keys, and is as deep as a message.
import TableValue
import TableWire

/// One JSON value.
enum MessageTree: Hashable, Sendable {
    case object([MessageMember])
    case array([MessageTree])
    case value(Value)

    /// The text where the value is one.
    var text: Text? {
        if case .value(.text(let text)) = self { text } else { nil }
    }
}

/// One member of an object, in the order in which they stood.
struct MessageMember: Hashable, Sendable {
    var key: Text
    var value: MessageTree
}

extension MessageTree {
    /// Reads a whole text.
    init(reading bytes: [UInt8], limits: WireLimits) throws(WireError) {
        self = try unsafe withJSONReader(bytes.span.bytes, limits: limits) {
            (reader) throws(WireError) -> MessageTree in
            try MessageTree(from: &reader, of: bytes)
        }
    }

    /// Reads the next value of `reader`, which reads `bytes`.
    ///
    /// As deep as the reader allows.
    init(from reader: inout JSONReader, of bytes: [UInt8]) throws(WireError) {
        let place = firstOffset(in: bytes, from: reader.offset)
        switch place < bytes.count ? bytes[place] : 0 {
        case UInt8(ascii: "{"):
            var members: [MessageMember] = []
            var object = try reader.beginFreeObject()
            while let key = try object.next(&reader) {
                members.append(
                    MessageMember(key: key, value: try MessageTree(from: &reader, of: bytes)))
            }
            self = .object(members)
        case UInt8(ascii: "["):
            var elements: [MessageTree] = []
            var list = try reader.beginArray()
            while try list.next(&reader) {
                elements.append(try MessageTree(from: &reader, of: bytes))
            }
            self = .array(elements)
        default:
            self = .value(try reader.readValue())
        }
    }

    /// Appends the tree as JSON text.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.freeKey(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .value(let value):
            writer.value(value)
        }
    }

    /// The tree as JSON text.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// The place of the first byte from `offset` on that is no white space of JSON.
func firstOffset(in bytes: [UInt8], from offset: Int) -> Int {
    guard offset <= bytes.count else { return bytes.count }
    return bytes[offset...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
}
