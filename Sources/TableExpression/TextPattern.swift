// A pattern by itself, for rules that a text must match, without an expression around it.
// It never backtracks: PatternMatcher.swift is what runs it.
package import TableValue

/// The pattern of a rule: the whole text must match it.
package struct TextPattern: Sendable {
    /// The text it was made from.
    package let source: Text
    private let program: PatternProgram

    /// Reads a pattern.
    ///
    /// - Throws: `PatternError` with the place in the pattern.
    package init(_ source: Text) throws(PatternError) {
        self.source = source
        program = try PatternProgram(source, scope: .whole)
    }

    /// A matcher of the pattern, one for each thread; give it a `stepsMax` where texts may be long.
    package func matcher() -> PatternMatcher { PatternMatcher(program) }
}
