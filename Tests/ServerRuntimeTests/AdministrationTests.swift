// The server's own commands: beside a running server, without one, and with words that are wrong.
import Foundation
import TableWire
import Testing
import Transport

@Suite("Administration")
struct AdministrationTests {
    @Test("Invites and tokens are made beside a running server and without one, and let in")
    func invitesAndTokens() throws {
        let server = try ServerProcess()
        try server.start()
        var secrets: [(secret: String, role: String)] = []
        func invite(_ role: String) throws {
            let ended = try server.run(["invite", "--data", server.data, "--role", role])
            #expect(ended.code == 0, "\(ended.errors)")
            let text = ended.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let invite = try InviteText(text, sha256: sha256)
            #expect(invite.pin == server.pin)
            #expect(invite.port == server.address.port)
            secrets.append((base32(invite.secret), role))
        }
        try invite("editor")
        let running = try server.token("beside", role: "viewer")
        server.killHard()
        try invite("viewer")
        let resting = try server.token("alone", role: "editor")
        try server.start()
        for (secret, role) in secrets {
            let client = try LineClient(to: server)
            try client.expect("welcome", after: #"{"type":"hello"}"#)
            let loggedIn = try client.expect(
                "logged_in", after: #"{"type":"login","invite":"\#(secret)","name":"A"}"#)
            #expect(loggedIn["role"] as? String == role)
        }
        _ = try LineClient(to: server, token: running)
        _ = try LineClient(to: server, token: resting)
    }

    @Test("What the server refuses ends with 1, and says why")
    func refused() throws {
        let server = try ServerProcess()
        try server.start()
        for words in [
            ["invite", "--data", server.data, "--role", "emperor"],
            ["token", "--data", server.data, "--bot", "b", "--role", "emperor"],
            ["invite", "--data", server.folder + "/nothing"],
        ] {
            let ended = try server.run(words)
            #expect(ended.code == 1, "\(words)")
            #expect(ended.output.isEmpty)
            #expect(!ended.errors.isEmpty)
        }
    }

    @Test(
        "Words that are wrong end with 2, and say what is wrong",
        arguments: [
            ["dance"], ["serve", "--dance"], ["serve", "--listen", "nowhere"], ["serve", "--data"],
            ["invite", "--uses", "0"], ["invite", "--expires", "soon"], ["token"], ["serve", "x"],
        ])
    func usage(words: [String]) throws {
        let ended = try ServerProcess().run(words)
        #expect(ended.code == 2)
        #expect(ended.output.isEmpty)
        #expect(ended.errors.contains("--help"))
    }

    @Test(
        "Help and version are data, and end with 0",
        arguments: [
            ["--help"], ["--version"], ["serve", "--help"], ["invite", "--help"],
            ["token", "--help"], ["help"], ["help", "--help"], ["version"], ["config", "--help"],
            ["version", "--help"],
        ])
    func help(words: [String]) throws {
        let ended = try ServerProcess().run(words)
        #expect(ended.code == 0)
        #expect(ended.output.contains("roundtabled"))
        #expect(ended.errors.isEmpty)
    }
}
