// The types of operators, of case and of cast.
// It computes nothing; Evaluator.swift does.
import TableValue

extension Checker {
    mutating func checkOperator(_ part: Syntax) throws(ExpressionError) -> Typed {
        let place = part.place
        switch part.form {
        case .negate(let operand):
            let value = try check(operand)
            guard value.type.isNumber || value.type == .null else {
                throw wrongOperand("-", value, "a number")
            }
            return made(.negate, value.type, place, [value])
        case .not(let operand):
            let value = try needed(try check(operand), .bool, "not")
            return made(.not, .bool, place, [value])
        case .arithmetic(let found, let left, let right):
            return try checkArithmetic(found, try check(left), try check(right), place)
        case .compare(let comparison, let left, let right):
            let pair = try comparable([try check(left), try check(right)], comparison, place)
            return made(.compare(comparison), .bool, place, pair)
        case .join(let parts): return try checkJoin(try check(parts), place)
        case .all(let parts): return made(.all, .bool, place, try bools(parts, "and"))
        case .any(let parts): return made(.any, .bool, place, try bools(parts, "or"))
        default: return try checkPredicate(part)
        }
    }

    private mutating func checkPredicate(_ part: Syntax) throws(ExpressionError) -> Typed {
        let place = part.place
        switch part.form {
        case .isNull(let operand, let isNegated):
            return made(.isNull(isNegated: isNegated), .bool, place, [try check(operand)])
        case .isBool(let operand, let flag, let isNegated):
            let value = try needed(try check(operand), .bool, "is \(flag)")
            return made(.isBool(flag, isNegated: isNegated), .bool, place, [value])
        case .isDistinct(let left, let right, let isNegated):
            let pair = try comparable([try check(left), try check(right)], .equal, place)
            return made(.isDistinct(isNegated: isNegated), .bool, place, pair)
        case .oneOf(let value, let choices, let isNegated):
            let parts = try comparable([try check(value)] + (try check(choices)), .equal, place)
            return made(.oneOf(isNegated: isNegated), .bool, place, parts)
        case .between(let value, let low, let high, let isNegated):
            let parts = try comparable(try check([value, low, high]), .less, place)
            return made(.between(isNegated: isNegated), .bool, place, parts)
        case .like(let value, let pattern, let escape, let isNegated):
            return try checkLike(value, pattern, escape, isNegated: isNegated, place)
        default:
            throw ExpressionError(.syntax, at: place, "this part has no type")
        }
    }

    func made(
        _ operation: Operation, _ type: ExpressionType, _ place: SourcePlace, _ operands: [Typed]
    ) -> Typed {
        Typed(operation: operation, type: type, place: place, operands: operands)
    }

    private func wrongOperand(_ sign: String, _ part: Typed, _ wanted: String) -> ExpressionError {
        ExpressionError(
            .wrongType, at: part.place,
            "\(sign) takes \(wanted), and this is "
                + part.type.withArticle, expected: wanted)
    }

    private mutating func bools(
        _ parts: [Syntax], _ word: String
    ) throws(ExpressionError) -> [Typed] {
        var found: [Typed] = []
        for part in parts { found.append(try needed(try check(part), .bool, word)) }
        return found
    }

    // MARK: Comparison

    /// The parts as they are compared: of one type, or numbers that compare exactly.
    private func comparable(
        _ parts: [Typed], _ comparison: Comparison, _ place: SourcePlace
    ) throws(ExpressionError) -> [Typed] {
        let found = try united(parts, place, widens: false)
        guard comparison.isEquality || found.type.isOrdered else {
            throw ExpressionError(
                .wrongType, at: place,
                "\(found.type.withArticle) has no order; only = and <> compare it")
        }
        return found.parts
    }

    private mutating func checkLike(
        _ value: Syntax, _ pattern: Syntax, _ escape: Syntax?, isNegated: Bool,
        _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let text = try needed(try check(value), .text, "like")
        let shape = try needed(try check(pattern), .text, "like")
        var parts = [text, shape]
        if let escape { parts.append(try needed(try check(escape), .text, "escape")) }
        var program: PatternProgram?
        let fixed = parts.dropFirst().compactMap { part -> Text? in
            if case .text(let text)? = part.constant { text } else { nil }
        }
        if fixed.count == parts.count - 1 {
            do {
                program = try PatternProgram(
                    like: fixed[0], escape: fixed.count > 1 ? fixed[1] : nil)
            } catch {
                throw ExpressionError(.badPattern, at: shape.place, error.message)
            }
            parts.removeLast(parts.count - 1)
        }
        return made(.like(program, isNegated: isNegated), .bool, place, parts)
    }

    // MARK: Arithmetic

    private func checkArithmetic(
        _ found: ArithmeticOperator, _ left: Typed, _ right: Typed, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        if left.type == .date || right.type == .date {
            return try checkDays(found, left, right, place)
        }
        for part in [left, right] where !part.type.isNumber && part.type != .null {
            let hint =
                part.type == .datetime
                ? "numbers; add_seconds and seconds_between reckon with datetimes"
                : part.type == .text && found == .add ? "numbers; || joins texts" : "numbers"
            throw wrongOperand(found.rawValue, part, hint)
        }
        let parts = try united([left, right], place, widens: false)
        if found == .remainder, parts.type == .double {
            throw ExpressionError(
                .wrongType, at: place, "% takes ints and decimals, not doubles",
                expected: "int or decimal")
        }
        return made(.arithmetic(found), parts.type, place, parts.parts)
    }

    /// `date + int`, `int + date`, `date - int`, `date - date`: in days.
    private func checkDays(
        _ found: ArithmeticOperator, _ left: Typed, _ right: Typed, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let isDayCount: (Typed) -> Bool = { $0.type == .int || $0.type == .null }
        switch found {
        case .add where left.type == .date && isDayCount(right),
            .add where right.type == .date && isDayCount(left),
            .subtract where left.type == .date && isDayCount(right):
            return made(.arithmetic(found), .date, place, [left, right])
        case .subtract:
            guard let ours = try fitted(left, to: .date), let theirs = try fitted(right, to: .date)
            else { break }
            return made(.arithmetic(found), .int, place, [ours, theirs])
        default: break
        }
        throw ExpressionError(
            .wrongType, at: place,
            "with dates there is date + int, date - int and date - date, in days; "
                + "this is \(left.type) \(found.rawValue) \(right.type)")
    }

    private func checkJoin(
        _ parts: [Typed], _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let first = parts.first { $0.type != .null }?.type ?? .text
        guard case .list = first else {
            var texts: [Typed] = []
            for part in parts {
                guard part.type == .text || part.type == .null else {
                    throw wrongOperand("||", part, "texts (concat takes every type)")
                }
                texts.append(part)
            }
            return made(.join, .text, place, texts)
        }
        let lists = try united(parts, place)
        return made(.join, lists.type, place, lists.parts)
    }

    // MARK: Case and cast

    mutating func checkCase(
        _ subject: Syntax?, _ branches: [CaseBranch], _ otherwise: Syntax?, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        var conditions: [Typed] = []
        var parts: [Typed] = []
        if let subject {
            let asked = [try check(subject)] + (try check(branches.map(\.condition)))
            conditions = try comparable(asked, .equal, place)
            parts.append(conditions.removeFirst())
        } else {
            conditions = try bools(branches.map(\.condition), "when")
        }
        let results = try check(branches.map(\.result) + (otherwise.map { [$0] } ?? []))
        let found = try united(results, place)
        for (condition, result) in zip(conditions, found.parts) { parts += [condition, result] }
        if otherwise != nil, let last = found.parts.last { parts.append(last) }
        let operation = Operation.choose(
            hasSubject: subject != nil, hasOtherwise: otherwise != nil)
        return made(operation, found.type, place, parts)
    }

    mutating func checkCast(
        _ value: Syntax, _ type: ExpressionType, isTrying: Bool, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let part = try check(value)
        guard part.type.converts(to: type) else {
            var hint = ""
            if case .list = part.type, type == .text { hint = "; join() makes a text of it" }
            throw ExpressionError(
                .wrongType, at: place,
                "\(part.type.withArticle) does not convert to \(type.withArticle)\(hint)")
        }
        return made(.convert(type, isTrying: isTrying), type, place, [part])
    }
}

extension ExpressionType {
    /// True where a cast between the types exists, whether or not every value passes it.
    fileprivate func converts(to type: ExpressionType) -> Bool {
        switch (self, type) {
        case (.null, _), (.list, .json), (.json, .list): true
        case (.scalar(let given), .scalar(let wanted)): given.converts(to: wanted)
        case (.list(let given), .list(let wanted)): given.converts(to: wanted)
        default: false
        }
    }
}

extension ScalarType {
    /// True where a cast between the types exists, whether or not every value passes it.
    fileprivate func converts(to type: ScalarType) -> Bool {
        if self == type || self == .text || type == .text { return true }
        switch (self, type) {
        case (.int, .double), (.int, .decimal), (.double, .int), (.double, .decimal),
            (.decimal, .int), (.decimal, .double), (.date, .datetime), (.datetime, .date),
            (.json, .int), (.json, .double), (.json, .decimal), (.json, .bool), (.int, .json),
            (.double, .json), (.bool, .json):
            return true
        default: return false
        }
    }
}
