// The disk of the seeded world: a log whose appends take virtual time. What was committed
// survives a crash, what was under way does not. It never touches a real file.
import TableLog
import TableModel

/// A log in memory that knows what is committed and what is under way.
struct VirtualDisk {
    /// What a server asked for and does not know to be stored.
    struct Append {
        let ticket: Int64
        var batches: [LogBatch]
        var isStored = false
    }

    /// Batches of each log, in order.
    private(set) var committed: [LogID: [LogBatch]] = [:]
    /// The last record committed of each log.
    private(set) var heads: [LogID: SequenceNumber] = [:]
    /// The append under way, at most one.
    private(set) var underWay: Append?

    /// Takes an append.
    ///
    /// - Returns: false where another one is under way, which no server may do.
    mutating func begin(ticket: Int64, _ batches: [LogBatch]) -> Bool {
        guard underWay == nil else { return false }
        underWay = Append(ticket: ticket, batches: batches)
        return true
    }

    /// Commits the append under way: from here on it survives.
    ///
    /// - Returns: what was committed; nil where it is not under way or is stored already.
    mutating func commit(ticket: Int64) -> [LogBatch]? {
        guard var append = underWay, append.ticket == ticket, !append.isStored else { return nil }
        append.isStored = true
        underWay = append
        for batch in append.batches {
            committed[batch.log, default: []].append(batch)
            if batch.last >= batch.first { heads[batch.log] = batch.last }
        }
        return append.batches
    }

    /// Ends the append under way.
    ///
    /// - Returns: false where that append is not under way.
    mutating func finish(ticket: Int64) -> Bool {
        guard let append = underWay, append.ticket == ticket else { return false }
        underWay = nil
        return append.isStored
    }

    /// The power goes: what is not committed is lost.
    mutating func crash() {
        underWay = nil
    }

    /// Forgets the last batch of a log that has more than `floor` of them: a disk that lied
    /// about having stored it.
    mutating func forgetLastBatch(of log: LogID) {
        guard var batches = committed[log], let last = batches.popLast() else { return }
        committed[log] = batches
        if last.last >= last.first { heads[log] = last.first - 1 }
    }

    /// The logs that hold something, in order.
    var logs: [LogID] { committed.keys.sorted() }

    /// The last record committed of a log.
    func head(of log: LogID) -> SequenceNumber { heads[log] ?? 0 }

    /// Every batch of a log, as `LogStore.forEachBatch` visits them.
    func allBatches(of log: LogID) -> [LogBatch] { committed[log] ?? [] }

    /// Batches from the one that holds record `after + 1` on, as `LogStore.read` promises.
    func read(_ log: LogID, after: SequenceNumber, byteCountMax: Int) -> [LogBatch] {
        var result: [LogBatch] = []
        var byteCount = 0
        for batch in committed[log] ?? [] where !result.isEmpty || batch.last > after {
            result.append(batch)
            byteCount += batch.bytes.count
            if byteCount > byteCountMax { break }
        }
        return result
    }
}
