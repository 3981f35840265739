// DIR/admin.sock: how the server's own commands reach a server that runs. One JSON object a line,
// one request a connection. Whoever may open the socket (mode 0600) owns the data folder anyway.
import Foundation
import Glibc
package import TableServer
package import Transport

/// A request with the place where its answer is awaited.
struct AdministratorLetter: Sendable {
    let request: AdministratorRequest
    let answer: Mailbox<AdministratorAnswer>
}

/// The most that a request or an answer may have, in bytes.
private let messageBytesMax = 4_096
/// How long a client of the socket may take to send its request.
private let patienceSeconds = 5

/// Listens on the socket, on a thread of its own.
struct AdministratorSocket: Sendable {
    let letters: Mailbox<AdministratorLetter>
    private let path: String

    /// Makes the socket, replacing one that a killed server left behind; the caller has already
    /// made sure (by opening the store) that no other server uses the folder.
    init(folder: String) throws(TransportError) {
        path = socketPath(in: folder)
        letters = try Mailbox()
        unsafe unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw systemError("socket", on: path, code: errno) }
        // The mask makes the socket private from its first moment.
        let mask = umask(0o077)
        let bound = unsafe withAddress(path) { address, length in
            unsafe Glibc.bind(listener, address, length)
        }
        umask(mask)
        if bound == 0 { unsafe chmod(path, 0o600) }
        guard bound == 0, listen(listener, 16) == 0 else {
            let code = errno
            Glibc.close(listener)
            throw systemError("bind", on: path, code: code)
        }
        let letters = letters
        _ = try WorkerThread(name: "administrator") {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                answer(connection, letters)
                Glibc.close(connection)
            }
        }
    }

    /// Removes the socket; the thread ends with the process.
    func remove() {
        unsafe unlink(path)
    }
}

/// Asks the server that runs on a data folder.
///
/// - Parameters:
///   - request: what is wanted.
///   - folder: its data folder.
/// - Returns: the answer; nil where no server runs there.
/// - Throws: `TransportError` where the socket is there and does not answer.
package func askRunningServer(
    _ request: AdministratorRequest, folder: String
) throws(TransportError) -> AdministratorAnswer? {
    let path = socketPath(in: folder)
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard connection >= 0 else { throw systemError("socket", on: path, code: errno) }
    defer { close(connection) }
    let connected = unsafe withAddress(path) { address, length in
        unsafe connect(connection, address, length)
    }
    guard connected == 0 else {
        if errno == ENOENT || errno == ECONNREFUSED { return nil }
        throw systemError("connect", on: path, code: errno)
    }
    send(encode(request), on: connection)
    guard let line = receiveLine(from: connection), let answer = decodeAnswer(line) else {
        throw TransportError("\(path): the server gave no answer; look at its messages")
    }
    return answer
}

private func systemError(_ call: String, on path: String, code: Int32) -> TransportError {
    TransportError("\(path): \(call): \(unsafe String(cString: strerror(code)))")
}

private func socketPath(in folder: String) -> String { folder + "/admin.sock" }

private func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else {
        errno = ENAMETOOLONG
        return -1
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
        unsafe place.copyBytes(from: bytes)
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

private func answer(_ connection: Int32, _ letters: Mailbox<AdministratorLetter>) {
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    unsafe setsockopt(
        connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard let line = receiveLine(from: connection) else { return }
    guard let request = decodeRequest(line) else {
        send(encode(.refused("the request is not understood")), on: connection)
        return
    }
    guard let place = try? Mailbox<AdministratorAnswer>() else { return }
    letters.post(AdministratorLetter(request: request, answer: place))
    guard let answer = place.wait().first else { return }
    send(encode(answer), on: connection)
}

private func receiveLine(from connection: Int32) -> Data? {
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 512)
    while line.count <= messageBytesMax {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(connection, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        line.append(contentsOf: buffer[..<count])
        if let end = line.firstIndex(of: 10) { return line[..<end] }
    }
    return nil
}

private func send(_ fields: [String: Any], on connection: Int32) {
    guard var data = try? JSONSerialization.data(withJSONObject: fields) else { return }
    data.append(10)
    unsafe data.withUnsafeBytes { bytes in
        _ = unsafe Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

private func encode(_ request: AdministratorRequest) -> [String: Any] {
    switch request {
    case .invite(let role, let uses, let seconds):
        ["request": "invite", "role": role, "uses": uses, "expires_seconds": Int(seconds)]
    case .token(let bot, let role):
        ["request": "token", "bot": bot, "role": role]
    }
}

private func decodeRequest(_ line: Data) -> AdministratorRequest? {
    guard let object = try? JSONSerialization.jsonObject(with: line),
        let fields = object as? [String: Any], let role = fields["role"] as? String
    else { return nil }
    switch fields["request"] as? String {
    case "invite":
        guard let uses = fields["uses"] as? Int, let seconds = fields["expires_seconds"] as? Int
        else { return nil }
        return .invite(role: role, uses: uses, expiresAfterSeconds: Int64(seconds))
    case "token":
        guard let bot = fields["bot"] as? String else { return nil }
        return .token(bot: bot, role: role)
    default:
        return nil
    }
}

private func encode(_ answer: AdministratorAnswer) -> [String: Any] {
    switch answer {
    case .invite(let secret): ["invite": secret.map { Int($0) }]
    case .token(let token): ["token": token]
    case .refused(let reason): ["refused": reason]
    }
}

private func decodeAnswer(_ line: Data) -> AdministratorAnswer? {
    guard let object = try? JSONSerialization.jsonObject(with: line),
        let fields = object as? [String: Any]
    else { return nil }
    if let secret = fields["invite"] as? [Int] {
        return .invite(secret: secret.map { UInt8(truncatingIfNeeded: $0) })
    }
    if let token = fields["token"] as? String { return .token(token) }
    return (fields["refused"] as? String).map { .refused($0) }
}
