// One command's conversation with one server: asks, waits, and turns what goes wrong into the
// end of the command. It runs the loop; the core below it keeps the connection.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire
import Transport

/// What became of an operation.
struct Decision: Hashable, Sendable {
    let table: TableID
    let clientNumber: ClientNumber
    /// The record that was made; nil where none was.
    let sequence: SequenceNumber?
    let outcome: Outcome
}

/// How long a command tries to reach the server.
enum Patience: Sendable {
    /// A command that a person waits for: not at all where nobody listens, else seconds.
    case short
    /// A command that works through much: minutes, once the server has been reached.
    case long
    /// A command that only ends when it is told to.
    case endless

    /// How long without a login it goes on trying.
    var seconds: Double {
        switch self {
        case .short: 10
        case .long: 120
        case .endless: .infinity
        }
    }
}

/// A conversation with one server.
final class Conversation {
    let driver: ClientDriver
    /// True where the words of the command say how long to try.
    private let isTold: Bool
    private var hasLoggedIn = false
    /// True once a table was asked for in order to change it.
    private var isWriting = false
    /// True where a table was opened for its rows: it is here once it is live, not before.
    private var isCopying = false
    /// Operations and questions that have no answer yet.
    private var awaitedCount = 0
    private var losses: LossAccount

    /// How often a question that may be asked twice is asked again after a broken connection.
    private static let attemptsMax = 50

    /// Starts talking to a server.
    init(
        server: HostPort, pin: [UInt8], credential: Credential, patience: Patience,
        invocation: Invocation, window: Int = 64
    ) throws(CommandFailure) {
        isTold = invocation.has("wait")
        losses = LossAccount(
            secondsMax: try invocation.seconds("wait") ?? patience.seconds)
        var configuration = ClientConfiguration(credential: credential, random: SecureRandom())
        configuration.clientName = Text("roundtable \(programVersion)")
        configuration.window = window
        configuration.backoffMaxSeconds = 5
        do {
            driver = try ClientDriver(
                on: try EventLoop(), server: server, pin: pin, configuration: configuration)
        } catch {
            throw .local(error.reason)
        }
        driver.perform { $0.start(at: $1, into: &$2) }
    }

    // MARK: Waiting

    /// The next notice, once there is one; nil where a turn brought none and `isAwaited` says
    /// that something else has come.
    func next(
        orUntil isAwaited: () -> Bool = { false }
    ) throws(CommandFailure) -> ClientNotice? {
        while true {
            if let notice = driver.takeNotice() {
                try check(notice)
                return notice
            }
            if isAwaited() { return nil }
            driver.loop.runTurn()
        }
    }

    /// Waits for the first notice that `pick` makes something of.
    func wait<Result>(
        for pick: (ClientNotice) throws(CommandFailure) -> Result?
    ) throws(CommandFailure) -> Result {
        while true {
            guard let notice = try next() else { continue }
            if let result = try pick(notice) { return result }
        }
    }

    /// Keeps account of the connection, and ends the command where nothing more can come.
    private func check(_ notice: ClientNotice) throws(CommandFailure) {
        switch notice {
        case .loggedIn:
            hasLoggedIn = true
        case .reconnecting(let afterSeconds, let reason):
            try checkPatience(afterSeconds: afterSeconds, reason: reason)
        case .live, .applied:
            losses.progressed()
        case .decided:
            awaitedCount -= 1
            losses.progressed()
        case .answered(_, let answer):
            awaitedCount -= 1
            // The core's own word for a question whose connection broke.
            if case .error(let error) = answer, error.code == .internalError { return }
            losses.progressed()
        case .opened(let opened):
            if !isCopying, awaitedCount == 0 { losses.progressed() }
            // Without a session nothing that is submitted would ever be sent.
            guard isWriting, opened.writer == nil else { return }
            throw .refused(
                code: WireCode.forbidden.rawValue,
                message: "your role (\(opened.role)) does not allow changes")
        case .failed(let error):
            throw .refused(code: error.code.rawValue, message: error.message)
        case .doubted(_, let number):
            throw .refused(
                code: WireCode.sessionExpired.rawValue,
                message: "what became of operation \(number) is no longer known; look at the table")
        case .lineageChanged:
            throw .refused(
                code: WireCode.lineageChanged.rawValue,
                message: "the table was restored from elsewhere meanwhile; look at it anew")
        default: break
        }
    }

    private func checkPatience(
        afterSeconds: Double, reason: String
    ) throws(CommandFailure) {
        if let failure = driver.failure {
            if failure.kind == .wrongServer { throw .unreachable(failure.reason) }
            if !hasLoggedIn, !isTold, failure.kind == .unreachable {
                throw .unreachable("no server answers: \(failure.reason)")
            }
        }
        let now = Double(driver.loop.nowMicroseconds) / 1_000_000
        switch losses.lost(at: now, retryingAfterSeconds: afterSeconds) {
        case .first: talk("no connection to \(driver.server), trying again: \(reason)")
        case .again: break
        case .over: throw .unreachable("\(driver.server) cannot be reached: \(reason)")
        }
    }

    // MARK: Asking

    /// Asks something that changes nothing, again where the connection broke meanwhile.
    func ask(_ message: ClientMessage) throws(CommandFailure) -> ServerMessage {
        try ask(message, attempts: Self.attemptsMax)
    }

    /// Asks once, or up to `attempts` times.
    func ask(_ message: ClientMessage, attempts: Int) throws(CommandFailure) -> ServerMessage {
        var left = attempts
        while true {
            awaitedCount += 1
            let asked = driver.perform { $0.request(message, at: $1, into: &$2) }
            let answer = try wait { (notice) throws(CommandFailure) -> ServerMessage? in
                if case .answered(asked, let answer) = notice { answer } else { nil }
            }
            guard case .error(let error) = answer else { return answer }
            left -= 1
            guard error.code == .internalError, left > 0 else {
                throw .refused(code: error.code.rawValue, message: error.message)
            }
        }
    }

    /// Opens a table.
    ///
    /// Errors: `forbidden` where it was to be changed and the server gave no session for that,
    /// now or when the connection comes back.
    func open(_ request: OpenRequest) throws(CommandFailure) -> Opened {
        isWriting = isWriting || request.write
        isCopying = isCopying || request.follow && request.start == .snapshot
        driver.perform { $0.open(request, at: $1, into: &$2) }
        return try wait { (notice) throws(CommandFailure) -> Opened? in
            if case .opened(let opened) = notice { opened } else { nil }
        }
    }

    /// Waits until the replica of a table has caught up; `progress` is told how many rows have
    /// come after each turn.
    func waitUntilLive(
        _ table: TableID, progress: (_ rowCount: Int) -> Void = { _ in }
    ) throws(CommandFailure) {
        while true {
            let notice = try next {
                let rowCount = driver.perform { client, _, _ in client.loadedRowCount(of: table) }
                losses.loaded(rowCount: rowCount)
                progress(rowCount)
                return false
            }
            if case .live(table, _)? = notice { return }
        }
    }

    /// Performs one operation and waits for what becomes of it.
    func perform(_ op: Op, in table: TableID) throws(CommandFailure) -> Decision {
        let number = try submit(op, to: table)
        return try wait { (notice) throws(CommandFailure) -> Decision? in
            guard case .decided(table, number, let sequence, let outcome) = notice else {
                return nil
            }
            return Decision(
                table: table, clientNumber: number, sequence: sequence, outcome: outcome)
        }
    }

    /// Hands an operation to the core; 0 where it was too large, which a notice tells.
    func submit(_ op: Op, to table: TableID) throws(CommandFailure) -> ClientNumber {
        awaitedCount += 1
        let number = driver.perform { $0.submit(op, to: table, at: $1, into: &$2) }
        return number ?? 0
    }

    /// Ends the conversation in order.
    func end() {
        driver.leave()
    }
}

extension Invocation {
    /// The option's value as seconds.
    func seconds(_ option: String) throws(CommandFailure) -> Double? {
        guard let text = value(option) else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
            throw .words("--\(option) needs a number of seconds")
        }
        return seconds
    }
}
