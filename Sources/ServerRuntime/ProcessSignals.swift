// The process's signals as orders to a server, watched from before its store is opened: a server
// that replays a long log stops in order too. What an order means is ServerRuntime's business.
import Glibc
import Transport

/// What a server is told from outside the protocol.
package enum ServerOrder: Hashable, Sendable {
    /// Stop in order.
    case stop
    /// Load the TLS identity again.
    case reload
}

/// Turns SIGTERM and SIGINT into `stop`, SIGHUP into `reload`, as long as it is held.
struct ProcessSignals {
    private let watches: [SignalWatch]

    init(on loop: EventLoop, postingTo orders: Mailbox<ServerOrder>) {
        watches = [(SIGTERM, ServerOrder.stop), (SIGINT, .stop), (SIGHUP, .reload)].map {
            number, order in
            SignalWatch(on: loop, number: number) { orders.post(order) }
        }
    }
}
