// An expression as a tree of what was written, with columns by name or by number.
// No types yet: Checker.swift finds those. Printer.swift writes the tree as text again.
package import TableValue

/// The operators that reckon: `+ - * / %`.
package enum ArithmeticOperator: String, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
}

/// The operators that compare: `= <> < <= > >=`.
package enum Comparison: String, Sendable, CaseIterable {
    case equal = "="
    case unequal = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// True for `=` and `<>`, which need no order.
    var isEquality: Bool { self == .equal || self == .unequal }
}

/// How an expression names a column.
package enum ColumnReference: Hashable, Sendable {
    case name(Text)
    case key(ColumnKey)
}

/// One branch of `case`: what is asked, and the result.
package struct CaseBranch: Sendable, Equatable {
    /// The condition, or the value that the subject is compared with.
    package let condition: Syntax
    /// The result where that holds.
    package let result: Syntax

    /// Joins a condition and its result.
    package init(condition: Syntax, result: Syntax) {
        self.condition = condition
        self.result = result
    }
}

/// A part of an expression.
package indirect enum SyntaxForm: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case decimal(ExactDecimal)
    case double(Double)
    case text(Text)
    /// `date '2026-11-30'`
    case typed(ScalarType, Text)
    case column(ColumnReference)
    case negate(Syntax)
    case not(Syntax)
    case arithmetic(ArithmeticOperator, Syntax, Syntax)
    case compare(Comparison, Syntax, Syntax)
    /// `a || b || c`
    case join([Syntax])
    /// `a and b and c`
    case all([Syntax])
    /// `a or b or c`
    case any([Syntax])
    case isNull(Syntax, isNegated: Bool)
    /// `a is true`
    case isBool(Syntax, Bool, isNegated: Bool)
    /// `a is distinct from b`
    case isDistinct(Syntax, Syntax, isNegated: Bool)
    case oneOf(Syntax, [Syntax], isNegated: Bool)
    case between(Syntax, Syntax, Syntax, isNegated: Bool)
    case like(Syntax, Syntax, escape: Syntax?, isNegated: Bool)
    case choose(subject: Syntax?, [CaseBranch], otherwise: Syntax?)
    case cast(Syntax, ExpressionType, isTrying: Bool)
    case call(Function, [Syntax])
}

/// A part of an expression and where it stands; two are equal whose parts are, wherever they
/// stand.
package struct Syntax: Sendable {
    /// What it is.
    package let form: SyntaxForm
    /// Where it stands in the text it was read from.
    package let place: SourcePlace
    /// How many levels there are below, itself included.
    let height: Int

    /// Makes a part from its form; the height is that of the highest part below and one.
    package init(_ form: SyntaxForm, at place: SourcePlace = SourcePlace(0, 0)) {
        self.form = form
        self.place = place
        height = 1 + (form.parts.map(\.height).max() ?? 0)
    }
}

extension Syntax: Equatable {
    package static func == (left: Syntax, right: Syntax) -> Bool { left.form == right.form }
}

extension SyntaxForm {
    /// The parts right below, in the order in which they are written.
    var parts: [Syntax] {
        switch self {
        case .null, .bool, .int, .decimal, .double, .text, .typed, .column: []
        case .negate(let part), .not(let part), .isNull(let part, _), .isBool(let part, _, _),
            .cast(let part, _, _):
            [part]
        case .arithmetic(_, let left, let right), .compare(_, let left, let right),
            .isDistinct(let left, let right, _):
            [left, right]
        case .join(let parts), .all(let parts), .any(let parts), .call(_, let parts): parts
        case .oneOf(let part, let parts, _): [part] + parts
        case .between(let part, let low, let high, _): [part, low, high]
        case .like(let part, let pattern, let escape, _):
            [part, pattern] + (escape.map { [$0] } ?? [])
        case .choose(let subject, let branches, let otherwise):
            (subject.map { [$0] } ?? []) + branches.flatMap { [$0.condition, $0.result] }
                + (otherwise.map { [$0] } ?? [])
        }
    }
}
