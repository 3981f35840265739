// A server's identity: the same after a restart, private from its first moment, and refused where
// others can read it. And the digest that pins are made of.
import Glibc
import Testing

@testable import Transport

/// A new folder for one test, removed with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/roundtable-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["tls/key.pem", "tls/certificate.pem"] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir("\(path)/tls")
        unsafe rmdir(path)
    }

    func mode(of name: String) -> mode_t {
        var status = stat()
        guard unsafe stat("\(path)/\(name)", &status) == 0 else { return 0 }
        return status.st_mode & 0o777
    }
}

@Suite("Server identity")
struct ServerIdentityTests {
    @Test("An identity is made once and loaded after that, private to its owner")
    func madeAndLoaded() throws {
        let folder = try TemporaryFolder()
        let old = umask(0)
        let (made, isNew) = try ServerIdentity.load(folder: folder.path, orMakeFor: ["localhost"])
        umask(old)
        #expect(isNew)
        #expect(made.pin.count == 32)
        let (loaded, isNewAgain) = try ServerIdentity.load(folder: folder.path, orMakeFor: [])
        #expect(!isNewAgain)
        #expect(loaded.pin == made.pin)
        #expect(folder.mode(of: "tls") == 0o700)
        #expect(folder.mode(of: "tls/key.pem") == 0o600)
        #expect(folder.mode(of: "tls/certificate.pem") == 0o600)
    }

    @Test("GS2: a key that others may read is refused")
    func readableKey() throws {
        let folder = try TemporaryFolder()
        _ = try ServerIdentity.load(folder: folder.path, orMakeFor: ["localhost"])
        unsafe chmod(folder.path + "/tls/key.pem", 0o644)
        let error = #expect(throws: TransportError.self) {
            _ = try ServerIdentity.load(folder: folder.path, orMakeFor: [])
        }
        #expect(error?.reason.contains("chmod 600") == true)
    }

    @Test("A certificate of another key is refused")
    func mismatch() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        _ = try ServerIdentity.load(folder: folder.path, orMakeFor: ["localhost"])
        _ = try ServerIdentity.load(folder: other.path, orMakeFor: ["localhost"])
        #expect(throws: TransportError.self) {
            _ = try ServerIdentity.load(
                keyPath: folder.path + "/tls/key.pem",
                certificatePath: other.path + "/tls/certificate.pem")
        }
    }

    @Test("SHA-256 of the standard's example, whole and in pieces")
    func digest() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(hexadecimal(sha256(Array("abc".utf8))) == expected)
        var digest = SHA256()
        for byte in "ab".utf8 { unsafe digest.update([byte].span.bytes) }
        var copy = digest
        unsafe copy.update(Array("xyz".utf8).span.bytes)
        unsafe digest.update(Array("c".utf8).span.bytes)
        #expect(hexadecimal(digest.finish()) == expected)
        #expect(copy.finish() != digest.finish())
    }

    @Test("A host and port are read as people write them")
    func hostPort() {
        #expect(HostPort("127.0.0.1:7466") == HostPort(host: "127.0.0.1", port: 7_466))
        #expect(HostPort("[::1]:0") == HostPort(host: "::1", port: 0))
        #expect(HostPort("[::1]:0")?.description == "[::1]:0")
        for text in ["", "localhost", ":1", "::1:7466", "a:70000", "a:-1", "a:"] {
            #expect(HostPort(text) == nil, "\(text)")
        }
    }
}
