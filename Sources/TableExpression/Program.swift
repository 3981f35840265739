// A checked expression as a flat list of instructions for a stack, so that evaluating a row
// neither recurses nor allocates of itself. Evaluator.swift runs it.

/// One instruction; its operands are on the stack, the last one on top.
enum Instruction: Sendable {
    case constant(Int)
    case column(Int)
    case negate, not
    case arithmetic(ArithmeticOperator)
    case compare(Comparison)
    case join(Int)
    /// Three-valued: takes two bools.
    case and, or
    case isNull(isNegated: Bool)
    case isBool(Bool, isNegated: Bool)
    case isDistinct(isNegated: Bool)
    /// Takes the choices and the value below them.
    case oneOf(Int, isNegated: Bool)
    case between(isNegated: Bool)
    case match(Int, isNegated: Bool)
    /// Takes text and pattern, and the escape where there is one; with the place of its cache.
    case like(Int, hasEscape: Bool, isNegated: Bool)
    case convert(ExpressionType, isTrying: Bool)
    case widen(ScalarType)
    case call(Function, Int)
    case jump(Int)
    /// These three leave what they look at.
    case jumpIfFalse(Int)
    case jumpIfTrue(Int)
    case jumpIfNotNull(Int)
    /// Takes a bool, and jumps where it is false or null.
    case jumpUnlessTrue(Int)
    case duplicate, drop
}

/// The instructions of an expression, with what they refer to.
struct Program: Sendable {
    fileprivate(set) var instructions: [Instruction] = []
    /// By instruction: the part of the text it comes from.
    fileprivate(set) var places: [SourcePlace] = []
    fileprivate(set) var constants: [ExpressionValue] = []
    fileprivate(set) var patterns: [PatternProgram] = []
    /// How many patterns are made ready for the text of a row.
    fileprivate(set) var changingPatternCount = 0

    /// Turns a typed tree into instructions; the recursion is bounded by the tree's height.
    init(_ tree: Typed) {
        emit(tree)
    }

    private mutating func add(_ instruction: Instruction, _ place: SourcePlace) {
        instructions.append(instruction)
        places.append(place)
    }

    private mutating func emit(_ part: Typed) {
        switch part.operation {
        case .constant(let value):
            constants.append(value)
            add(.constant(constants.count - 1), part.place)
        case .column(let slot): add(.column(slot), part.place)
        case .all: emitRow(part, .and)
        case .any: emitRow(part, .or)
        case .choose(let hasSubject, let hasOtherwise):
            emitCase(part, hasSubject: hasSubject, hasOtherwise: hasOtherwise)
        case .coalesce: emitCoalesce(part)
        default:
            for operand in part.operands { emit(operand) }
            add(plainInstruction(part), part.place)
        }
    }

    /// The instruction of an operation that evaluates all its operands first.
    private mutating func plainInstruction(_ part: Typed) -> Instruction {
        let count = part.operands.count
        switch part.operation {
        case .negate: return .negate
        case .not: return .not
        case .arithmetic(let found): return .arithmetic(found)
        case .compare(let comparison): return .compare(comparison)
        case .join: return .join(count)
        case .isNull(let isNegated): return .isNull(isNegated: isNegated)
        case .isBool(let flag, let isNegated): return .isBool(flag, isNegated: isNegated)
        case .isDistinct(let isNegated): return .isDistinct(isNegated: isNegated)
        case .oneOf(let isNegated): return .oneOf(count - 1, isNegated: isNegated)
        case .between(let isNegated): return .between(isNegated: isNegated)
        case .like(let program, let isNegated):
            guard let program else {
                changingPatternCount += 1
                return .like(
                    changingPatternCount - 1, hasEscape: count == 3, isNegated: isNegated)
            }
            patterns.append(program)
            return .match(patterns.count - 1, isNegated: isNegated)
        case .match(let program):
            patterns.append(program)
            return .match(patterns.count - 1, isNegated: false)
        case .convert(let type, let isTrying): return .convert(type, isTrying: isTrying)
        case .widen(let type): return .widen(type)
        case .call(let function): return .call(function, count)
        case .constant, .column, .all, .any, .choose, .coalesce: return .drop
        }
    }

    // MARK: Jumps

    /// Fills in where a jump goes: behind the last instruction.
    private mutating func land(_ jumps: [Int]) {
        let end = instructions.count
        for jump in jumps {
            switch instructions[jump] {
            case .jump: instructions[jump] = .jump(end)
            case .jumpIfFalse: instructions[jump] = .jumpIfFalse(end)
            case .jumpIfTrue: instructions[jump] = .jumpIfTrue(end)
            case .jumpIfNotNull: instructions[jump] = .jumpIfNotNull(end)
            case .jumpUnlessTrue: instructions[jump] = .jumpUnlessTrue(end)
            default: break
            }
        }
    }

    private mutating func addJump(_ jump: Instruction, _ place: SourcePlace) -> Int {
        add(jump, place)
        return instructions.count - 1
    }

    private mutating func emitRow(_ part: Typed, _ instruction: Instruction) {
        var jumps: [Int] = []
        for (index, operand) in part.operands.enumerated() {
            emit(operand)
            if index > 0 { add(instruction, part.place) }
            guard index + 1 < part.operands.count else { break }
            if case .and = instruction {
                jumps.append(addJump(.jumpIfFalse(0), operand.place))
            } else {
                jumps.append(addJump(.jumpIfTrue(0), operand.place))
            }
        }
        land(jumps)
    }

    private mutating func emitCoalesce(_ part: Typed) {
        var jumps: [Int] = []
        for (index, operand) in part.operands.enumerated() {
            if index > 0 { add(.drop, operand.place) }
            emit(operand)
            if index + 1 < part.operands.count {
                jumps.append(addJump(.jumpIfNotNull(0), operand.place))
            }
        }
        land(jumps)
    }

    private mutating func emitCase(_ part: Typed, hasSubject: Bool, hasOtherwise: Bool) {
        var operands = part.operands[...]
        if hasSubject, let subject = operands.popFirst() { emit(subject) }
        let otherwise = hasOtherwise ? operands.popLast() : nil
        var ends: [Int] = []
        while let condition = operands.popFirst(), let result = operands.popFirst() {
            if hasSubject { add(.duplicate, condition.place) }
            emit(condition)
            if hasSubject { add(.compare(.equal), condition.place) }
            let next = addJump(.jumpUnlessTrue(0), condition.place)
            if hasSubject { add(.drop, condition.place) }
            emit(result)
            ends.append(addJump(.jump(0), result.place))
            land([next])
        }
        if hasSubject { add(.drop, part.place) }
        emit(
            otherwise ?? Typed(operation: .constant(.null), type: .null, place: part.place))
        land(ends)
    }
}
