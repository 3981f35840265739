// Whole numbers as decimal text, read and written over bytes.
// Nothing here allocates beyond the output array. Next: DoubleText.swift, ValueText.swift.

/// ASCII codes that the readers of values look for.
enum Ascii {
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
}

/// The value of a decimal digit; nil for any other byte.
@inline(__always)
func decimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- Ascii.zero
    return digit <= 9 ? digit : nil
}

/// Why a text is no 64-bit integer.
package enum IntegerFault: Error, Hashable, Sendable {
    /// Something else than an optional `-` and decimal digits.
    case malformed
    /// Below -9,223,372,036,854,775,808 or above 9,223,372,036,854,775,807.
    case outOfRange
}

/// So many digits fit in 64 bits, whatever they are.
private let digitsAlwaysInRange = 18

/// Reads an optional `-` and decimal digits as a 64-bit integer, exactly.
///
/// Leading zeros are allowed; a `+`, a space or any other byte is not.
///
/// Complexity: linear in the bytes.
package func readInteger(_ bytes: Span<UInt8>) -> Result<Int64, IntegerFault> {
    let count = bytes.count
    let isNegative = count > 0 && bytes[0] == Ascii.minus
    var index = isNegative ? 1 : 0
    guard index < count else { return .failure(.malformed) }
    if count &- index <= digitsAlwaysInRange {
        var sum: Int64 = 0
        while index < count {
            guard let digit = decimalDigit(bytes[index]) else { return .failure(.malformed) }
            sum = sum &* 10 &+ Int64(digit)
            index &+= 1
        }
        return .success(isNegative ? 0 &- sum : sum)
    }
    // Summed towards the negative side, which reaches one further than the positive one.
    var sum: Int64 = 0
    var hasOverflowed = false
    while index < count {
        guard let digit = decimalDigit(bytes[index]) else { return .failure(.malformed) }
        let (tens, overflowTens) = sum.multipliedReportingOverflow(by: 10)
        let (next, overflowNext) = tens.subtractingReportingOverflow(Int64(digit))
        hasOverflowed = hasOverflowed || overflowTens || overflowNext
        sum = next
        index &+= 1
    }
    if hasOverflowed || (!isNegative && sum == .min) { return .failure(.outOfRange) }
    return .success(isNegative ? sum : 0 &- sum)
}

/// Appends an integer as decimal digits with a `-` where it is negative.
///
/// Nothing is allocated but by the growth of `output`.
package func appendDecimal(_ value: Int64, to output: inout [UInt8]) {
    if value < 0 { output.append(Ascii.minus) }
    appendDecimal(magnitude: value.magnitude, to: &output)
}

/// Appends an unsigned integer as decimal digits.
package func appendDecimal(magnitude: UInt64, to output: inout [UInt8]) {
    if magnitude < 10 {
        output.append(Ascii.zero &+ UInt8(truncatingIfNeeded: magnitude))
        return
    }
    let start = output.count
    var rest = magnitude
    while rest != 0 {
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
        output.append(Ascii.zero &+ UInt8(truncatingIfNeeded: remainder))
        rest = quotient
    }
    var low = start
    var high = output.count &- 1
    while low < high {
        output.swapAt(low, high)
        low &+= 1
        high &-= 1
    }
}

/// Appends an unsigned integer of a fixed number of digits, with zeros in front.
///
/// Digits beyond `digits` are cut off at the front.
func appendPadded(_ value: Int, digits: Int, to output: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor &*= 10 }
    while divisor > 0 {
        output.append(Ascii.zero &+ UInt8(truncatingIfNeeded: (value / divisor) % 10))
        divisor /= 10
    }
}
