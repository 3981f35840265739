// What is said over DIR/admin.sock, its address, and the side that asks: the server's commands.
// The side that answers is AdministratorSocket.swift.
import Foundation
import Glibc
package import TableServer
package import Transport

/// How long a command waits for the server's answer.
private let patienceSeconds = 30
/// The most that an answer may have.
private let answerBytesMax = 4_096

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
    let connected = unsafe withAddress(in: folder) { address, length in
        unsafe connect(connection, address, length)
    }
    guard connected == 0 else {
        if errno == ENOENT || errno == ECONNREFUSED { return nil }
        throw systemError("connect", on: path, code: errno)
    }
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    let byteCount = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, byteCount)
    unsafe encode(request).withUnsafeBytes { bytes in
        _ = unsafe send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    guard let line = receiveLine(from: connection), let answer = decodeAnswer(line) else {
        throw TransportError("\(path): the server gave no answer; look at its messages")
    }
    return answer
}

private func receiveLine(from connection: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while line.count <= answerBytesMax {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(connection, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        line.append(contentsOf: buffer[..<count])
        if let end = line.firstIndex(of: 10) { return Array(line[..<end]) }
    }
    return nil
}

// MARK: The socket

func systemError(_ call: String, on path: String, code: Int32) -> TransportError {
    TransportError("\(path): \(call): \(unsafe String(cString: strerror(code)))")
}

func socketPath(in folder: String) -> String { folder + "/admin.sock" }

/// A socket that does not wait.
func makeSocket(for path: String) throws(TransportError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw systemError("socket", on: path, code: errno) }
    makeNonblocking(descriptor)
    return descriptor
}

/// Has calls on the descriptor answer at once, and no program that is started inherit it.
func makeNonblocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// Calls `body` with the address of the socket in a folder, which is held open meanwhile.
///
/// The address of a socket has room for 107 bytes, less than a path may have; where the path is
/// longer, the folder is named by its descriptor.
func withAddress(
    in folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(socketPath(in: folder).utf8)
    var descriptor: Int32 = -1
    if bytes.count >= MemoryLayout.size(ofValue: address.sun_path) {
        descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        bytes = Array(socketPath(in: "/proc/self/fd/\(descriptor)").utf8)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
        unsafe place.copyBytes(from: bytes)
    }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    if descriptor >= 0 {
        let code = errno
        close(descriptor)
        errno = code
    }
    return status
}

// MARK: Lines

private func line(_ fields: [String: Any]) -> [UInt8] {
    guard let data = try? JSONSerialization.data(withJSONObject: fields) else { return [] }
    return Array(data) + [10]
}

func encode(_ request: AdministratorRequest) -> [UInt8] {
    switch request {
    case .invite(let role, let uses, let seconds):
        line(["request": "invite", "role": role, "uses": uses, "expires_seconds": Int(seconds)])
    case .token(let bot, let role):
        line(["request": "token", "bot": bot, "role": role])
    }
}

func decodeRequest(_ line: [UInt8]) -> AdministratorRequest? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)),
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

func encode(_ answer: AdministratorAnswer) -> [UInt8] {
    switch answer {
    case .invite(let secret): line(["invite": secret.map { Int($0) }])
    case .token(let token): line(["token": token])
    case .refused(let reason): line(["refused": reason])
    }
}

private func decodeAnswer(_ line: [UInt8]) -> AdministratorAnswer? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)),
        let fields = object as? [String: Any]
    else { return nil }
    if let secret = fields["invite"] as? [Int] {
        return .invite(secret: secret.map { UInt8(truncatingIfNeeded: $0) })
    }
    if let token = fields["token"] as? String { return .token(token) }
    return (fields["refused"] as? String).map { .refused($0) }
}
