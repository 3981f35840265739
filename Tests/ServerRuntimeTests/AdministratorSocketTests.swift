// The administrator's socket: who is slow, says too much or comes in crowds delays nobody, and no
// error of the system ends it.
import Foundation
import Glibc
import TableServer
import Testing

@testable import ServerRuntime
@testable import Transport

/// A client of the socket that does what it likes.
private final class RawClient {
    private let descriptor: Int32

    init(folder: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let connected = unsafe withAddress(in: folder) { unsafe connect(descriptor, $0, $1) }
        try #require(connected == 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
    }

    private(set) var received = ""
    private(set) var isEnded = false

    /// Reads what has come.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !isEnded {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 {
                isEnded = errno != EAGAIN
                return
            }
            if count == 0 {
                isEnded = true
                return
            }
            received += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}

/// The socket on a loop, with a server that answers every request with its role.
private final class Stage {
    let folder: String
    let loop: EventLoop
    var socket: AdministratorSocket?

    init(
        limits: AdministratorLimits = AdministratorLimits(),
        accept acceptNext: @escaping (Int32) -> Int32 = { accept($0, nil, nil) }
    ) throws {
        folder = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        loop = try EventLoop()
        socket = try AdministratorSocket(
            on: loop, folder: folder, limits: limits, accept: acceptNext
        ) { request, tell in
            guard case .token(_, let role) = request else { return }
            tell(.token(role))
        }
    }

    deinit {
        socket?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Turns the loop until the condition holds; gives up after a minute.
    func run(until condition: () -> Bool) {
        var isOver = false
        let watchdog = LoopTimer(on: loop) { isOver = true }
        watchdog.set(at: loop.nowMicroseconds + 60_000_000)
        // What clients of the test read is no event of the loop: it is looked at every millisecond.
        let again = LoopTimer(on: loop) {}
        while !condition(), !isOver {
            again.set(at: loop.nowMicroseconds + 1_000)
            loop.runTurn()
        }
        #expect(!isOver, "still waiting after a minute")
        watchdog.cancel()
    }

    /// Asks as a client that behaves.
    func ask(_ role: String) throws -> String {
        let client = try RawClient(folder: folder)
        client.send(requestLine(role))
        run {
            client.read()
            return client.isEnded
        }
        return client.received
    }
}

private func requestLine(_ role: String) -> String {
    #"{"request":"token","bot":"b","role":"\#(role)"}"# + "\n"
}

private let patientLimits: AdministratorLimits = {
    var limits = AdministratorLimits()
    limits.requestMilliseconds = 600_000
    return limits
}()

@Suite("Administrator's socket")
struct AdministratorSocketTests {
    @Test("A client that is slow does not keep another waiting, and is answered in the end")
    func slow() throws {
        let stage = try Stage(limits: patientLimits)
        let slow = try RawClient(folder: stage.folder)
        let line = Array(requestLine("slow"))
        slow.send(String(line[..<10]))
        #expect(try stage.ask("quick") == #"{"token":"quick"}"# + "\n")
        slow.send(String(line[10...]))
        stage.run {
            slow.read()
            return slow.isEnded
        }
        #expect(slow.received == #"{"token":"slow"}"# + "\n")
    }

    @Test("A request that does not come to its end in time is cut, whatever trickles in")
    func trickling() throws {
        var limits = AdministratorLimits()
        limits.requestMilliseconds = 50
        let stage = try Stage(limits: limits)
        let client = try RawClient(folder: stage.folder)
        stage.run {
            client.send(" ")
            client.read()
            return client.isEnded
        }
        #expect(client.received.isEmpty)
    }

    @Test("A request without an end is refused once it is too long")
    func endless() throws {
        let stage = try Stage(limits: patientLimits)
        let client = try RawClient(folder: stage.folder)
        client.send(String(repeating: "x", count: 6_000))
        stage.run {
            client.read()
            return client.isEnded
        }
        #expect(client.received.contains("refused") || client.received.isEmpty)
        #expect(try stage.ask("next") == #"{"token":"next"}"# + "\n")
    }

    @Test("What is no request is refused")
    func garbage() throws {
        let stage = try Stage(limits: patientLimits)
        let client = try RawClient(folder: stage.folder)
        client.send("give me everything\n")
        stage.run {
            client.read()
            return client.isEnded
        }
        #expect(client.received == #"{"refused":"the request is not understood"}"# + "\n")
    }

    @Test(
        "No error of accept ends the socket",
        arguments: [EMFILE, ENFILE, ENOMEM, ECONNABORTED, EINTR, EPROTO])
    func acceptErrors(code: Int32) throws {
        var failures = 3
        let stage = try Stage(limits: patientLimits) { listener in
            guard failures == 0 else {
                failures -= 1
                errno = code
                return -1
            }
            return accept(listener, nil, nil)
        }
        #expect(try stage.ask("late") == #"{"token":"late"}"# + "\n")
        #expect(failures == 0)
    }

    @Test("A crowd that says nothing is thinned out, the oldest first")
    func crowd() throws {
        var limits = patientLimits
        limits.clientsMax = 2
        let stage = try Stage(limits: limits)
        let crowd = try (0..<3).map { _ in try RawClient(folder: stage.folder) }
        stage.run {
            crowd[0].read()
            return crowd[0].isEnded
        }
        #expect(try stage.ask("late") == #"{"token":"late"}"# + "\n")
        crowd[2].read()
        #expect(!crowd[2].isEnded)
    }
}
