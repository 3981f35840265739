// The texts that people carry from the server to a client: invites and tokens.
// What they let in is decided by the server's core; nothing here knows who was invited.

/// Why a text is no invite or token, in words for a person who has copied it.
package enum SecretTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It does not begin as such a text does.
    case wrongPrefix(expected: String)
    /// It has fewer or more characters: part of it is missing, or something was added.
    case wrongLength
    /// The character at that place, from 0, cannot be there.
    case badCharacter(offset: Int)
    /// The check does not fit: a character was mistyped.
    case mistyped
    /// What stands behind `@` is no `HOST:PORT`.
    case badAddress

    /// What is wrong with it, and what to do.
    package var description: String {
        switch self {
        case .wrongPrefix(let expected):
            "The text does not begin with \(expected): copy the whole of it."
        case .wrongLength:
            "The text is too short or too long: copy the whole of it and nothing else."
        case .badCharacter(let offset):
            "Character \(offset + 1) cannot be there: only a to z and 2 to 7 can."
        case .mistyped:
            "A character is mistyped: compare the text with the one you were given."
        case .badAddress:
            "The server's address is wrong: behind @ stand a host, a colon and a port."
        }
    }
}

/// An invite as one line of text: `rt1i_…@HOST:PORT`.
///
/// The letters are base32 of 20 secret bytes, the 32 bytes of the server's pin (the SHA-256 of
/// its public key) and 4 bytes of check: the first of the SHA-256 of the 52 before.
package struct InviteText: Hashable, Sendable {
    /// What every invite begins with.
    package static let prefix = "rt1i_"
    /// The bytes of the secret that is redeemed.
    package static let secretByteCount = 20
    /// The bytes of the SHA-256 of the server's public key.
    package static let pinByteCount = 32
    static let checkByteCount = 4

    /// What the server asks for, 20 bytes; the message `login` carries their base32.
    package let secret: [UInt8]
    /// The SHA-256 of the server's public key, 32 bytes.
    package let pin: [UInt8]
    /// A name or an address; an IPv6 address without its brackets.
    package let host: String
    /// The port that the server listens on.
    package let port: UInt16

    /// Joins the parts; nil where the bytes are not 20 and 32 or the host cannot be one.
    package init?(secret: [UInt8], pin: [UInt8], host: String, port: UInt16) {
        guard secret.count == Self.secretByteCount, pin.count == Self.pinByteCount,
            isHost(host), port > 0
        else { return nil }
        self.secret = secret
        self.pin = pin
        self.host = host
        self.port = port
    }

    /// Reads an invite; white space around it is passed over.
    ///
    /// - Parameters:
    ///   - text: the line.
    ///   - sha256: computes the 32-byte digest of bytes.
    /// - Throws: `SecretTextError`.
    package init(_ text: String, sha256: ([UInt8]) -> [UInt8]) throws(SecretTextError) {
        let bytes = trimmed(Array(text.utf8))
        let at = bytes.firstIndex(of: UInt8(ascii: "@")) ?? bytes.endIndex
        let count = Self.secretByteCount + Self.pinByteCount
        let data = try secretBytes(
            bytes[..<at], prefix: Self.prefix, byteCount: count + Self.checkByteCount)
        guard
            Array(sha256(Array(data[..<count])).prefix(Self.checkByteCount))
                == Array(data[count...])
        else { throw .mistyped }
        guard at < bytes.endIndex else { throw .badAddress }
        guard let (host, port) = address(bytes[(at + 1)...]) else { throw .badAddress }
        secret = Array(data[..<Self.secretByteCount])
        pin = Array(data[Self.secretByteCount..<count])
        self.host = host
        self.port = port
    }

    /// The invite as text.
    package func text(sha256: ([UInt8]) -> [UInt8]) -> String {
        let data = secret + pin
        let check = sha256(data).prefix(Self.checkByteCount)
        let shownHost = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return Self.prefix + base32(data + check) + "@\(shownHost):\(port)"
    }
}

/// A token as text: `rt1d_…` for a person's device, `rt1b_…` for a bot; base32 of 32 bytes.
package struct TokenText: Hashable, Sendable {
    /// Whose token it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case device = "rt1d_"
        case bot = "rt1b_"
    }

    /// The bytes of the secret.
    package static let secretByteCount = 32

    /// Whose token it is: a device's or a bot's.
    package let kind: Kind
    /// 32 bytes.
    package let secret: [UInt8]

    /// Joins the parts; nil where the bytes are not 32.
    package init?(kind: Kind, secret: [UInt8]) {
        guard secret.count == Self.secretByteCount else { return nil }
        self.kind = kind
        self.secret = secret
    }

    /// Reads a token; white space around it is passed over.
    ///
    /// - Parameter text: the token.
    /// - Throws: `SecretTextError`.
    package init(_ text: String) throws(SecretTextError) {
        let bytes = trimmed(Array(text.utf8))
        let kind = Kind.allCases.first { bytes.starts(with: $0.rawValue.utf8) }
        guard let kind else { throw .wrongPrefix(expected: "rt1d_ or rt1b_") }
        self.kind = kind
        secret = try secretBytes(
            bytes, prefix: kind.rawValue, byteCount: Self.secretByteCount)
    }

    /// The token as text.
    package var text: String { kind.rawValue + base32(secret) }
}

/// The bytes behind a prefix, of a number that is known.
private func secretBytes(
    _ text: ArraySlice<UInt8>, prefix: String, byteCount: Int
) throws(SecretTextError) -> [UInt8] {
    guard text.starts(with: prefix.utf8) else { throw .wrongPrefix(expected: prefix) }
    let characters = text.dropFirst(prefix.utf8.count)
    guard characters.count == (byteCount * 8 + 4) / 5 else { throw .wrongLength }
    do throws(Base32Error) {
        return try bytes(base32: characters)
    } catch {
        switch error {
        case .badCharacter(let offset):
            throw .badCharacter(offset: prefix.utf8.count + offset)
        case .badLength, .trailingBits: throw .mistyped
        }
    }
}

private func secretBytes(
    _ text: [UInt8], prefix: String, byteCount: Int
) throws(SecretTextError) -> [UInt8] {
    try secretBytes(text[...], prefix: prefix, byteCount: byteCount)
}

/// The bytes without white space at their ends.
private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
        let last = bytes.lastIndex(where: { $0 > 0x20 })
    else { return [] }
    return Array(bytes[first...last])
}

/// The host and port of `HOST:PORT` or `[HOST]:PORT`.
private func address(_ bytes: ArraySlice<UInt8>) -> (host: String, port: UInt16)? {
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    var host = bytes[..<colon]
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 2 {
        host = host.dropFirst().dropLast()
    } else if host.contains(UInt8(ascii: ":")) {
        return nil
    }
    let hostText = String(decoding: host, as: UTF8.self)
    let digits = bytes[(colon + 1)...]
    guard isHost(hostText), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
        let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { return nil }
    return (hostText, port)
}

/// True for a text that can be a host: letters, digits, points, colons, `-`, `_` and `%`.
private func isHost(_ host: String) -> Bool {
    guard !host.isEmpty, host.utf8.count <= 253 else { return false }
    return host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
