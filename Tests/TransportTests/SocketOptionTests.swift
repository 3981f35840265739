// What nobody sees when it is missing, but everybody feels: no delay on either end, and one write
// a turn for all that a connection is owed.
import CLibevent
import Glibc
import Testing

@testable import Transport

/// The value of an option of a socket; nil where it cannot be asked.
private func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var byteCount = socklen_t(MemoryLayout<Int32>.size)
    let status = unsafe getsockopt(
        descriptor, Int32(IPPROTO_TCP), name, &value, &byteCount)
    return status == 0 ? value : nil
}

@Suite("What a socket is told")
struct SocketOptionTests {
    @Test("TCP_NODELAY is set on both ends, and keepalive finds dead peers")
    func noDelay() throws {
        let world = try Loopback()
        let client = Recorder()
        _ = try world.connect(client)
        world.run { client.connections.count == 1 && world.server.connections.count == 1 }
        for connection in client.connections + world.server.connections {
            #expect(option(TCP_NODELAY, of: connection.descriptor) == 1)
            #expect(option(TCP_KEEPIDLE, of: connection.descriptor) == 30)
            #expect(option(TCP_USER_TIMEOUT, of: connection.descriptor) == 60_000)
        }
    }

    @Test("All that a turn wakes a connection for leaves in one write, and is read in one")
    func oneWrite() throws {
        let world = try Loopback()
        let owed = Outbox()
        var fills: [Int] = []
        world.server.onFill = { _, buffer, count in
            let before = buffer.count
            owed.take(into: &buffer, byteCountMax: count)
            fills.append(buffer.count - before)
        }
        let client = Recorder()
        var reads: [Int] = []
        client.onReceived = { reads.append($1.count) }
        _ = try world.connect(client)
        world.run { client.connections.count == 1 && world.server.connections.count == 1 }
        let connection = try #require(world.server.connections.first)
        for turn in 1...5 {
            fills = []
            reads = []
            // A hundred things happen in the turn; each asks for the connection to be written to.
            for _ in 0..<100 {
                owed.append(pattern(100))
                connection.requestWrite()
            }
            world.run { reads.reduce(0, +) >= 10_000 }
            #expect(fills == [10_000], "turn \(turn)")
            #expect(reads == [10_000], "turn \(turn)")
        }
    }
}
