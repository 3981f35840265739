// Chance for tests: the same for the same seed, on every machine. A test that draws from it prints
// its seed where it fails.

/// SplitMix64.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins with a seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 below the bound; 0 where that is less than one.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    /// One of the elements, of which there is at least one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Letters of an alphabet, at most so many, each of its characters as often as any other.
    package mutating func word(of alphabet: String, countMax: Int) -> String {
        let letters = Array(alphabet.unicodeScalars)
        var word = ""
        for _ in 0..<below(countMax + 1) { word.unicodeScalars.append(pick(letters)) }
        return word
    }
}
