// What the functions of numbers do. Half of the last digit is rounded away from zero everywhere.
// Types were checked before, in Checker+Calls.swift; plain sums are in Arithmetic.swift.
import TableValue

/// Places that round takes, to either side of the point.
private let placesMax: Int64 = 38

extension Evaluator {
    func callNumber(
        _ function: Function, _ base: Int, _ count: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        switch stack[base] {
        case .int(let number):
            let places = count > 1 ? try int(base + 1) : 0
            return try callInt(function, number, places)
        case .decimal(let number):
            let places = count > 1 ? try int(base + 1) : 0
            return try callDecimal(function, number, places)
        case .double(let number):
            return try callDouble(function, number, count > 1 ? try int(base + 1) : nil)
        default: throw .wrongCellType
        }
    }

    private func callInt(
        _ function: Function, _ number: Int64, _ places: Int64
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .abs: return .int(number < 0 ? try negated(number) : number)
        case .sign: return .int(number.signum())
        case .sqrt: return try squareRoot(Double(number))
        case .round where places < 0:
            let rounded = try self.rounded(ExactDecimal(number), places)
            guard let whole = rounded.wholeNumber else { throw .numberOutOfRange }
            return .int(whole)
        default: return .int(number)
        }
    }

    private func callDecimal(
        _ function: Function, _ number: ExactDecimal, _ places: Int64
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .abs: return .decimal(number.coefficient < 0 ? number.negated : number)
        case .sign: return .int(Int64(number.coefficient.signum()))
        case .sqrt: return try squareRoot(number.nearestDouble)
        case .round: return .decimal(try rounded(number, places))
        default:
            let unit = Int128(powerOfTen(Int(number.scale)))
            var (whole, rest) = number.coefficient.quotientAndRemainder(dividingBy: unit)
            if function == .floor, rest < 0 { whole -= 1 }
            if function == .ceil, rest > 0 { whole += 1 }
            rest = 0
            guard let result = ExactDecimal(coefficient: whole, scale: 0) else {
                throw .numberOutOfRange
            }
            return .decimal(result)
        }
    }

    private func callDouble(
        _ function: Function, _ number: Double, _ places: Int64?
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .abs: return .double(number.magnitude)
        case .sign:
            guard !number.isNaN else { throw .argumentOutOfRange }
            return .int(number > 0 ? 1 : number < 0 ? -1 : 0)
        case .sqrt: return try squareRoot(number)
        case .floor: return .double(number.rounded(.down))
        case .ceil: return .double(number.rounded(.up))
        case .trunc: return .double(number.rounded(.towardZero))
        default:
            guard let places, places != 0 else {
                return .double(number.rounded(.toNearestOrAwayFromZero))
            }
            return .double(try rounded(number, places))
        }
    }

    private func squareRoot(_ number: Double) throws(EvaluationFault) -> ExpressionValue {
        guard number >= 0 || number.isNaN else { throw .argumentOutOfRange }
        return .double(number.squareRoot())
    }

    // MARK: Rounding

    /// A decimal with at most so many digits behind the point; negative places are before it.
    private func rounded(
        _ number: ExactDecimal, _ places: Int64
    ) throws(EvaluationFault) -> ExactDecimal {
        guard places.magnitude <= placesMax.magnitude else { throw .argumentOutOfRange }
        let dropped = Int64(number.scale) - places
        guard dropped > 0 else { return number }
        // Beyond 38 digits nothing is left, and half of it is out of reach.
        guard dropped <= placesMax else { return ExactDecimal(0) }
        let unit = Int128(powerOfTen(Int(dropped)))
        var (whole, rest) = number.coefficient.quotientAndRemainder(dividingBy: unit)
        rest = rest < 0 ? 0 - rest : rest
        if rest >= unit - rest { whole += number.coefficient < 0 ? -1 : 1 }
        if places >= 0 {
            guard let result = ExactDecimal(coefficient: whole, scale: Int(places)) else {
                throw .numberOutOfRange
            }
            return result
        }
        let lifted = whole.multipliedReportingOverflow(by: Int128(powerOfTen(Int(0 - places))))
        guard !lifted.overflow,
            let result = ExactDecimal(coefficient: lifted.partialValue, scale: 0)
        else { throw .numberOutOfRange }
        return result
    }

    /// A double rounded by the digits it is shown with.
    private func rounded(_ number: Double, _ places: Int64) throws(EvaluationFault) -> Double {
        guard places.magnitude <= placesMax.magnitude else { throw .argumentOutOfRange }
        guard number.isFinite, number != 0 else { return number }
        // No digits behind the point.
        if number.magnitude >= 0x1p53, places > 0 { return number }
        guard let decimal = shortestDecimal(number) else {
            // Too small for a place, or too large for a unit.
            return number.magnitude < 1 ? 0 : number
        }
        return try rounded(decimal, places).nearestDouble
    }
}
