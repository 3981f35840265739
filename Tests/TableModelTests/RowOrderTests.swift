// The counted tree against a plain array.
import Testing

@testable import TableModel

/// The same order as an array of entries.
private struct PlainOrder {
    var entries: [UInt32] = []

    var live: [UInt32] { entries.filter { $0 < RowOrder.hiddenBit } }

    func place(_ slot: UInt32) -> Int? {
        entries.firstIndex { $0 & ~RowOrder.hiddenBit == slot }
    }
}

@Suite("Order of rows")
struct RowOrderTests {
    @Test("an empty order has no rows and no neighbours")
    func empty() {
        let order = RowOrder()
        #expect(order.first == nil && order.last == nil)
        #expect(order.successor(of: nil) == nil)
        #expect(order.slot(at: 0) == nil && order.slot(at: -1) == nil)
        #expect(order.problem() == nil)
    }

    @Test("appended one by one, leaves are full and positions are slots")
    func appended() {
        var order = RowOrder()
        for slot in 0..<5_000 as Range<UInt32> {
            #expect(order.addSlots(1) == slot)
            order.insert(slot, after: order.last)
        }
        #expect(order.problem() == nil)
        #expect(order.leaves.count == 20)
        #expect((0..<5_000).allSatisfy { order.slot(at: $0) == UInt32($0) })
        #expect((0..<5_000 as Range<UInt32>).allSatisfy { order.liveCountBefore($0) == Int($0) })
    }

    @Test("a block of any size is put in whole", arguments: [1, 2, 255, 256, 257, 5_000, 60_000])
    func block(size: Int) {
        var order = RowOrder()
        let first = order.addSlots(300)
        order.insert(block: Array(first..<300), after: nil)
        let next = order.addSlots(size)
        order.insert(block: Array(next..<next + UInt32(size)), after: 149)
        #expect(order.problem() == nil)
        #expect(order.liveCount == 300 + size)
        #expect(order.slot(at: 149) == 149)
        #expect(order.slot(at: 150) == next)
        #expect(order.slot(at: 149 + size) == next + UInt32(size) - 1)
        #expect(order.slot(at: 150 + size) == 150)
        #expect(order.liveCountBefore(299) == 299 + size)
    }

    @Test("the height grows with the logarithm of the rows and shrinks again")
    func height() {
        var order = RowOrder()
        let first = order.addSlots(40_000)
        order.insert(block: Array(first..<40_000), after: nil)
        #expect(order.height == 2)
        for slot in 0..<39_999 as Range<UInt32> { order.remove(slot) }
        #expect(order.height == 0)
        #expect(order.liveCount == 1)
        order.remove(39_999)
        #expect(order.first == nil && order.liveCount == 0)
        order.insert(block: Array(first..<40_000), after: nil)
        #expect(order.problem() == nil)
    }

    @Test(
        "steps by chance agree with an array",
        arguments: 1...(isLong ? 60 : 4) as ClosedRange<UInt64>)
    func chance(seed: UInt64) throws {
        var generator = Seeded(seed: seed)
        var order = RowOrder()
        var plain = PlainOrder()
        for step in 0..<(isLong ? 3_000 : 500) {
            let context = { "seed \(seed), step \(step)" }
            let some = generator.pick(plain.entries).map { $0 & ~RowOrder.hiddenBit }
            switch generator.below(20) {
            case ..<6:
                let size = generator.chance(8) ? 400 : 1 + generator.below(3)
                let first = order.addSlots(size)
                let slots = Array(first..<first + UInt32(size))
                let anchor = generator.chance(10) ? nil : some
                order.insert(block: slots, after: anchor)
                let place = anchor.flatMap { plain.place($0) }.map { $0 + 1 } ?? 0
                plain.entries.insert(contentsOf: slots, at: place)
            case ..<12:
                // Several neighbours go elsewhere, so that leaves grow thin and join.
                guard let some, let start = plain.place(some) else { continue }
                let end = min(start + generator.below(120), plain.entries.count)
                let moved = Array(plain.entries[start..<end])
                for entry in moved {
                    let removed = order.remove(entry & ~RowOrder.hiddenBit)
                    try #require(removed == entry, "\(context())")
                }
                plain.entries.removeSubrange(start..<end)
                let anchor = generator.pick(plain.entries).map { $0 & ~RowOrder.hiddenBit }
                order.insert(block: moved, after: anchor)
                let place = anchor.flatMap { plain.place($0) }.map { $0 + 1 } ?? 0
                plain.entries.insert(contentsOf: moved, at: place)
            default:
                guard let some, let place = plain.place(some) else { continue }
                let hidden = generator.chance(60)
                order.setHidden(some, hidden)
                plain.entries[place] = hidden ? some | RowOrder.hiddenBit : some
            }
            try compare(order, plain, &generator, context())
            if step % 50 == 0 { try #require(order.problem() == nil, "\(context())") }
        }
    }

    private func compare(
        _ order: RowOrder, _ plain: PlainOrder, _ generator: inout Seeded, _ context: String
    ) throws {
        let live = plain.live
        try #require(order.liveCount == live.count, "\(context)")
        guard let entry = generator.pick(plain.entries) else { return }
        let slot = entry & ~RowOrder.hiddenBit
        let place = plain.place(slot) ?? 0
        let before = plain.entries[..<place].filter { $0 < RowOrder.hiddenBit }
        try #require(order.liveCountBefore(slot) == before.count, "\(context)")
        try #require(order.livePredecessor(of: slot) == before.last, "\(context)")
        try #require(order.isHidden(slot) == (entry >= RowOrder.hiddenBit), "\(context)")
        let previous = place > 0 ? plain.entries[place - 1] & ~RowOrder.hiddenBit : nil
        try #require(order.predecessor(of: slot) == previous, "\(context)")
        let isLast = place + 1 == plain.entries.count
        let next = isLast ? nil : plain.entries[place + 1] & ~RowOrder.hiddenBit
        try #require(order.successor(of: slot) == next, "\(context)")
        let position = generator.below(live.count + 1)
        let found = position < live.count ? live[position] : nil
        try #require(order.slot(at: position) == found, "\(context)")
        try #require(
            order.last == plain.entries.last.map { $0 & ~RowOrder.hiddenBit }, "\(context)")
        try #require(order.first == plain.entries.first.map { $0 & ~RowOrder.hiddenBit })
    }

    @Test("a copy stays as it was")
    func copies() {
        var order = RowOrder()
        let first = order.addSlots(1_000)
        order.insert(block: Array(first..<1_000), after: nil)
        let copy = order
        for slot in 0..<500 as Range<UInt32> { order.setHidden(slot, true) }
        order.remove(700)
        #expect(copy.liveCount == 1_000)
        #expect(copy.slot(at: 700) == 700)
        #expect(copy.problem() == nil)
        #expect(order.slot(at: 0) == 500)
    }
}
