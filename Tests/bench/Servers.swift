// The servers under load: our own and Redis, each started in a folder of its own, each ended by
// its process id.
import Foundation
import Transport

/// A server that a workload puts load on.
final class ServerUnderLoad {
    let name: String
    let process: Process
    let port: Int
    /// The SHA-256 of its public key.
    let pin: [UInt8]
    /// Tokens of our own server, one a bot, since a bot may only have so many connections; empty
    /// for a peer.
    let tokens: [String]
    /// Where it keeps its data; removed with it.
    let folder: URL

    private init(
        name: String, process: Process, port: Int, pin: [UInt8], tokens: [String], folder: URL
    ) {
        self.name = name
        self.process = process
        self.port = port
        self.pin = pin
        self.tokens = tokens
        self.folder = folder
    }

    var pid: Int32 { process.processIdentifier }

    /// Ends the server and removes what it wrote.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// An invite for an owner of our own server.
    func invite() throws -> String {
        guard let program = process.executableURL?.path() else {
            throw BenchError("the server has no program")
        }
        let data = folder.appending(path: "data").path()
        return try ServerUnderLoad.output(
            of: program, ["invite", "--data", data, "--role", "owner"]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Bots that share the connections of a run among them.
    private static let tokenCount = 16

    private static func makeFolder(in parent: String) throws -> URL {
        let folder = URL(filePath: parent).appending(path: "roundtable-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Starts the `roundtabled` that was built beside this program.
    static func roundtable(in parent: String) throws -> ServerUnderLoad {
        let folder = try makeFolder(in: parent)
        return try removing(folder, onFailureOf: { try startRoundtable(in: folder) })
    }

    /// Removes a folder where what was to use it did not start.
    private static func removing(
        _ folder: URL, onFailureOf start: () throws -> ServerUnderLoad
    ) throws -> ServerUnderLoad {
        do {
            return try start()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func startRoundtable(in folder: URL) throws -> ServerUnderLoad {
        let program = programFolder.appending(path: "roundtabled")
        let ready = folder.appending(path: "ready")
        let process = Process()
        process.executableURL = program
        process.arguments = [
            "serve", "--data", folder.appending(path: "data").path(), "--listen", "127.0.0.1:0",
            "--ready-file", ready.path(),
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitFor(ready, of: process)
        let text = try JSONSerialization.jsonObject(with: Data(contentsOf: ready))
        guard let fields = text as? [String: Any], let address = fields["address"] as? String,
            let port = Int(address.split(separator: ":").last ?? ""),
            let pin = fields["pin"] as? String
        else { throw BenchError("the ready file of roundtabled cannot be read") }
        let tokens = try (1...tokenCount).map { number in
            try output(
                of: program.path(),
                [
                    "token", "--data", folder.appending(path: "data").path(), "--bot",
                    "bench\(number)", "--role", "owner",
                ]
            ).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return ServerUnderLoad(
            name: "roundtable", process: process, port: port, pin: bytes(hexadecimal: pin),
            tokens: tokens, folder: folder)
    }

    /// Starts Debian's Redis with TLS 1.3; with `isDurable` it flushes its log before it answers.
    static func redis(in parent: String, isDurable: Bool) throws -> ServerUnderLoad {
        let folder = try makeFolder(in: parent)
        return try removing(
            folder, onFailureOf: { try startRedis(in: folder, isDurable: isDurable) })
    }

    private static func startRedis(in folder: URL, isDurable: Bool) throws -> ServerUnderLoad {
        let key = folder.appending(path: "key.pem").path()
        let certificate = folder.appending(path: "certificate.pem").path()
        _ = try output(
            of: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
            ])
        let publicKey = folder.appending(path: "public.der").path()
        _ = try output(
            of: "/usr/bin/openssl",
            ["ec", "-in", key, "-pubout", "-outform", "DER", "-out", publicKey])
        let pin = sha256([UInt8](try Data(contentsOf: URL(filePath: publicKey))))
        let port = 20_000 + Int(getpid()) % 20_000
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/redis-server")
        process.arguments = [
            "--port", "0", "--tls-port", "\(port)", "--bind", "127.0.0.1", "--tls-cert-file",
            certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate,
            "--tls-auth-clients", "no", "--tls-protocols", "TLSv1.3", "--save", "", "--dir",
            folder.path(), "--maxclients", "10000", "--client-output-buffer-limit",
            "pubsub 0 0 0", "--pidfile", folder.appending(path: "ready").path(), "--daemonize",
            "no", "--appendonly", isDurable ? "yes" : "no", "--appendfsync", "always",
            "--auto-aof-rewrite-percentage", "0",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitFor(folder.appending(path: "ready"), of: process)
        return ServerUnderLoad(
            name: "redis", process: process, port: port, pin: pin, tokens: [], folder: folder)
    }

    /// What was measured, in words: the program, and the libraries under it.
    static func version(of name: String) -> String {
        let program =
            name == "redis"
            ? "/usr/bin/redis-server" : programFolder.appending(path: "roundtabled").path()
        let words = name == "redis" ? ["--version"] : ["version"]
        let text = (try? output(of: program, words)) ?? "unknown"
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func waitFor(_ file: URL, of process: Process) throws {
        for _ in 0..<1_000 {
            if let text = try? Data(contentsOf: file), !text.isEmpty { return }
            guard process.isRunning else { break }
            usleep(10_000)  // poll: until the file that the server writes when it is ready is there
        }
        process.terminate()
        throw BenchError("\(process.executableURL?.path() ?? "the server") did not start")
    }

    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(program) \(arguments.first ?? "") failed")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func bytes(hexadecimal text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}
