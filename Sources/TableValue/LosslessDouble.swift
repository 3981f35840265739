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

/// True where the text is a decimal number without needless leading zeros that comes back with
/// the same digits after it has been a double; trailing zeros after the point may go.
///
/// `1.50`, `-0`, `1e5`, `0.30000000000000004` do; `007`, `9007199254740993`, a fraction of
/// twenty digits, `1e400`, `NaN` and a whole number beyond 64 bits do not.
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
    var text: [UInt8] = []
    appendDouble(value, to: &text)
    guard var kept = scanDecimal(text.span) else { return false }
    number.normalize()
    kept.normalize()
    return number.significand == kept.significand && number.exponent == kept.exponent
}
