// The loop's timers and signals, and letters from another thread.
import Glibc
import Synchronization
import Testing

@testable import Transport

@Suite("Event loop")
struct EventLoopTests {
    @Test("Timers fire in the order of their instants, not before them, and once")
    func timers() throws {
        let loop = try EventLoop()
        let start = loop.nowMicroseconds
        var fired: [Int] = []
        var isEarly = false
        let timers = [3, 1, 2].map { number in
            let timer = LoopTimer(on: loop) {
                fired.append(number)
                if loop.nowMicroseconds < start + Int64(number) * 2_000 { isEarly = true }
                if number == 3 { loop.stop() }
            }
            timer.set(at: start + Int64(number) * 2_000)
            return timer
        }
        let cancelled = LoopTimer(on: loop) { fired.append(9) }
        cancelled.set(at: start)
        cancelled.cancel()
        loop.run()
        #expect(fired == [1, 2, 3])
        #expect(!isEarly)
        #expect(timers.allSatisfy { $0.instantMicroseconds == nil })
    }

    @Test("A timer that is set again waits for the new instant only")
    func timerSetAgain() throws {
        let loop = try EventLoop()
        var count = 0
        let timer = LoopTimer(on: loop) { count += 1 }
        timer.set(at: loop.nowMicroseconds)
        timer.set(at: loop.nowMicroseconds + 3_000)
        let end = LoopTimer(on: loop) { loop.stop() }
        end.set(at: loop.nowMicroseconds + 6_000)
        loop.run()
        #expect(count == 1)
    }

    @Test("The end of a turn comes after all its events")
    func turnEnd() throws {
        let loop = try EventLoop()
        var events: [String] = []
        let past = loop.nowMicroseconds - 10
        let timers = (0..<3).map { number in LoopTimer(on: loop) { events.append("event") } }
        for timer in timers { timer.set(at: past) }
        loop.onTurnEnd = { events.append("end") }
        while events.count < 4 { loop.runTurn() }
        #expect(events.filter { $0 == "event" }.count == 3)
        #expect(events.last == "end")
    }

    @Test("Letters from many threads all arrive, each thread's in order, in fewer deliveries")
    func mailbox() throws {
        let loop = try EventLoop()
        let mailbox = try Mailbox<(thread: Int, number: Int)>()
        let threadCount = 4
        let letterCount = 2_000
        var next = [Int](repeating: 0, count: threadCount)
        var isInOrder = true
        var deliveries = 0
        let reader = mailbox.attach(to: loop) { letters in
            deliveries += 1
            for letter in letters {
                if letter.number != next[letter.thread] { isInOrder = false }
                next[letter.thread] = letter.number + 1
            }
            if next.allSatisfy({ $0 == letterCount }) { loop.stop() }
        }
        let threads = try (0..<threadCount).map { thread in
            try WorkerThread(name: "poster") {
                for number in 0..<letterCount { mailbox.post((thread, number)) }
            }
        }
        loop.run()
        for thread in threads { thread.join() }
        #expect(isInOrder)
        #expect(deliveries <= threadCount * letterCount)
        withExtendedLifetime(reader) {}
    }

    @Test("Letters that are there when the reader looks come as one batch")
    func mailboxBatch() throws {
        let loop = try EventLoop()
        let mailbox = try Mailbox<Int>()
        for number in 0..<100 { mailbox.post(number) }
        var batches: [[Int]] = []
        let reader = mailbox.attach(to: loop) { batches.append($0) }
        while batches.isEmpty { loop.runTurn() }
        #expect(batches == [Array(0..<100)])
        withExtendedLifetime(reader) {}
    }

    @Test("A thread that waits on a mailbox gets its letters, and answers")
    func blockingMailbox() throws {
        let questions = try Mailbox<Int?>()
        let answers = try Mailbox<Int>()
        let thread = try WorkerThread(name: "answers") {
            while true {
                for letter in questions.wait() {
                    guard let number = letter else { return }
                    answers.post(number * 2)
                }
            }
        }
        for number in 1...10 { questions.post(number) }
        var got: [Int] = []
        while got.count < 10 { got += answers.wait() }
        questions.post(nil)
        thread.join()
        #expect(got == (1...10).map { $0 * 2 })
    }

    @Test("A signal is told on the loop")
    func signal() throws {
        let loop = try EventLoop()
        let watch = SignalWatch(on: loop, number: SIGUSR2) { loop.stop() }
        kill(getpid(), SIGUSR2)
        loop.run()
        withExtendedLifetime(watch) {}
    }
}
