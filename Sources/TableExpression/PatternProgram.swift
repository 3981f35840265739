// A pattern as states of a finite automaton: immutable, shared by all rows.
// PatternMatcher.swift runs it. Repetitions are written out, bounded by the number of states.
package import TableValue

/// Where in a text a pattern must match.
package enum PatternScope: Sendable {
    /// From the first character to the last.
    case whole
    /// Anywhere.
    case anywhere
}

/// A pattern made ready for matching.
package struct PatternProgram: Sendable {
    /// One state; numbers are those of states.
    enum State: Sendable {
        /// Takes one character of a set.
        case take(set: Int, next: Int)
        case split(Int, Int)
        /// Goes on at the start of the text only.
        case atStart(Int)
        /// Goes on at the end of the text only.
        case atEnd(Int)
        case accept
    }

    let states: [State]
    let start: Int
    let scope: PatternScope
    /// Where classes of characters begin, in rising order, the first at 0: all characters of one
    /// class belong to the same sets.
    let classStarts: [UInt32]
    /// The class of each ASCII character.
    let asciiClasses: [UInt16]
    /// By set and class, whether the class belongs to the set.
    let membership: [[Bool]]

    /// Makes the pattern of a text with the syntax of `matches`.
    ///
    /// - Throws: `PatternError` where it cannot be read or has too many states.
    package init(_ pattern: Text, scope: PatternScope) throws(PatternError) {
        try self.init(try patternTree(pattern), scope: scope)
    }

    /// Makes the pattern of a text with the syntax of `like`: `%` for any characters, `_` for one,
    /// and either of them itself behind the escape character, where there is one.
    ///
    /// - Throws: `PatternError` where it cannot be read or has too many states.
    package init(like pattern: Text, escape: Text?) throws(PatternError) {
        try self.init(try likeTree(pattern, escape: escape), scope: .whole)
    }

    init(_ tree: PatternNode, scope: PatternScope) throws(PatternError) {
        var builder = PatternBuilder()
        let accept = try builder.add(.accept)
        var start = try builder.build(tree, next: accept)
        if scope == .anywhere {
            let any = PatternNode.repeated(.set(.all), min: 0, max: nil)
            start = try builder.build(any, next: start)
        }
        states = builder.states
        self.start = start
        self.scope = scope
        var starts: [UInt32] = [0]
        for range in builder.sets.flatMap(\.ranges) {
            starts += [range.lowerBound, range.upperBound + 1]
        }
        starts.sort()
        var unique: [UInt32] = []
        for code in starts where code != unique.last && code <= 0x10FFFF { unique.append(code) }
        classStarts = unique
        membership = builder.sets.map { set in unique.map(set.contains) }
        var ascii: [UInt16] = []
        var index = 0
        for code in 0..<UInt32(128) {
            while index + 1 < unique.count, unique[index + 1] <= code { index += 1 }
            ascii.append(UInt16(truncatingIfNeeded: index))
        }
        asciiClasses = ascii
    }

    /// The class of a character.
    func characterClass(_ code: UInt32) -> Int {
        var low = 0
        var high = classStarts.count
        while low + 1 < high {
            let middle = (low + high) / 2
            if classStarts[middle] <= code { low = middle } else { high = middle }
        }
        return low
    }
}

/// The tree of a `like` pattern.
private func likeTree(_ pattern: Text, escape: Text?) throws(PatternError) -> PatternNode {
    guard pattern.byteCount <= patternBytesMax else {
        throw PatternError(
            message: "a pattern has at most \(patternBytesMax) bytes", offset: patternBytesMax)
    }
    var escapeScalar: Unicode.Scalar?
    if let escape {
        let scalars = escape.string.unicodeScalars
        guard scalars.count == 1 else {
            throw PatternError(message: "escape takes one character", offset: 0)
        }
        escapeScalar = scalars.first
    }
    var parts: [PatternNode] = []
    var isEscaped = false
    var offset = 0
    for scalar in pattern.string.unicodeScalars {
        if isEscaped {
            guard scalar == "%" || scalar == "_" || scalar == escapeScalar else {
                throw PatternError(
                    message: "only %, _ and the escape character stand behind it", offset: offset)
            }
            parts.append(.set(ScalarSet(scalar)))
            isEscaped = false
        } else if scalar == escapeScalar {
            isEscaped = true
        } else if scalar == "%" {
            let any = PatternNode.repeated(.set(.all), min: 0, max: nil)
            if parts.last != any { parts.append(any) }
        } else {
            parts.append(.set(scalar == "_" ? .all : ScalarSet(scalar)))
        }
        offset += UTF8.width(scalar)
    }
    if isEscaped {
        throw PatternError(message: "the escape character stands at the end", offset: offset)
    }
    return .sequence(parts)
}

/// Builds states from a tree, each part with what comes behind it already built.
private struct PatternBuilder {
    var states: [PatternProgram.State] = []
    var sets: [ScalarSet] = []
    /// Parts that were built, empty ones too, so that nested repetitions of nothing end.
    private var builtCount = 0

    mutating func add(_ state: PatternProgram.State) throws(PatternError) -> Int {
        guard states.count < patternStatesMax else { throw tooLarge }
        states.append(state)
        return states.count - 1
    }

    private var tooLarge: PatternError {
        PatternError(
            message: "the pattern is too large once its repetitions are written out "
                + "(\(patternStatesMax) states)", offset: 0)
    }

    /// Builds a part that goes on at `next`; gives where it begins.
    mutating func build(_ node: PatternNode, next: Int) throws(PatternError) -> Int {
        builtCount += 1
        guard builtCount <= 4 * patternStatesMax else { throw tooLarge }
        switch node {
        case .set(let set):
            let index = sets.firstIndex(of: set) ?? sets.count
            if index == sets.count { sets.append(set) }
            return try add(.take(set: index, next: next))
        case .sequence(let parts):
            var start = next
            for part in parts.reversed() { start = try build(part, next: start) }
            return start
        case .alternatives(let parts):
            var start: Int?
            for part in parts.reversed() {
                let begin = try build(part, next: next)
                if let other = start {
                    start = try add(.split(begin, other))
                } else {
                    start = begin
                }
            }
            return start ?? next
        case .repeated(let part, let min, let max):
            return try build(part, min: min, max: max, next: next)
        case .textStart: return try add(.atStart(next))
        case .textEnd: return try add(.atEnd(next))
        }
    }

    private mutating func build(
        _ part: PatternNode, min: Int, max: Int?, next: Int
    ) throws(PatternError) -> Int {
        var start = next
        if let max {
            for _ in 0..<(max - min) {
                start = try add(.split(try build(part, next: start), next))
            }
        } else {
            let loop = try add(.split(next, next))
            states[loop] = .split(try build(part, next: loop), next)
            start = loop
        }
        for _ in 0..<min { start = try build(part, next: start) }
        return start
    }
}
