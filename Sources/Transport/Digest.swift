// SHA-256 and secure random bytes, by OpenSSL.
// Who may know what is no matter here; TLS itself is in TLSContext.swift.
import COpenSSL

/// A SHA-256 of bytes that come piece by piece.
package struct SHA256 {
    private var state: State

    /// OpenSSL's context, copied when a copy of the digest is written to.
    @safe private final class State {
        let context: OpaquePointer?

        init() {
            unsafe context = EVP_MD_CTX_new()
        }

        deinit {
            unsafe EVP_MD_CTX_free(context)
        }
    }

    /// Starts an empty digest.
    package init() {
        state = State()
        unsafe EVP_DigestInit_ex(state.context, algorithm.pointer, nil)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: borrowing RawSpan) {
        ownState()
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe EVP_DigestUpdate(state.context, buffer.baseAddress, buffer.count)
        }
    }

    /// Ends the digest, and starts it anew: 32 bytes.
    package mutating func finish() -> [UInt8] {
        ownState()
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) {
            buffer, count in
            var written: UInt32 = 0
            unsafe EVP_DigestFinal_ex(state.context, buffer.baseAddress, &written)
            count = Int(written)
        }
        unsafe EVP_DigestInit_ex(state.context, algorithm.pointer, nil)
        return digest
    }

    /// The size of a digest.
    package static let byteCount = 32

    private mutating func ownState() {
        guard !isKnownUniquelyReferenced(&state) else { return }
        let copy = State()
        unsafe EVP_MD_CTX_copy_ex(copy.context, state.context)
        state = copy
    }
}

/// The algorithm, looked up once: a lookup costs more than a short digest.
///
/// Safe to share: OpenSSL's algorithms are immutable and made for many threads.
@safe private final class Algorithm: @unchecked Sendable {
    let pointer: OpaquePointer?

    init() {
        unsafe pointer = EVP_MD_fetch(nil, "SHA256", nil)
    }
}

private let algorithm = Algorithm()

/// The SHA-256 of bytes: 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    unsafe digest.update(bytes.span.bytes)
    return digest.finish()
}

/// Random bytes that nobody can guess.
package func secureRandomBytes(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
        let status = unsafe RAND_bytes(buffer.baseAddress, Int32(clamping: count))
        precondition(status == 1, "the system gives no random numbers")
        written = count
    }
}

/// Random numbers that nobody can guess.
package struct SecureRandom: RandomNumberGenerator, Sendable {
    /// Makes a generator; it has no state of its own.
    package init() {}

    /// The next number.
    package mutating func next() -> UInt64 {
        var number: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &number) { bytes in
            let status = unsafe RAND_bytes(bytes.baseAddress, Int32(bytes.count))
            precondition(status == 1, "the system gives no random numbers")
        }
        return number
    }
}

/// The name and version of the library under TLS, digests and chance, such as `OpenSSL 3.0.17 1 Jul
/// 2025`.
package var cryptographyVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))
}
