// Pipes: the same bytes in the same order, however they are cut, and none after a cut.
import Testing

@testable import Simulation

@Test("a pipe gives back what was sent, whatever the pieces and delays")
func delivery() {
    for seed in 0..<50 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        var pipe = Pipe()
        var sent: [UInt8] = []
        var received: [UInt8] = []
        for now in 0..<40 as Range<Int64> {
            let bytes = (0..<random.below(30)).map { _ in UInt8(random.below(256)) }
            sent += bytes
            _ = pipe.send(
                bytes, at: now, delay: (0, 9), pieceCountMax: 4, random: &random)
            received += pipe.take(at: now)
        }
        #expect(received.count < sent.count || sent.isEmpty, "seed \(seed)")
        received += pipe.take(at: .max)
        #expect(received == sent, "seed \(seed)")
        #expect(pipe.byteCount == 0)
    }
}

@Test("a cut keeps the first bytes under way and takes no more")
func cut() {
    var random = SeededGenerator(seed: 1)
    var pipe = Pipe()
    _ = pipe.send([1, 2, 3, 4, 5], at: 0, delay: (1, 1), pieceCountMax: 3, random: &random)
    pipe.cut(keeping: 2)
    let dues = pipe.send([6], at: 0, delay: (1, 1), pieceCountMax: 1, random: &random)
    #expect(dues.isEmpty)
    let kept = pipe.take(at: 10)
    #expect(kept == [1, 2])
}

@Test("a paused pipe gives nothing until it goes on")
func pause() {
    var random = SeededGenerator(seed: 1)
    var pipe = Pipe()
    _ = pipe.send([1], at: 0, delay: (0, 0), pieceCountMax: 1, random: &random)
    pipe.isPaused = true
    let none = pipe.take(at: 5)
    #expect(none.isEmpty)
    pipe.isPaused = false
    let all = pipe.take(at: 5)
    #expect(all == [1])
}
