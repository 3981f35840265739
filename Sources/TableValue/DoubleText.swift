// Binary floating point as decimal text: correctly rounded in, fewest digits out.
// Hexadecimal, "inf", a leading "+", and numbers that only fit as infinity or as zero are
// refused. Next: ValueText.swift.

/// Why a text is no double.
package enum DoubleFault: Error, Hashable, Sendable {
    /// Something else than a decimal number or one of the three words.
    case malformed
    /// Its magnitude is above that of the largest double.
    case tooLarge
    /// It is not zero, but nearer to zero than to the smallest double.
    case tooSmall
}

/// What a decimal number consists of, as far as a double can be made from it directly.
struct DecimalNumber {
    /// The digits as an integer, exact where `isExact`.
    var significand: UInt64 = 0
    /// The power of ten to multiply with, of digits and exponent together.
    var exponent = 0
    /// True until digits or exponent go beyond what the two fields hold.
    var isExact = true
    /// True once a digit is not zero.
    var hasNonZeroDigit = false
    /// True for a leading `-`.
    var isNegative = false
    /// True until a point or an exponent is met.
    var isWhole = true

    mutating func append(digit: UInt8) {
        if digit != 0 { hasNonZeroDigit = true }
        // Nineteen digits always fit in 64 bits.
        if significand < 1_000_000_000_000_000_000 {
            significand = significand &* 10 &+ UInt64(digit)
        } else {
            isExact = false
        }
    }
}

/// Reads a decimal number, or `NaN`, `Infinity`, `-Infinity`, as the nearest double.
///
/// A number is an optional `-`, digits, then optionally a point with digits and an exponent:
/// what JSON calls a number, with leading zeros allowed.
///
/// Complexity: linear in the bytes.
package func readDouble(_ bytes: Span<UInt8>) -> Result<Double, DoubleFault> {
    guard let number = scanDecimal(bytes) else {
        return readDoubleWord(bytes).map(Result.success) ?? .failure(.malformed)
    }
    if !number.hasNonZeroDigit { return .success(number.isNegative ? -0.0 : 0.0) }
    if let value = exactDouble(number) { return .success(value) }
    // The bytes are ASCII by now, so neither of these fails.
    guard let ascii = try? UTF8Span(validating: bytes), let value = Double(String(copying: ascii))
    else { return .failure(.malformed) }
    if value.isInfinite { return .failure(.tooLarge) }
    if value == 0 { return .failure(.tooSmall) }
    return .success(value)
}

/// Checks the grammar of a decimal number and collects its parts; nil where it is none.
func scanDecimal(_ bytes: Span<UInt8>) -> DecimalNumber? {
    let count = bytes.count
    var number = DecimalNumber()
    number.isNegative = count > 0 && bytes[0] == Ascii.minus
    var index = number.isNegative ? 1 : 0
    let integerStart = index
    while index < count, let digit = decimalDigit(bytes[index]) {
        number.append(digit: digit)
        index &+= 1
    }
    guard index > integerStart else { return nil }
    if index < count, bytes[index] == Ascii.point {
        number.isWhole = false
        index &+= 1
        let fractionStart = index
        while index < count, let digit = decimalDigit(bytes[index]) {
            number.append(digit: digit)
            index &+= 1
        }
        guard index > fractionStart else { return nil }
        number.exponent = fractionStart &- index
    }
    guard index < count else { return number }
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    number.isWhole = false
    index &+= 1
    var isExponentNegative = false
    if index < count, bytes[index] == Ascii.minus || bytes[index] == Ascii.plus {
        isExponentNegative = bytes[index] == Ascii.minus
        index &+= 1
    }
    guard index < count else { return nil }
    var exponent = 0
    while index < count {
        guard let digit = decimalDigit(bytes[index]) else { return nil }
        // Beyond this the fast path is out anyway.
        if exponent < 100_000 { exponent = exponent &* 10 &+ Int(digit) }
        index &+= 1
    }
    number.exponent &+= isExponentNegative ? 0 &- exponent : exponent
    return number
}

/// The powers of ten that a double holds exactly.
private let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// The double of a number whose digits and power of ten are both exact doubles; nil for others.
///
/// One multiplication or division of two exact doubles rounds once, and so correctly
/// (W. D. Clinger, "How to read floating point numbers accurately", 1990).
private func exactDouble(_ number: DecimalNumber) -> Double? {
    guard number.isExact, number.significand <= 1 << 53 else { return nil }
    let power = number.exponent.magnitude
    guard power < exactPowersOfTen.count else { return nil }
    let factor = exactPowersOfTen[Int(power)]
    let digits = Double(number.significand)
    let value = number.exponent < 0 ? digits / factor : digits * factor
    return number.isNegative ? -value : value
}

/// The double that a word stands for; nil for any other text.
private func readDoubleWord(_ bytes: Span<UInt8>) -> Double? {
    if equals(bytes, "NaN") { return Double.nan }
    if equals(bytes, "Infinity") { return Double.infinity }
    if equals(bytes, "-Infinity") { return -Double.infinity }
    return nil
}

/// True where the bytes are those of an ASCII word.
func equals(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { expected in
        for index in 0..<bytes.count where unsafe bytes[index] != expected[index] {
            return false
        }
        return true
    }
}

/// Appends the fewest digits that read back as the same double, as a JSON number where it is
/// finite, else `NaN`, `Infinity` or `-Infinity` without quotes.
///
/// A whole number up to 2^53 is written without a point (`40`), but minus zero is `-0.0`, since
/// many readers take `-0` for the integer zero. Above 2^53 and below 0.0001 the exponent form of
/// the standard library is used: `1e+21`, `5e-324`.
package func appendDouble(_ value: Double, to output: inout [UInt8]) {
    if value.isNaN {
        output.append(contentsOf: "NaN".utf8)
    } else if value.isInfinite {
        output.append(contentsOf: (value < 0 ? "-Infinity" : "Infinity").utf8)
    } else if value == 0 {
        output.append(contentsOf: (value.sign == .minus ? "-0.0" : "0").utf8)
    } else if value.magnitude < 0x1p53, Double(Int64(value)) == value {
        appendDecimal(Int64(value), to: &output)
    } else {
        var text = value.description
        text.withUTF8 { digits in
            let hasEmptyFraction =
                unsafe digits.count > 2
                && digits[digits.count - 1] == Ascii.zero && digits[digits.count - 2] == Ascii.point
            unsafe output.append(contentsOf: hasEmptyFraction ? digits.dropLast(2) : digits[...])
        }
    }
}
