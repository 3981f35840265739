// From hello to a user: every line of the matrix before login, invites, limits.
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableServer

@Suite struct ServerLoginTests {
    let hello = #"{"type":"hello","versions":[1]}"#

    @Test("hello is answered by welcome, a token by logged_in")
    func tokenLogsIn() {
        var world = World()
        let token = world.botToken()
        #expect(token.hasPrefix("rt1b_"))
        let bot = world.connect()
        let welcome = world.ask(bot, hello)
        #expect(welcome.count == 1)
        #expect(welcome[0].hasPrefix(#"{"type":"welcome","version":1"#))
        #expect(
            world.ask(bot, #"{"type":"login","token":"\#(token)","id":4}"#) == [
                #"{"type":"logged_in","user":"u1","name":"bot","role":"manager","id":4}"#
            ])
        #expect(world.ask(bot, #"{"type":"ping","id":5}"#) == [#"{"type":"pong","id":5}"#])
    }

    @Test("no_common_version: a client of another version is told so and closed")
    func noCommonVersion() {
        var world = World()
        let client = world.connect()
        let answer = world.ask(client, #"{"type":"hello","versions":[2,3]}"#)
        #expect(answer.count == 2)
        #expect(answer[0].contains(#""type":"error","code":"no_common_version""#))
        #expect(answer[1].contains(#""type":"bye","code":"no_common_version""#))
        #expect(world.closes == [client])
    }

    @Test("login_failed: a wrong token, a wrong invite and a used one get the same words")
    func loginFails() {
        var world = World()
        let used = world.invite()
        let first = world.connect()
        world.send(first, hello, #"{"type":"login","invite":"\#(used)","name":"Ada"}"#)
        #expect(world.lines(first).count == 2)
        let attempts = [
            #"{"type":"login","token":"rt1d_nothing"}"#,
            #"{"type":"login","token":"\#(String(repeating: "x", count: 300))"}"#,
            #"{"type":"login","invite":"abcdef","name":"Eve"}"#,
            #"{"type":"login","invite":"\#(used)","name":"Eve"}"#,
        ]
        var answers: Set<[String]> = []
        for attempt in attempts {
            let client = world.connect()
            let answer = world.ask(client, hello, attempt)
            answers.insert(Array(answer.dropFirst()))
            #expect(world.closes.last == client)
        }
        #expect(answers.count == 1)
        #expect(answers.first?.first?.contains(#""code":"login_failed""#) == true)
    }

    @Test("GA4: of a hundred that redeem one invite at once, one succeeds")
    func inviteRace() {
        var world = World()
        world.appendsAtOnce = false
        let now = world.now
        world.turn { server, actions in
            server.requested(
                ticket: 99, .invite(role: "editor", uses: 1, expiresAfterSeconds: 0), at: now,
                into: &actions)
        }
        #expect(world.administratorAnswers.isEmpty)
        world.makeDurable()
        guard case .invite(let secret) = world.administratorAnswers[99] else {
            Issue.record("no invite")
            return
        }
        let invite = base32(secret)
        var clients: [ConnectionID] = []
        for _ in 0..<100 { clients.append(world.connect()) }
        for client in clients {
            world.send(client, hello, #"{"type":"login","invite":"\#(invite)","name":"Ada"}"#)
        }
        for client in clients {
            #expect(!world.lines(client).contains { $0.contains("logged_in") })
        }
        world.makeDurable()
        let winners = clients.filter { client in
            world.lines(client).contains { $0.contains("logged_in") }
        }
        #expect(winners.count == 1)
    }

    @Test("an invite gives its role; its device token logs in again, also after a restart")
    func inviteGivesToken() throws {
        var world = World()
        let (_, token) = world.person("Ada", role: "viewer")
        #expect(token.hasPrefix("rt1d_"))
        try world.restart()
        let client = world.connect()
        let answer = world.ask(client, hello, #"{"type":"login","token":"\#(token)"}"#)
        #expect(
            answer.last == #"{"type":"logged_in","user":"u1","name":"Ada","role":"viewer"}"#)
    }

    @Test("an invite is over after its time, by either clock")
    func inviteExpires() {
        var world = World()
        let early = world.invite(seconds: 100)
        let late = world.invite(seconds: 100)
        let jumped = world.invite(seconds: 100_000)
        let client = world.connect()
        world.pass(seconds: 9)
        world.send(client, hello, #"{"type":"login","invite":"\#(early)","name":"Ada"}"#)
        #expect(world.lines(client).last?.contains("logged_in") == true)
        world.pass(seconds: 100)
        // The wall clock is set back: the time that has passed counts all the same.
        world.now.wallMilliseconds -= 3_600_000
        let second = world.connect()
        world.send(second, hello, #"{"type":"login","invite":"\#(late)","name":"Bob"}"#)
        #expect(world.lines(second).last?.contains("login_failed") == true)
        world.now.wallMilliseconds += 1_000_000_000
        let third = world.connect()
        world.send(third, hello, #"{"type":"login","invite":"\#(jumped)","name":"Bob"}"#)
        #expect(world.lines(third).last?.contains("login_failed") == true)
    }

    @Test("bad_name: a name with controls is refused before the invite is looked at")
    func badName() {
        var world = World()
        let invite = world.invite()
        let client = world.connect()
        world.send(client, hello, #"{"type":"login","invite":"\#(invite)","name":"a\nb"}"#)
        #expect(world.lines(client).last?.contains(#""code":"bad_name""#) == true)
        let again = world.connect()
        world.send(again, hello, #"{"type":"login","invite":"\#(invite)","name":"Ada"}"#)
        #expect(world.lines(again).last?.contains("logged_in") == true)
    }

    @Test("login_timeout: ten seconds, whatever trickles in")
    func loginTimeout() {
        var world = World()
        let silent = world.connect()
        let chatty = world.connect()
        world.pass(seconds: 5)
        _ = world.ask(chatty, hello, #"{"type":"ping"}"#)
        world.pass(seconds: 4)
        #expect(world.closes.isEmpty)
        world.pass(seconds: 2)
        for client in [silent, chatty] {
            #expect(world.lines(client).last?.contains(#""code":"login_timeout""#) == true)
        }
        #expect(world.closes.sorted() == [silent, chatty])
    }

    /// Every message there is, as a client would send it.
    static let everyMessage = [
        #"{"type":"hello"}"#, #"{"type":"login","token":"x"}"#, #"{"type":"ping"}"#,
        #"{"type":"tables"}"#, #"{"type":"create","table":"a","columns":[]}"#,
        #"{"type":"open","table":"a"}"#, #"{"type":"close","table":"a"}"#,
        #"{"type":"op","table":"a","body":[{"delete":["s1.1"]}]}"#,
        #"{"type":"read","table":"a","from":0,"count":1}"#, #"{"type":"hash","table":"a"}"#,
        #"{"type":"who","table":"a"}"#,
        #"{"type":"presence","table":"a","row":null,"column":null}"#, #"{"type":"bye"}"#,
    ]

    @Test(
        "GP5: before login only hello, login, ping and bye are understood", arguments: everyMessage)
    func matrixBeforeLogin(_ line: String) {
        for isGreeted in [false, true] {
            var world = World()
            let client = world.connect()
            if isGreeted { _ = world.ask(client, hello) }
            let answer = world.ask(client, line)
            let kind = field("type", of: line) ?? ""
            let code = answer.last.flatMap { field("code", of: $0) }
            switch (kind, isGreeted) {
            case ("hello", false): #expect(field("type", of: answer[0]) == "welcome")
            case ("ping", _): #expect(field("type", of: answer[0]) == "pong")
            case ("bye", _): #expect(code == "going_away" && world.closes == [client])
            case ("login", true): #expect(code == "login_failed" && world.closes == [client])
            default: #expect(code == "not_authenticated" && world.closes == [client])
            }
        }
    }

    @Test("not_authenticated: what is pipelined behind it is not looked at")
    func pipelinedBeforeLogin() {
        var world = World()
        let token = world.botToken()
        let client = world.connect()
        let answer = world.ask(
            client, hello, #"{"type":"tables"}"#, #"{"type":"login","token":"\#(token)"}"#)
        #expect(answer.count == 3)
        #expect(answer[2].contains(#""type":"bye","code":"not_authenticated""#))
    }

    @Test(
        "too_large: before login a line has at most 4 KiB, behind a login in the same piece 1 MiB")
    func lineLengths() {
        var world = World()
        let token = world.botToken()
        let long = #"{"type":"who","table":"\#(String(repeating: "a", count: 5_000))"}"#
        let client = world.connect()
        let answer = world.ask(client, long)
        #expect(answer.first?.contains(#""code":"too_large""#) == true)
        #expect(answer.first?.contains(#""offset":4096"#) == true)
        #expect(world.closes == [client])
        let other = world.connect()
        let second = world.ask(other, hello, #"{"type":"login","token":"\#(token)"}"#, long)
        #expect(second.count > 2)
        #expect(second.last?.contains("too_large") == false)
        #expect(second[1].contains("logged_in"))
        let third = world.login(token: token)
        world.send(third, bytes: [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 1))
        #expect(world.lines(third).last?.contains(#""code":"too_large""#) == true)
        #expect(world.ask(other, #"{"type":"ping"}"#) == [#"{"type":"pong"}"#])
    }

    @Test("malformed, too_deep: one error with code and offset, then bye, for this connection only")
    func malformed() {
        var world = World()
        let token = world.botToken()
        let good = world.login(token: token)
        let bad = world.login(token: token)
        let answer = world.ask(bad, #"{"type":"ping",}"#, #"{"type":"ping"}"#)
        #expect(answer.count == 2)
        #expect(answer[0].contains(#""type":"error","code":"malformed""#))
        #expect(answer[0].contains(#""offset":"#))
        #expect(answer[1].contains(#""type":"bye","code":"malformed""#))
        let deep = world.login(token: token)
        let nested = world.ask(deep, String(repeating: "[", count: 10_000))
        #expect(nested.count == 2)
        #expect(world.closes == [bad, deep])
        #expect(world.ask(good, #"{"type":"ping"}"#) == [#"{"type":"pong"}"#])
        #expect(world.lines(good).isEmpty)
    }

    @Test("a connection logs in once")
    func loginTwice() {
        var world = World()
        let token = world.botToken()
        for line in [hello, #"{"type":"login","token":"\#(token)"}"#] {
            let client = world.login(token: token)
            let answer = world.ask(client, line)
            #expect(answer.last?.contains(#""code":"malformed""#) == true)
        }
    }

    @Test("GB4: a peer that never logs in and never reads is cut at 16 KiB of replies")
    func neverReads() {
        var world = World()
        let client = world.connect()
        world.stuck.insert(client)
        for _ in 0..<200 where world.closes.isEmpty {
            world.send(
                client, bytes: Array(String(repeating: "{\"type\":\"ping\"}\n", count: 60).utf8))
        }
        #expect(world.closes == [client])
    }

    @Test("too_many_connections: of all, of a person, of a bot")
    func tooManyConnections() {
        var limits = ServerLimits()
        limits.connectionsMax = 5
        limits.connectionsPerBotMax = 3
        limits.connectionsPerUserMax = 2
        var world = World(limits: limits)
        let token = world.botToken()
        for _ in 0..<3 { _ = world.login(token: token) }
        let fourth = world.connect()
        world.send(fourth, hello, #"{"type":"login","token":"\#(token)"}"#)
        let answer = world.lines(fourth).last ?? ""
        #expect(answer.contains(#""code":"too_many_connections""#))
        #expect(answer.contains("retry_seconds"))
        let (_, device) = world.person("Ada")
        let second = world.connect()
        #expect(world.ask(second, hello, #"{"type":"login","token":"\#(device)"}"#).count == 2)
        let sixth = world.connect()
        #expect(world.lines(sixth).last?.contains(#""code":"too_many_connections""#) == true)
        #expect(world.closes == [fourth, sixth])
        world.disconnect(second)
        let again = world.connect()
        #expect(
            world.ask(again, hello, #"{"type":"login","token":"\#(device)"}"#).last?
                .contains("logged_in") == true)
    }

    @Test("an administrator is refused with words")
    func administratorIsRefused() {
        var world = World()
        let requests: [AdministratorRequest] = [
            .invite(role: "king", uses: 1, expiresAfterSeconds: 0),
            .invite(role: "editor", uses: 0, expiresAfterSeconds: 0),
            .invite(role: "editor", uses: 1, expiresAfterSeconds: .max),
            .token(bot: "a\u{7}", role: "editor"), .token(bot: "a", role: ""),
        ]
        for request in requests {
            guard case .refused = world.administrate(request) else {
                Issue.record("not refused: \(request)")
                continue
            }
        }
        #expect(world.appendCount == 0)
        _ = world.botToken("a", role: "editor")
        guard case .refused = world.administrate(.token(bot: "a", role: "owner")) else {
            Issue.record("a bot must not change its role so")
            return
        }
    }
}
