import Testing

@testable import TableExpression

@Test("lower and upper case are those of the pinned Unicode, one character for one")
func caseMapping() {
    let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("A", "a"), ("Z", "z"), ("Ä", "ä"), ("Σ", "σ"), ("Я", "я"), ("Ÿ", "ÿ"), ("Ā", "ā"),
        ("Ꭰ", "ꭰ"),
        ("\u{10400}", "\u{10428}"),
    ]
    for (upper, lower) in pairs {
        #expect(lowerCased(upper) == lower)
        #expect(upperCased(lower) == upper)
    }
    for scalar: Unicode.Scalar in ["[", "@", "`", "{", "1", "ß", "€", "😀"] {
        #expect(lowerCased(scalar) == scalar)
    }
    // Their other case is more than one character, so they stay.
    #expect(upperCased("ß") == "ß")
    #expect(lowerCased("İ") == "İ")
    #expect(upperCased("ς") == "Σ")
    #expect(upperCased("ſ") == "S")
}

@Test("the standard library of the toolchain agrees wherever one character maps to one")
func caseMappingAgrees() {
    for code in 0..<UInt32(0x1_2000) {
        guard let scalar = Unicode.Scalar(code) else { continue }
        // Newer versions have characters that the pinned one has not.
        guard let age = scalar.properties.age, age.major <= 14, age.minor == 0 else { continue }
        let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
        if lower.count == 1 { #expect(lowerCased(scalar) == lower[0], "\(code)") }
        let upper = Array(scalar.properties.uppercaseMapping.unicodeScalars)
        if upper.count == 1, upper[0].properties.age.map({ $0.major <= 14 }) ?? false {
            #expect(upperCased(scalar) == upper[0], "\(code)")
        }
    }
}
