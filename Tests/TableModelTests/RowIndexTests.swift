// From id to slot, over all kinds of sessions and counters.
import Testing

@testable import TableModel

@Suite("Index of rows")
struct RowIndexTests {
    @Test("every id finds its slot and no other does")
    func finding() {
        let sessions: [UInt32] = [0, 1, 4_095, 4_096, 70_000, 0x7FFF_FFFF]
        let counters: [UInt32] = [1, 2, 255, 256, 65_535, 65_536, 16_777_216, .max]
        var index = RowIndex()
        var slot: UInt32 = 0
        for number in sessions {
            #expect(index.highestCounter(of: session(number)) == 0)
            for counter in counters.shuffledOddFirst {
                #expect(index.slot(of: row(counter, number)) == nil)
                index.insert(row(counter, number), slot: slot)
                slot += 1
            }
            #expect(index.highestCounter(of: session(number)) == .max)
        }
        slot = 0
        for number in sessions {
            for counter in counters.shuffledOddFirst {
                #expect(index.slot(of: row(counter, number)) == slot)
                #expect(index.slot(of: row(counter &+ 7, number)) == nil)
                slot += 1
            }
            #expect(index.slot(of: row(1, number ^ 0x100)) == nil)
        }
    }

    @Test("runs, gaps and disorder by chance agree with a dictionary")
    func chance() {
        var generator = Seeded(seed: 5)
        var index = RowIndex()
        var ids = RowIDs()
        var plain: [(row: RowID, slot: UInt32)] = []
        var next: UInt32 = 1
        for _ in 0..<400 {
            if generator.chance(15), !plain.isEmpty {
                for _ in 0..<generator.below(min(40, plain.count)) {
                    index.remove(plain.removeLast().row)
                    ids.removeLast()
                }
                continue
            }
            var run = (0..<1 + generator.below(60)).map { row(next + UInt32($0), 2) }
            next += UInt32(run.count) + (generator.chance(20) ? 3 : 0)
            if generator.chance(20) { run.reverse() }
            if generator.chance(10) { run.append(row(next, 7)) }
            for id in run where index.slot(of: id) == nil {
                index.insert(id, slot: UInt32(plain.count))
                ids.append(id)
                plain.append((id, UInt32(plain.count)))
            }
        }
        #expect(ids.count == plain.count)
        for (id, slot) in plain {
            #expect(index.slot(of: id) == slot)
            #expect(ids[slot] == id)
        }
        let known = Set(plain.map(\.row))
        for counter in 0..<next + 2_000 where !known.contains(row(counter, 2)) {
            #expect(index.slot(of: row(counter, 2)) == nil)
        }
    }

    @Test("an entry taken back is not found, and the highest counter can be set back")
    func takenBack() {
        var index = RowIndex()
        index.insert(row(5), slot: 0)
        index.insert(row(900), slot: 1)
        index.remove(row(900))
        index.remove(row(901))
        #expect(index.slot(of: row(900)) == nil && index.slot(of: row(5)) == 0)
        #expect(index.highestCounter(of: session(1)) == 900)
        index.setHighestCounter(of: session(1), to: 5)
        #expect(index.highestCounter(of: session(1)) == 5)
    }

    @Test("a paged array grows, shrinks, and its copies stay")
    func pages() {
        var array = PagedArray<Int>()
        for number in 0..<3_000 { array.append(number) }
        let copy = array
        array[1_500] = -1
        for _ in 0..<1_900 { array.removeLast() }
        #expect(array.count == 1_100 && array[1_099] == 1_099)
        array.append(7)
        #expect(array[1_100] == 7)
        #expect(copy.count == 3_000)
        #expect((0..<3_000).allSatisfy { copy[$0] == $0 })
    }

    @Test("a set of slots knows its members, few or many")
    func slotSet() {
        var set = SlotSet()
        for slot in 0..<40 as Range<UInt32> {
            let isNew = set.insert(slot * 3)
            let isNewAgain = set.insert(slot * 3)
            #expect(isNew && !isNewAgain)
            #expect(set.contains(slot * 3) && set.contains(0) && !set.contains(slot * 3 + 1))
        }
    }
}

extension [UInt32] {
    /// The same elements, those at odd places first: an order that no counter has.
    fileprivate var shuffledOddFirst: [UInt32] {
        enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            + enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }
}
