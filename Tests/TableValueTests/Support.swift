// Seeded chance for the property tests: the same seed, the same values, on every machine.
import TableValue

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// Bytes of a given alphabet.
    mutating func word(of alphabet: String, countMax: Int) -> String {
        let letters = Array(alphabet.unicodeScalars)
        var word = ""
        for _ in 0..<below(countMax + 1) { word.unicodeScalars.append(pick(letters)) }
        return word
    }
}

/// The canonical text of a value.
func written(_ value: Value) -> String {
    var bytes: [UInt8] = []
    value.writeText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// The value that a text is read as; nil where it is refused.
func read(_ text: String, as type: ColumnType) -> Value? {
    try? Value(Text(text), as: type)
}
