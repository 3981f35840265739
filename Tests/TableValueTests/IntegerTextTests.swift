import TableValue
import TestSupport
import Testing

@Test("integers are exact to the last digit of both ends of their range")
func integerRange() {
    #expect(read("9223372036854775807", as: .int) == .int(.max))
    #expect(read("-9223372036854775808", as: .int) == .int(.min))
    #expect(read("363228830310334464", as: .int) == .int(363_228_830_310_334_464))
    #expect(read("-0", as: .int) == .int(0))
    #expect(read("007", as: .int) == .int(7))
    #expect(read("00000000000000000000000000000000000001", as: .int) == .int(1))
}

@Test(
    "an integer beyond 64 bits is refused as such",
    arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "99999999999999999999999999", "-99999999999999999999999999",
        "92233720368547758070",
    ])
func integerOverflow(_ text: String) {
    #expect(throws: ValueError(type: .int, reason: rangeReason)) {
        try Value(Text(text), as: .int)
    }
}

private let rangeReason = "the number is outside the range of 64-bit integers"

@Test(
    "what is no integer is refused, whatever else it may be",
    arguments: [
        "", "-", "+", "+1", " 1", "1 ", "1.0", "1e3", "1_000", "1,000", "0x10", "--1", "1-", "one",
        "１２", "٣", "\u{0}", "1\u{0}", "−1", "NaN", "true", "9223372036854775808x",
    ])
func integerMalformed(_ text: String) {
    #expect(read(text, as: .int) == nil)
}

@Test("integers of every length and both signs are written as they are read")
func integerRoundTrip() {
    for seed in UInt64(1)...20 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let value = Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
            let text = written(.int(value))
            #expect(text == String(value), "seed \(seed)")
            #expect(read(text, as: .int) == .int(value), "seed \(seed)")
        }
    }
    for value in [Int64.min, -10, -9, -1, 0, 1, 9, 10, 99, 100, .max] {
        #expect(written(.int(value)) == String(value))
    }
}

@Test("digits are appended behind what is there")
func integerAppends() {
    var output: [UInt8] = Array("x".utf8)
    appendDecimal(-120, to: &output)
    appendDecimal(magnitude: .max, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "x-12018446744073709551615")
}
