// Carries out the server core's actions on one event loop: connections, the store thread, timers,
// signals. What an operation means is decided in TableServer; nothing here looks into a line.
import Glibc
package import TableLog
import TableModel
package import TableServer
package import Transport

extension SHA256: ContentDigest {}

/// How a server is run.
package struct ServerConfiguration: Sendable {
    /// The data folder; made with mode 0700 where it is missing.
    package var folder: String
    /// Where it listens; port 0 lets the system pick one.
    package var listen: HostPort
    /// What the core allows; see docs/guides/configuration.md.
    package var limits = ServerLimits()
    /// What the listener lets in at once.
    package var listenerLimits = ListenerLimits()
    /// Where it tells its operators what happens.
    package var reporter = Reporter()
    /// What the store holds, as far as known: one that is large is announced before its replay.
    package var storedBytes = 0
    /// Whether the process's signals mean this server, from before its store is opened.
    package var watchesSignals = false

    /// A configuration with the defaults.
    package init(folder: String, listen: HostPort) {
        self.folder = folder
        self.listen = listen
        // The rest of the ten seconds that a stop may take belongs to the sockets.
        limits.stopSeconds = 9
    }
}

/// Why a server did not start.
package struct ServerStartError: Error, Sendable, CustomStringConvertible {
    /// What happened, to which folder or address, and what to do next.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A replay of this much or more is announced; it takes a second or longer.
private let announcedReplayBytes = 8 << 20

/// How long sockets may take to deliver the last words of an orderly stop.
private let drainMicroseconds: Int64 = 500_000

/// One running server, on the thread that made it.
package final class ServerRuntime: ConnectionHandler {
    private let configuration: ServerConfiguration
    /// The loop that it lives on.
    package let loop: EventLoop
    private let store: StoreThread
    private var server: Server
    private var actions: [ServerAction] = []
    /// The list that is not in use: the two change places, so that neither is made anew.
    private var spareActions: [ServerAction] = []
    private var connections: [Int64: TLSConnection] = [:]
    private var nextConnection: Int64 = 1
    private var timer: LoopTimer?
    private var held: [AnyObject] = []
    private var listener: Listener?
    private var administrator: AdministratorSocket?
    private var awaited: [Int64: (AdministratorAnswer) -> Void] = [:]
    private var nextTicket: Int64 = 1
    /// True once the store could not keep what it was given: nothing is served any more.
    package private(set) var hasStoreFailed = false
    private var isStopping = false
    private let orders: Mailbox<ServerOrder>
    private let signals: ProcessSignals?
    /// True where an order to stop came while the log was being replayed: all there is left to do
    /// is `close`.
    package private(set) var wasStoppedEarly = false
    /// The pin of the identity that it shows.
    package private(set) var pin: [UInt8] = []

    /// Opens the store and replays it; does not listen yet.
    ///
    /// An order to stop ends the replay at the next piece, see `wasStoppedEarly`.
    ///
    /// - Parameters:
    ///   - configuration: how to run.
    ///   - orders: where it is told to stop, or to load its identity again; from any thread.
    ///   - openStore: makes the store; called on the store's thread.
    /// - Throws: `ServerStartError` where the store is in use, damaged, or cannot be read.
    package init<Store: LogStore & SendableMetatype>(
        configuration: ServerConfiguration, orders: Mailbox<ServerOrder>? = nil,
        openStore: @escaping @Sendable () throws(LogStoreError) -> Store
    ) throws(ServerStartError) {
        self.configuration = configuration
        do throws(TransportError) {
            loop = try EventLoop()
            let orders = if let orders { orders } else { try Mailbox<ServerOrder>() }
            self.orders = orders
            signals =
                configuration.watchesSignals ? ProcessSignals(on: loop, postingTo: orders) : nil
            store = try StoreThread(opening: openStore)
        } catch {
            throw ServerStartError(error.reason)
        }
        server = Server(
            limits: configuration.limits,
            environment: ServerEnvironment(
                sha256: sha256, contentDigest: SHA256.self,
                random: SecureRandom()))
        try recover()
    }

    private func recover() throws(ServerStartError) {
        if configuration.storedBytes >= announcedReplayBytes {
            report(.info, "replaying \(configuration.storedBytes) bytes of log")
        }
        var replies: [StoreReply] = []
        let reader = store.replies.attach(to: loop) { replies += $0 }
        let orderReader = orders.attach(to: loop) { [unowned self] orders in
            if orders.contains(.stop) { wasStoppedEarly = true }
        }
        var isReady = false
        // Only what was attached and the signals are on the loop as yet.
        while !isReady, !wasStoppedEarly {
            loop.runTurn()
            for reply in replies { isReady = try recover(reply) || isReady }
            replies = []
        }
        withExtendedLifetime((reader, orderReader)) {}
        if wasStoppedEarly { report(.info, "stopped before the log was replayed") }
    }

    /// - Returns: true once everything has been replayed.
    private func recover(_ reply: StoreReply) throws(ServerStartError) -> Bool {
        switch reply {
        case .stored(let batches):
            do throws(RecoveryError) {
                for batch in batches { try server.recover(batch) }
            } catch {
                throw ServerStartError(
                    "log \(error.log) cannot be replayed at record \(error.sequence): "
                        + error.reason)
            }
            store.requests.post(.goOn)
        case .unusable(let error):
            throw ServerStartError(error.reason)
        case .ready:
            return true
        case .appended, .appendFailed, .read:
            break
        }
        return false
    }

    // MARK: Life

    /// Listens, and answers where.
    ///
    /// - Throws: `ServerStartError` naming the address or file that cannot be used.
    package func listen() throws(ServerStartError) -> HostPort {
        do throws(TransportError) {
            administrator = try AdministratorSocket(on: loop, folder: configuration.folder) {
                [unowned self] request, tell in
                asked(request, tell)
            }
            let (identity, isNew) = try ServerIdentity.load(
                folder: configuration.folder, orMakeFor: certificateNames)
            if isNew { report(.info, "made a new TLS identity in \(configuration.folder)/tls") }
            pin = identity.pin
            let listener = try Listener(
                on: loop, at: configuration.listen, context: TLSServerContext(identity: identity),
                limits: configuration.listenerLimits, handler: self)
            self.listener = listener
            return listener.address
        } catch {
            throw ServerStartError(error.reason)
        }
    }

    private var certificateNames: [String] {
        var names = ["localhost", "127.0.0.1", "::1"]
        let host = configuration.listen.host
        if !["0.0.0.0", "::", ""].contains(host), !names.contains(host) { names.append(host) }
        return names
    }

    /// Runs until it is told to stop, by `stop`, by a signal or by a failure of the store.
    ///
    /// - Returns: the exit code: 0 after an orderly stop, 1 after a failure.
    package func run() -> Int32 {
        loop.onTurnEnd = { [unowned self] in turnEnded() }
        timer = LoopTimer(on: loop) { [unowned self] in
            server.tick(at: now, into: &actions)
            carryOut()
        }
        held.append(
            store.replies.attach(to: loop) { [unowned self] replies in
                for reply in replies { answered(reply) }
            })
        held.append(
            orders.attach(to: loop) { [unowned self] orders in
                for order in orders {
                    switch order {
                    case .stop: stop()
                    case .reload: reloadIdentity()
                    }
                }
            })
        loop.run()
        drain()
        close()
        if !hasStoreFailed { report(.info, "stopped") }
        return hasStoreFailed ? 1 : 0
    }

    /// Gives what was last said to everybody a moment to arrive: a socket that is closed while
    /// its peer still sends takes back what it has not delivered.
    private func drain() {
        listener?.close()
        var isOver = false
        let timer = LoopTimer(on: loop) { isOver = true }
        timer.set(at: loop.nowMicroseconds + drainMicroseconds)
        while loop.memberCount > 0, !isOver { loop.runTurn() }
    }

    /// Asks for an administrator's request to be carried out without listening: for the commands
    /// of a server that does not run.
    package func perform(_ request: AdministratorRequest) -> AdministratorAnswer {
        var answer: AdministratorAnswer?
        asked(request) { answer = $0 }
        while answer == nil, !hasStoreFailed {
            server.turnEnded(at: now, into: &actions)
            carryOut()
            if answer == nil { for reply in store.replies.wait() { answered(reply) } }
        }
        return answer ?? .refused("the store failed")
    }

    /// True where nobody has joined yet: bots do not count.
    package var isWithoutPeople: Bool { server.isWithoutPeople }

    /// Closes the store; call last.
    package func close() {
        administrator?.close()
        store.close()
    }

    /// Begins an orderly stop; on the loop's thread.
    ///
    /// Whoever asks a second time ends the process at once.
    package func stop() {
        guard !isStopping else {
            // Whoever asks twice means now; what was acknowledged is on disk already.
            administrator?.close()
            exit(0)
        }
        isStopping = true
        report(.info, "stopping")
        listener?.close()
        server.stopRequested(at: now, into: &actions)
        carryOut()
    }

    private func reloadIdentity() {
        do throws(TransportError) {
            let (identity, _) = try ServerIdentity.load(
                folder: configuration.folder, orMakeFor: certificateNames)
            listener?.context = try TLSServerContext(identity: identity)
            report(.info, "loaded the TLS identity again")
        } catch {
            report(.error, "kept the old TLS identity: \(error.reason)")
        }
    }

    // MARK: Events

    private var now: Now {
        Now(
            instant: Instant(microseconds: loop.nowMicroseconds),
            wallMilliseconds: loop.wallMilliseconds)
    }

    /// A handshake is done.
    package func opened(_ connection: TLSConnection) {
        connection.tag = nextConnection
        nextConnection += 1
        connections[connection.tag] = connection
        server.opened(ConnectionID(rawValue: connection.tag), at: now, into: &actions)
        carryOut()
    }

    /// Bytes came in.
    package func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        server.received(
            bytes, from: ConnectionID(rawValue: connection.tag), at: now, into: &actions)
        carryOut()
    }

    /// The socket takes bytes: the core says which.
    package func fill(
        _ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection
    ) {
        server.takeOutput(
            for: ConnectionID(rawValue: connection.tag), into: &buffer, byteCountMax: byteCountMax,
            at: now)
        // Taking may make a turn due: a follower that took its piece of the log wants the next.
        setTimer()
    }

    /// A connection is gone.
    package func closed(_ connection: TLSConnection, reason: CloseReason) {
        connections[connection.tag] = nil
        server.closed(ConnectionID(rawValue: connection.tag), at: now, into: &actions)
        carryOut()
    }

    private func turnEnded() {
        server.turnEnded(at: now, into: &actions)
        carryOut()
        setTimer()
    }

    private func setTimer() {
        if let deadline = server.nextDeadline() {
            timer?.set(at: deadline.microseconds)
        } else {
            timer?.cancel()
        }
    }

    private func answered(_ reply: StoreReply) {
        switch reply {
        case .appended(let ticket):
            server.appended(ticket: ticket, at: now, into: &actions)
        case .appendFailed(let ticket, let error):
            hasStoreFailed = true
            server.appendFailed(ticket: ticket, error, at: now, into: &actions)
        case .read(let ticket, let result):
            server.logRead(ticket: ticket, result, at: now, into: &actions)
        case .stored, .ready, .unusable:
            break
        }
        carryOut()
    }

    private func asked(
        _ request: AdministratorRequest, _ tell: @escaping (AdministratorAnswer) -> Void
    ) {
        let ticket = nextTicket
        nextTicket += 1
        awaited[ticket] = tell
        server.requested(ticket: ticket, request, at: now, into: &actions)
        carryOut()
    }

    // MARK: Actions

    private func carryOut() {
        guard !actions.isEmpty else { return }
        var todo: [ServerAction] = []
        swap(&todo, &spareActions)
        swap(&todo, &actions)
        for action in todo { carryOut(action) }
        todo.removeAll(keepingCapacity: true)
        swap(&todo, &spareActions)
    }

    private func carryOut(_ action: ServerAction) {
        switch action {
        case .wake(let id):
            connections[id.rawValue]?.requestWrite()
        case .stopReading(let id):
            connections[id.rawValue]?.pauseReading()
        case .resumeReading(let id):
            connections[id.rawValue]?.resumeReading()
        case .close(let id, let afterOutput):
            connections[id.rawValue]?.close(afterOutput: afterOutput)
        case .append(let ticket, let batches):
            store.requests.post(.append(ticket: ticket, batches))
        case .readLog(let ticket, let log, let after, let byteCountMax):
            store.requests.post(
                .read(ticket: ticket, log: log, after: after, byteCountMax: byteCountMax))
        case .report(let level, let text):
            report(level, text)
        case .answerAdministrator(let ticket, let answer):
            awaited.removeValue(forKey: ticket)?(answer)
        case .stopped:
            loop.stop()
        }
    }

    private func report(_ level: ReportLevel, _ text: String) {
        configuration.reporter.report(level, text)
    }
}
