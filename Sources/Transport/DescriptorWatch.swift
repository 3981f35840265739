// Watches a descriptor that is no connection of ours: a terminal, a pipe. It neither reads nor
// writes nor closes it; who does is whoever made the watch.
import CLibevent
import Glibc

/// Calls a closure on the loop, turn after turn, while a descriptor can be read from or written to.
///
/// Does not keep its owner alive, and ends with its last reference; the descriptor must stay open
/// until then.
@safe package final class DescriptorWatch {
    /// What the descriptor is ready for.
    package enum Readiness: Hashable, Sendable {
        /// Something can be read, an end or an error among it.
        case readable
        case writable
    }

    private let body: (Readiness) -> Void
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?

    /// True while it is told when something can be read.
    package var watchesReading: Bool {
        didSet { unsafe update(readEvent, from: oldValue, to: watchesReading) }
    }
    /// True while it is told when something can be written; set it only while there is something.
    package var watchesWriting = false {
        didSet { unsafe update(writeEvent, from: oldValue, to: watchesWriting) }
    }

    /// Watches for reading.
    ///
    /// - Throws: `TransportError` where the system cannot wait for such a descriptor, as for a
    ///   plain file.
    package init(
        on loop: EventLoop, descriptor: Int32, _ body: @escaping (Readiness) -> Void
    ) throws(TransportError) {
        self.body = body
        watchesReading = true
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe readEvent = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                unsafe Unmanaged<DescriptorWatch>.fromOpaque(argument).takeUnretainedValue()
                    .body(.readable)
            }, argument)
        unsafe writeEvent = event_new(
            loop.base, descriptor, Int16(EV_WRITE | EV_PERSIST),
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                unsafe Unmanaged<DescriptorWatch>.fromOpaque(argument).takeUnretainedValue()
                    .body(.writable)
            }, argument)
        guard let readEvent = unsafe readEvent, unsafe writeEvent != nil,
            DescriptorWatch.canBeWatched(descriptor), unsafe event_add(readEvent, nil) == 0
        else { throw TransportError("descriptor \(descriptor): the system cannot wait for it") }
    }

    deinit {
        if let readEvent = unsafe readEvent { unsafe event_free(readEvent) }
        if let writeEvent = unsafe writeEvent { unsafe event_free(writeEvent) }
    }

    private func update(_ event: OpaquePointer?, from before: Bool, to after: Bool) {
        guard before != after, let event = unsafe event else { return }
        if after { unsafe event_add(event, nil) } else { unsafe event_del(event) }
    }

    /// False for what the kernel's queue refuses, which libevent would find out a turn too late.
    private static func canBeWatched(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }
}
