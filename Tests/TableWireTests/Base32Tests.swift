// Base32 has one spelling for each list of bytes.
import Testing

@testable import TableWire

@Suite struct Base32Tests {
    @Test(
        "The test vectors of RFC 4648, in lower case without padding",
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
            ["", "my", "mzxq", "mzxw6", "mzxw6yq", "mzxw6ytb", "mzxw6ytboi"]))
    func vectors(plain: String, coded: String) throws {
        #expect(base32(bytes(plain)) == coded)
        #expect(try TableWire.bytes(base32: coded.utf8) == bytes(plain))
    }

    @Test("All bytes come back, at every length")
    func roundTrip() throws {
        let all = (0...255).map { UInt8($0) }
        for count in 0...256 {
            let part = Array(all.reversed().prefix(count))
            #expect(try TableWire.bytes(base32: base32(part).utf8) == part)
        }
    }

    @Test(
        "Any other spelling is refused",
        arguments: [
            ("MY", Base32Error.badCharacter(offset: 0)), ("m1", .badCharacter(offset: 1)),
            ("my======", .badCharacter(offset: 2)), ("m y", .badCharacter(offset: 1)),
            ("m", .badLength), ("mzx", .badLength), ("mzxw6y", .badLength), ("mz", .trailingBits),
            ("mzxw7", .trailingBits),
        ] as [(String, Base32Error)])
    func refused(text: String, error: Base32Error) {
        #expect(throws: error) { try TableWire.bytes(base32: text.utf8) }
    }
}
