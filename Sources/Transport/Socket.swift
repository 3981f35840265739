// Sockets and addresses: how a name becomes an address, and which options every socket gets.
// What flows through them is the business of Listener.swift and TLSConnection.swift.
import CLibevent
import Glibc

/// A host and a port, as people write them: `host:port`, `[::1]:7466`.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, without brackets.
    package var host: String
    /// The port; 0 asks the system for one.
    package var port: UInt16

    /// Joins a host and a port.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; nil where it is not of that form.
    package init?(_ text: String) {
        guard let cut = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: cut)...])
        else { return nil }
        var host = text[..<cut]
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// `host:port`, with brackets where the host has colons.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// An address of the system with its length.
struct SocketAddress {
    var storage = sockaddr_storage()
    var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)

    var family: Int32 { Int32(storage.ss_family) }

    /// Calls `body` with the address as the system wants it.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, byteCount)
            }
        }
    }

    /// Lets `body` fill the address.
    mutating func withMutablePointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, &byteCount)
            }
        }
    }

    /// Who is likely one and the same peer: the whole address of version 4, the upper half of one
    /// of version 6.
    var network: UInt64 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            if family == AF_INET6 {
                unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            } else {
                unsafe UInt64(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            }
        }
    }

    /// The host and port in digits.
    var hostPort: HostPort {
        var host = [CChar](repeating: 0, count: 64)
        var service = [CChar](repeating: 0, count: 16)
        let hostCount = socklen_t(host.count)
        let serviceCount = socklen_t(service.count)
        let failure = unsafe withPointer { address, byteCount in
            unsafe getnameinfo(
                address, byteCount, &host, hostCount, &service, serviceCount,
                NI_NUMERICHOST | NI_NUMERICSERV)
        }
        guard failure == 0 else { return HostPort(host: "unknown", port: 0) }
        return HostPort(host: text(host), port: UInt16(text(service)) ?? 0)
    }

    private func text(_ characters: [CChar]) -> String {
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The addresses of a host.
///
/// Blocks while the system asks a name server, unless `host` is in digits.
func resolve(_ target: HostPort, toListen: Bool) throws(TransportError) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = toListen ? AI_PASSIVE | AI_NUMERICSERV : AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(target.host, String(target.port), &hints, &list)
    guard failure == 0 else {
        let words = unsafe gai_strerror(failure).map { unsafe String(cString: $0) }
        throw TransportError(
            "\(target): \(words ?? "no such host"); check the name", kind: .unreachable)
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
        var address = SocketAddress()
        let byteCount = Int(unsafe entry.pointee.ai_addrlen)
        if let source = unsafe entry.pointee.ai_addr,
            byteCount <= MemoryLayout<sockaddr_storage>.size
        {
            unsafe withUnsafeMutableBytes(of: &address.storage) { bytes in
                unsafe bytes.copyMemory(
                    from: UnsafeRawBufferPointer(start: source, count: byteCount))
            }
            address.byteCount = socklen_t(byteCount)
            addresses.append(address)
        }
        unsafe next = entry.pointee.ai_next
    }
    return addresses
}

/// Whether the text is an IP address rather than a name.
func isAddress(_ host: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return unsafe inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
}

/// Sets an option of a socket that is an integer; tells whether the system took it.
@discardableResult
func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
    var value = value
    let byteCount = socklen_t(MemoryLayout<Int32>.size)
    return unsafe setsockopt(descriptor, level, option, &value, byteCount) == 0
}

/// The options of every connection: no delay, and a dead peer is noticed within about a minute.
func prepareSocket(_ descriptor: Int32) {
    let tcp = Int32(IPPROTO_TCP)
    setOption(descriptor, tcp, TCP_NODELAY, 1)
    setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    setOption(descriptor, tcp, TCP_KEEPIDLE, 30)
    setOption(descriptor, tcp, TCP_KEEPINTVL, 10)
    setOption(descriptor, tcp, TCP_KEEPCNT, 3)
    setOption(descriptor, tcp, TCP_USER_TIMEOUT, 60_000)
}

/// Raises the number of files that the process may open to what the system allows at most.
///
/// - Returns: the number now in force.
@discardableResult
package func raiseOpenFileLimit() -> UInt64 {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(resource, &limit)
    unsafe getrlimit(resource, &limit)
    return UInt64(limit.rlim_cur)
}
