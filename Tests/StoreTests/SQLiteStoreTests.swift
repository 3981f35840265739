// What only the store in a file can get wrong: other processes, damage, newer formats, growth.
import Foundation
import SQLiteStore
import TableLog
import TableModel
import Testing

private func one(_ number: Int64, byteCount: Int = 100) -> LogBatch {
    LogBatch(
        log: 1, first: number, last: number, bytes: [UInt8](repeating: 97, count: byteCount))
}

@Test("a second store on the same file is refused while the first is open")
func secondStoreIsRefused() throws {
    let fixture = try StoreFixture(.sqlite)
    try fixture.store.append([one(1)])
    let path = fixture.folder.appending(path: "log.sqlite").path()
    let error = #expect(throws: LogStoreError.self) { try SQLiteStore(path: path) }
    #expect(error?.kind == .inUse)
    try fixture.store.append([one(2)])
}

@Test("a file of a newer format is refused and left alone")
func newerFormatIsRefused() throws {
    let fixture = try StoreFixture(.sqlite)
    fixture.store.close()
    fixture.store = MemoryLogStore()
    let file = fixture.folder.appending(path: "log.sqlite")
    // user_version is the big-endian number at offset 60 of the file.
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 9])
    try bytes.write(to: file)
    let error = #expect(throws: LogStoreError.self) { try SQLiteStore(path: file.path()) }
    #expect(error?.kind == .unknownFormat)
}

@Test("a file that is no database is refused")
func foreignFileIsRefused() throws {
    let fixture = try StoreFixture(.memory)
    let file = fixture.folder.appending(path: "log.sqlite")
    try Data(repeating: 65, count: 10_000).write(to: file)
    let error = #expect(throws: LogStoreError.self) { try SQLiteStore(path: file.path()) }
    #expect(error?.kind == .damaged)
}

@Test("a flipped bit in a stored batch is named, not replayed")
func damageIsNamed() throws {
    let fixture = try StoreFixture(.sqlite)
    for number in 1...3 { try fixture.store.append([one(Int64(number), byteCount: 3_000)]) }
    fixture.store.close()
    fixture.store = MemoryLogStore()
    let file = fixture.folder.appending(path: "log.sqlite")
    var bytes = try Data(contentsOf: file)
    let run = Data(repeating: 97, count: 2_000)
    let place = try #require(bytes.range(of: run))
    bytes[place.lowerBound + 500] ^= 4
    try bytes.write(to: file)
    let store = try SQLiteStore(path: file.path())
    let error = #expect(throws: LogStoreError.self) {
        try store.forEachBatch(1) { _ throws(LogStoreError) in }
    }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains("log 1") == true)
}

@Test("the write-ahead log is written over instead of growing for ever")
func writeAheadLogIsBounded() throws {
    let fixture = try StoreFixture(.sqlite)
    for number in 1...120 {
        try fixture.store.append([one(Int64(number), byteCount: 1 << 20)])
    }
    let path = fixture.folder.appending(path: "log.sqlite-wal").path()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    #expect(size < 64 << 20)
}

@Test(
    "versions with the fault of the write-ahead log are known",
    arguments: [
        (3_006_023, false), (3_007_000, true), (3_040_001, true), (3_044_005, true),
        (3_044_006, false), (3_045_000, true), (3_050_006, true), (3_050_007, false),
        (3_051_002, true), (3_051_003, false), (3_053_000, false),
    ])
func versionIsJudged(number: Int, isFaulty: Bool) {
    #expect(SQLiteStore.hasResetFault(number) == isFaulty)
    #expect(SQLiteStore.libraryVersion.text.hasPrefix("3."))
}

@Test("the write-ahead log has its room beforehand, and what is in it is found after a crash")
func logIsReserved() throws {
    let fixture = try StoreFixture(.sqlite)
    let log = fixture.folder.appending(path: "log.sqlite-wal").path()
    func length() throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    }
    try fixture.store.append([one(1)])
    let reserved = try length()
    for number in 2...40 { try fixture.store.append([one(Int64(number), byteCount: 20_000)]) }
    #expect(try length() == reserved)
    // What a crash leaves: the files as they are.
    let copy = fixture.folder.appending(path: "copy")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    for name in ["log.sqlite", "log.sqlite-wal"] {
        try FileManager.default.copyItem(
            at: fixture.folder.appending(path: name), to: copy.appending(path: name))
    }
    let store = try SQLiteStore(path: copy.appending(path: "log.sqlite").path())
    var found: [Int64] = []
    try store.forEachBatch(1) { batch throws(LogStoreError) in found.append(batch.first) }
    #expect(found == Array(1...40))
}

/// The commits in a write-ahead log since it was last begun: frames that carry the size of the file
/// after them.
///
/// Each is what SQLite flushes with `synchronous=FULL`.
private func commitCount(in log: Data) -> Int {
    func number(at place: Int) -> UInt32 {
        log[log.startIndex + place..<log.startIndex + place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard log.count >= 32 else { return 0 }
    let frameBytes = 24 + Int(number(at: 8))
    var count = 0
    var place = 32
    while place + frameBytes <= log.count,
        number(at: place + 8) == number(at: 16), number(at: place + 12) == number(at: 20)
    {
        if number(at: place + 4) != 0 { count += 1 }
        place += frameBytes
    }
    return count
}

@Test("an append is one commit, however many batches of however many logs are in it")
func appendIsOneCommit() throws {
    let fixture = try StoreFixture(.sqlite)
    let path = fixture.folder.appending(path: "log.sqlite-wal")
    try fixture.store.append([one(1)])
    for turn in 2...6 as ClosedRange<Int64> {
        let before = commitCount(in: try Data(contentsOf: path))
        var batches = [one(turn, byteCount: 30_000)]
        for log in 2...20 as ClosedRange<LogID> {
            batches.append(
                LogBatch(log: log, first: turn - 1, last: turn - 1, bytes: [97, 98, 10]))
        }
        try fixture.store.append(batches)
        #expect(commitCount(in: try Data(contentsOf: path)) == before + 1, "turn \(turn)")
    }
}
