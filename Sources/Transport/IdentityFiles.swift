// The files of a server's identity: DIR/tls/key.pem and DIR/tls/certificate.pem, made so that
// nobody but their owner could ever read them, and refused where somebody else can.
import COpenSSL
import Glibc

extension ServerIdentity {
    /// Loads the identity of a data folder; makes one for those names where there is none.
    ///
    /// - Parameters:
    ///   - folder: the data folder; made with mode 0700 where it is missing.
    ///   - names: host names and IP addresses for a new certificate.
    /// - Returns: the identity, and whether it was made now.
    /// - Throws: `TransportError` where a file is missing, damaged, or readable by others.
    package static func load(
        folder: String, orMakeFor names: [String]
    ) throws(TransportError) -> (identity: ServerIdentity, isNew: Bool) {
        let tlsFolder = folder + "/tls"
        try makePrivateFolder(folder)
        try makePrivateFolder(tlsFolder)
        let keyPath = tlsFolder + "/key.pem"
        let certificatePath = tlsFolder + "/certificate.pem"
        if unsafe access(keyPath, F_OK) == 0 {
            return (try load(keyPath: keyPath, certificatePath: certificatePath), false)
        }
        let made = try ServerIdentity(makingFor: names)
        // The key comes last: a folder with a key is complete.
        try writePrivateFile(certificatePath, try made.certificatePEM())
        try writePrivateFile(keyPath, try made.keyPEM())
        return (made, true)
    }

    /// Loads a key and its certificate.
    ///
    /// - Parameters:
    ///   - keyPath: a private key in PEM, readable by its owner only.
    ///   - certificatePath: its certificate in PEM.
    /// - Returns: the identity.
    /// - Throws: `TransportError` naming the file and what is wrong.
    package static func load(
        keyPath: String, certificatePath: String
    ) throws(TransportError) -> ServerIdentity {
        try requirePrivate(keyPath)
        let keyText = try readSmallFile(keyPath)
        let certificateText = try readSmallFile(certificatePath)
        ERR_clear_error()
        let readKey = unsafe withMemory(keyText) { memory in
            unsafe PEM_read_bio_PrivateKey(memory, nil, nil, nil)
        }
        guard let keyPointer = unsafe readKey else { throw .tls("\(keyPath) holds no private key") }
        let key = unsafe PrivateKey(taking: keyPointer)
        let readCertificate = unsafe withMemory(certificateText) { memory in
            unsafe PEM_read_bio_X509(memory, nil, nil, nil)
        }
        guard let certificatePointer = unsafe readCertificate else {
            throw .tls("\(certificatePath) holds no certificate")
        }
        let certificate = unsafe Certificate(taking: certificatePointer)
        guard unsafe X509_check_private_key(certificate.pointer, key.pointer) == 1 else {
            throw .tls("\(certificatePath) does not belong to \(keyPath)")
        }
        return try ServerIdentity(key: key, certificate: certificate)
    }

    private func keyPEM() throws(TransportError) -> [UInt8] {
        try unsafe text { memory in
            unsafe PEM_write_bio_PrivateKey(memory, key.pointer, nil, nil, 0, nil, nil)
        }
    }

    private func certificatePEM() throws(TransportError) -> [UInt8] {
        try unsafe text { memory in unsafe PEM_write_bio_X509(memory, certificate.pointer) }
    }
}

/// Runs an OpenSSL reader over bytes.
private func withMemory(
    _ bytes: [UInt8], _ body: (OpaquePointer) -> OpaquePointer?
) -> OpaquePointer? {
    unsafe bytes.withUnsafeBytes { buffer in
        guard
            let memory = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
        else { return nil }
        defer { unsafe BIO_free(memory) }
        return unsafe body(memory)
    }
}

/// Takes what an OpenSSL writer wrote.
private func text(
    _ body: (OpaquePointer) -> Int32
) throws(TransportError) -> [UInt8] {
    guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw .tls("no memory") }
    defer { unsafe BIO_free(memory) }
    guard unsafe body(memory) == 1 else { throw .tls("the identity could not be written") }
    var start: UnsafeMutablePointer<CChar>?
    let byteCount = unsafe shim_BIO_get_mem_data(memory, &start)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: max(0, byteCount))
    return unsafe Array(bytes)
}
