// The virtual disk: what is committed survives, what is under way does not.
import TableLog
import Testing

@testable import Simulation

private func batch(_ first: Int64, _ last: Int64) -> LogBatch {
    LogBatch(log: 1, first: first, last: last, bytes: Array("x\n".utf8))
}

@Test("an append is lost in a crash before its commit and kept after it")
func crashes() {
    var disk = VirtualDisk()
    let (begun, second) = (disk.begin(ticket: 1, [batch(1, 2)]), disk.begin(ticket: 2, []))
    #expect(begun)
    #expect(!second)
    disk.crash()
    let lost = disk.commit(ticket: 1)
    #expect(lost == nil)
    #expect(disk.head(of: 1) == 0)

    _ = disk.begin(ticket: 3, [batch(1, 2)])
    let committed = disk.commit(ticket: 3)
    #expect(committed?.count == 1)
    disk.crash()
    let finished = disk.finish(ticket: 3)
    #expect(!finished)
    #expect(disk.head(of: 1) == 2)
}

@Test("reading begins with the batch that holds the next record, and keeps to its size")
func reading() {
    var disk = VirtualDisk()
    for (ticket, batch) in [batch(1, 2), batch(3, 2), batch(3, 5), batch(6, 6)].enumerated() {
        _ = disk.begin(ticket: Int64(ticket), [batch])
        _ = disk.commit(ticket: Int64(ticket))
        let isFinished = disk.finish(ticket: Int64(ticket))
        #expect(isFinished)
    }
    #expect(disk.read(1, after: 0, byteCountMax: 1_000).count == 4)
    #expect(disk.read(1, after: 3, byteCountMax: 1_000).map(\.first) == [3, 6])
    #expect(disk.read(1, after: 0, byteCountMax: 1).count == 1)
    #expect(disk.read(1, after: 6, byteCountMax: 1_000).isEmpty)
    disk.forgetLastBatch(of: 1)
    #expect(disk.head(of: 1) == 5)
}
