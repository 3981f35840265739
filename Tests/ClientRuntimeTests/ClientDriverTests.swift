// The driver carries out what the core asks for, on real connections over TLS: it connects, says
// what the core says, tells it of the end, and connects again.
import ClientRuntime
import TableClient
import TableValue
import TableWire
import Testing
import Transport

/// A server that answers a login, and cuts connections when it is told to.
private final class Counterpart: ConnectionHandler {
    let loop: EventLoop
    let identity: ServerIdentity
    private(set) var listener: Listener?
    private(set) var heard: [String] = []
    private(set) var opened = 0
    private var answers: [UInt8] = []
    private var connection: TLSConnection?

    init() throws {
        loop = try EventLoop()
        identity = try ServerIdentity(makingFor: ["127.0.0.1"])
        listener = try Listener(
            on: loop, at: HostPort(host: "127.0.0.1", port: 0),
            context: try TLSServerContext(identity: identity), handler: self)
    }

    func opened(_ connection: TLSConnection) {
        opened += 1
        self.connection = connection
    }

    func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        let text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        for line in text.split(separator: "\n") {
            heard.append(String(line))
            guard line.contains("\"login\"") else { continue }
            write(ServerLine(message: .welcome(Welcome())), to: &answers)
            write(
                ServerLine(message: .loggedIn(user: "u1", name: "Ann", role: "owner", token: nil)),
                to: &answers)
            connection.requestWrite()
        }
    }

    func fill(_ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection) {
        buffer += answers
        answers = []
    }

    func closed(_ connection: TLSConnection, reason: CloseReason) {}

    /// Cuts the connection that is open.
    func cut() {
        connection?.close(afterOutput: false)
        connection = nil
    }
}

private func makeDriver(
    of counterpart: Counterpart, pin: [UInt8]? = nil
) throws -> ClientDriver {
    var configuration = ClientConfiguration(
        credential: .token("rt1d_x"), random: SecureRandom())
    configuration.backoffFirstSeconds = 0.001
    configuration.backoffMaxSeconds = 0.01
    let address = try #require(counterpart.listener).address
    return try ClientDriver(
        on: counterpart.loop, server: address, pin: pin ?? counterpart.identity.pin,
        configuration: configuration)
}

extension ClientDriver {
    /// Runs turns until a notice comes that `pick` is true for.
    fileprivate func run(until pick: (ClientNotice) -> Bool) {
        while true {
            while let notice = takeNotice() {
                if pick(notice) { return }
            }
            loop.runTurn()
        }
    }
}

private func isLogin(_ notice: ClientNotice) -> Bool {
    if case .loggedIn = notice { true } else { false }
}

private func isLoss(_ notice: ClientNotice) -> Bool {
    if case .reconnecting = notice { true } else { false }
}

@Test("it connects, logs in, and after a cut does so again", .timeLimit(.minutes(10)))
func reconnects() throws {
    let counterpart = try Counterpart()
    let driver = try makeDriver(of: counterpart)
    driver.perform { $0.start(at: $1, into: &$2) }
    driver.run(until: isLogin)
    #expect(driver.failure == nil)
    for time in 1...3 {
        counterpart.cut()
        driver.run(until: isLoss)
        driver.run(until: isLogin)
        #expect(counterpart.opened == time + 1)
    }
}

@Test("leaving says good-bye before the connection ends", .timeLimit(.minutes(10)))
func leaves() throws {
    let counterpart = try Counterpart()
    let driver = try makeDriver(of: counterpart)
    driver.perform { $0.start(at: $1, into: &$2) }
    driver.run(until: isLogin)
    driver.leave()
    while counterpart.heard.last?.contains("\"bye\"") != true { counterpart.loop.runTurn() }
}

@Test("a server with another key is told from one that is not there", .timeLimit(.minutes(10)))
func failures() throws {
    let counterpart = try Counterpart()
    let stranger = try makeDriver(of: counterpart, pin: Array(repeating: 7, count: 32))
    stranger.perform { $0.start(at: $1, into: &$2) }
    stranger.run(until: isLoss)
    #expect(stranger.failure?.kind == .wrongServer)
    #expect(counterpart.heard.isEmpty)
    let late = try makeDriver(of: counterpart)
    counterpart.listener?.close()
    late.perform { $0.start(at: $1, into: &$2) }
    late.run(until: isLoss)
    #expect(late.failure?.kind == .unreachable)
}
