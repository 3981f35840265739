// An expression's tree with a type for each part: what Checker.swift makes and Emitter.swift
// turns into a program. Literals have their final type here, columns are slots.

/// What a part of a typed tree does with its operands.
enum Operation {
    case constant(ExpressionValue)
    /// The cell of the column in this slot of the expression's columns.
    case column(Int)
    case negate, not
    case arithmetic(ArithmeticOperator)
    case compare(Comparison)
    case join
    case all, any
    case isNull(isNegated: Bool)
    case isBool(Bool, isNegated: Bool)
    case isDistinct(isNegated: Bool)
    case oneOf(isNegated: Bool)
    case between(isNegated: Bool)
    /// The text, then the pattern and perhaps the escape where the pattern is not fixed.
    case like(PatternProgram?, isNegated: Bool)
    case match(PatternProgram)
    /// Conditions and results in turn; the subject first, the other result last, where there are.
    case choose(hasSubject: Bool, hasOtherwise: Bool)
    case convert(ExpressionType, isTrying: Bool)
    /// An int as a wider number of the same worth.
    case widen(ScalarType)
    case coalesce
    case call(Function)
}

/// A part of an expression with its type.
struct Typed {
    var operation: Operation
    var type: ExpressionType
    var place: SourcePlace
    var operands: [Typed] = []
    /// True for a text or a number as it was written, which takes the type that its place wants.
    var isLiteral = false

    /// The value of a constant; nil for anything else.
    var constant: ExpressionValue? {
        if case .constant(let value) = operation { value } else { nil }
    }
}
