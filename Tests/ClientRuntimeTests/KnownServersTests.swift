// The file of known servers: what is written is read, nobody else may read it, and a damaged file
// is never mistaken for an empty one.
import ClientRuntime
import Foundation
import TableValue
import TableWire
import Testing
import Transport

private func server(_ port: UInt16, token: String = "rt1d_secret") -> KnownServer {
    KnownServer(
        address: HostPort(host: "127.0.0.1", port: port), pin: "00ff", user: "u2",
        name: "Ann \"the\" first", token: .init(token))
}

/// A folder that goes away with the test.
private final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

private func accessBits(of path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
}

@Test("what is written is read again")
func roundTrip() throws {
    var known = KnownServers()
    known.remember(server(1))
    known.remember(server(2, token: "rt1d_other"))
    #expect(try KnownServers(reading: known.bytes) == known)
    #expect(known.server(at: nil) == server(2, token: "rt1d_other"))
    #expect(known.server(at: HostPort(host: "127.0.0.1", port: 1)) == server(1))
    #expect(known.server(at: HostPort(host: "127.0.0.1", port: 3)) == nil)
}

@Test("joining a server again replaces what was known of it")
func rejoining() {
    var known = KnownServers()
    known.remember(server(1))
    known.remember(server(2))
    known.remember(server(1, token: "rt1d_new"))
    #expect(known.servers.map(\.token) == ["rt1d_new", "rt1d_secret"])
    #expect(known.server(at: nil)?.token == "rt1d_new")
}

@Test("GS2: the folder is its owner's alone, and so is the file in it")
func accessIsTight() throws {
    let folder = TemporaryFolder()
    let inner = folder.path + "/a/b"
    let before = umask(0)
    defer { umask(before) }
    try KnownServers.update(in: inner) { $0.remember(server(1)) }
    #expect(try accessBits(of: inner) == 0o700)
    #expect(try accessBits(of: inner + "/servers.json") == 0o600)
    try KnownServers.update(in: inner) { $0.remember(server(2)) }
    #expect(try KnownServers.load(from: inner).servers.count == 2)
    #expect(try accessBits(of: inner + "/servers.json") == 0o600)
}

@Test("a folder without the file knows no server")
func emptyFolder() throws {
    #expect(try KnownServers.load(from: "/nonexistent/folder") == KnownServers())
}

@Test(
    "a damaged file is an error that names it, and stays as it is",
    arguments: [
        "", "{", "[]", "{\"version\":2,\"servers\":[]}", "{\"version\":1,\"extra\":1}",
        "{\"version\":1,\"servers\":[{\"address\":\"nowhere\",\"pin\":\"\",\"token\":\"\"}]}",
        "{\"version\":1,\"servers\":[{\"address\":\"a:1\",\"pin\":\"\"}]}",
    ])
func damagedFile(content: String) throws {
    let folder = TemporaryFolder()
    try LocalFiles.makePrivateFolder(folder.path)
    let path = folder.path + "/servers.json"
    try LocalFiles.replace(path, with: Array(content.utf8))
    let error = #expect(throws: LocalFileError.self) { try KnownServers.load(from: folder.path) }
    #expect(error?.reason.contains(path) == true)
    #expect(throws: LocalFileError.self) {
        try KnownServers.update(in: folder.path) { $0.remember(server(1)) }
    }
    #expect(try LocalFiles.contents(of: path, byteCountMax: 1 << 20) == Array(content.utf8))
}

@Test("processes that join at the same time lose nothing of each other")
func concurrentUpdates() throws {
    let folder = TemporaryFolder()
    let path = folder.path
    let threads = try (1...8).map { number in
        try WorkerThread(name: "join") {
            try? KnownServers.update(in: path) { $0.remember(server(UInt16(number))) }
        }
    }
    for thread in threads { thread.join() }
    #expect(try KnownServers.load(from: folder.path).servers.count == 8)
}
