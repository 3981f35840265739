// Runs an expression's program for one row after another. Total: every program ends, with a value
// or with an error that names the place, and no input traps. What functions do is in
// Evaluator+Text.swift, +Numbers, +Dates, +Lists.
package import TableValue

/// What `today()` and `now()` give; from outside, since nothing here reads a clock.
package struct EvaluationTime: Hashable, Sendable {
    /// The day that `today()` gives.
    package let today: Day
    /// The moment that `now()` gives.
    package let now: Moment

    /// Fixes both for as long as they are used.
    package init(today: Day, now: Moment) {
        self.today = today
        self.now = now
    }
}

/// An expression made ready to be evaluated for many rows.
///
/// It keeps its stack and what it learnt of patterns from row to row; the result for a row never
/// depends on the rows before. A value of its own for each thread.
package struct Evaluator: Sendable {
    let program: Program
    let limits: ExpressionLimits
    let time: EvaluationTime?
    var stack: [ExpressionValue] = []
    /// The steps that are left for the row.
    var stepsLeft = 0
    /// Steps that all rows so far have taken.
    package private(set) var stepsSpent = 0
    private var counter = 0
    private var matchers: [PatternMatcher]
    /// By number of a changing pattern: the one it was last made ready for.
    var changingPatterns: [ChangingPattern?]

    /// Takes an expression, and the time if it may ask for it.
    package init(
        _ expression: Expression, time: EvaluationTime? = nil,
        limits: ExpressionLimits = ExpressionLimits()
    ) {
        program = expression.program
        self.limits = limits
        self.time = time
        matchers = program.patterns.map { PatternMatcher($0) }
        changingPatterns = Array(repeating: nil, count: program.changingPatternCount)
    }

    /// Evaluates the expression for one row.
    ///
    /// Complexity: linear in the instructions and in the bytes of the texts they handle, within
    /// the budget of `ExpressionLimits.stepsMax`.
    ///
    /// - Parameter cell: gives the row's value in the column at a place of `Expression.columns`; it
    ///   is only asked for cells that the row's evaluation comes to.
    /// - Returns: the value, of the expression's type or null.
    /// - Throws: `EvaluationError` with the part of the text that has no value.
    package mutating func evaluate(
        _ cell: (Int) -> ExpressionValue
    ) throws(EvaluationError) -> ExpressionValue {
        stack.removeAll(keepingCapacity: true)
        stepsLeft = limits.stepsMax
        counter = 0
        defer { stepsSpent &+= limits.stepsMax &- max(0, stepsLeft) }
        do throws(EvaluationFault) {
            while counter < program.instructions.count {
                try spend(1)
                let jump = try run(program.instructions[counter], cell)
                counter = jump ?? counter + 1
            }
            return try pop()
        } catch {
            let place = counter < program.places.count ? program.places[counter] : nil
            throw EvaluationError(error, at: place ?? SourcePlace(0, 0))
        }
    }

    // MARK: Stack and budget

    /// Takes steps off the row's budget.
    mutating func spend(_ steps: Int) throws(EvaluationFault) {
        stepsLeft &-= steps
        if stepsLeft < 0 { throw .budgetSpent }
    }

    /// Takes the steps of looking at so many bytes of text.
    mutating func spend(bytes: Int) throws(EvaluationFault) {
        try spend(bytes / 16)
    }

    mutating func pop() throws(EvaluationFault) -> ExpressionValue {
        guard let value = stack.popLast() else { throw .wrongCellType }
        return value
    }

    private func top() throws(EvaluationFault) -> ExpressionValue {
        guard let value = stack.last else { throw .wrongCellType }
        return value
    }

    /// Puts a bool on the stack, null where it is unknown.
    mutating func push(_ flag: Bool?, isNegated: Bool = false) {
        stack.append(flag.map { .bool($0 != isNegated) } ?? .null)
    }

    private mutating func popBool() throws(EvaluationFault) -> Bool? {
        switch try pop() {
        case .null: return nil
        case .bool(let flag): return flag
        default: throw .wrongCellType
        }
    }

    // MARK: Instructions

    /// Runs one instruction; gives where to go on where that is not the next one.
    private mutating func run(
        _ instruction: Instruction, _ cell: (Int) -> ExpressionValue
    ) throws(EvaluationFault) -> Int? {
        switch instruction {
        case .constant(let index): stack.append(program.constants[index])
        case .column(let slot): stack.append(cell(slot))
        case .compare(let comparison):
            let right = try pop()
            let left = try pop()
            push(try compare(left, right, comparison))
        case .arithmetic(let found):
            let right = try pop()
            let left = try pop()
            stack.append(try arithmetic(found, left, right))
        case .and: try runAnd()
        case .or: try runOr()
        case .not: push(try popBool(), isNegated: true)
        case .jump(let place): return place
        case .jumpIfFalse(let place): return try top().isFalse ? place : nil
        case .jumpIfTrue(let place): return try top().isTrue ? place : nil
        case .jumpIfNotNull(let place): return try top().isNull ? nil : place
        case .jumpUnlessTrue(let place): return try pop().isTrue ? nil : place
        case .duplicate: stack.append(try top())
        case .drop: _ = try pop()
        default: try runOther(instruction)
        }
        return nil
    }

    private mutating func runOther(_ instruction: Instruction) throws(EvaluationFault) {
        switch instruction {
        case .negate: stack.append(try negated(try pop()))
        case .join(let count): try runJoin(count)
        case .isNull(let isNegated): push(try pop().isNull, isNegated: isNegated)
        case .isBool(let flag, let isNegated):
            push(try popBool() == .some(flag), isNegated: isNegated)
        case .isDistinct(let isNegated):
            let right = try pop()
            let left = try pop()
            push(try !areSame(left, right), isNegated: isNegated)
        case .oneOf(let count, let isNegated): try runOneOf(count, isNegated: isNegated)
        case .between(let isNegated): try runBetween(isNegated: isNegated)
        case .match(let index, let isNegated):
            guard let text = try popText() else { return push(nil) }
            let before = matchers[index].stepsSpent
            let found = matchers[index].matches(text, stepsMax: stepsLeft)
            try spend(matchers[index].stepsSpent &- before)
            push(found, isNegated: isNegated)
        case .like(let index, let hasEscape, let isNegated):
            try runLike(index, hasEscape: hasEscape, isNegated: isNegated)
        case .convert(let type, let isTrying): try runConvert(type, isTrying: isTrying)
        case .widen(let type): stack.append(try widened(try pop(), to: type))
        case .call(let function, let count): try runCall(function, count)
        default: break
        }
    }

    /// Takes a text off the stack; nil for null.
    mutating func popText() throws(EvaluationFault) -> Text? {
        switch try pop() {
        case .null: return nil
        case .text(let text): return text
        default: throw .wrongCellType
        }
    }

    // MARK: Three values

    private mutating func runAnd() throws(EvaluationFault) {
        let right = try popBool()
        let left = try popBool()
        push(left == false || right == false ? false : left == nil || right == nil ? nil : true)
    }

    private mutating func runOr() throws(EvaluationFault) {
        let right = try popBool()
        let left = try popBool()
        push(left == true || right == true ? true : left == nil || right == nil ? nil : false)
    }

    private mutating func runOneOf(_ count: Int, isNegated: Bool) throws(EvaluationFault) {
        let start = stack.count - count
        guard start > 0 else { throw .wrongCellType }
        try spend(count)
        let value = stack[start - 1]
        var found: Bool? = false
        for index in start..<stack.count {
            let isEqual = try compare(value, stack[index], .equal)
            if isEqual == true {
                found = true
                break
            }
            if isEqual == nil { found = nil }
        }
        stack.removeLast(count + 1)
        push(found, isNegated: isNegated)
    }

    private mutating func runBetween(isNegated: Bool) throws(EvaluationFault) {
        let high = try pop()
        let low = try pop()
        let value = try pop()
        let isAbove = try compare(value, low, .greaterOrEqual)
        let isBelow = try compare(value, high, .lessOrEqual)
        let found: Bool? =
            isAbove == false || isBelow == false
            ? false : isAbove == nil || isBelow == nil ? nil : true
        push(found, isNegated: isNegated)
    }

    // MARK: Changing patterns

    private mutating func runLike(
        _ index: Int, hasEscape: Bool, isNegated: Bool
    ) throws(EvaluationFault) {
        let escape = hasEscape ? try pop() : nil
        let pattern = try popText()
        let text = try popText()
        guard let pattern, let text, escape?.isNull != true else { return push(nil) }
        var mark: Text?
        if case .text(let text)? = escape { mark = text }
        let known = changingPatterns[index]
        if known?.pattern != pattern || known?.escape != mark {
            // What making a pattern ready takes, beside its states.
            try spend(64 + 4 * pattern.byteCount)
            guard let program = try? PatternProgram(like: pattern, escape: mark) else {
                throw .badPattern
            }
            changingPatterns[index] = ChangingPattern(
                pattern: pattern, escape: mark, matcher: PatternMatcher(program))
        }
        let before = changingPatterns[index]?.matcher.stepsSpent ?? 0
        let found = changingPatterns[index]?.matcher.matches(text, stepsMax: stepsLeft) ?? nil
        try spend((changingPatterns[index]?.matcher.stepsSpent ?? 0) &- before)
        push(found, isNegated: isNegated)
    }
}

/// A pattern that rows bring, kept as long as it stays the same.
struct ChangingPattern: Sendable {
    let pattern: Text
    let escape: Text?
    var matcher: PatternMatcher
}
