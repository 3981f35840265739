// The thread on which a store blocks. It takes requests in order and answers each; what the
// answers mean is the core's business.
import TableLog
import TableModel
import Transport

/// What the loop asks of the store.
enum StoreRequest: Sendable {
    /// During recovery: the piece was taken, send the next.
    case goOn
    case append(ticket: Int64, [LogBatch])
    case read(ticket: Int64, log: LogID, after: SequenceNumber, byteCountMax: Int)
    case close
}

/// What the store answers.
enum StoreReply: Sendable {
    /// A piece of the logs, log 0 first, each in order.
    case stored([LogBatch])
    /// Every log has been sent.
    case ready
    /// The store cannot be opened or read.
    case unusable(LogStoreError)
    case appended(ticket: Int64)
    case appendFailed(ticket: Int64, LogStoreError)
    case read(ticket: Int64, Result<[LogBatch], LogStoreError>)
}

/// A store on a thread of its own.
final class StoreThread: Sendable {
    let requests: Mailbox<StoreRequest>
    let replies: Mailbox<StoreReply>
    private let thread: WorkerThread

    /// Opens the store on a new thread and begins to send what it holds.
    ///
    /// - Parameter open: makes the store; called on that thread.
    /// - Throws: `TransportError` where the system gives no thread.
    init<Store: LogStore & SendableMetatype>(
        opening open: @escaping @Sendable () throws(LogStoreError) -> Store
    ) throws(TransportError) {
        let requests = try Mailbox<StoreRequest>()
        let replies = try Mailbox<StoreReply>()
        self.requests = requests
        self.replies = replies
        thread = try WorkerThread(name: "store") {
            do throws(LogStoreError) {
                var store = try open()
                if try recover(from: store, requests, replies) {
                    serve(&store, requests, replies)
                } else {
                    store.close()
                }
            } catch {
                replies.post(.unusable(error))
            }
        }
    }

    /// Waits until the store is closed.
    func close() {
        requests.post(.close)
        thread.join()
    }
}

/// About the bytes of one piece sent during recovery; one piece is held at a time.
private let recoveryPieceBytes = 1 << 20

/// Sends everything that the store holds, a piece at a time.
///
/// - Returns: false where it was told to close before the end.
private func recover<Store: LogStore>(
    from store: Store, _ requests: Mailbox<StoreRequest>, _ replies: Mailbox<StoreReply>
) throws(LogStoreError) -> Bool {
    var isClosed = false
    /// Sends a piece and waits for the word to go on.
    func send(_ piece: [LogBatch]) throws(LogStoreError) {
        replies.post(.stored(piece))
        for request in requests.wait() {
            if case .close = request { isClosed = true }
        }
        // Ends the store's walk over its log; nobody reads the reason.
        if isClosed { throw LogStoreError(kind: .failed, reason: "closed during the replay") }
    }
    do throws(LogStoreError) {
        for (log, _) in try store.logs() {
            var piece: [LogBatch] = []
            var byteCount = 0
            try store.forEachBatch(log) { batch throws(LogStoreError) in
                piece.append(batch)
                byteCount += batch.bytes.count
                guard byteCount >= recoveryPieceBytes else { return }
                try send(piece)
                piece = []
                byteCount = 0
            }
            if !piece.isEmpty { try send(piece) }
        }
    } catch {
        guard isClosed else { throw error }
        return false
    }
    replies.post(.ready)
    return true
}

private func serve<Store: LogStore>(
    _ store: inout Store, _ requests: Mailbox<StoreRequest>, _ replies: Mailbox<StoreReply>
) {
    while true {
        for request in requests.wait() {
            switch request {
            case .goOn:
                break
            case .append(let ticket, let batches):
                do throws(LogStoreError) {
                    try store.append(batches)
                    replies.post(.appended(ticket: ticket))
                } catch {
                    replies.post(.appendFailed(ticket: ticket, error))
                }
            case .read(let ticket, let log, let after, let byteCountMax):
                do throws(LogStoreError) {
                    let batches = try store.read(log, after: after, byteCountMax: byteCountMax)
                    replies.post(.read(ticket: ticket, .success(batches)))
                } catch {
                    replies.post(.read(ticket: ticket, .failure(error)))
                }
            case .close:
                store.close()
                return
            }
        }
    }
}
