// The only thing that crosses threads: letters in a list behind a mutex, and an eventfd that
// wakes the reader once for many letters. Nothing here looks into a letter.
import CLibevent
import Glibc
import Synchronization

/// Letters from any thread to one reader: an event loop, or a thread that waits for them.
package final class Mailbox<Letter: Sendable>: Sendable {
    private let letters = Mutex<[Letter]>([])
    private let descriptor: Int32

    /// Makes an empty mailbox.
    package init() throws(TransportError) {
        descriptor = shim_eventfd()
        guard descriptor >= 0 else {
            throw .system("eventfd", on: "mailbox", code: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Puts a letter in; wakes the reader where the mailbox was empty.
    ///
    /// From any thread.
    package func post(_ letter: Letter) {
        let wasEmpty = letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        unsafe withUnsafeBytes(of: &one) { bytes in
            _ = unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
    }

    /// Takes all letters that are there, in the order they were posted, without waiting.
    package func take() -> [Letter] {
        // The count is cleared first: a letter posted in between wakes the reader once more,
        // which costs a look; the other order would lose a wake.
        var count: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &count) { bytes in
            _ = unsafe read(descriptor, bytes.baseAddress, bytes.count)
        }
        return letters.withLock { letters in
            let taken = letters
            letters = []
            return taken
        }
    }

    /// Waits until there are letters, and takes them.
    ///
    /// For a reader thread without a loop.
    package func wait() -> [Letter] {
        while true {
            let taken = take()
            if !taken.isEmpty { return taken }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            unsafe poll(&request, 1, -1)
        }
    }

    /// Delivers letters on the loop, all that are there at once, as long as the result is held.
    package func attach(
        to loop: EventLoop, _ deliver: @escaping ([Letter]) -> Void
    ) -> MailboxReader {
        MailboxReader(on: loop, descriptor: descriptor) {
            let taken = self.take()
            if !taken.isEmpty { deliver(taken) }
        }
    }
}

/// Holds a mailbox to its loop.
@safe package final class MailboxReader {
    private let body: () -> Void
    private var event: OpaquePointer?

    init(on loop: EventLoop, descriptor: Int32, _ body: @escaping () -> Void) {
        self.body = body
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                let reader = unsafe Unmanaged<MailboxReader>.fromOpaque(argument)
                    .takeUnretainedValue()
                reader.body()
            }, argument)
        if let event = unsafe event { unsafe event_add(event, nil) }
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }
}
