// The one source of chance in the seeded world. Everything random comes from a value of this
// type, so that one number repeats a whole history. It never asks the system for anything.

/// A small random number generator (SplitMix64) whose numbers depend on its seed alone.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to a seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return SeededGenerator.mix(state)
    }

    /// A number from 0 up to, not including, `bound`; 0 where the bound is not positive.
    package mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        return Int(truncatingIfNeeded: next() % UInt64(bound))
    }

    /// A number of the closed range; its lower end where the range is empty.
    package mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        guard high > low else { return low }
        return low + Int64(truncatingIfNeeded: next() % UInt64(high - low + 1))
    }

    /// True in `percent` of a hundred cases.
    package mutating func chance(_ percent: Int64) -> Bool {
        Int64(below(100)) < percent
    }

    /// One of the members; nil where there is none.
    package mutating func pick<Element>(_ members: [Element]) -> Element? {
        members.isEmpty ? nil : members[below(members.count)]
    }

    /// A place in a list of weights, each as likely as its weight.
    package mutating func weighted(_ weights: [Int]) -> Int {
        var left = below(weights.reduce(0, +))
        for (place, weight) in weights.enumerated() {
            if left < weight { return place }
            left -= weight
        }
        return 0
    }

    /// A generator of its own for a numbered purpose, so that drawing more numbers for one
    /// purpose does not change those of another.
    package func fork(_ purpose: UInt64) -> SeededGenerator {
        SeededGenerator(seed: SeededGenerator.mix(state ^ SeededGenerator.mix(purpose &+ 1)))
    }

    /// Spreads the bits of a number.
    static func mix(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
