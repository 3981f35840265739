// Who a server is: a P-256 key and a certificate signed with it. Made on the first run, loaded on
// the next; the pin of the key is what invites carry. Its files are read and written by
// IdentityFiles.swift; TLSServerContext shows them to clients.
import COpenSSL

/// A private key; freed with its last holder.
@safe final class PrivateKey {
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }
}

/// A certificate; freed with its last holder.
@safe final class Certificate {
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_free(pointer)
    }
}

/// A server's key, certificate and pin.
package final class ServerIdentity {
    let key: PrivateKey
    let certificate: Certificate
    /// The SHA-256 of the public key (its SubjectPublicKeyInfo): 32 bytes.
    package let pin: [UInt8]

    /// How long a certificate made here is valid.
    package static let validDays = 3_653

    init(key: PrivateKey, certificate: Certificate) throws(TransportError) {
        guard let pin = unsafe Transport.pin(of: certificate.pointer) else {
            throw .tls("the certificate has no readable key")
        }
        self.key = key
        self.certificate = certificate
        self.pin = pin
    }

    /// Makes a new key and a certificate for those names: host names and IP addresses.
    package convenience init(makingFor names: [String]) throws(TransportError) {
        ERR_clear_error()
        guard let keyPointer = unsafe shim_EVP_EC_gen("P-256") else {
            throw .tls("no key could be made")
        }
        let key = unsafe PrivateKey(taking: keyPointer)
        guard let certificatePointer = unsafe X509_new() else {
            throw .tls("no memory for a certificate")
        }
        let certificate = unsafe Certificate(taking: certificatePointer)
        try fill(certificate, key: key, names: names)
        try self.init(key: key, certificate: certificate)
    }
}

/// Writes a certificate's fields and signs it with its own key.
private func fill(
    _ certificate: Certificate, key: PrivateKey, names: [String]
) throws(TransportError) {
    let pointer = unsafe certificate.pointer
    // A serial number is a positive integer of at most 20 bytes.
    let serial = Int(truncatingIfNeeded: SecureRandom().serialNumber())
    unsafe ASN1_INTEGER_set_int64(X509_get_serialNumber(pointer), Int64(serial))
    // A day of slack for clients whose clock is behind.
    unsafe X509_gmtime_adj(X509_getm_notBefore(pointer), -86_400)
    unsafe X509_gmtime_adj(X509_getm_notAfter(pointer), ServerIdentity.validDays * 86_400)
    let subject = unsafe X509_get_subject_name(pointer)
    let commonName = Array("Roundtable server".utf8)
    guard unsafe X509_set_version(pointer, 2) == 1,
        unsafe X509_set_pubkey(pointer, key.pointer) == 1,
        unsafe X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_UTF8, commonName, Int32(commonName.count), -1, 0) == 1,
        unsafe X509_set_issuer_name(pointer, subject) == 1
    else { throw .tls("the certificate's fields were refused") }
    let alternatives = names.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
    try add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
    try add(NID_key_usage, "critical,digitalSignature", to: certificate)
    try add(NID_ext_key_usage, "serverAuth", to: certificate)
    if !alternatives.isEmpty {
        try add(NID_subject_alt_name, alternatives.joined(separator: ","), to: certificate)
    }
    guard unsafe X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else {
        throw .tls("the certificate could not be signed")
    }
}

private func add(
    _ kind: Int32, _ value: String, to certificate: Certificate
) throws(TransportError) {
    var context = unsafe X509V3_CTX()
    unsafe X509V3_set_ctx(&context, certificate.pointer, certificate.pointer, nil, nil, 0)
    guard let field = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value) else {
        throw .tls("a certificate cannot name \(value)")
    }
    defer { unsafe X509_EXTENSION_free(field) }
    guard unsafe X509_add_ext(certificate.pointer, field, -1) == 1 else {
        throw .tls("a certificate cannot name \(value)")
    }
}

extension SecureRandom {
    fileprivate func serialNumber() -> UInt64 {
        var generator = self
        return generator.next() >> 1 | 1
    }
}
