// The event loop: one thread, turn after turn. A turn is: everything that is ready, then
// `onTurnEnd`, then one write for every connection that has something to say. It never waits
// while work is left, and never blocks on anything but the kernel's event queue.
// What hangs on a loop: LoopTimer, SignalWatch, Mailbox.attach, Listener, TLSConnection.
import CLibevent
import Glibc

/// An event loop, confined to the thread that runs it.
@safe package final class EventLoop {
    /// libevent's base; freed with the loop.
    let base: OpaquePointer
    /// Called at the end of each turn, before the connections write.
    package var onTurnEnd: () -> Void = {}

    private var isStopping = false
    /// Keeps what is registered with libevent alive until it lets go itself.
    private var members: [ObjectIdentifier: AnyObject] = [:]

    /// Connections to read from or tell in the next turn without waiting for the kernel.
    var readQueue: [TLSConnection] = []
    var closedQueue: [TLSConnection] = []
    var flushQueue: [TLSConnection] = []
    /// About what all connections together write in one turn; who is left is first in the next.
    package var writeBytesPerTurnMax = 2 << 20
    /// Shared by all connections of the loop, so that an idle one owns no buffer.
    var fillBuffer: [UInt8] = []
    let readBuffer: UnsafeMutableRawBufferPointer

    /// The bytes that one read takes at most, of all connections of the loop.
    static let readBufferBytes = 64 << 10

    /// Makes a loop.
    ///
    /// Ignores SIGPIPE for the whole process: a broken peer is a value, not a signal.
    package init() throws(TransportError) {
        shim_ignore_signal(SIGPIPE)
        guard let configuration = unsafe event_config_new() else {
            throw TransportError("event loop: no memory for its configuration")
        }
        defer { unsafe event_config_free(configuration) }
        let flags =
            EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue
            | EVENT_BASE_FLAG_PRECISE_TIMER.rawValue
            | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue
        unsafe event_config_set_flag(configuration, Int32(bitPattern: flags))
        guard let base = unsafe event_base_new_with_config(configuration) else {
            throw TransportError("event loop: the system gave no event queue; check ulimit -n")
        }
        unsafe self.base = base
        unsafe readBuffer = .allocate(byteCount: EventLoop.readBufferBytes, alignment: 16)
    }

    deinit {
        unsafe readBuffer.deallocate()
        unsafe event_base_free(base)
    }

    /// Runs turns until `stop` is called.
    package func run() {
        isStopping = false
        while !isStopping {
            runTurn()
        }
    }

    /// Runs one turn; waits for an event where nothing is left to do.
    package func runTurn() {
        let hasWork = !(readQueue.isEmpty && closedQueue.isEmpty && flushQueue.isEmpty)
        var flags = EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY
        if hasWork { flags |= EVLOOP_NONBLOCK }
        unsafe event_base_loop(base, flags)
        readOn()
        tellClosed()
        onTurnEnd()
        flush()
    }

    /// Ends `run` after the turn that is under way.
    package func stop() {
        isStopping = true
    }

    /// The monotonic clock, in microseconds.
    package var nowMicroseconds: Int64 {
        microseconds(of: CLOCK_MONOTONIC)
    }

    /// The wall clock, in milliseconds since 1970; for labels only.
    package var wallMilliseconds: Int64 {
        microseconds(of: CLOCK_REALTIME) / 1_000
    }

    /// How many listeners and connections hang on the loop.
    package var memberCount: Int { members.count }

    func keep(_ member: AnyObject) {
        members[ObjectIdentifier(member)] = member
    }

    func letGo(_ member: AnyObject) {
        members[ObjectIdentifier(member)] = nil
    }

    private func readOn() {
        guard !readQueue.isEmpty else { return }
        let connections = readQueue
        readQueue.removeAll(keepingCapacity: true)
        for connection in connections { connection.readOn() }
    }

    private func tellClosed() {
        while !closedQueue.isEmpty {
            let connections = closedQueue
            closedQueue.removeAll(keepingCapacity: true)
            for connection in connections { connection.tellClosed() }
        }
    }

    private func flush() {
        guard !flushQueue.isEmpty else { return }
        var connections: [TLSConnection] = []
        swap(&connections, &flushQueue)
        var written = 0
        var flushed = 0
        while flushed < connections.count, written < writeBytesPerTurnMax {
            written += connections[flushed].flush()
            flushed += 1
        }
        connections.removeFirst(flushed)
        // Those that have more to write have queued behind.
        swap(&connections, &flushQueue)
        flushQueue.append(contentsOf: connections)
    }
}

/// What a clock of the system says, in microseconds.
private func microseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
}
