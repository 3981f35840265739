// Connections over loopback: what is sent arrives, once and in order, and what is wrong with a
// peer is named.
import Testing

@testable import Transport

@Suite("TLS connections")
struct TLSConnectionTests {
    @Test("What a client sends comes back from an echo, whole and in order")
    func echo() throws {
        let world = try Loopback()
        let echo = Outbox()
        world.server.onReceived = { connection, bytes in
            echo.append(bytes)
            connection.requestWrite()
        }
        world.server.onFill = { _, buffer, count in echo.take(into: &buffer, byteCountMax: count) }
        let client = Recorder()
        let sent = pattern(1_000_003)
        let outbox = Outbox(sent)
        client.onOpened = { $0.requestWrite() }
        client.onFill = { _, buffer, count in outbox.take(into: &buffer, byteCountMax: count) }
        _ = try world.connect(client)
        world.run { client.received.count >= sent.count }
        #expect(client.received == sent)
        #expect(client.reasons.isEmpty)
    }

    @Test("A server with another key is refused, with both fingerprints named")
    func wrongPin() throws {
        let world = try Loopback()
        let client = Recorder()
        let wrong = [UInt8](repeating: 7, count: 32)
        _ = try world.connect(client, pin: wrong)
        world.run { !client.reasons.isEmpty }
        #expect(client.connections.isEmpty)
        guard case .failed(let error) = client.reasons.first else {
            Issue.record("closed for \(client.reasons)")
            return
        }
        #expect(error.reason.contains(hexadecimal(wrong)))
        #expect(error.reason.contains(hexadecimal(world.identity.pin)))
        world.run { world.listener.handshakeCount == 0 }
    }

    @Test("A closed port is named with its address")
    func refused() throws {
        let world = try Loopback()
        let client = Recorder()
        let address = world.listener.address
        world.listener.close()
        _ = try world.connect(client)
        world.run { !client.reasons.isEmpty }
        #expect("\(client.reasons)".contains(address.description))
    }

    @Test("Closing after output delivers everything, then an orderly end")
    func closeAfterOutput() throws {
        let world = try Loopback()
        let sent = pattern(500_000)
        let outbox = Outbox(sent)
        world.server.onFill = { _, buffer, count in
            outbox.take(into: &buffer, byteCountMax: count)
        }
        world.server.onOpened = { $0.close(afterOutput: true) }
        let client = Recorder()
        _ = try world.connect(client)
        world.run { !client.reasons.isEmpty && !world.server.reasons.isEmpty }
        #expect(client.received == sent)
        #expect(client.reasons == [.peer])
        #expect(world.server.reasons == [.local])
    }

    @Test("A peer that does not read costs one fill, and reads all of it later")
    func slowReader() throws {
        let world = try Loopback()
        let sent = pattern(4_000_000)
        let outbox = Outbox(sent)
        world.server.onOpened = { $0.requestWrite() }
        world.server.onFill = { _, buffer, count in
            outbox.take(into: &buffer, byteCountMax: count)
        }
        let client = Recorder()
        client.onOpened = { $0.pauseReading() }
        let connection = try world.connect(client)
        world.run { world.server.connections.first?.isWriteBlocked == true }
        let pending = try #require(world.server.connections.first).pendingByteCount
        #expect(pending > 0)
        #expect(pending <= TLSConnection.fillBytesMax)
        #expect(!outbox.isEmpty)
        connection.resumeReading()
        world.run { client.received.count >= sent.count }
        #expect(client.received == sent)
        #expect(world.server.connections.first?.pendingByteCount == 0)
    }

    @Test("GT7: a peer that breaks off in the middle of output ends only its own connection")
    func brokenPeer() throws {
        let world = try Loopback()
        let chunk = pattern(16_384)
        world.server.onOpened = { $0.requestWrite() }
        world.server.onFill = { connection, buffer, _ in
            if connection.tag == 0 { buffer += chunk }
        }
        let broken = Recorder()
        broken.onReceived = { connection, _ in connection.breakOff() }
        let other = Recorder()
        _ = try world.connect(broken)
        world.run { !world.server.reasons.isEmpty }
        world.server.onOpened = { connection in
            connection.tag = 1
        }
        let connection = try world.connect(other)
        world.run { other.connections.count == 1 }
        #expect(world.server.reasons == [.truncated])
        #expect(other.reasons.isEmpty)
        connection.close(afterOutput: false)
        world.run { world.server.reasons.count == 2 }
        #expect(world.server.reasons.last == .peer)
    }

    @Test("Many connections at once each get their own bytes")
    func many() throws {
        let world = try Loopback()
        let clientCount = 200
        var echoes: [Int64: Outbox] = [:]
        world.server.onOpened = { connection in
            connection.tag = Int64(echoes.count + 1)
            echoes[connection.tag] = Outbox()
        }
        world.server.onReceived = { connection, bytes in
            echoes[connection.tag]?.append(bytes)
            connection.requestWrite()
        }
        world.server.onFill = { connection, buffer, count in
            echoes[connection.tag]?.take(into: &buffer, byteCountMax: count)
        }
        let clients = (0..<clientCount).map { _ in Recorder() }
        for (number, client) in clients.enumerated() {
            let outbox = Outbox(Array("client \(number)".utf8))
            client.onOpened = { $0.requestWrite() }
            client.onFill = { _, buffer, count in outbox.take(into: &buffer, byteCountMax: count) }
            _ = try world.connect(client)
        }
        world.run {
            clients.enumerated().allSatisfy { number, client in
                client.received.count >= "client \(number)".utf8.count
            }
        }
        for (number, client) in clients.enumerated() {
            #expect(client.received == Array("client \(number)".utf8))
        }
    }

    @Test("A connection that reads no more gets nothing until it reads again")
    func pause() throws {
        let world = try Loopback()
        world.server.onOpened = { $0.pauseReading() }
        let client = Recorder()
        let outbox = Outbox(pattern(100_000))
        client.onOpened = { $0.requestWrite() }
        client.onFill = { _, buffer, count in outbox.take(into: &buffer, byteCountMax: count) }
        _ = try world.connect(client)
        world.run { outbox.isEmpty && world.server.connections.count == 1 }
        #expect(world.server.received.isEmpty)
        world.server.connections.first?.resumeReading()
        world.run { world.server.received.count == 100_000 }
        #expect(world.server.received == pattern(100_000))
    }

    @Test("A turn writes about so much; connections that are left are first in the next")
    func writesOfOneTurn() throws {
        let world = try Loopback()
        world.loop.writeBytesPerTurnMax = 32 << 10
        let clients = (0..<6).map { _ in Recorder() }
        for client in clients { _ = try world.connect(client) }
        world.run {
            world.server.connections.count == 6 && clients.allSatisfy { !$0.connections.isEmpty }
        }
        var filled: [ObjectIdentifier: Int] = [:]
        var writersOfTurn: Set<ObjectIdentifier> = []
        var most = 0
        world.server.onFill = { connection, buffer, count in
            let place = ObjectIdentifier(connection)
            guard filled[place, default: 0] < 600_000 else { return }
            writersOfTurn.insert(place)
            most = max(most, writersOfTurn.count)
            buffer += pattern(count)
            filled[place, default: 0] += count
        }
        for connection in world.server.connections { connection.requestWrite() }
        world.loop.onTurnEnd = { writersOfTurn = [] }
        world.run { clients.allSatisfy { $0.received.count >= 600_000 } }
        #expect(most == 1, "each wrote more than a turn's part")
    }
}
