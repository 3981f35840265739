// The life of a server: its first run, its stop, its sudden death, and what is there afterwards.
import Foundation
import Glibc
import TableWire
import Testing
import Transport

private let create = #"""
    {"type":"create","table":"fruit",\#
    "columns":[{"name":"name","type":"text"},{"name":"qty","type":"int"}]}
    """#

private func insert(_ id: Int, _ name: String) -> String {
    #"""
    {"type":"op","id":\#(id),"table":"fruit",\#
    "body":[{"append":{"name":"\#(name)","qty":\#(id)}}]}
    """#
}

private func names(_ client: LineClient) throws -> [String] {
    let rows = try client.expect(
        "rows", after: #"{"type":"read","id":1,"table":"fruit","from":0,"count":1000}"#)
    let cells = try #require(rows["cells"] as? [[Any]])
    return cells.compactMap { $0.first as? String }
}

private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
}

@Suite("Serving")
struct ServingTests {
    @Test("The first run prints one invite that lets its owner in, once")
    func firstRun() throws {
        let server = try ServerProcess()
        try server.start()
        let words = server.output.split(whereSeparator: \.isWhitespace)
        let text = String(try #require(words.first { $0.hasPrefix("rt1i_") }))
        let invite = try InviteText(text, sha256: sha256)
        #expect(invite.pin == server.pin)
        #expect(invite.port == server.address.port)
        let login =
            #"{"type":"login","invite":"\#(base32(invite.secret))","name":"Ada"}"#
        let client = try LineClient(to: server)
        try client.expect("welcome", after: #"{"type":"hello"}"#)
        let loggedIn = try client.expect("logged_in", after: login)
        #expect(loggedIn["role"] as? String == "owner")
        let token = try #require(loggedIn["token"] as? String)
        _ = try LineClient(to: server, token: token)

        let second = try LineClient(to: server)
        try second.expect("welcome", after: #"{"type":"hello"}"#)
        let refused = try second.expect("error", after: login)
        #expect(refused["code"] as? String == "login_failed")

        server.killHard()
        try server.start()
        #expect(!server.output.contains("rt1i_"))
        _ = try LineClient(to: server, token: token)
    }

    @Test("GS2: what the server makes is for its owner only")
    func privateFiles() throws {
        let server = try ServerProcess()
        try server.start()
        #expect(try mode(server.data) == 0o700)
        for name in ["log.sqlite", "log.sqlite-wal", "admin.sock", "tls/key.pem"] {
            #expect(try mode("\(server.data)/\(name)") == 0o600, "\(name)")
        }
    }

    @Test("GS2: a folder that others may read is made private at the start, with a warning")
    func tightenedFiles() throws {
        let server = try ServerProcess()
        try server.start()
        server.killHard()
        let names = ["", "/log.sqlite", "/log.sqlite-wal", "/address", "/tls"]
        for name in names {
            let isFolder = ["", "/tls"].contains(name)
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder ? 0o755 : 0o644], ofItemAtPath: server.data + name)
        }
        try server.start()
        for name in names {
            #expect(try mode(server.data + name) & 0o077 == 0, "\(name)")
            #expect(server.errors.contains("warning others could read \(server.data)\(name);"))
        }
    }

    @Test("A data folder may have a path longer than the address of a socket")
    func longPath() throws {
        let server = try ServerProcess(dataName: String(repeating: "long", count: 40))
        try server.start()
        // Asks the running server by its socket.
        _ = try LineClient(to: server, token: try server.token())
        #expect(try mode("\(server.data)/admin.sock") == 0o600)
        server.killHard()
        // And again without one, where the socket was left behind.
        _ = try server.token("another")
    }

    @Test("GD3: where nothing can be stored any more, nobody is told what is not, and all are told")
    func storageEnds() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        server.killHard()
        // No file may grow beyond two megabytes, counted in blocks of 512 bytes.
        try server.start(limit: "-f 4096")
        let writer = try LineClient(to: server, token: token)
        try writer.expect("created", after: create)
        let follower = try LineClient(to: server, token: token)
        try follower.expect("opened", after: #"{"type":"open","table":"fruit","start":"head"}"#)
        let long = String(repeating: "x", count: 100_000)
        let op =
            #"{"type":"op","table":"fruit","body":[{"append":{"name":"\#(long)"}}]}"#
        var acknowledged = 0
        var last: [String: Any]?
        while acknowledged < 100 {
            writer.send(op)
            last = writer.next()
            guard last?["type"] as? String == "reply" else { break }
            acknowledged += 1
        }
        #expect(acknowledged > 0)
        #expect(last?["type"] as? String == "bye")
        #expect(last?["code"] as? String == "storage_failed")
        #expect(last?["retry_seconds"] != nil)
        var records = 0
        var end: [String: Any]?
        while let message = follower.next() {
            if message["type"] as? String == "record" { records += 1 }
            if message["type"] as? String == "bye" { end = message }
        }
        #expect(records <= acknowledged, "a record was told that is not stored")
        #expect(end?["code"] as? String == "storage_failed")
        let ended = try server.waitForEnd()
        #expect(ended.code == 1)
        #expect(ended.errors.contains("error storing failed"))

        try server.start()
        let reader = try LineClient(to: server, token: token)
        let tables = try reader.expect("tables", after: #"{"type":"tables"}"#)
        let table = (tables["tables"] as? [[String: Any]])?.first
        #expect(table?["rows"] as? Int == acknowledged)
    }

    @Test("GD1: what was acknowledged is there after kill -9, in order, under the same pin")
    func suddenDeath() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let pin = server.pin
        var client = try LineClient(to: server, token: token)
        try client.expect("created", after: create)
        var expected: [String] = []
        for round in 0..<3 {
            for number in 0..<20 {
                let name = "row \(round) \(number)"
                let reply = try client.expect("reply", after: insert(number, name))
                #expect((reply["outcome"] as? [String: Any])?["status"] as? String == "ok")
                expected.append(name)
            }
            server.killHard()
            #expect(client.waitForEnd() == .truncated)
            try server.start()
            #expect(server.pin == pin)
            client = try LineClient(to: server, token: token)
            #expect(try names(client) == expected)
        }
    }

    @Test("GO1: SIGTERM says goodbye to everybody, ends with 0, and nothing is missing after it")
    func orderlyStop() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let client = try LineClient(to: server, token: token)
        try client.expect("created", after: create)
        let watcher = try LineClient(to: server, token: token)
        for number in 0..<50 { client.send(insert(number, "row \(number)")) }
        client.flush()
        server.signal(SIGTERM)
        var acknowledged = 0
        var farewell: [String: Any]?
        while let message = client.next() {
            if message["type"] as? String == "reply" { acknowledged += 1 }
            farewell = message
        }
        #expect(farewell?["type"] as? String == "bye")
        #expect(farewell?["code"] as? String == "going_away")
        #expect(client.reason == .peer)
        #expect(watcher.next()?["code"] as? String == "going_away")
        #expect(watcher.waitForEnd() == .peer)
        let ended = try server.waitForEnd()
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: server.data + "/admin.sock"))
        try server.start()
        let again = try LineClient(to: server, token: token)
        let present = try names(again)
        #expect(present.count >= acknowledged)
        #expect(present == (0..<present.count).map { "row \($0)" })
    }

    @Test("GD7: a second server on the same folder is refused, and the first goes on")
    func secondServer() throws {
        let server = try ServerProcess()
        try server.start()
        let ended = try server.run(["serve", "--data", server.data, "--listen", "127.0.0.1:0"])
        #expect(ended.code == 1)
        #expect(ended.errors.contains("in use"))
        _ = try LineClient(to: server, token: try server.token())
    }

    @Test("GT5: SIGHUP shows new connections a new key; a bad key is refused and the old one kept")
    func reload() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let client = try LineClient(to: server, token: token)
        let other = try ServerProcess()
        let (identity, _) = try ServerIdentity.load(folder: other.folder, orMakeFor: ["localhost"])
        let key = server.data + "/tls/key.pem"
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.copyItem(atPath: other.folder + "/tls/key.pem", toPath: key)
        server.signal(SIGHUP)
        try wait(until: "the mismatch is reported") { server.errors.contains("kept the old") }
        _ = try LineClient(to: server, token: token)

        let certificate = server.data + "/tls/certificate.pem"
        try FileManager.default.removeItem(atPath: certificate)
        try FileManager.default.copyItem(
            atPath: other.folder + "/tls/certificate.pem", toPath: certificate)
        server.signal(SIGHUP)
        try wait(until: "the key is loaded") { server.errors.contains("loaded the TLS identity") }
        let refused = try LineClient(to: server)
        #expect("\(refused.reason, default: "none")".contains(hexadecimal(identity.pin)))
        try client.expect("pong", after: #"{"type":"ping"}"#)
    }
}
