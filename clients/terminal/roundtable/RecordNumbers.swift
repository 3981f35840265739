// Numbers of records as people read and write them: `118`, `118-167`, `1-20,22`.
// It is pure: which records there are, the server knows.
import TableModel

/// Numbers of records, in whichever order they were added.
struct RecordNumbers: CustomStringConvertible {
    /// Neighbours apart by one, no two overlapping where they were added in order.
    private var ranges: [ClosedRange<SequenceNumber>] = []

    /// The most numbers that one text can name: what a server keeps of a session at most.
    static let countMax: SequenceNumber = 100_000

    /// No numbers.
    init() {}

    /// Reads `1-20,22`.
    init(_ text: String) throws(CommandFailure) {
        var count: SequenceNumber = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            let numbers = ends.compactMap { SequenceNumber($0) }
            guard numbers.count == ends.count, (1...2).contains(numbers.count),
                let first = numbers.first, let last = numbers.last, first >= 1, last >= first
            else {
                throw .words("`\(part)` is no record's number, and no range such as 118-167")
            }
            guard last - first < Self.countMax - count else {
                throw .words("that is more than \(Self.countMax) records; name fewer at once")
            }
            count += last - first + 1
            ranges.append(first...last)
        }
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// True for one number alone.
    var isSingle: Bool { ranges.count == 1 && ranges[0].count == 1 }

    /// Each number once, the largest first.
    var newestFirst: [SequenceNumber] {
        var numbers: [SequenceNumber] = []
        for number in ranges.flatMap({ Array($0) }).sorted(by: >) where number != numbers.last {
            numbers.append(number)
        }
        return numbers
    }

    /// Adds a number, next to others where it fits.
    mutating func add(_ number: SequenceNumber) {
        guard let last = ranges.last else { return ranges.append(number...number) }
        if number &- 1 == last.upperBound {
            ranges[ranges.count - 1] = last.lowerBound...number
        } else if number &+ 1 == last.lowerBound {
            ranges[ranges.count - 1] = number...last.upperBound
        } else if !last.contains(number) {
            ranges.append(number...number)
        }
    }

    var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
