// The newest records of one table, encoded once, shared by all that follow it. A follower is a
// number, its cursor; nothing is queued for it here or elsewhere.
import TableModel

/// Encoded records with consecutive numbers, the oldest forgotten first.
struct Ring {
    /// A run of records in one block of bytes.
    private struct Segment {
        var first: SequenceNumber
        var bytes: [UInt8] = []
        /// Where each record ends in `bytes`.
        var ends: [Int] = []

        var last: SequenceNumber { first + Int64(ends.count) - 1 }
    }

    private var segments: [Segment] = []
    private let segmentBytes: Int
    /// The number of the last record; where nothing is kept, of the last one forgotten.
    private(set) var last: SequenceNumber
    /// The bytes of all records kept.
    private(set) var byteCount = 0

    /// An empty ring after a record.
    init(after last: SequenceNumber, segmentBytes: Int) {
        self.last = last
        self.segmentBytes = segmentBytes
    }

    /// The number of the oldest record kept; `last + 1` where there is none.
    var first: SequenceNumber { segments.first?.first ?? last + 1 }

    /// The blocks that the records lie in.
    var segmentCount: Int { segments.count }

    /// Adds the record after the last, whose line is in `range` of `bytes`.
    mutating func append(_ bytes: [UInt8], in range: Range<Int>) {
        let count = range.count
        if segments.isEmpty || segments[segments.count - 1].bytes.count + count > segmentBytes {
            var segment = Segment(first: last + 1)
            segment.bytes.reserveCapacity(max(count, min(segmentBytes, 4 * count)))
            segments.append(segment)
        }
        let index = segments.count - 1
        segments[index].bytes.append(contentsOf: bytes[range])
        segments[index].ends.append(segments[index].bytes.count)
        byteCount += count
        last += 1
    }

    /// Forgets the oldest blocks until no more than that many bytes are left, or one block.
    mutating func trim(to byteCountMax: Int) {
        var dropped = 0
        while byteCount > byteCountMax && dropped < segments.count - 1 {
            byteCount -= segments[dropped].bytes.count
            dropped += 1
        }
        if dropped > 0 { segments.removeFirst(dropped) }
    }

    /// The bytes of the records after `cursor`; nil where some of them are no longer kept.
    func byteCount(after cursor: SequenceNumber) -> Int? {
        guard cursor + 1 >= first else { return nil }
        guard cursor < last else { return 0 }
        let index = segmentIndex(of: cursor + 1)
        var count = segments[index].bytes.count - start(of: cursor + 1, in: index)
        for later in segments.indices.dropFirst(index + 1) { count += segments[later].bytes.count }
        return count
    }

    /// Appends records after `cursor` up to `limit` to `output`, whole ones, until it holds about
    /// `byteCountMax` bytes.
    ///
    /// `cursor + 1` must be kept.
    ///
    /// - Returns: the number of the last record appended.
    ///
    /// Complexity: logarithmic in the blocks, then linear in the bytes.
    func copy(
        after cursor: SequenceNumber, through limit: SequenceNumber, into output: inout [UInt8],
        byteCountMax: Int
    ) -> SequenceNumber {
        var cursor = cursor
        guard cursor < limit, cursor + 1 >= first else { return cursor }
        var index = segmentIndex(of: cursor + 1)
        while cursor < limit && output.count < byteCountMax && index < segments.count {
            let begin = start(of: cursor + 1, in: index)
            let room = byteCountMax - output.count
            let lastWanted = Int(min(limit, segments[index].last) - segments[index].first)
            let chosen = lastRecord(in: index, begin: begin, upTo: lastWanted, within: room)
            let end = segments[index].ends[chosen]
            output.append(contentsOf: segments[index].bytes[begin..<end])
            cursor = segments[index].first + Int64(chosen)
            index += 1
        }
        return cursor
    }

    /// The last record of a block that still begins within `room` bytes after `begin`.
    private func lastRecord(in index: Int, begin: Int, upTo wanted: Int, within room: Int) -> Int {
        if segments[index].ends[wanted] - begin <= room { return wanted }
        var low = 0
        var high = wanted
        while low < high {
            let middle = (low + high) / 2
            if segments[index].ends[middle] - begin >= room {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// Where a record begins in its block.
    private func start(of sequence: SequenceNumber, in index: Int) -> Int {
        let position = Int(sequence - segments[index].first)
        return position == 0 ? 0 : segments[index].ends[position - 1]
    }

    /// The block that holds a record which is kept.
    private func segmentIndex(of sequence: SequenceNumber) -> Int {
        var low = 0
        var high = segments.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if segments[middle].first <= sequence { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
