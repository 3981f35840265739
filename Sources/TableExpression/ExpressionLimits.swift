// The limits of expressions and patterns, each with its default.
// Beyond them a text is refused before it runs; nothing is cut short.

/// The limits of one expression, each with its default.
///
/// Those of depth and height keep the recursion of parser, checker and printer within any
/// thread's stack.
package struct ExpressionLimits: Hashable, Sendable {
    /// Bytes of an expression's text.
    package var textBytesMax = 16 * 1024
    /// How deep parentheses, calls and operators may be nested.
    package var depthMax = 100
    /// Steps that one row may take; a step is an instruction, or some sixteen bytes of text or
    /// JSON.
    package var stepsMax = 250_000
    /// Bytes of a text, of a JSON value, and of all of them in a list, that an expression may make
    /// on its way.
    package var resultBytesMax = 256 * 1024
    /// Elements of a list that an expression may make.
    package var elementsMax = 10_000

    /// The defaults.
    package init() {}
}

/// Bytes of a pattern of `matches`, `contains_match`, `like` or a pattern rule.
package let patternBytesMax = 1_024
/// States that a pattern may have once its repetitions are written out.
package let patternStatesMax = 2_000
/// How deep the groups of a pattern may be nested.
let patternDepthMax = 50
/// The largest number in the braces of a pattern.
let patternRepeatMax = 1_000
