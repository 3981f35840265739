// The bytes of a text column's cells, two thousand cells to an arena, so that a short text costs
// its bytes and not an object of its own.
import TableValue

/// The bytes of the texts of one chunk; where each stands is kept by the chunk.
struct TextArena: Sendable {
    /// Where a text stands: its start in the upper half, its length in the lower.
    ///
    /// Zero is no text, so a text without bytes has a start that none other can have.
    typealias Place = UInt64

    private static var emptyText: Place { 0xFFFF_FFFF_0000_0000 }
    /// Above this many dead bytes, and where they are the greater part, the arena is rewritten.
    private static var deadCountKept: Int { 4_096 }

    private(set) var bytes: [UInt8] = []
    /// How many bytes belong to no cell any more.
    private(set) var deadCount = 0

    private static func length(of place: Place) -> Int { Int(place & 0xFFFF_FFFF) }

    static func range(of place: Place) -> Range<Int> {
        let length = length(of: place)
        let start = length == 0 ? 0 : Int(place >> 32)
        return start..<start + length
    }

    /// True where one more text of so many bytes can be placed with 32 bits.
    func hasRoom(for byteCount: Int) -> Bool {
        bytes.count + byteCount < Int(UInt32.max)
    }

    func text(at place: Place) -> Text {
        let span = bytes.span.extracting(Self.range(of: place))
        return unsafe Text(validating: span.bytes) ?? Text("")
    }

    func equals(_ text: Text, at place: Place) -> Bool {
        let ours = bytes.span.extracting(Self.range(of: place))
        return haveSameBytes(ours, text.string.utf8.span)
    }

    /// Stores a text where an old one stood, or at the end.
    mutating func store(_ text: Text, replacing old: Place) -> Place {
        let length = text.byteCount
        let oldRange = Self.range(of: old)
        if length == 0 {
            deadCount += oldRange.count
            return Self.emptyText
        }
        if length <= oldRange.count {
            let start = oldRange.lowerBound
            let theirs = text.string.utf8.span
            unsafe theirs.withUnsafeBufferPointer { theirs in
                unsafe bytes.withUnsafeMutableBufferPointer { ours in
                    _ = unsafe ours[start..<start + length].update(fromContentsOf: theirs)
                }
            }
            deadCount += oldRange.count - length
            return UInt64(start) << 32 | UInt64(length)
        }
        deadCount += oldRange.count
        let start = bytes.count
        bytes.append(contentsOf: text.string.utf8)
        return UInt64(start) << 32 | UInt64(length)
    }

    /// Gives up the bytes of a text.
    mutating func release(_ place: Place) {
        deadCount += Self.length(of: place)
    }

    /// True where rewriting is worth its cost.
    var isMostlyDead: Bool {
        deadCount > Self.deadCountKept && deadCount > bytes.count >> 1
    }

    /// Rewrites the arena with only the texts at `places`, and these to where they went.
    mutating func compact(_ places: inout [Place]) {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count - deadCount)
        for index in places.indices where Self.length(of: places[index]) > 0 {
            let start = kept.count
            kept.append(contentsOf: bytes[Self.range(of: places[index])])
            places[index] = UInt64(start) << 32 | places[index] & 0xFFFF_FFFF
        }
        bytes = kept
        deadCount = 0
    }
}
