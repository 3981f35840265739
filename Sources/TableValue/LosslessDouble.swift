// Whether a decimal number survives as a double: what type inference asks of every cell.
// It makes no guess about what the writer of a file meant; it only refuses to lose digits.

extension DecimalNumber {
    /// Moves trailing zeros of the digits into the power of ten.
    fileprivate mutating func normalize() {
        guard significand != 0 else {
            exponent = 0
            return
        }
        while significand % 10 == 0 {
            significand /= 10
            exponent &+= 1
        }
    }
}

/// Every decimal number of so many significant digits comes back from a normal double.
private let digitsAlwaysKept: UInt64 = 1_000_000_000_000_000

/// Beyond so many digits no program prints a double.
private let digitsOfDoubleMax: UInt64 = 100_000_000_000_000_000

/// True where the text is a decimal number without needless leading zeros whose digits a double
/// keeps: written with as many digits as the text has, the double gives the same ones.
///
/// `1.50`, `-0`, `1e5`, `0.1` and `0.10000000000000001` are kept, the last since it is how some
/// programs print the double 0.1; `007`, `9007199254740993`, a fraction of twenty digits,
/// `1e400`, `NaN` and a whole number beyond 64 bits are not.
///
/// Complexity: linear in the bytes.
package func isLosslessDouble(_ bytes: Span<UInt8>) -> Bool {
    guard var number = scanDecimal(bytes), number.isExact else { return false }
    let start = number.isNegative ? 1 : 0
    if bytes[start] == Ascii.zero, bytes.count > start + 1, decimalDigit(bytes[start + 1]) != nil {
        return false
    }
    if number.significand < digitsAlwaysKept, number.exponent.magnitude < 200 { return true }
    if number.isWhole, number.significand > UInt64(Int64.max) { return false }
    guard case .success(let value) = readDouble(bytes) else { return false }
    if isRounding(of: value.magnitude, number) { return true }
    var text: [UInt8] = []
    appendDouble(value, to: &text)
    guard var kept = scanDecimal(text.span) else { return false }
    number.normalize()
    kept.normalize()
    return number.significand == kept.significand && number.exponent == kept.exponent
}

/// True where a number of at most seventeen digits and a fraction is what the double is when
/// rounded to that many places; false also where the two are too far apart in size for this.
private func isRounding(of value: Double, _ number: DecimalNumber) -> Bool {
    let places = 0 &- number.exponent
    // value = bits / 2^shift, number = significand / 10^places.
    let shift = Double.significandBitCount &- Int(value.exponent)
    guard number.significand < digitsOfDoubleMax, value.isNormal, (1...22).contains(places),
        (1...69).contains(shift)
    else { return false }
    let bits = value.significandBitPattern | 1 << UInt64(Double.significandBitCount)
    // Both below 2^127: 2^53 times 10^22, and 10^17 times 2^69.
    let exact = UInt128(bits) * powerOfTen(places)
    let written = UInt128(number.significand) << UInt128(shift)
    let difference = exact > written ? exact - written : written - exact
    return difference <= 1 << UInt128(shift - 1)
}
