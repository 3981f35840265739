// The seeded world: real cores, virtual time, network and disk, one thread. It takes one event
// after the other from a queue until everything has come to rest, and stops at the first thing
// that must not be. It reads no clock and does no I/O; the same plan has the same course.
import TableClient
import TableLog
import TableModel
import TableServer
import TableValue
import TableWire

/// What a history came to.
package struct Verdict: Hashable, Sendable {
    /// What was wrong, and at which virtual microsecond; nil where nothing was.
    package var failure: String?
    /// The same for the same plan, in every process.
    package var traceHash: UInt64 = 0
    package var records = 0
    /// Operations that somebody was told the outcome of.
    package var outcomes = 0
    package var restarts = 0
    package var cuts = 0
    package var snapshots = 0
    package var events = 0
}

/// A world in the course of one history.
package struct World {
    /// Where in its life a world is.
    enum Phase {
        case beginning, playing, calming, comparing, finished
    }

    let plan: Plan
    let options: WorldOptions
    var phase = Phase.beginning
    var now: Int64 = 1_000_000
    /// When the plan's steps began.
    var playStart: Int64 = 0
    /// When faults ended.
    var calmStart: Int64 = 0
    var queue = EventQueue()
    var random: SeededGenerator
    var disk = VirtualDisk()
    /// The next append fails: true where it is stored all the same.
    var storeFault: Bool?
    var server = ServerHost()
    var clients: [ClientHost] = []
    var bots: [RawBot] = []
    var links: [Link] = []
    var tokens: [Int: Text] = [:]
    /// The table that everybody edits, once it is there.
    var table: TableID?
    var botColumn: ColumnID?
    var rowPool: [RowID] = []
    var columnPool: [ColumnID] = []
    var judge = Judge()
    var mischief: Mischief
    var verdict = Verdict()
    var trace = ByteHash()
    /// Reused lists of what the cores ask for.
    var serverActions: [ServerAction] = []
    var clientActions: [ClientAction] = []
    /// Told every event, where somebody wants to read along.
    let tell: ((String) -> Void)?

    /// A world in which nothing has happened.
    package init(_ plan: Plan, tell: ((String) -> Void)? = nil) {
        self.plan = plan
        options = plan.options
        random = SeededGenerator(seed: plan.seed).fork(2)
        mischief = Mischief(bug: plan.bug)
        self.tell = tell
    }

    /// The most events of one history, the most virtual time before and after the play.
    static let eventsMax = 1_000_000
    static let patienceMicroseconds: Int64 = 900_000_000

    /// Carries the plan out.
    package static func run(_ plan: Plan, tell: ((String) -> Void)? = nil) -> Verdict {
        var world = World(plan, tell: tell)
        world.run()
        return world.verdict
    }

    private mutating func run() {
        do throws(Violation) {
            try begin()
            while phase != .finished {
                guard let (time, event) = queue.next() else {
                    throw Violation("nothing happens any more while \(state)")
                }
                verdict.events += 1
                guard verdict.events < World.eventsMax else {
                    throw Violation("the world does not come to rest while \(state)")
                }
                now = max(now, time)
                try happen(event)
            }
        } catch {
            verdict.failure = "at \(now) µs: \(error.reason)"
            note("FAILED: \(error.reason)")
        }
        verdict.traceHash = trace.value
        verdict.records = judge.recordCount
        verdict.outcomes = judge.toldCount
    }

    /// One event happens.
    private mutating func happen(_ event: WorldEvent) throws(Violation) {
        trace.update(now)
        switch event {
        case .step(let place): try carryOut(plan.steps[place].action)
        case .arrived(let link, let atServer):
            if atServer { arriveAtServer(link) } else { try arriveAtClient(link) }
        case .ended(let link, let atServer):
            if atServer { endAtServer(link) } else { try endAtClient(link) }
        case .turn(let boot): try turn(boot: boot)
        case .stored(let boot, let ticket): try stored(boot: boot, ticket: ticket)
        case .acknowledged(let boot, let ticket): acknowledged(boot: boot, ticket: ticket)
        case .read(let boot, let ticket, let log, let after, let byteCountMax):
            guard boot == server.boot else { return }
            receive(
                .read(ticket: ticket, log: log, after: after, byteCountMax: byteCountMax))
        case .serverDeadline(let boot):
            guard boot == server.boot, server.deadline != nil else { return }
            server.deadline = nil
            receive(.deadline)
        case .clientDeadline(let client): try clientDeadline(client)
        case .dialled(let client, let attempt): try dialled(client, attempt: attempt)
        case .online(let client): try comeOnline(client)
        case .reading(let client): readAgain(client)
        case .started: try startServer()
        case .inspection: try inspect()
        }
    }

    /// Writes down what happened, for the trace's hash and for whoever reads along.
    @inline(__always) func note(_ text: @autoclosure () -> String) {
        guard let tell else { return }
        tell("\(now) \(text())")
    }

    /// Where things stand, for a failure's text.
    var state: String {
        let parts = clients.enumerated().map { index, client in
            var core = client.core
            let pending = table.flatMap { core.replica(of: $0)?.pending.count }
            return "client \(index) started \(client.isStarted) live \(client.isLive) "
                + "over \(client.isOver) pending \(pending.map(String.init) ?? "-") "
                + "at \(client.lastApplied)"
        }
        let head = table.map { disk.head(of: $0.rawValue) } ?? 0
        return "\(phase), server \(server.core == nil ? "down" : "up"), head \(head); "
            + parts.joined(separator: "; ")
    }
}
