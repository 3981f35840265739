// The source of chance: the same for a seed, different for different purposes.
import Testing

@testable import Simulation

@Test("a seed has one sequence, and every purpose one of its own")
func sequences() {
    var first = SeededGenerator(seed: 7)
    var second = SeededGenerator(seed: 7)
    var fork = first.fork(1)
    var otherFork = first.fork(2)
    let numbers = (0..<20).map { _ in first.next() }
    let others = (0..<20).map { _ in second.next() }
    #expect(numbers == others)
    #expect(numbers.first == 0x63CB_E1E4_5932_0DD7)
    let (one, other) = (fork.next(), otherFork.next())
    #expect(one != other)
}

@Test("numbers stay in their bounds, also where a bound is empty")
func bounds() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
        let (below, between) = (random.below(3), random.between(-2, 2))
        #expect((0..<3).contains(below))
        #expect((-2...2).contains(between))
    }
    let (below, between) = (random.below(0), random.between(5, 4))
    #expect(below == 0)
    #expect(between == 5)
    let picked = random.pick([Int]())
    #expect(picked == nil)
    let weighted = random.weighted([0, 1, 0])
    #expect(weighted == 1)
    let (never, always) = (random.chance(0), random.chance(100))
    #expect(!never)
    #expect(always)
}
