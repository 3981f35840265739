// The order of events: by time, then by age.
import Testing

@testable import Simulation

@Test("events come by time, and those of one time in the order they were scheduled")
func order() {
    var random = SeededGenerator(seed: 3)
    var queue = EventQueue()
    var expected: [(time: Int64, step: Int)] = []
    for step in 0..<300 {
        let time = random.between(0, 40)
        queue.schedule(.step(step), at: time)
        expected.append((time, step))
    }
    expected.sort { ($0.time, $0.step) < ($1.time, $1.step) }
    for (time, step) in expected {
        let next = queue.next()
        #expect(next?.time == time)
        #expect(next?.event == .step(step))
    }
    let last = queue.next()
    #expect(last == nil)
}
