// Which type each column of a file can have without losing anything, looking at every row.
// Memory for the columns alone. It reads what is there and guesses no meaning: a word such as
// "yes", a number with a leading zero or a date in words stays text. Next: ImportScan.
package import TableValue

/// The types that a column's fields so far allow.
private struct Candidates: OptionSet {
    let rawValue: UInt8
    static let int = Candidates(rawValue: 1)
    static let double = Candidates(rawValue: 2)
    static let bool = Candidates(rawValue: 4)
    static let date = Candidates(rawValue: 8)
    static let datetime = Candidates(rawValue: 16)
    static let uuid = Candidates(rawValue: 32)
    static let all: Candidates = [.int, .double, .bool, .date, .datetime, .uuid]
    /// What quotes turn into text where every field of the column has them.
    static let unquoted: Candidates = [.int, .double, .bool]
}

/// Finds the type of each column from all rows of a file.
///
/// - int: every field is decimal digits without leading zero or `+`, in the 64-bit range.
/// - double: every field is a decimal number that comes back with the same digits.
/// - bool: `true` and `false`. date, datetime, uuid: as `Value.init(_:as:)` reads them.
/// - text: anything else, and a column of nothing but nulls.
///
/// A column in which every field is quoted is no int, double or bool: whoever wrote the file
/// says that it is text.
package struct TypeInference: Sendable {
    private struct Column {
        var candidates = Candidates.all
        var hasPlainField = false
        var nullCount = 0
    }

    private var columns: [Column]
    private var rowCount = 0
    private let nulls: NullTexts
    private let quotedIsText: Bool
    private let decimalMark: UInt8

    /// Begins with no row seen.
    ///
    /// - Parameters:
    ///   - columnCount: the fields of each row.
    ///   - nulls: which fields are null and so say nothing of the type.
    ///   - quotedIsText: false to look into columns in which every field is quoted.
    ///   - decimalMark: what doubles have in the place of their point.
    package init(
        columnCount: Int, nulls: NullTexts = NullTexts(), quotedIsText: Bool = true,
        decimalMark: UInt8 = UInt8(ascii: ".")
    ) {
        self.decimalMark = decimalMark
        columns = Array(repeating: Column(), count: columnCount)
        self.nulls = nulls
        self.quotedIsText = quotedIsText
    }

    /// Looks at one row; fields beyond the columns are passed over.
    ///
    /// Complexity: linear in the bytes of the columns that are not text by now.
    package mutating func add(_ row: FileRow) {
        rowCount &+= 1
        let bytes = row.storage.span
        let marks = row.marks.span
        let (count, nulls) = (min(columns.count, row.count), nulls)
        let decimalMark = decimalMark
        var columns = self.columns.mutableSpan
        var start = 0
        for index in 0..<count {
            let mark = marks[index]
            let field = bytes.extracting(start..<mark >> 1)
            start = mark >> 1 &+ 1
            let isQuoted = mark & 1 == 1
            if !isQuoted && nulls.contain(field) {
                columns[index].nullCount &+= 1
                continue
            }
            if !isQuoted { columns[index].hasPlainField = true }
            let before = columns[index].candidates
            if before.isEmpty { continue }
            columns[index].candidates = allowed(by: field, among: before, decimalMark)
        }
    }

    /// The type of each column by the rows so far.
    package var types: [ColumnType] {
        columns.map { column in
            var left = column.candidates
            if quotedIsText && !column.hasPlainField { left.subtract(.unquoted) }
            if column.nullCount == rowCount { return .text }
            if left.contains(.int) { return .int }
            if left.contains(.double) { return .double }
            if left.contains(.bool) { return .bool }
            if left.contains(.date) { return .date }
            if left.contains(.datetime) { return .datetime }
            return left.contains(.uuid) ? .uuid : .text
        }
    }

    /// The nulls of each column so far.
    package var nullCounts: [Int] { columns.map(\.nullCount) }
}

/// Of the candidates, those that a field is a value of.
private func allowed(
    by bytes: Span<UInt8>, among candidates: Candidates, _ decimalMark: UInt8
) -> Candidates {
    var left = candidates
    guard bytes.count > 0 else { return [] }
    let first = bytes[0]
    let isNumeric = first == UInt8(ascii: "-") || (first >= 0x30 && first <= 0x39)
    if !isNumeric { left.subtract([.int, .double, .date, .datetime]) }
    if left.contains(.int) {
        switch integerShape(bytes) {
        case .short: return .init([.int, .double]).intersection(left)
        case .long: break
        case .none: left.remove(.int)
        }
    }
    if left.contains(.double), !isDouble(bytes, decimalMark) { left.remove(.double) }
    if left.contains(.bool), readBool(bytes) == nil { left.remove(.bool) }
    if left.contains(.date), readDay(bytes) == nil { left.remove(.date) }
    if left.contains(.datetime), readMoment(bytes) == nil { left.remove(.datetime) }
    if left.contains(.uuid), readIdentifier(bytes) == nil { left.remove(.uuid) }
    return left
}

/// True where a field is a double that keeps its digits.
@inline(__always)
private func isDouble(_ bytes: Span<UInt8>, _ decimalMark: UInt8) -> Bool {
    if decimalMark == Byte.point { return isLosslessDouble(bytes) }
    return pointed(bytes, decimalMark: decimalMark).map { isLosslessDouble($0.span) } ?? false
}

/// What a field is when looked at as an integer.
private enum IntegerShape {
    case none
    /// Exact as a double too, whatever its digits.
    case short
    /// In the 64-bit range.
    case long
}

/// Digits of an integer that is exact as a double.
private let shortDigitsMax = 15

/// Judges digits without leading zero, and `-` in front of any but zero.
private func integerShape(_ bytes: Span<UInt8>) -> IntegerShape {
    let count = bytes.count
    let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    guard start < count else { return .none }
    if bytes[start] == 0x30, count > 1 { return .none }
    guard count &- start <= shortDigitsMax else {
        guard case .success = readInteger(bytes) else { return .none }
        return .long
    }
    for index in start..<count where bytes[index] &- 0x30 > 9 { return .none }
    return .short
}
