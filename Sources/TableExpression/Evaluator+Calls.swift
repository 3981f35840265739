// Calls of functions: arguments off the stack, null for null, and who does what.
// Types were checked before; what a function does is in Evaluator+Numbers, +Text, +Dates, +Lists.
import TableValue

extension Function {
    /// False for the few functions that look at null themselves.
    fileprivate var givesNullForNull: Bool {
        switch self {
        case .concat, .list, .nullif, .append, .remove: false
        default: true
        }
    }
}

extension Evaluator {
    /// Takes `count` arguments off the stack and leaves the result of a function.
    mutating func runCall(_ function: Function, _ count: Int) throws(EvaluationFault) {
        let base = stack.count - count
        guard base >= 0 else { throw .wrongCellType }
        var result = ExpressionValue.null
        if !function.givesNullForNull || !stack[base...].contains(where: \.isNull) {
            result = try call(function, base, count)
        }
        stack.removeLast(count)
        stack.append(result)
    }

    private mutating func call(
        _ function: Function, _ base: Int, _ count: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .greatest, .least: return try extreme(function, base, count)
        case .nullif:
            let isEqual = try compare(stack[base], stack[base + 1], .equal)
            return isEqual == true ? .null : stack[base]
        case .abs, .sign, .round, .floor, .ceil, .trunc, .sqrt:
            return try callNumber(function, base, count)
        case .list, .element, .append, .remove, .listDistinct, .join, .listSum, .listMin, .listMax:
            return try callList(function, base, count)
        case .length, .contains, .position:
            if case .list(let elements) = stack[base] {
                return try callSearch(function, elements, base)
            }
            return try callText(function, base, count)
        case .jsonGet, .jsonAt, .jsonType, .jsonLength, .toJSON:
            return try callJSON(function, base)
        case .lower, .upper, .fold, .trim, .trimStart, .trimEnd, .substring, .left, .right,
            .replace, .repeat, .padStart, .padEnd, .startsWith, .endsWith, .concat, .split,
            .splitPart:
            return try callText(function, base, count)
        case .matches, .containsMatch, .coalesce, .if: throw .wrongCellType
        default: return try callDate(function, base)
        }
    }

    /// The largest or the smallest argument; the first of several that are equal.
    private mutating func extreme(
        _ function: Function, _ base: Int, _ count: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        try spend(count)
        var best = base
        for index in base + 1..<base + count {
            let found = try order(stack[index], stack[best])
            if function == .greatest ? found > 0 : found < 0 { best = index }
        }
        return stack[best]
    }

    // MARK: Arguments

    func text(_ index: Int) throws(EvaluationFault) -> Text {
        guard index < stack.count, case .text(let text) = stack[index] else {
            throw .wrongCellType
        }
        return text
    }

    func int(_ index: Int) throws(EvaluationFault) -> Int64 {
        guard index < stack.count, case .int(let number) = stack[index] else {
            throw .wrongCellType
        }
        return number
    }
}
