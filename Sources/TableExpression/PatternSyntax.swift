// Reads the text of a pattern as a tree. No back references, no look-around, nothing that
// would need backtracking. PatternProgram.swift turns the tree into states.
import TableValue

/// Why a text is no pattern.
package struct PatternError: Error, Hashable, Sendable {
    /// What is wrong and what to do, in words for a person.
    package let message: String
    /// The byte of the pattern at which reading stopped.
    package let offset: Int
}

/// A set of characters as ranges of their numbers, in rising order, with gaps between.
struct ScalarSet: Equatable {
    private(set) var ranges: [ClosedRange<UInt32>] = []

    static let all = ScalarSet([0...0x10FFFF])
    static let allButNewline = ScalarSet([0...0x09, 0x0B...0x10FFFF])
    static let digits = ScalarSet([0x30...0x39])
    static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    init(_ unordered: [ClosedRange<UInt32>]) {
        for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound &+ 1 {
                let upper = max(last.upperBound, range.upperBound)
                ranges[ranges.count - 1] = last.lowerBound...upper
            } else {
                ranges.append(range)
            }
        }
    }

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    func contains(_ code: UInt32) -> Bool { ranges.contains { $0.contains(code) } }
}

/// A part of a pattern.
indirect enum PatternNode: Equatable {
    case set(ScalarSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// At least so many times, at most so many or any number of times.
    case repeated(PatternNode, min: Int, max: Int?)
    case textStart
    case textEnd
}

/// Reads a pattern's text.
///
/// Complexity: linear in the bytes.
func patternTree(_ pattern: Text) throws(PatternError) -> PatternNode {
    guard pattern.byteCount <= patternBytesMax else {
        throw PatternError(
            message: "a pattern has at most \(patternBytesMax) bytes", offset: patternBytesMax)
    }
    var reader = PatternReader(scalars: Array(pattern.string.unicodeScalars))
    let tree = try reader.readAlternatives(depth: 0)
    guard reader.next == nil else { throw reader.error("there is no group that ) closes") }
    return tree
}

private struct PatternReader {
    let scalars: [Unicode.Scalar]
    var index = 0

    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    func error(_ message: String, at place: Int? = nil) -> PatternError {
        let offset = scalars[..<min(place ?? index, scalars.count)].reduce(0) {
            $0 + UTF8.width($1)
        }
        return PatternError(message: message, offset: offset)
    }

    mutating func readAlternatives(depth: Int) throws(PatternError) -> PatternNode {
        guard depth <= patternDepthMax else {
            throw error("groups are nested deeper than \(patternDepthMax)")
        }
        var alternatives = [try readSequence(depth: depth)]
        while take("|") { alternatives.append(try readSequence(depth: depth)) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func readSequence(depth: Int) throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = index
            let part = try readPart(depth: depth)
            parts.append(try readQuantifier(part, from: start))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func readPart(depth: Int) throws(PatternError) -> PatternNode {
        guard let scalar = next else { throw error("the pattern is not complete") }
        index += 1
        switch scalar {
        case ".": return .set(.allButNewline)
        case "^": return .textStart
        case "$": return .textEnd
        case "(": return try readGroup(depth: depth)
        case "[": return .set(try readClass())
        case "\\": return .set(try readEscape())
        case "*", "+", "?", "{":
            throw error("there is nothing to repeat before this", at: index - 1)
        case "}", "]":
            throw error("write \\ before this character where it is meant itself", at: index - 1)
        default: return .set(ScalarSet(scalar))
        }
    }

    private mutating func readGroup(depth: Int) throws(PatternError) -> PatternNode {
        let start = index - 1
        if take("?") {
            guard take(":") else {
                throw error("groups are (…) and (?:…) only; there is no look-around", at: start)
            }
        }
        let inside = try readAlternatives(depth: depth + 1)
        guard take(")") else { throw error("the group has no closing )", at: start) }
        return inside
    }

    // MARK: Repetition

    private mutating func readQuantifier(
        _ part: PatternNode, from start: Int
    ) throws(PatternError) -> PatternNode {
        let place = index
        let repeated: PatternNode
        if take("*") {
            repeated = .repeated(part, min: 0, max: nil)
        } else if take("+") {
            repeated = .repeated(part, min: 1, max: nil)
        } else if take("?") {
            repeated = .repeated(part, min: 0, max: 1)
        } else if take("{") {
            let low = try readCount()
            var high: Int? = low
            if take(",") { high = next == "}" ? nil : try readCount() }
            guard take("}") else { throw error("expected } behind a number of times") }
            if let high, high < low {
                throw error("the second number is below the first", at: place)
            }
            repeated = .repeated(part, min: low, max: high)
        } else {
            return part
        }
        if part == .textStart || part == .textEnd {
            throw error("^ and $ are not repeated", at: place)
        }
        if let scalar = next, "*+?{".unicodeScalars.contains(scalar) {
            throw error("put what is repeated twice in a group: (…)")
        }
        return repeated
    }

    private mutating func readCount() throws(PatternError) -> Int {
        let start = index
        var number = 0
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = number * 10 + Int(scalar.value - 0x30)
            index += 1
            guard number <= patternRepeatMax else {
                throw error("at most \(patternRepeatMax) times can be asked for", at: start)
            }
        }
        guard index > start else { throw error("expected a number of times") }
        return number
    }

    // MARK: Sets

    private mutating func readClass() throws(PatternError) -> ScalarSet {
        let start = index - 1
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while true {
            guard let scalar = next else { throw error("the set has no closing ]", at: start) }
            if scalar == "]", !isFirst { break }
            isFirst = false
            ranges += try readRange()
        }
        index += 1
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    /// Reads one character, a range of them, or an escape of several within brackets.
    private mutating func readRange() throws(PatternError) -> [ClosedRange<UInt32>] {
        let start = index
        let low = try readMember()
        guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
            return low.ranges
        }
        index += 1
        let high = try readMember()
        guard let first = low.single, let last = high.single else {
            throw error("a range goes from one character to another", at: start)
        }
        guard first <= last else { throw error("the range runs backwards", at: start) }
        return [first...last]
    }

    private mutating func readMember() throws(PatternError) -> ScalarSet {
        guard let scalar = next else { throw error("the set has no closing ]") }
        index += 1
        if scalar == "[" {
            throw error("write \\[ where the bracket is meant; sets are not nested", at: index - 1)
        }
        return scalar == "\\" ? try readEscape() : ScalarSet(scalar)
    }

    private mutating func readEscape() throws(PatternError) -> ScalarSet {
        let start = index - 1
        guard let scalar = next else { throw error("\\ stands at the end", at: start) }
        index += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "s": return .spaces
        case "S": return ScalarSet.spaces.inverted
        case "w": return .wordCharacters
        case "W": return ScalarSet.wordCharacters.inverted
        case "n": return ScalarSet("\n")
        case "r": return ScalarSet("\r")
        case "t": return ScalarSet("\t")
        case "u": return try readCode(start)
        case "1"..."9": throw error("there are no back references", at: start)
        default: break
        }
        let isSign = scalar.isASCII && !isWordByte(UInt8(truncatingIfNeeded: scalar.value))
        guard isSign else { throw error("this escape has no meaning", at: start) }
        return ScalarSet(scalar)
    }

    /// Reads `{1F600}` behind `\u`.
    private mutating func readCode(_ start: Int) throws(PatternError) -> ScalarSet {
        guard take("{") else {
            throw error("write the character's number as \\u{1F600}", at: start)
        }
        var code: UInt32 = 0
        var digits = 0
        while let scalar = next, digits < 6, let digit = Character(scalar).hexDigitValue {
            guard scalar.isASCII else { break }
            code = code << 4 | UInt32(truncatingIfNeeded: digit)
            digits += 1
            index += 1
        }
        guard digits > 0, take("}"), let scalar = Unicode.Scalar(code) else {
            throw error("there is no character of this number", at: start)
        }
        return ScalarSet(scalar)
    }
}

extension ScalarSet {
    /// The one character that the set has; nil where it has none or several.
    fileprivate var single: UInt32? {
        guard ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
