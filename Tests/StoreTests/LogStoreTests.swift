// What every log store must do, run over the twin in memory and over SQLite.
import Foundation
import SQLiteStore
import TableLog
import TableModel
import Testing

/// The stores under test.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, sqlite
}

/// A store of one kind, in a folder of its own that goes when this goes.
final class StoreFixture {
    let kind: StoreKind
    let folder: URL
    var store: any LogStore

    init(_ kind: StoreKind) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory
            .appending(path: "roundtable-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store =
            switch kind {
            case .memory: MemoryLogStore()
            case .sqlite: try SQLiteStore(path: folder.appending(path: "log.sqlite").path())
            }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Closes the store and opens what it left behind; the twin in memory just goes on.
    func reopen() throws {
        guard kind == .sqlite else { return }
        store.close()
        store = MemoryLogStore()
        store = try SQLiteStore(path: folder.appending(path: "log.sqlite").path())
    }
}

private func batch(_ log: LogID, _ first: Int64, _ last: Int64, _ text: String) -> LogBatch {
    LogBatch(log: log, first: first, last: last, bytes: Array(text.utf8))
}

private func everything(_ store: any LogStore, _ log: LogID) throws -> [LogBatch] {
    var found: [LogBatch] = []
    try store.forEachBatch(log) { batch throws(LogStoreError) in found.append(batch) }
    return found
}

@Test("batches come back in order, also after a restart", arguments: StoreKind.allCases)
func order(kind: StoreKind) throws {
    let fixture = try StoreFixture(kind)
    let batches = [
        batch(0, 1, 0, "a session\n"), batch(7, 1, 3, "one\ntwo\nthree\n"),
        batch(7, 4, 3, "a refusal\n"), batch(7, 4, 4, "four\n"), batch(7, 5, 4, "another\n"),
    ]
    try fixture.store.append(Array(batches[0...1]))
    for batch in batches[2...] { try fixture.store.append([batch]) }
    for _ in 0..<2 {
        #expect(try everything(fixture.store, 7) == Array(batches[1...]))
        #expect(try everything(fixture.store, 0) == [batches[0]])
        #expect(try everything(fixture.store, 9).isEmpty)
        let logs = try fixture.store.logs()
        #expect(logs.map(\.log) == [0, 7])
        #expect(logs.map(\.last) == [0, 4])
        try fixture.reopen()
    }
}

@Test(
    "records that do not follow are refused, and nothing is stored", arguments: StoreKind.allCases)
func gaps(kind: StoreKind) throws {
    let fixture = try StoreFixture(kind)
    try fixture.store.append([batch(1, 1, 2, "one\ntwo\n")])
    for (first, last) in [(2, 2), (4, 4), (0, 0), (3, 1)] as [(Int64, Int64)] {
        #expect(throws: LogStoreError.self) {
            try fixture.store.append([batch(2, 1, 1, "other\n"), batch(1, first, last, "x\n")])
        }
    }
    try fixture.reopen()
    #expect(try everything(fixture.store, 1).count == 1)
    #expect(try everything(fixture.store, 2).isEmpty)
    try fixture.store.append([batch(1, 3, 3, "three\n")])
    #expect(try fixture.store.logs().last?.last == 3)
}

@Test("a read starts with the batch that holds the next record", arguments: StoreKind.allCases)
func readAfter(kind: StoreKind) throws {
    let fixture = try StoreFixture(kind)
    for number in 0..<10 as Range<Int64> {
        let first = number * 3 + 1
        try fixture.store.append([batch(1, first, first + 2, "records \(first)\n")])
    }
    for after in 0..<30 as Range<Int64> {
        let found = try fixture.store.read(1, after: after, byteCountMax: .max)
        #expect(found.first.map { $0.first <= after + 1 && $0.last >= after + 1 } == true)
        #expect(found.last?.last == 30)
        let one = try fixture.store.read(1, after: after, byteCountMax: 1)
        #expect(one.count == 1 && one.first == found.first)
    }
    #expect(try fixture.store.read(1, after: 30, byteCountMax: .max).isEmpty)
    #expect(try fixture.store.read(2, after: 0, byteCountMax: .max).isEmpty)
}

@Test("large and empty batches are kept whole", arguments: StoreKind.allCases)
func sizes(kind: StoreKind) throws {
    let fixture = try StoreFixture(kind)
    var expected: [LogBatch] = []
    for (index, count) in [0, 1, 7, 8, 9, 8_191, 8_192, 1 << 20, 5 << 20].enumerated() {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
        expected.append(LogBatch(log: 3, first: 1, last: 0, bytes: bytes))
        try fixture.store.append([expected[index]])
    }
    try fixture.reopen()
    #expect(try everything(fixture.store, 3) == expected)
}
