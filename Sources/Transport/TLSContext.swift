// The settings of TLS, the same on every connection: version 1.3, one ALPN name, three curves, no
// sessions to resume, no renegotiation. The server's half proves itself with its key; the client's
// half trusts exactly the key whose pin it was given. TLSConnection.swift uses both.
import COpenSSL

/// The ALPN name of the protocol; a connection without it is refused.
package let protocolName = "roundtable/1"

/// The ciphers, best first: 128 bits are enough, and a quarter cheaper than 256.
private let cipherSuites =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

/// OpenSSL's context with what both halves set; freed with its last connection.
@safe final class TLSContext {
    let pointer: OpaquePointer

    init(method: OpaquePointer?) throws(TransportError) {
        ERR_clear_error()
        guard let pointer = unsafe SSL_CTX_new(method) else {
            throw .tls("OpenSSL gave no context")
        }
        unsafe self.pointer = pointer
        unsafe shim_SSL_CTX_strict_options(pointer)
        let modes =
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
            | SSL_MODE_RELEASE_BUFFERS
        unsafe shim_SSL_CTX_set_mode(pointer, Int(modes))
        unsafe shim_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        // One system call takes a record's head and body, and several records at once.
        unsafe shim_SSL_CTX_set_read_ahead(pointer, 1)
        guard unsafe shim_SSL_CTX_set_min_proto_version(pointer, TLS1_3_VERSION) == 1,
            unsafe SSL_CTX_set_num_tickets(pointer, 0) == 1,
            unsafe shim_SSL_CTX_set1_groups_list(pointer, "X25519:P-256:P-384") == 1,
            unsafe SSL_CTX_set_ciphersuites(pointer, cipherSuites) == 1
        else { throw .tls("OpenSSL refused the settings for TLS 1.3") }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }
}

/// What a server shows its clients: its key and certificate.
package final class TLSServerContext {
    let context: TLSContext
    /// The pin of the server's key, as invites carry it.
    package let pin: [UInt8]

    /// Makes a context that proves the identity.
    package init(identity: ServerIdentity) throws(TransportError) {
        context = try unsafe TLSContext(method: TLS_server_method())
        pin = identity.pin
        let pointer = unsafe context.pointer
        ERR_clear_error()
        guard unsafe SSL_CTX_use_certificate(pointer, identity.certificate.pointer) == 1,
            unsafe SSL_CTX_use_PrivateKey(pointer, identity.key.pointer) == 1,
            unsafe SSL_CTX_check_private_key(pointer) == 1
        else { throw .tls("the certificate does not fit the key") }
        unsafe SSL_CTX_set_client_hello_cb(pointer, requireProtocolNames, nil)
        unsafe SSL_CTX_set_alpn_select_cb(pointer, selectProtocolName, nil)
    }
}

/// What a client accepts: the one server whose key it was told of.
package final class TLSClientContext {
    let context: TLSContext
    /// The SHA-256 of the server's public key (its SubjectPublicKeyInfo): 32 bytes.
    package let pin: [UInt8]

    /// The ALPN name that is offered and that the server has to choose; nil where none is
    /// spoken, as with the peers of a benchmark.
    let requiredName: String?

    /// Makes a context that trusts exactly that key.
    ///
    /// - Parameters:
    ///   - pin: the SHA-256 of the server's public key, 32 bytes.
    ///   - name: the ALPN name to insist on; nil for a server that knows of none.
    /// - Throws: `TransportError` where the pin is no pin.
    package init(
        pin: [UInt8], speaking name: String? = protocolName
    ) throws(TransportError) {
        requiredName = name
        guard pin.count == SHA256.byteCount else {
            throw TransportError("a pin has \(SHA256.byteCount) bytes, this one \(pin.count)")
        }
        self.pin = pin
        context = try unsafe TLSContext(method: TLS_client_method())
        // The pin is checked by TLSConnection before a byte is sent; there is no authority to ask.
        unsafe SSL_CTX_set_verify(context.pointer, SSL_VERIFY_NONE, nil)
        if let name { try offer(name) }
    }

    /// Offers that ALPN name and no other; none where it is empty.
    ///
    /// For tests of other names.
    func offer(_ name: String) throws(TransportError) {
        let list = name.isEmpty ? [] : [UInt8(clamping: name.utf8.count)] + Array(name.utf8)
        let status = unsafe list.withUnsafeBufferPointer { bytes in
            unsafe SSL_CTX_set_alpn_protos(
                context.pointer, bytes.baseAddress, UInt32(bytes.count))
        }
        guard status == 0 else { throw .tls("OpenSSL refused the ALPN name") }
    }
}

/// Refuses a ClientHello without ALPN; without this, the select callback would never be asked.
private func requireProtocolNames(
    _ connection: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    var start: UnsafePointer<UInt8>?
    var byteCount = 0
    let kind = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
    if unsafe SSL_client_hello_get0_ext(connection, kind, &start, &byteCount) == 1 {
        return SSL_CLIENT_HELLO_SUCCESS
    }
    unsafe alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
    return SSL_CLIENT_HELLO_ERROR
}

/// Picks our name from the client's list, or ends the handshake.
private func selectProtocolName(
    _ connection: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedByteCount: UnsafeMutablePointer<UInt8>?, _ names: UnsafePointer<UInt8>?,
    _ byteCount: UInt32, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    let list = unsafe UnsafeBufferPointer(start: names, count: Int(byteCount))
    var offset = 0
    while offset < list.count {
        let nameByteCount = Int(unsafe list[offset])
        let end = offset + 1 + nameByteCount
        guard end <= list.count else { break }
        if unsafe list[(offset + 1)..<end].elementsEqual(protocolName.utf8) {
            unsafe selected?.pointee = list.baseAddress.map { unsafe $0 + offset + 1 }
            unsafe selectedByteCount?.pointee = UInt8(nameByteCount)
            return SSL_TLSEXT_ERR_OK
        }
        offset = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

extension TransportError {
    /// Names what failed in TLS, with OpenSSL's own reason where it gave one.
    static func tls(_ what: String) -> TransportError {
        guard let reason = opensslReason() else { return TransportError("TLS: \(what)") }
        return TransportError("TLS: \(what) (\(reason))")
    }
}

/// The first error on this thread's queue in OpenSSL's words; clears the queue.
func opensslReason() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    guard let reason = unsafe ERR_reason_error_string(code) else { return "code \(code)" }
    return unsafe String(cString: reason)
}

/// The pin of a certificate's key: SHA-256 of its SubjectPublicKeyInfo.
func pin(of certificate: OpaquePointer) -> [UInt8]? {
    let key = unsafe X509_get_X509_PUBKEY(certificate)
    var start: UnsafeMutablePointer<UInt8>?
    let byteCount = unsafe i2d_X509_PUBKEY(key, &start)
    guard byteCount > 0, let start = unsafe start else { return nil }
    defer { unsafe CRYPTO_free(start, "pin", 0) }
    return unsafe sha256(Array(UnsafeBufferPointer(start: start, count: Int(byteCount))))
}

/// Bytes in hexadecimal digits.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
