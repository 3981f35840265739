// What will happen in the seeded world, in the order of virtual time. Two events of the same
// time happen in the order in which they were scheduled, so that a history has one course.

/// One thing that will happen.
enum WorldEvent: Hashable {
    /// A step of the plan.
    case step(Int)
    /// Bytes are due at one end of a link.
    case arrived(link: Int, atServer: Bool)
    /// One end of a link learns that the link is gone.
    case ended(link: Int, atServer: Bool)
    /// The server's loop runs a turn.
    case turn(boot: Int)
    /// The disk has what was appended; whoever asked does not know yet.
    case stored(boot: Int, ticket: Int64)
    /// The server learns that an append is done.
    case acknowledged(boot: Int, ticket: Int64)
    /// The server gets a piece of a log.
    case read(boot: Int, ticket: Int64, log: Int64, after: Int64, byteCountMax: Int)
    /// The server's deadline has come.
    case serverDeadline(boot: Int)
    /// A client's deadline has come.
    case clientDeadline(Int)
    /// An attempt to connect is answered.
    case dialled(client: Int, attempt: Int)
    /// A client that was offline is online again.
    case online(Int)
    /// A client that read nothing reads again.
    case reading(Int)
    /// A server that was down is started.
    case started
    /// A look at how things stand.
    case inspection
}

/// A heap of events by time, then by age.
struct EventQueue {
    private struct Entry {
        let time: Int64
        let order: Int64
        let event: WorldEvent

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    private var heap: [Entry] = []
    private var lastOrder: Int64 = 0

    /// Adds an event.
    mutating func schedule(_ event: WorldEvent, at time: Int64) {
        lastOrder += 1
        heap.append(Entry(time: time, order: lastOrder, event: event))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest event; nil where nothing will happen any more.
    mutating func next() -> (time: Int64, event: WorldEvent)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child =
                right < heap.count && heap[right].isBefore(heap[left]) ? right : left
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
