// A timer and a signal watch on an event loop. Neither keeps its owner alive, and both end with
// their last reference.
import CLibevent
import Glibc

/// Calls a closure on the loop once an instant has come.
@safe package final class LoopTimer {
    private let loop: EventLoop
    private let body: () -> Void
    private var event: OpaquePointer?
    /// The instant that it waits for, on the loop's clock; nil where it does not wait.
    package private(set) var instantMicroseconds: Int64?

    /// Makes a timer that does not wait yet.
    ///
    /// `body` may set it again.
    package init(on loop: EventLoop, _ body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(
            loop.base, -1, 0,
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(argument).takeUnretainedValue()
                timer.fired()
            }, argument)
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }

    /// Waits for that instant, and for no other that was set before.
    package func set(at instantMicroseconds: Int64) {
        guard self.instantMicroseconds != instantMicroseconds else { return }
        self.instantMicroseconds = instantMicroseconds
        wait(for: instantMicroseconds)
    }

    /// Waits no more.
    package func cancel() {
        guard instantMicroseconds != nil else { return }
        instantMicroseconds = nil
        if let event = unsafe event { unsafe event_del(event) }
    }

    private func wait(for instantMicroseconds: Int64) {
        guard let event = unsafe event else { return }
        let delay = max(0, instantMicroseconds &- loop.nowMicroseconds)
        var time = timeval(
            tv_sec: Int(delay / 1_000_000), tv_usec: Int(delay % 1_000_000))
        unsafe event_add(event, &time)
    }

    private func fired() {
        guard let instant = instantMicroseconds else { return }
        guard loop.nowMicroseconds >= instant else {
            wait(for: instant)
            return
        }
        instantMicroseconds = nil
        body()
    }
}

/// Calls a closure on the loop when the process is sent a signal.
@safe package final class SignalWatch {
    private let body: () -> Void
    private var event: OpaquePointer?

    /// Watches for the signal of that number, until the watch is gone.
    ///
    /// The signal is unblocked on this thread: whoever started the process may have left it
    /// blocked, and it would then never come.
    package init(on loop: EventLoop, number: Int32, _ body: @escaping () -> Void) {
        self.body = body
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = shim_evsignal_new(
            loop.base, number,
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(argument)
                    .takeUnretainedValue()
                watch.body()
            }, argument)
        if let event = unsafe event { unsafe event_add(event, nil) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }
}
