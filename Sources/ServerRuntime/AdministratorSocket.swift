// DIR/admin.sock: how the server's own commands reach a server that runs, on the server's loop.
// One JSON object a line, one request a connection (AdministratorMessages.swift). Whoever may open
// the socket (mode 0600) owns the data folder anyway, but may be slow, or many.
import Glibc
import TableServer
import Transport

/// The limits of the administrator's socket, each with its default.
struct AdministratorLimits: Sendable {
    /// The most that a request may have.
    var requestBytesMax = 4_096
    /// From accept to the end of the request, whatever trickles in.
    var requestMilliseconds: Int64 = 5_000
    /// Clients at a time; for one more the oldest makes room.
    var clientsMax = 16
    /// How long accepting rests once the process is out of file descriptors.
    var restMilliseconds: Int64 = 100
}

/// Listens on the socket, on the thread of its loop.
final class AdministratorSocket {
    /// Carries a request out, and calls the function with what came of it.
    typealias Carrier = (AdministratorRequest, @escaping (AdministratorAnswer) -> Void) -> Void

    private let loop: EventLoop
    private let path: String
    private let limits: AdministratorLimits
    private let carryOut: Carrier
    /// Accepts a connection of a listening socket; -1, with `errno`, where none came.
    private let acceptNext: (Int32) -> Int32
    private var listener: Int32
    private var watch: DescriptorWatch?
    private var restTimer: LoopTimer?
    /// By the order in which they came.
    private var clients: [Int: AdministratorClient] = [:]
    private var nextClient = 0

    /// Connections accepted in one turn.
    private static let acceptsPerTurnMax = 16

    /// Makes the socket, replacing one that a killed server left behind; the caller has already
    /// made sure (by opening the store) that no other server uses the folder.
    init(
        on loop: EventLoop, folder: String, limits: AdministratorLimits = AdministratorLimits(),
        accept acceptNext: @escaping (Int32) -> Int32 = { accept($0, nil, nil) },
        carryingOut carryOut: @escaping Carrier
    ) throws(TransportError) {
        self.loop = loop
        self.limits = limits
        self.acceptNext = acceptNext
        self.carryOut = carryOut
        path = socketPath(in: folder)
        unsafe unlink(path)
        listener = try makeSocket(for: path)
        // The mask makes the socket private from its first moment.
        let mask = umask(0o077)
        let bound = unsafe withAddress(in: folder) { address, length in
            unsafe Glibc.bind(listener, address, length)
        }
        let code = errno
        umask(mask)
        guard bound == 0, unsafe chmod(path, 0o600) == 0, listen(listener, 16) == 0 else {
            Glibc.close(listener)
            throw systemError("bind", on: path, code: bound == 0 ? errno : code)
        }
        watch = try DescriptorWatch(on: loop, descriptor: listener) { [unowned self] _ in
            acceptBatch()
        }
    }

    /// Removes the socket and lets all clients go.
    func close() {
        restTimer = nil
        watch = nil
        clients = [:]
        guard listener >= 0 else { return }
        Glibc.close(listener)
        listener = -1
        unsafe unlink(path)
    }

    private func acceptBatch() {
        for _ in 0..<AdministratorSocket.acceptsPerTurnMax {
            let accepted = acceptNext(listener)
            guard accepted >= 0 else {
                switch errno {
                case EAGAIN: return
                // Gone before it was accepted.
                case EINTR, ECONNABORTED: continue
                // The process is out of something: others may still come later.
                default: return rest()
                }
            }
            take(accepted)
        }
    }

    private func rest() {
        watch?.watchesReading = false
        let timer = LoopTimer(on: loop) { [unowned self] in watch?.watchesReading = true }
        timer.set(at: loop.nowMicroseconds &+ limits.restMilliseconds * 1_000)
        restTimer = timer
    }

    private func take(_ accepted: Int32) {
        makeNonblocking(accepted)
        if clients.count >= limits.clientsMax, let oldest = clients.keys.min() {
            clients[oldest] = nil
        }
        let number = nextClient
        nextClient += 1
        let client = AdministratorClient(
            descriptor: accepted, requestBytesMax: limits.requestBytesMax)
        let isWatched = client.start(on: loop, milliseconds: limits.requestMilliseconds) {
            [unowned self] step in
            switch step {
            case .request(let request):
                carryOut(request) { [weak self] answer in
                    self?.clients.removeValue(forKey: number)?.send(encode(answer))
                }
            case .misunderstood:
                clients.removeValue(forKey: number)?
                    .send(encode(.refused("the request is not understood")))
            case .over:
                clients[number] = nil
            }
        }
        if isWatched { clients[number] = client }
    }
}

/// One connection to the socket; ends with its last reference.
private final class AdministratorClient {
    /// What became of it.
    enum Step {
        case request(AdministratorRequest)
        case misunderstood
        /// It is gone, or took too long.
        case over
    }

    private let descriptor: Int32
    private let requestBytesMax: Int
    private var received: [UInt8] = []
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var tell: (Step) -> Void = { _ in }

    init(descriptor: Int32, requestBytesMax: Int) {
        self.descriptor = descriptor
        self.requestBytesMax = requestBytesMax
    }

    deinit {
        watch = nil
        Glibc.close(descriptor)
    }

    /// Reads the request, and tells what became of it; false where the system cannot wait for it.
    func start(on loop: EventLoop, milliseconds: Int64, _ tell: @escaping (Step) -> Void) -> Bool {
        self.tell = tell
        watch = try? DescriptorWatch(on: loop, descriptor: descriptor) { [unowned self] _ in
            readOn()
        }
        let timer = LoopTimer(on: loop) { tell(.over) }
        timer.set(at: loop.nowMicroseconds &+ milliseconds * 1_000)
        self.timer = timer
        return watch != nil
    }

    private func readOn() {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else { return end(.over) }
        received.append(contentsOf: buffer[..<count])
        if let end = received.firstIndex(of: 10) {
            let request = decodeRequest(Array(received[..<end]))
            self.end(request.map { .request($0) } ?? .misunderstood)
        } else if received.count > requestBytesMax {
            end(.misunderstood)
        }
    }

    /// Reads no more, and tells why.
    private func end(_ step: Step) {
        watch?.watchesReading = false
        timer = nil
        let tell = tell
        tell(step)
    }

    /// Sends the answer: less than the kernel holds for a socket, so that it need not wait.
    func send(_ line: [UInt8]) {
        unsafe line.withUnsafeBytes { bytes in
            _ = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}
