// A named thread of its own for code that blocks (a store) or that turns a loop. It shares
// nothing with its maker but what its body captures.
import CLibevent
import Glibc

/// A thread of the system that runs one closure.
///
/// Safe to share: its one field is set in `init`, before anybody else can see the object, and only
/// read after that.
@safe package final class WorkerThread: @unchecked Sendable {
    private var thread = pthread_t()

    /// What the new thread takes over.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts the thread; its name (at most 15 bytes) shows in the system's lists.
    package init(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe shim_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard failure == 0 else {
            unsafe start.release()
            throw .system("pthread_create", on: "thread \(name)", code: failure)
        }
    }

    /// Waits for the end of the thread.
    ///
    /// Call once.
    package func join() {
        pthread_join(thread, nil)
    }
}
