// Exact decimal numbers: read, written, compared and added without ever rounding.
// The scale that somebody wrote (1.50) is kept. No exponents, no division. Next: ValueText.swift.

/// A decimal number of at most 38 digits, exact, with the number of digits behind its point.
///
/// `1.5` and `1.50` are the same number and not the same value, since the difference is shown:
/// equality and hash ask for the same scale, `isLess(than:)` and `compare` do not. Zero has no
/// sign.
package struct ExactDecimal: Sendable, Hashable {
    /// The most digits that a decimal can have, before and behind the point together.
    package static let digitsMax = 38

    // Two halves and not one Int128, whose alignment would make every value larger.
    private let high: Int64
    private let low: UInt64
    /// How many digits stand behind the point, 0 to 38.
    package let scale: UInt8

    /// Makes a decimal of its digits as a whole number and of how many of them stand behind the
    /// point; nil where there are more than 38 of either.
    package init?(coefficient: Int128, scale: Int) {
        guard (0...Self.digitsMax).contains(scale), coefficient.magnitude < decimalLimit else {
            return nil
        }
        high = Int64(truncatingIfNeeded: coefficient >> 64)
        low = UInt64(truncatingIfNeeded: coefficient)
        self.scale = UInt8(truncatingIfNeeded: scale)
    }

    /// Makes a decimal of what `words` gave; nil where no decimal gives that.
    package init?(high: UInt64, low: UInt64, scale: UInt8) {
        let coefficient = Int128(Int64(bitPattern: high)) << 64 | Int128(low)
        self.init(coefficient: coefficient, scale: Int(scale))
    }

    /// Makes a decimal of a whole number.
    package init(_ number: Int64) {
        high = number < 0 ? -1 : 0
        low = UInt64(bitPattern: number)
        scale = 0
    }

    /// The digits as a whole number: 150 for `1.50`.
    package var coefficient: Int128 { Int128(high) << 64 | Int128(low) }

    /// The coefficient's two's complement, most significant word first.
    package var words: (high: UInt64, low: UInt64) { (UInt64(bitPattern: high), low) }

    /// Negative, zero or positive as this number is below, equal to or above the other.
    package func compare(_ other: ExactDecimal) -> Int {
        let ours = coefficient
        let theirs = other.coefficient
        if ours.signum() != theirs.signum() { return ours < theirs ? -1 : 1 }
        if scale == other.scale { return ours == theirs ? 0 : ours < theirs ? -1 : 1 }
        // Both at the larger scale; where that is beyond 128 bits, its magnitude is the larger.
        let lift = Int128(powerOfTen(Int(max(scale, other.scale) - min(scale, other.scale))))
        let (product, overflow) =
            (scale < other.scale ? ours : theirs).multipliedReportingOverflow(by: lift)
        let order: Int
        if overflow {
            order = ours > 0 ? 1 : -1
        } else {
            let fixed = scale < other.scale ? theirs : ours
            order = product == fixed ? 0 : product < fixed ? -1 : 1
        }
        return scale < other.scale ? order : 0 - order
    }

    /// True where this number is below the other, whatever their scales.
    package func isLess(than other: ExactDecimal) -> Bool { compare(other) < 0 }

    /// The sum at the larger of both scales; nil beyond 38 digits.
    package func adding(_ other: ExactDecimal) -> ExactDecimal? {
        let scale = max(scale, other.scale)
        guard let ours = lifted(to: scale), let theirs = other.lifted(to: scale) else { return nil }
        let (sum, overflow) = ours.addingReportingOverflow(theirs)
        return overflow ? nil : ExactDecimal(coefficient: sum, scale: Int(scale))
    }

    /// The same number with the other sign.
    package var negated: ExactDecimal {
        ExactDecimal(coefficient: 0 - coefficient, scale: Int(scale)) ?? self
    }

    /// The product at the sum of both scales; nil where that is beyond 38 digits.
    package func multiplied(by other: ExactDecimal) -> ExactDecimal? {
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
        guard !overflow else { return nil }
        return ExactDecimal(coefficient: product, scale: Int(scale) + Int(other.scale))
    }

    private func lifted(to scale: UInt8) -> Int128? {
        let power = Int128(powerOfTen(Int(scale - self.scale)))
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: power)
        return overflow ? nil : product
    }

    /// The nearest double.
    package var nearestDouble: Double {
        var text: [UInt8] = []
        appendExactDecimal(self, to: &text)
        return (try? readDouble(text.span).get()) ?? 0
    }

    /// The number as a 64-bit integer; nil where it has a fraction or is out of range.
    package var wholeNumber: Int64? {
        let power = Int128(powerOfTen(Int(scale)))
        let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: power)
        return remainder == 0 ? Int64(exactly: quotient) : nil
    }
}

/// Ten to the power of 38: one more than the largest coefficient.
private let decimalLimit = powerOfTen(ExactDecimal.digitsMax)
/// Below a tenth of the limit ten times as much, and a digit, is below the limit.
private let decimalTenth = decimalLimit / 10

/// Ten to a power from 0 to 38, which fits in 128 bits; one beyond counts as the nearest of them.
package func powerOfTen(_ exponent: Int) -> UInt128 {
    var power: UInt128 = 1
    for _ in 0..<max(0, min(exponent, ExactDecimal.digitsMax)) { power &*= 10 }
    return power
}

/// Why a text is no decimal.
package enum DecimalFault: Error, Hashable, Sendable {
    /// Something else than an optional `-`, digits, and a point with digits behind it.
    case malformed
    /// More than 38 digits, zeros in front not counted.
    case tooLong
}

/// Reads an optional `-`, digits, and optionally a point with digits behind it, exactly.
///
/// Zeros in front do not count; those behind the point do and are kept. There is no exponent.
///
/// Complexity: linear in the bytes.
package func readExactDecimal(_ bytes: Span<UInt8>) -> Result<ExactDecimal, DecimalFault> {
    let isNegative = bytes.count > 0 && bytes[0] == Ascii.minus
    var index = isNegative ? 1 : 0
    let start = index
    var point: Int?
    var coefficient: UInt128 = 0
    var isTooLong = false
    while index < bytes.count {
        if bytes[index] == Ascii.point, point == nil, index > start {
            point = index
        } else {
            guard let digit = decimalDigit(bytes[index]) else { return .failure(.malformed) }
            if coefficient >= decimalTenth {
                isTooLong = true
            } else {
                coefficient = coefficient &* 10 &+ UInt128(digit)
            }
        }
        index &+= 1
    }
    guard index > start, bytes[index - 1] != Ascii.point else { return .failure(.malformed) }
    let scale = point.map { index - $0 - 1 } ?? 0
    guard !isTooLong, coefficient < decimalLimit,
        let decimal = ExactDecimal(
            coefficient: isNegative ? 0 - Int128(coefficient) : Int128(coefficient), scale: scale)
    else { return .failure(.tooLong) }
    return .success(decimal)
}

/// Appends a decimal as digits with a `-` where it is negative, and as many behind the point as
/// its scale says: `-0.50`.
package func appendExactDecimal(_ decimal: ExactDecimal, to output: inout [UInt8]) {
    var digits: [UInt8] = []
    var rest = decimal.coefficient.magnitude
    let scale = Int(decimal.scale)
    while rest != 0 || digits.count <= scale {
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
        digits.append(Ascii.zero &+ UInt8(truncatingIfNeeded: remainder))
        rest = quotient
    }
    if decimal.coefficient < 0 { output.append(Ascii.minus) }
    for index in digits.indices.reversed() {
        output.append(digits[index])
        if index == scale, scale > 0 { output.append(Ascii.point) }
    }
}
