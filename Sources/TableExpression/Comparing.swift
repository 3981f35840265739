// How expressions compare: numbers by their exact worth, texts by bytes, moments by their instant.
// Nothing is rounded on the way: TableValue's Order.swift compares. Arithmetic is in
// Arithmetic.swift.
import TableValue

extension Evaluator {
    /// Compares two values as an operator does; nil where either is null.
    mutating func compare(
        _ left: ExpressionValue, _ right: ExpressionValue, _ comparison: Comparison
    ) throws(EvaluationFault) -> Bool? {
        if left.isNull || right.isNull { return nil }
        if comparison.isEquality {
            return try areSame(left, right) == (comparison == .equal)
        }
        let found = try order(left, right)
        switch comparison {
        case .less: return found < 0
        case .lessOrEqual: return found <= 0
        case .greater: return found > 0
        default: return found >= 0
        }
    }

    /// True where two values are equal; null equals null alone.
    mutating func areSame(
        _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.int(let left), .int(let right)): return left == right
        case (.text(let left), .text(let right)):
            if left.byteCount != right.byteCount { return false }
            try spend(bytes: left.byteCount)
            return left == right
        case (.json(let left), .json(let right)):
            // Equal values are equal bytes, numbers too.
            try spend(bytes: left.text.byteCount)
            return left == right
        case (.list(let left), .list(let right)):
            guard left.count == right.count else { return false }
            try spend(left.count)
            for (ours, theirs) in zip(left, right) where try !areSame(ours, theirs) {
                return false
            }
            return true
        default: return try order(left, right) == 0
        }
    }

    /// Negative, zero or positive as a value is below, equal to or above another; neither is null.
    mutating func order(
        _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> Int {
        switch (left, right) {
        case (.int(let left), .int(let right)): return TableValue.order(left, right)
        case (.text(let left), .text(let right)):
            try spend(bytes: min(left.byteCount, right.byteCount))
            return TableValue.order(of: left, right)
        case (.double(let left), .double(let right)):
            return TableValue.order(of: left, right)
        case (.int(let left), .double(let right)): return TableValue.order(of: left, right)
        case (.double(let left), .int(let right)):
            return 0 - TableValue.order(of: right, left)
        case (.decimal(let left), .decimal(let right)): return left.compare(right)
        case (.int(let left), .decimal(let right)): return ExactDecimal(left).compare(right)
        case (.decimal(let left), .int(let right)): return left.compare(ExactDecimal(right))
        case (.bool(let left), .bool(let right)):
            return TableValue.order(left ? 1 : 0, right ? 1 : 0)
        case (.date(let left), .date(let right)): return TableValue.order(left, right)
        case (.datetime(let left), .datetime(let right)):
            return TableValue.order(
                left.microsecondsSinceEpoch, right.microsecondsSinceEpoch)
        case (.uuid(let left), .uuid(let right)):
            return left.high == right.high
                ? TableValue.order(left.low, right.low)
                : TableValue.order(left.high, right.high)
        default: throw .wrongCellType
        }
    }
}
