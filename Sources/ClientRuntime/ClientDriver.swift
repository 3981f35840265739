// Runs one client core: carries out its actions on a real connection, tells it the time, and
// keeps what it has to say for whoever drives. It decides nothing about tables; the core does.
package import TableClient
import TableModel
import TableWire
package import Transport

/// A client core on an event loop, confined to one thread.
///
/// Whoever uses it runs turns of `loop` and takes the notices that come of them.
package final class ClientDriver: ConnectionHandler {
    /// The loop that it lives on; its owner turns it.
    package let loop: EventLoop
    /// The server that is talked to.
    package let server: HostPort
    /// Why the server could not be reached the last time; nil once it was.
    package private(set) var failure: TransportError?

    private var client: Client
    private let context: TLSClientContext
    private var connection: TLSConnection?
    private var timer: LoopTimer?
    /// Bytes for the connection, from `outgoingStart` on.
    private var outgoing: [UInt8] = []
    private var outgoingStart = 0
    private var actions: [ClientAction] = []
    private var notices: [ClientNotice] = []
    private var noticesTaken = 0

    /// Makes a client of the server that shows the key of that pin.
    ///
    /// Nothing is sent yet. Errors: the pin has not 32 bytes.
    package init(
        on loop: EventLoop, server: HostPort, pin: [UInt8], configuration: ClientConfiguration
    ) throws(TransportError) {
        self.loop = loop
        self.server = server
        context = try TLSClientContext(pin: pin)
        client = Client(configuration: configuration)
    }

    // MARK: For whoever drives

    /// Calls the core with the time and a list for its actions, and carries these out.
    package func perform<Result>(
        _ body: (inout Client, ClientInstant, inout [ClientAction]) -> Result
    ) -> Result {
        let result = body(&client, now, &actions)
        carryOut()
        return result
    }

    /// The next thing that the core has to say; nil where it has said everything.
    package func takeNotice() -> ClientNotice? {
        guard noticesTaken < notices.count else {
            notices.removeAll(keepingCapacity: true)
            noticesTaken = 0
            return nil
        }
        defer { noticesTaken += 1 }
        return notices[noticesTaken]
    }

    /// Says good-bye and waits until that has left, a second at most.
    package func leave() {
        perform { $0.stop(at: $1, into: &$2) }
        guard connection != nil else { return }
        var isLate = false
        let limit = LoopTimer(on: loop) { isLate = true }
        limit.set(at: loop.nowMicroseconds + 1_000_000)
        while connection != nil, !isLate { loop.runTurn() }
    }

    // MARK: Actions

    private var now: ClientInstant { ClientInstant(microseconds: loop.nowMicroseconds) }

    private func carryOut() {
        while !actions.isEmpty {
            let due = actions
            actions.removeAll(keepingCapacity: true)
            for action in due { carryOut(action) }
        }
        guard let deadline = client.deadline else {
            timer?.cancel()
            return
        }
        if timer == nil {
            timer = LoopTimer(on: loop) { [unowned self] in
                perform { $0.tick(at: $1, into: &$2) }
            }
        }
        timer?.set(at: deadline.microseconds)
    }

    private func carryOut(_ action: ClientAction) {
        switch action {
        case .connect: connect()
        case .send(let bytes):
            outgoing += bytes
            connection?.requestWrite()
        case .disconnect:
            // A connection that was never open ends at once. Until `closed` comes, what is left
            // in `outgoing` may leave; a new connection starts with nothing.
            connection?.close(afterOutput: true)
        case .notify(let notice): notices.append(notice)
        }
    }

    private func connect() {
        outgoing.removeAll()
        outgoingStart = 0
        do {
            connection = try TLSConnection.connect(
                on: loop, to: server, context: context, handler: self)
        } catch {
            failure = error
            client.disconnected(reason: error.reason, at: now, into: &actions)
        }
    }

    // MARK: Events

    /// The server was reached and showed the right key.
    package func opened(_ connection: TLSConnection) {
        guard connection === self.connection else { return }
        failure = nil
        perform { $0.connected(at: $1, into: &$2) }
    }

    /// Bytes came in.
    package func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        guard connection === self.connection else { return }
        client.received(bytes, at: now, into: &actions)
        carryOut()
    }

    /// The connection asks for bytes.
    package func fill(
        _ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection
    ) {
        guard connection === self.connection else { return }
        let end = min(outgoing.count, outgoingStart + byteCountMax)
        buffer += outgoing[outgoingStart..<end]
        outgoingStart = end
        guard outgoingStart == outgoing.count else { return }
        outgoing.removeAll(keepingCapacity: outgoing.capacity <= 1 << 20)
        outgoingStart = 0
    }

    /// The connection is gone, or could not be made.
    package func closed(_ connection: TLSConnection, reason: CloseReason) {
        guard connection === self.connection else { return }
        self.connection = nil
        if case .failed(let error) = reason { failure = error }
        perform { $0.disconnected(reason: reason.description, at: $1, into: &$2) }
    }
}
