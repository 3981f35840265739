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
        append(Self.number(of: column.type))
        append(column.name)
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
        }
    }
}
