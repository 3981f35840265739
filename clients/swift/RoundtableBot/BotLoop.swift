// The thread on which one bot's connection lives, and how calls reach it: as closures that run
// there between turns of the loop. It knows when a call has waited too long, and nothing of what
// is asked; that is BotCore's.
import ClientRuntime
import Synchronization
import TableClient
import Transport

/// What a call waits for; fulfilled once, from the loop's thread.
final class Promise<Result: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result, any Error>?>

    init(_ continuation: CheckedContinuation<Result, any Error>) {
        self.continuation = Mutex(continuation)
    }

    var isKept: Bool { continuation.withLock { $0 == nil } }

    func succeed(_ result: Result) { take()?.resume(returning: result) }

    func fail(_ error: any Error) { take()?.resume(throwing: error) }

    private func take() -> CheckedContinuation<Result, any Error>? {
        continuation.withLock { held in
            defer { held = nil }
            return held
        }
    }
}

/// The number of a call that waits.
typealias Ticket = UInt64

/// The handle of a connection that lives on a thread of its own, until the handle goes away.
final class BotLoop: Sendable {
    typealias Order = @Sendable (BotCore) -> Void

    private let orders: Mailbox<Order>
    private let tickets = Atomic<Ticket>(1)
    /// How long a call waits where it is not told otherwise.
    let timeoutSeconds: Double

    /// Starts the thread, which connects at once.
    init(_ login: Login, timeoutSeconds: Double) throws(BotError) {
        self.timeoutSeconds = timeoutSeconds
        do {
            let orders = try Mailbox<Order>()
            self.orders = orders
            _ = try WorkerThread(name: "bot") { runLoop(login, orders) }
        } catch {
            throw BotError(.unreachable, "internal_error", error.reason)
        }
    }

    deinit {
        orders.post { core in
            core.end()
            core.isReleased = true
        }
    }

    /// Runs something on the thread; it is not waited for.
    func post(_ order: @escaping Order) {
        orders.post(order)
    }

    /// Begins something on the thread and waits until its promise is kept.
    ///
    /// Errors: `unreachable` or `outOfTime` after `seconds`, nil for never; cancellation.
    func wait<Result: Sendable>(
        seconds: Double?, _ begin: @escaping @Sendable (BotCore, Promise<Result>) -> Void
    ) async throws -> Result {
        try Task.checkCancellation()
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let promise = Promise<Result>(continuation)
                orders.post { core in
                    core.register(
                        Waiting(
                            ticket: ticket, seconds: seconds, isOver: { promise.isKept },
                            fail: { promise.fail($0) }))
                    if !promise.isKept { begin(core, promise) }
                }
            }
        } onCancel: {
            orders.post { $0.cancel(ticket) }
        }
    }

    /// As `wait` with the default time.
    func wait<Result: Sendable>(
        _ begin: @escaping @Sendable (BotCore, Promise<Result>) -> Void
    ) async throws -> Result {
        try await wait(seconds: timeoutSeconds, begin)
    }
}

/// The body of the thread.
private func runLoop(_ login: Login, _ orders: Mailbox<BotLoop.Order>) {
    let core: BotCore
    do {
        core = try BotCore(login)
    } catch {
        let broken = BotCore(broken: BotError(.invalidText, "malformed", error.reason))
        return answer(orders, with: broken)
    }
    guard let loop = core.driver?.loop else { return }
    let reader = orders.attach(to: loop) { letters in
        for order in letters { order(core) }
    }
    withExtendedLifetime(reader) {
        core.takeNotices()
        while !core.isOver {
            // Where a watcher is far behind, nothing more is read for it: the server waits.
            if core.isFull {
                for order in orders.wait() { order(core) }
            } else {
                loop.runTurn()
            }
            core.takeNotices()
        }
    }
    answer(orders, with: core)
}

/// Answers calls of a bot that was closed, or never could begin, until nobody can make any.
private func answer(_ orders: Mailbox<BotLoop.Order>, with core: BotCore) {
    while !core.isReleased {
        for order in orders.wait() { order(core) }
    }
}

/// A call that waits.
struct Waiting {
    let ticket: Ticket
    /// nil for ever.
    let seconds: Double?
    let isOver: () -> Bool
    let fail: (any Error) -> Void
    var deadline: Int64 = .max
}

/// The calls that wait, and when each has waited too long; confined to the thread.
final class WaitingCalls {
    private var calls: [Waiting] = []
    private var cancelled: Set<Ticket> = []
    private var purgeAt = 64
    private let loop: EventLoop
    private var timer: LoopTimer?
    private var timerAt = Int64.max
    /// What a call is told that has waited too long.
    var lateness: () -> BotError = { .closed }

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func register(_ call: Waiting) {
        if cancelled.remove(call.ticket) != nil { return call.fail(CancellationError()) }
        var call = call
        if let seconds = call.seconds {
            let held = min(max(seconds, 0), 1e9)
            call.deadline = loop.nowMicroseconds &+ Int64(held * 1_000_000)
        }
        calls.append(call)
        if calls.count >= purgeAt { purge() }
        arm(call.deadline)
    }

    func cancel(_ ticket: Ticket) {
        guard let index = calls.firstIndex(where: { $0.ticket == ticket }) else {
            cancelled.insert(ticket)
            if cancelled.count > 1_024 { cancelled.removeAll() }
            return
        }
        calls.remove(at: index).fail(CancellationError())
    }

    func failAll(_ error: BotError) {
        let all = calls
        calls = []
        for call in all { call.fail(error) }
    }

    private func purge() {
        calls.removeAll { $0.isOver() }
        purgeAt = max(64, calls.count * 2)
    }

    private func arm(_ deadline: Int64) {
        guard deadline < timerAt else { return }
        timerAt = deadline
        if timer == nil { timer = LoopTimer(on: loop) { [unowned self] in ring() } }
        timer?.set(at: deadline)
    }

    private func ring() {
        timerAt = .max
        let now = loop.nowMicroseconds
        purge()
        let late = calls.filter { $0.deadline <= now }
        calls.removeAll { $0.deadline <= now }
        for call in late { call.fail(lateness()) }
        if let next = calls.map(\.deadline).min(), next < .max { arm(next) }
    }
}
