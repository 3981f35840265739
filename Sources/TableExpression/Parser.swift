// Reads tokens as an expression: operators by their rank. Single values, calls and case are in
// Parser+Operands.swift. Recursion is bounded by the limits. Next: Checker.swift.
package import TableValue

/// The ranks of operators, from those that bind least.
enum Rank: Int, Comparable {
    case any = 1
    case all, not, predicate, join, sum, product, sign, operand

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

    /// The next rank that binds more.
    var above: Rank { Rank(rawValue: rawValue + 1) ?? .operand }
}

extension Syntax {
    /// Reads a text as an expression; columns are not looked for yet.
    ///
    /// Complexity: linear in the bytes.
    ///
    /// - Throws: `ExpressionError` with the place.
    package init(
        parsing source: Text, limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionError) {
        var parser = Parser(tokens: try tokens(of: source, limits: limits), limits: limits)
        self = try parser.readWhole()
    }

    /// Reads bytes that should be the UTF-8 text of an expression.
    ///
    /// - Throws: `ExpressionError`, also where the bytes are not UTF-8.
    package init(
        parsing bytes: Span<UInt8>, limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionError) {
        try self.init(parsing: try expressionText(bytes, limits: limits), limits: limits)
    }
}

/// The text of bytes that should be UTF-8; the error names the first byte that is not.
package func expressionText(
    _ bytes: Span<UInt8>, limits: ExpressionLimits = ExpressionLimits()
) throws(ExpressionError) -> Text {
    guard bytes.count <= limits.textBytesMax else {
        throw ExpressionError(
            .tooLong, at: SourcePlace(limits.textBytesMax, limits.textBytesMax),
            "the expression is longer than \(limits.textBytesMax) bytes")
    }
    if let text = unsafe Text(validating: bytes.bytes) { return text }
    var place = 0
    while place < bytes.count {
        let lead = bytes[place]
        let width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let end = min(place + width, bytes.count)
        guard unsafe Text(validating: bytes.extracting(place..<end).bytes) != nil else { break }
        place = end
    }
    throw ExpressionError(.notUTF8, at: SourcePlace(place, place + 1), "the bytes are not UTF-8")
}

/// A place among the tokens.
struct Parser {
    let tokens: [Token]
    let limits: ExpressionLimits
    var index = 0
    /// Calls of `read` that are under way, each within the one before.
    var depth = 0

    var token: Token { tokens[min(index, tokens.count - 1)] }

    init(tokens: [Token], limits: ExpressionLimits) {
        self.tokens = tokens
        self.limits = limits
    }

    // MARK: Tokens

    mutating func advance() { index += 1 }

    mutating func take(_ sign: Sign) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    mutating func take(_ keyword: Keyword) -> Bool {
        guard token.kind == .keyword(keyword) else { return false }
        advance()
        return true
    }

    func wanted(_ expected: String) -> ExpressionError {
        ExpressionError(
            .syntax, at: token.place, "expected \(expected), found \(token.described)",
            expected: expected)
    }

    mutating func need(_ sign: Sign) throws(ExpressionError) {
        guard take(sign) else { throw wanted("\"\(sign.rawValue)\"") }
    }

    mutating func need(_ keyword: Keyword) throws(ExpressionError) {
        guard take(keyword) else { throw wanted("\"\(keyword.rawValue)\"") }
    }

    /// The place of the token before this one.
    var previousPlace: SourcePlace { tokens[max(0, min(index, tokens.count) - 1)].place }

    /// A part that begins at `start` and ends with the token before this one.
    ///
    /// What is in the form is read before the call, or the end would be that of before.
    func made(_ form: SyntaxForm, from start: SourcePlace) throws(ExpressionError) -> Syntax {
        let part = Syntax(form, at: start.through(previousPlace))
        guard part.height <= limits.depthMax else { throw tooDeep(part.place) }
        return part
    }

    func tooDeep(_ place: SourcePlace) -> ExpressionError {
        ExpressionError(
            .tooDeep, at: place,
            "the expression is nested deeper than \(limits.depthMax) levels; split it")
    }

    // MARK: Operators

    mutating func readWhole() throws(ExpressionError) -> Syntax {
        let whole = try read(.any)
        guard token.kind == .end else { throw wanted("an operator or the end") }
        return whole
    }

    /// Reads operators that bind at least as `rank` does.
    ///
    /// Every way to nest comes through here, so here it is counted.
    mutating func read(_ rank: Rank) throws(ExpressionError) -> Syntax {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.depthMax else { throw tooDeep(token.place) }
        let start = token.place
        var left = try readPrefix(rank)
        while true {
            if rank <= .product, let found = productOperator() {
                advance()
                let right = try read(.sign)
                left = try made(.arithmetic(found, left, right), from: start)
            } else if rank <= .sum, let found = sumOperator() {
                advance()
                let right = try read(.product)
                left = try made(.arithmetic(found, left, right), from: start)
            } else if rank <= .join, token.kind == .sign(.join) {
                let parts = try readRow(left, .join, above: .join)
                left = try made(.join(parts), from: start)
            } else if rank <= .predicate, let predicate = try readPredicate(left, start) {
                left = predicate
                guard !isOperatorNext else { throw chained() }
            } else if rank <= .all, token.kind == .keyword(.and) {
                let parts = try readRow(left, .and)
                left = try made(.all(parts), from: start)
            } else if rank <= .any, token.kind == .keyword(.or) {
                let parts = try readRow(left, .or)
                left = try made(.any(parts), from: start)
            } else {
                return left
            }
        }
    }

    /// Reads `not` and signs, or an operand.
    private mutating func readPrefix(_ rank: Rank) throws(ExpressionError) -> Syntax {
        let start = token.place
        switch token.kind {
        case .keyword(.not):
            guard rank <= .not else { throw wanted("a value; put not and what follows it in ()") }
            advance()
            let part = try read(.not)
            return try made(.not(part), from: start)
        case .sign(.minus):
            advance()
            if case .number(let digits) = token.kind {
                return try readNumber(digits, isNegative: true, from: start)
            }
            let part = try read(.sign)
            return try made(.negate(part), from: start)
        default: return try readOperand()
        }
    }

    private func productOperator() -> ArithmeticOperator? {
        switch token.kind {
        case .sign(.times): .multiply
        case .sign(.over): .divide
        case .sign(.modulo): .remainder
        default: nil
        }
    }

    private func sumOperator() -> ArithmeticOperator? {
        switch token.kind {
        case .sign(.plus): .add
        case .sign(.minus): .subtract
        default: nil
        }
    }

    private mutating func readRow(
        _ first: Syntax, _ sign: Sign, above rank: Rank
    ) throws(ExpressionError) -> [Syntax] {
        var parts = [first]
        while take(sign) { parts.append(try read(rank.above)) }
        return parts
    }

    private mutating func readRow(
        _ first: Syntax, _ keyword: Keyword
    ) throws(ExpressionError) -> [Syntax] {
        var parts = [first]
        while take(keyword) { parts.append(try read(keyword == .and ? .not : .all)) }
        return parts
    }

    // MARK: Predicates

    private var comparison: Comparison? {
        guard case .sign(let sign) = token.kind else { return nil }
        return Comparison(rawValue: sign.rawValue)
    }

    private var isPredicateNext: Bool {
        if comparison != nil { return true }
        switch token.kind {
        case .keyword(.is), .keyword(.in), .keyword(.between), .keyword(.like), .keyword(.not):
            return true
        default: return false
        }
    }

    /// True before a sign or word that would go on with a comparison's result as with a value.
    private var isOperatorNext: Bool {
        isPredicateNext || productOperator() != nil || sumOperator() != nil
            || token.kind == .sign(.join)
    }

    private func chained() -> ExpressionError {
        ExpressionError(
            .syntax, at: token.place,
            "nothing but and, or stands behind a comparison; use () where its result is meant",
            expected: "and, or, ) or the end")
    }

    /// Reads a comparison or another question about `left`; nil where there is none.
    private mutating func readPredicate(
        _ left: Syntax, _ start: SourcePlace
    ) throws(ExpressionError) -> Syntax? {
        if let comparison {
            advance()
            let right = try read(.join)
            return try made(.compare(comparison, left, right), from: start)
        }
        guard isPredicateNext else { return nil }
        if take(.is) { return try readIs(left, start) }
        let isNegated = take(.not)
        if take(.in) {
            try need(.open)
            let choices = try readArguments()
            guard !choices.isEmpty else {
                throw ExpressionError(
                    .syntax, at: previousPlace, "in () has no values", expected: "a value")
            }
            return try made(.oneOf(left, choices, isNegated: isNegated), from: start)
        }
        if take(.between) {
            let low = try read(.join)
            try need(.and)
            let high = try read(.join)
            return try made(.between(left, low, high, isNegated: isNegated), from: start)
        }
        guard take(.like) else { throw wanted("in, between or like") }
        let pattern = try read(.join)
        let escape = take(.escape) ? try read(.join) : nil
        return try made(.like(left, pattern, escape: escape, isNegated: isNegated), from: start)
    }

    private mutating func readIs(
        _ left: Syntax, _ start: SourcePlace
    ) throws(ExpressionError) -> Syntax {
        let isNegated = take(.not)
        if take(.null) { return try made(.isNull(left, isNegated: isNegated), from: start) }
        if take(.true) { return try made(.isBool(left, true, isNegated: isNegated), from: start) }
        if take(.false) { return try made(.isBool(left, false, isNegated: isNegated), from: start) }
        guard take(.distinct) else { throw wanted("null, true, false or distinct from") }
        try need(.from)
        let right = try read(.join)
        return try made(.isDistinct(left, right, isNegated: isNegated), from: start)
    }
}
