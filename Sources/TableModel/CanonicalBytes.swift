// The bytes that the content hash is over; docs/protocol.md, "Content hash", is the same in
// words. Whatever changes here changes every hash.
import TableValue

/// Bytes gathered for a digest: big-endian numbers and length-prefixed texts.
struct CanonicalBytes {
    /// The first bytes of each kind of digest, so that none can be taken for another.
    enum Kind: UInt8 {
        case rows = 1
        case groups = 2
        case table = 3
    }

    private(set) var bytes: [UInt8] = []

    mutating func begin(_ kind: Kind) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(kind.rawValue)
    }

    /// Forgets what was gathered.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The digest of what was gathered.
    func finish(_ type: any ContentDigest.Type) -> [UInt8] {
        var digest = type.init()
        unsafe digest.update(bytes.span.bytes)
        return digest.finish()
    }

    mutating func append(_ text: Text) {
        append(UInt32(truncatingIfNeeded: text.byteCount))
        bytes.append(contentsOf: text.string.utf8)
    }

    /// The bytes of a text value.
    mutating func append(text: ArraySlice<UInt8>) {
        append(Self.number(of: .text))
        append(UInt32(truncatingIfNeeded: text.count))
        bytes.append(contentsOf: text)
    }

    mutating func append(_ column: Column) {
        append(column.id.rawValue)
        // The high bit says that rules follow.
        append(Self.number(of: column.type) | (column.rules.isEmpty ? 0 : 0x80))
        append(column.name)
        if !column.rules.isEmpty { append(tree: column.rules.tree) }
    }

    /// A JSON value behind the number of its bytes.
    private mutating func append(tree: JSONTree) {
        var value = CanonicalBytes()
        value.append(item: tree)
        append(UInt32(truncatingIfNeeded: value.bytes.count))
        bytes.append(contentsOf: value.bytes)
    }

    /// A JSON value by its parts and not by its text, since languages write doubles differently.
    private mutating func append(item: JSONTree) {
        switch item {
        case .null: append(0 as UInt8)
        case .bool(let flag): append((flag ? 2 : 1) as UInt8)
        case .int(let number):
            append(3 as UInt8)
            append(number)
        case .double(let number):
            append(4 as UInt8)
            append(number.bitPattern)
        case .text(let text):
            append(5 as UInt8)
            append(text)
        case .list(let items):
            append(6 as UInt8)
            append(UInt32(truncatingIfNeeded: items.count))
            for item in items { append(item: item) }
        case .object(let members):
            append(7 as UInt8)
            append(UInt32(truncatingIfNeeded: members.count))
            for member in members {
                append(member.key)
                append(item: member.value)
            }
        }
    }

    /// The type's byte; 0 is null.
    static func number(of type: ColumnType) -> UInt8 {
        switch type {
        case .text: 1
        case .int: 2
        case .double: 3
        case .bool: 4
        case .date: 5
        case .datetime: 6
        case .uuid: 7
        case .decimal: 8
        case .choice: 9
        case .list: 10
        case .json: 11
        }
    }

    mutating func appendNull() {
        append(0 as UInt8)
        append(0 as UInt32)
    }

    /// A value that is not null: type, length, bytes.
    mutating func append(_ value: Value) {
        guard let type = value.type else {
            appendNull()
            return
        }
        append(Self.number(of: type))
        switch value {
        case .null:
            break
        case .text(let text):
            append(text)
        case .int(let number):
            append(8 as UInt32)
            append(number)
        case .double(let number):
            append(8 as UInt32)
            append(number.bitPattern)
        case .bool(let flag):
            append(1 as UInt32)
            append((flag ? 1 : 0) as UInt8)
        case .date(let day):
            append(4 as UInt32)
            append(day.daysSinceEpoch)
        case .datetime(let moment):
            append(10 as UInt32)
            append(moment.microsecondsSinceEpoch)
            append(moment.offsetMinutes)
        case .uuid(let identifier):
            append(16 as UInt32)
            append(identifier.high)
            append(identifier.low)
        case .decimal(let decimal):
            append(17 as UInt32)
            append(decimal.words.high)
            append(decimal.words.low)
            append(decimal.scale)
        case .choice(let text):
            append(text)
        case .list(let json), .json(let json):
            append(tree: json.tree)
        }
    }
}
