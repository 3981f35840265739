// Which operations share an append: those of writers who are answered together come together.
import TableLog
import TableModel
import Testing

@testable import TableServer

/// Three writers of one table, none of whom follows it.
private func threeWriters() -> (World, [ConnectionID]) {
    var (world, token) = stockWorld()
    let writers = (0..<3).map { _ in world.login(token: token) }
    for writer in writers {
        _ = world.ask(writer, #"{"type":"open","table":"t1","follow":false}"#)
    }
    world.appendsAtOnce = false
    return (world, writers)
}

/// How many records the appends hold that wait to be durable.
private func waiting(_ world: World) -> Int64 {
    world.appends.flatMap(\.batches).reduce(0) { $0 + $1.last - $1.first + 1 }
}

@Suite struct ServerAppendingTests {
    /// The second and third writer share an append that took half a millisecond and is now
    /// durable; an operation of the first waits.
    private func answeredTwo() -> (World, [ConnectionID]) {
        var (world, writers) = threeWriters()
        for (index, writer) in writers.enumerated() {
            world.send(writer, insertLine(1, session: "s\(index + 1)"))
        }
        world.makeDurable()
        #expect(waiting(world) == 2)
        world.send(writers[0], insertLine(2, session: "s1"))
        world.pass(seconds: 0.000_5)
        world.makeDurable()
        return (world, writers)
    }

    @Test("an append waits for the next operations of those who were just answered, and no longer")
    func gathers() {
        var (world, writers) = answeredTwo()
        // What is durable is said at once, whatever waits.
        for writer in writers { #expect(world.news(writer).count == 1) }
        #expect(world.appends.isEmpty)
        world.send(writers[1], insertLine(2, session: "s2"))
        #expect(world.appends.isEmpty)
        world.send(writers[2], insertLine(2, session: "s3"))
        #expect(waiting(world) == 3)
    }

    @Test("it waits no longer than the last append took")
    func gathersForSomeTime() {
        var (world, _) = answeredTwo()
        world.pass(seconds: 0.000_4)
        #expect(world.appends.isEmpty)
        world.pass(seconds: 0.000_2)
        #expect(waiting(world) == 1)
    }

    @Test("one writer alone never waits for company")
    func aloneAtOnce() {
        var (world, writers) = threeWriters()
        world.send(writers[0], insertLine(1))
        world.send(writers[0], insertLine(2))
        world.pass(seconds: 0.000_5)
        world.makeDurable()
        #expect(waiting(world) == 1)
    }
}
