// The log's twin in memory: the same contract, nothing kept. For tests and the simulation.
// What it must do stands in LogStore.swift, and is tested over it and SQLite alike.
package import TableModel

/// A log store that lives as long as the process.
package struct MemoryLogStore: LogStore, Sendable {
    private var batches: [LogID: [LogBatch]] = [:]

    /// An empty store.
    package init() {}

    /// Stores batches; see `LogStore.append`.
    package mutating func append(_ added: [LogBatch]) throws(LogStoreError) {
        var last: [LogID: SequenceNumber] = [:]
        for batch in added {
            try checkOrder(
                of: batch, after: last[batch.log] ?? batches[batch.log]?.last?.last ?? 0)
            last[batch.log] = batch.last
        }
        for batch in added { batches[batch.log, default: []].append(batch) }
    }

    /// The logs that hold something; see `LogStore.logs`.
    package func logs() throws(LogStoreError) -> [(log: LogID, last: SequenceNumber)] {
        batches.keys.sorted().map { log in (log, batches[log]?.last?.last ?? 0) }
    }

    /// Batches after a record; see `LogStore.read`.
    package func read(
        _ log: LogID, after: SequenceNumber, byteCountMax: Int
    ) throws(LogStoreError) -> [LogBatch] {
        var found: [LogBatch] = []
        var byteCount = 0
        for batch in batches[log] ?? [] where batch.last > after {
            found.append(batch)
            byteCount += batch.bytes.count
            if byteCount >= byteCountMax { break }
        }
        return found
    }

    /// Visits every batch of a log; see `LogStore.forEachBatch`.
    package func forEachBatch(
        _ log: LogID, _ body: (LogBatch) throws(LogStoreError) -> Void
    ) throws(LogStoreError) {
        for batch in batches[log] ?? [] {
            try body(batch)
        }
    }

    /// Ends the use of the store; see `LogStore.close`.
    package mutating func close() {}
}

/// Refuses a batch whose numbers do not follow the last record of its log.
package func checkOrder(
    of batch: LogBatch, after last: SequenceNumber
) throws(LogStoreError) {
    guard batch.first == last + 1, batch.last >= last else {
        throw LogStoreError(
            kind: .failed,
            reason:
                "log \(batch.log): records \(batch.first) to \(batch.last) do not follow \(last)")
    }
}
