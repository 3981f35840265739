import TableValue
import TestSupport
import Testing

private func decimal(_ text: String) -> ExactDecimal? {
    try? readExactDecimal(Text(text).string.utf8.span).get()
}

private func fault(_ text: String) -> DecimalFault? {
    if case .failure(let fault) = readExactDecimal(Text(text).string.utf8.span) {
        fault
    } else {
        nil
    }
}

private let longest = String(repeating: "9", count: 38)

@Test(
    "a decimal is written as it was read, with every digit behind its point",
    arguments: [
        "0", "1", "-1", "0.00", "1.50", "-0.5", "12.50", "0.1", "99999999999999999999.99",
        longest, "-" + longest, "0." + longest, "-0." + longest,
        "1" + String(repeating: "0", count: 37),
        "0." + String(repeating: "0", count: 37) + "1",
    ])
func decimalRoundTrip(_ text: String) {
    #expect(read(text, as: .decimal).map(written) == text)
}

@Test("zeros in front and the sign of zero are not kept")
func decimalSpellings() {
    #expect(read("007.50", as: .decimal).map(written) == "7.50")
    #expect(read("-0.00", as: .decimal).map(written) == "0.00")
    #expect(decimal("-0.00") == decimal("0.00"))
    #expect(decimal(String(repeating: "0", count: 60) + "1.5") == decimal("1.5"))
}

@Test(
    "what is no decimal is refused, whatever else it may be",
    arguments: [
        "", "-", "+1", ".5", "5.", "1.2.3", "1e3", "1,5", " 1", "1 ", "0x1", "NaN", "Infinity",
        "--1", "1-", "-.5", "١", "1_000", ".",
    ])
func decimalMalformed(_ text: String) {
    #expect(fault(text) == .malformed)
    #expect(read(text, as: .decimal) == nil)
}

@Test(
    "a decimal beyond 38 digits is refused as such, never rounded",
    arguments: [
        longest + "0", "1" + longest, "0." + longest + "0", "1." + longest,
        String(repeating: "9", count: 10_000),
        "0." + String(repeating: "0", count: 39),
    ])
func decimalTooLong(_ text: String) {
    #expect(fault(text) == .tooLong)
}

@Test("numbers of different scale are compared as numbers, and are not the same value")
func decimalOrder() throws {
    let rising = [
        "-" + longest, "-0." + longest, "-0.1", "0", "0." + String(repeating: "0", count: 37) + "1",
        "0.09", "0.1", "0." + longest, "1", "9.99", "10", "10.01", longest,
    ].compactMap(decimal)
    for (left, one) in rising.enumerated() {
        for (right, other) in rising.enumerated() {
            #expect(one.compare(other).signum() == (left - right).signum())
            #expect(one.isLess(than: other) == (left < right))
        }
    }
    let short = try #require(decimal("1.5"))
    let long = try #require(decimal("1.50"))
    #expect(short.compare(long) == 0 && short != long)
}

@Test("sums and products are exact, or nil beyond 38 digits")
func decimalArithmetic() throws {
    func text(_ decimal: ExactDecimal?) -> String? { decimal.map { written(.decimal($0)) } }
    let tenth = try #require(decimal("0.1"))
    let fifth = try #require(decimal("0.20"))
    let largest = try #require(decimal(longest))
    #expect(text(tenth.adding(fifth)) == "0.30")
    #expect(text(tenth.multiplied(by: fifth)) == "0.020")
    #expect(text(tenth.negated.adding(fifth)) == "0.10")
    #expect(largest.adding(ExactDecimal(1)) == nil)
    #expect(largest.adding(tenth) == nil)
    #expect(largest.multiplied(by: largest) == nil)
    #expect(text(largest.adding(largest.negated)) == "0")
}

@Test("sums agree with those of integers at every scale")
func decimalSumsAgree() throws {
    for seed in UInt64(1)...50 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let left = Int64(generator.below(2_000_000)) - 1_000_000
            let right = Int64(generator.below(2_000_000)) - 1_000_000
            let scale = generator.below(6)
            let one = try #require(ExactDecimal(coefficient: Int128(left), scale: scale))
            let other = try #require(ExactDecimal(coefficient: Int128(right), scale: scale))
            #expect(one.adding(other)?.coefficient == Int128(left + right), "seed \(seed)")
            #expect(one.compare(other).signum() == (left - right).signum(), "seed \(seed)")
            let words = one.words
            #expect(
                ExactDecimal(high: words.high, low: words.low, scale: one.scale) == one,
                "seed \(seed)")
        }
    }
}

@Test("a decimal becomes an integer only where it is whole, and the nearest double always")
func decimalConversions() {
    #expect(decimal("12.00")?.wholeNumber == 12)
    #expect(decimal("12.01")?.wholeNumber == nil)
    #expect(decimal("9223372036854775808")?.wholeNumber == nil)
    #expect(decimal("-9223372036854775808.0")?.wholeNumber == .min)
    #expect(decimal("0.1")?.nearestDouble == 0.1)
    #expect(decimal(longest)?.nearestDouble == 1e38)
}

@Test("words that no decimal gives make none")
func decimalWords() {
    #expect(ExactDecimal(high: .max >> 1, low: .max, scale: 0) == nil)
    #expect(ExactDecimal(high: 1 << 63, low: 0, scale: 0) == nil)
    #expect(ExactDecimal(high: 0, low: 0, scale: 39) == nil)
}

@Test("a power of ten is within 128 bits, whatever the exponent")
func powersOfTen() {
    var expected: UInt128 = 1
    for exponent in 0...38 {
        #expect(powerOfTen(exponent) == expected)
        if exponent < 38 { expected *= 10 }
    }
    #expect(powerOfTen(.max) == expected)
    #expect(powerOfTen(.min) == 1)
}
