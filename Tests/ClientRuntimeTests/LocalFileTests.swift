// Files of this machine: whole contents, limits, and errors that name the file.
import ClientRuntime
import Foundation
import Testing

@Test("a file is read back piece by piece as it was written")
func piecewiseReading() throws {
    let path = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    do {
        let file = try LocalFile.writing(path)
        try file.write(content)
    }
    let file = try LocalFile.reading(path)
    let byteCount = file.byteCount
    #expect(byteCount == content.count)
    let isTerminal = file.isTerminal
    #expect(!isTerminal)
    for _ in 0..<2 {
        var found: [UInt8] = []
        var piece: [UInt8] = []
        repeat {
            try file.read(upTo: 64 << 10, into: &piece)
            found += piece
        } while !piece.isEmpty
        #expect(found == content)
        let isRewound = file.rewind()
        #expect(isRewound)
    }
}

@Test("a file beyond the limit is refused, not read in part")
func limit() throws {
    let path = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try LocalFiles.replace(path, with: Array(repeating: 1, count: 1_000))
    #expect(try LocalFiles.contents(of: path, byteCountMax: 1_000)?.count == 1_000)
    #expect(throws: LocalFileError.self) { try LocalFiles.contents(of: path, byteCountMax: 999) }
    #expect(try LocalFiles.contents(of: path + ".none", byteCountMax: 1) == nil)
}

@Test("errors name the file and the reason")
func errors() {
    let error = #expect(throws: LocalFileError.self) { _ = try LocalFile.reading("/nonexistent/x") }
    #expect(error?.reason == "cannot open /nonexistent/x: No such file or directory")
}
