// Invites and tokens: what is given out is read back, and each mistake has its own words.
import Testing

@testable import TableWire

/// Stands for SHA-256, which this room does not have: any change of the bytes changes it.
private func digest(_ bytes: [UInt8]) -> [UInt8] {
    let hash = unsafe hash64(bytes.span.bytes)
    return (0..<32).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 % 8 * 8)) }
}

@Suite struct InviteTextTests {
    private let secret = (0..<20).map { UInt8($0 * 7 + 1) }
    private let pin = (0..<32).map { UInt8(255 - $0) }

    private func invite(host: String = "localhost", port: UInt16 = 7466) throws -> InviteText {
        try #require(InviteText(secret: secret, pin: pin, host: host, port: port))
    }

    @Test(
        "An invite is read back", arguments: ["localhost", "127.0.0.1", "::1", "a-b.example", "x"])
    func roundTrip(host: String) throws {
        for port: UInt16 in [1, 7466, 65_535] {
            let invite = try invite(host: host, port: port)
            let text = invite.text(sha256: digest)
            #expect(text.hasPrefix("rt1i_"))
            #expect(try InviteText(text, sha256: digest) == invite)
            #expect(try InviteText("  \(text)\r\n", sha256: digest) == invite)
        }
    }

    @Test("Every mistyped character is noticed")
    func mistyped() throws {
        let text = try invite().text(sha256: digest)
        var characters = Array(text.utf8)
        for index in 5..<95 {
            let original = characters[index]
            characters[index] =
                original == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            let changed = String(decoding: characters, as: UTF8.self)
            #expect(throws: SecretTextError.mistyped) {
                try InviteText(changed, sha256: digest)
            }
            characters[index] = original
        }
    }

    @Test("Each mistake has its own error")
    func mistakes() throws {
        let text = try invite().text(sha256: digest)
        let code = String(text.prefix(95))
        let cases: [(String, SecretTextError)] = [
            ("", .wrongPrefix(expected: "rt1i_")),
            (
                "rt1d_" + code.dropFirst(5),
                .wrongPrefix(
                    expected: "rt1i_")
            ),
            (String(code.dropLast()) + "@h:1", .wrongLength), (code + "a@h:1", .wrongLength),
            (code.replacing("rt1i_", with: "rt1i_1").dropLast() + "@h:1", .badCharacter(offset: 5)),
            (code, .badAddress), (code + "@", .badAddress), (code + "@host", .badAddress),
            (code + "@:1", .badAddress), (code + "@h:0", .badAddress),
            (code + "@h:65536", .badAddress), (code + "@h:+1", .badAddress),
            (code + "@::1:7466", .badAddress), (code + "@h h:1", .badAddress),
            (code + "@a@b:1", .badAddress), (code + "@h:", .badAddress),
        ]
        for (text, error) in cases {
            #expect(throws: error, "\(text)") { try InviteText(text, sha256: digest) }
            #expect(!error.description.isEmpty)
        }
    }

    @Test("Parts of the wrong size make no invite")
    func sizes() {
        #expect(InviteText(secret: [1], pin: pin, host: "h", port: 1) == nil)
        #expect(InviteText(secret: secret, pin: [], host: "h", port: 1) == nil)
        #expect(InviteText(secret: secret, pin: pin, host: "", port: 1) == nil)
        #expect(InviteText(secret: secret, pin: pin, host: "h", port: 0) == nil)
    }

    @Test("A token is read back, and only whole", arguments: TokenText.Kind.allCases)
    func tokens(kind: TokenText.Kind) throws {
        let token = try #require(TokenText(kind: kind, secret: pin))
        #expect(try TokenText(token.text + "\n") == token)
        #expect(token.text.utf8.count == 57)
        #expect(throws: SecretTextError.wrongLength) { try TokenText(token.text + "a") }
        #expect(throws: SecretTextError.badCharacter(offset: 56)) {
            try TokenText(token.text.dropLast() + "1")
        }
        #expect(throws: SecretTextError.wrongPrefix(expected: "rt1d_ or rt1b_")) {
            try TokenText("rt1i_" + token.text.dropFirst(5))
        }
        #expect(TokenText(kind: kind, secret: [1]) == nil)
    }
}
