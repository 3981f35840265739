// Stamps: sparse, dense, and runs, against dictionaries and arrays.
import Testing

@testable import TableModel

@Suite("Stamps")
struct StampsTests {
    @Test("a map by chance agrees with a dictionary, sparse and dense", arguments: [40, 900])
    func map(slotsUsed: Int) {
        var generator = Seeded(seed: UInt64(slotsUsed))
        var map = StampMap()
        var plain: [UInt32: Stamp] = [:]
        #expect(map.isEmpty)
        for step in 0..<4_000 {
            let slot = UInt32(generator.below(slotsUsed)) &* 5
            let stamp = generator.chance(20) ? nil : Stamp(sequence: Int64(step), session: 3)
            map.set(stamp, at: slot)
            plain[slot] = stamp
            #expect(map[slot] == stamp)
            #expect(stamp == nil || map.mayHaveNews(slot, since: Int64(step) - 1))
            #expect(!map.mayHaveNews(slot, since: Int64(step)))
        }
        for slot in 0..<6_000 as Range<UInt32> where map[slot] != plain[slot] {
            Issue.record("slot \(slot)")
        }
        #expect(map[1_000_000] == nil && !map.mayHaveNews(1_000_000, since: 0))
    }

    @Test("runs of beginnings agree with an array, also after some are taken back")
    func beginnings() {
        var generator = Seeded(seed: 8)
        var stamps = CreationStamps()
        var plain: [Stamp] = []
        for step in 0..<300 {
            let stamp = Stamp(sequence: Int64(step / 3), session: UInt32(step % 2))
            let slots = generator.chance(10) ? 2_500 : generator.below(4)
            stamps.append(stamp, slots: slots)
            plain.append(contentsOf: repeatElement(stamp, count: slots))
            if generator.chance(30) {
                for _ in 0..<min(plain.count, generator.below(1_500)) {
                    stamps.removeLast()
                    plain.removeLast()
                }
            }
            #expect(stamps.count == plain.count)
        }
        for (slot, stamp) in plain.enumerated() where stamps[UInt32(slot)] != stamp {
            Issue.record("slot \(slot)")
        }
    }

    @Test("news is what others wrote after a known base")
    func news() {
        let stamp = Stamp(sequence: 7, session: 2)
        #expect(stamp.isNews(to: session(3), since: 6))
        #expect(!stamp.isNews(to: session(3), since: 7))
        #expect(!stamp.isNews(to: session(2), since: 6))
        #expect(!stamp.isNews(to: session(3), since: 0))
    }
}
