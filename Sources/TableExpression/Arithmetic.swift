// Arithmetic that is exact or fails: ints never wrap, decimals never lose a digit but in division,
// doubles never turn finite numbers into infinity or NaN.
import TableValue

/// How many digits a decimal quotient has behind the point beyond the longer of both scales.
private let quotientDigits = 6

extension Evaluator {
    /// The result of an operator; null where an operand is.
    func arithmetic(
        _ found: ArithmeticOperator, _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> ExpressionValue {
        switch (left, right) {
        case (.null, _), (_, .null): return .null
        case (.int(let left), .int(let right)): return .int(try integers(found, left, right))
        case (.double(let left), .double(let right)):
            return .double(try doubles(found, left, right))
        case (.int(let left), .double(let right)):
            return .double(try doubles(found, try exactDouble(left), right))
        case (.double(let left), .int(let right)):
            return .double(try doubles(found, left, try exactDouble(right)))
        case (.decimal(let left), .decimal(let right)):
            return .decimal(try decimals(found, left, right))
        case (.int(let left), .decimal(let right)):
            return .decimal(try decimals(found, ExactDecimal(left), right))
        case (.decimal(let left), .int(let right)):
            return .decimal(try decimals(found, left, ExactDecimal(right)))
        case (.date(let day), .int(let count)):
            return .date(try moved(day, found == .add ? count : try negated(count)))
        case (.int(let count), .date(let day)): return .date(try moved(day, count))
        case (.date(let left), .date(let right)):
            return .int(Int64(left.daysSinceEpoch) - Int64(right.daysSinceEpoch))
        default: throw .wrongCellType
        }
    }

    /// A number with the other sign.
    func negated(_ value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        switch value {
        case .null: return .null
        case .int(let number): return .int(try negated(number))
        case .double(let number): return .double(-number)
        case .decimal(let number): return .decimal(number.negated)
        default: throw .wrongCellType
        }
    }

    /// An int as a wider number of exactly the same worth.
    func widened(
        _ value: ExpressionValue, to type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        switch (value, type) {
        case (.null, _): return .null
        case (.int(let number), .double): return .double(try exactDouble(number))
        case (.int(let number), .decimal): return .decimal(ExactDecimal(number))
        default: throw .wrongCellType
        }
    }

    func negated(_ number: Int64) throws(EvaluationFault) -> Int64 {
        let (result, overflow) = Int64(0).subtractingReportingOverflow(number)
        if overflow { throw .numberOutOfRange }
        return result
    }

    private func exactDouble(_ number: Int64) throws(EvaluationFault) -> Double {
        guard let exact = Double(exactly: number) else { throw .notExact }
        return exact
    }

    // MARK: By type

    private func integers(
        _ found: ArithmeticOperator, _ left: Int64, _ right: Int64
    ) throws(EvaluationFault) -> Int64 {
        let result: (partialValue: Int64, overflow: Bool)
        switch found {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide:
            if right == 0 { throw .divisionByZero }
            result = left.dividedReportingOverflow(by: right)
        case .remainder:
            if right == 0 { throw .divisionByZero }
            // The one that overflows on the way has a remainder of zero.
            if right == -1 { return 0 }
            result = left.remainderReportingOverflow(dividingBy: right)
        }
        if result.overflow { throw .numberOutOfRange }
        return result.partialValue
    }

    private func doubles(
        _ found: ArithmeticOperator, _ left: Double, _ right: Double
    ) throws(EvaluationFault) -> Double {
        let result: Double
        switch found {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide:
            if right == 0 { throw .divisionByZero }
            result = left / right
        case .remainder: throw .wrongCellType
        }
        if result.isFinite { return result }
        if left.isFinite, right.isFinite { throw .numberOutOfRange }
        // One NaN alone, so that its bits are the same on every machine.
        return result.isNaN ? .nan : result
    }

    private func decimals(
        _ found: ArithmeticOperator, _ left: ExactDecimal, _ right: ExactDecimal
    ) throws(EvaluationFault) -> ExactDecimal {
        let result: ExactDecimal?
        switch found {
        case .add: result = left.adding(right)
        case .subtract: result = left.adding(right.negated)
        case .multiply: result = left.multiplied(by: right)
        case .divide:
            if right.coefficient == 0 { throw .divisionByZero }
            result = quotient(left, right)
        case .remainder:
            if right.coefficient == 0 { throw .divisionByZero }
            result = remainder(left, right)
        }
        guard let result else { throw .numberOutOfRange }
        return result
    }
}

/// The quotient with six digits more than the longer scale, the last one rounded half away from
/// zero; nil beyond 38 digits.
private func quotient(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal? {
    let scale = min(
        ExactDecimal.digitsMax, Int(max(left.scale, right.scale)) + quotientDigits)
    // left / 10^a divided by right / 10^b, at `scale` digits: left * 10^(scale - a + b) / right.
    var power = scale - Int(left.scale) + Int(right.scale)
    let divisor = right.coefficient.magnitude
    var (whole, rest) = left.coefficient.magnitude.quotientAndRemainder(dividingBy: divisor)
    while power > 0 {
        // At most 38 digits at a time: a rest below the divisor gives as many and no more.
        let step = min(power, ExactDecimal.digitsMax)
        let (lifted, overflow) = whole.multipliedReportingOverflow(by: powerOfTen(step))
        let product = rest.multipliedFullWidth(by: powerOfTen(step))
        let next = divisor.dividingFullWidth((product.high, product.low))
        let (sum, carry) = lifted.addingReportingOverflow(next.quotient)
        if overflow || carry { return nil }
        whole = sum
        rest = next.remainder
        power -= step
    }
    let rounded =
        rest >= divisor - rest
        ? whole.addingReportingOverflow(1) : (partialValue: whole, overflow: false)
    guard !rounded.overflow, let number = Int128(exactly: rounded.partialValue) else { return nil }
    let isNegative = (left.coefficient < 0) != (right.coefficient < 0)
    return ExactDecimal(coefficient: isNegative ? 0 - number : number, scale: scale)
}

/// What whole multiples of the divisor leave, with the sign of the dividend and the larger scale.
private func remainder(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal? {
    let scale = Int(max(left.scale, right.scale))
    let ours = left.coefficient.magnitude.multipliedFullWidth(
        by: powerOfTen(scale - Int(left.scale)))
    let theirs = right.coefficient.magnitude.multipliedFullWidth(
        by: powerOfTen(scale - Int(right.scale)))
    let rest: UInt128
    if theirs.high > 0 {
        // The divisor is beyond 128 bits at this scale, so that a dividend within is the rest.
        guard ours.high == 0 else { return nil }
        rest = ours.low
    } else {
        let high = ours.high % theirs.low
        rest = theirs.low.dividingFullWidth((high, ours.low)).remainder
    }
    guard let number = Int128(exactly: rest) else { return nil }
    return ExactDecimal(coefficient: left.coefficient < 0 ? 0 - number : number, scale: scale)
}
