import TestSupport
import Testing

@testable import TableClient

@Test("a queue is a list whose front goes away")
func queueLikeAnArray() {
    var random = SeededRandom(seed: 7)
    var queue = Queue<Int>()
    var model: [Int] = []
    for step in 0..<20_000 {
        switch random.below(model.count > 300 ? 4 : 5) {
        case 0, 1:
            queue.removeFirst()
            if !model.isEmpty { model.removeFirst() }
        case 2 where !model.isEmpty:
            let position = random.below(min(model.count, 3))
            queue.remove(at: position)
            model.remove(at: position)
        default:
            queue.append(step)
            model.append(step)
        }
        #expect(queue.count == model.count)
        #expect(queue.first == model.first)
        #expect(queue.isEmpty == model.isEmpty)
        if step % 50 == 0 {
            #expect(queue.all == model)
            let sought = model.randomElement(using: &random) ?? 0
            #expect(
                queue.partition { $0 >= sought }
                    == (model.firstIndex { $0 >= sought } ?? model.count))
        }
    }
}
