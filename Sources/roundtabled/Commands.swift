// What each command does.
// The server itself is ServerRuntime; words and options are read in Command.swift.
import Foundation
import SQLiteStore
import ServerRuntime
import TableLog
import TableServer
import TableWire
import Transport

/// The file with the log in a data folder.
private func storePath(in folder: String) -> String { folder + "/log.sqlite" }

/// The file that remembers the address that invites carry.
private func addressPath(in folder: String) -> String { folder + "/address" }

/// Makes the data folder where it is missing, and takes from others what they may read of it.
private func prepareFolder(_ folder: String) throws(TransportError) {
    try makePrivateFolder(folder)
    let log = storePath(in: folder)
    for path in [
        folder, log, log + "-wal", log + "-shm", addressPath(in: folder), folder + "/tls",
    ] where try makePrivate(path) {
        Reporter().report(
            .warning,
            "others could read \(path); from now on its owner alone can. They may know what it held"
        )
    }
}

private func makeRuntime(
    folder: String, listen: HostPort, level: ReportLevel, settings: ServerSettings,
    watchesSignals: Bool
) throws(ServerStartError) -> ServerRuntime {
    var configuration = ServerConfiguration(folder: folder, listen: listen)
    settings.apply(to: &configuration)
    configuration.reporter = Reporter(level: level)
    configuration.watchesSignals = watchesSignals
    let path = storePath(in: folder)
    configuration.storedBytes = byteCount(path) + byteCount(path + "-wal")
    return try ServerRuntime(configuration: configuration) { () throws(LogStoreError) in
        try SQLiteStore(path: path)
    }
}

/// The size of a file; 0 where there is none.
private func byteCount(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
}

/// How long the invite lives that a start prints while nobody has joined.
private let firstInviteSeconds: Int64 = 24 * 3_600

/// Serves until it is told to stop.
func serve(_ options: Options) throws(UsageError) -> Int32 {
    let settings = try options.settings()
    let folder = options.dataFolder(settings)
    let listen = try options.address(
        "--listen", default: settings.listen?.description ?? "127.0.0.1:7466")
    _ = raiseOpenFileLimit()
    let runtime: ServerRuntime
    let address: HostPort
    do {
        try prepareFolder(folder)
        runtime = try makeRuntime(
            folder: folder, listen: listen, level: .info, settings: settings, watchesSignals: true)
        if runtime.wasStoppedEarly {
            runtime.close()
            return 0
        }
        address = try runtime.listen()
    } catch {
        complain("\(error)")
        return 1
    }
    var advertised = try options.address(
        "--advertise", default: (settings.advertise ?? address).description)
    if options["--advertise"] == nil, settings.advertise == nil,
        ["0.0.0.0", "::"].contains(advertised.host)
    {
        advertised.host = ProcessInfo.processInfo.hostName
    }
    do {
        try writePrivateFile(addressPath(in: folder), Array(advertised.description.utf8))
    } catch {
        complain("\(error)")
        return 1
    }
    announce(runtime, folder: folder, address: address)
    if runtime.isWithoutPeople {
        let answer = runtime.perform(
            .invite(role: "owner", uses: 1, expiresAfterSeconds: firstInviteSeconds))
        if let text = inviteText(answer, pin: runtime.pin, address: advertised) {
            print("to join as owner: roundtable join \(text)")
            fflush(nil)
        }
        if runtime.hasStoreFailed { return 1 }
    }
    if let file = options["--ready-file"] {
        let pin = hexadecimal(runtime.pin)
        let line = "{\"address\":\"\(address)\",\"pin\":\"\(pin)\",\"pid\":\(getpid())}\n"
        do {
            try writePrivateFile(file, Array(line.utf8))
        } catch {
            complain("\(error)")
            return 1
        }
    }
    return runtime.run()
}

private func announce(_ runtime: ServerRuntime, folder: String, address: HostPort) {
    let reporter = Reporter()
    reporter.report(.info, "roundtabled \(programVersion) serves \(folder) on \(address)")
    let version = SQLiteStore.libraryVersion
    if version.hasResetFault {
        reporter.report(
            .info,
            "SQLite \(version.text) has the write-ahead log's reset fault; this server keeps clear"
                + " of it by letting no second connection in")
    } else {
        reporter.report(.info, "SQLite \(version.text)")
    }
}

private func inviteText(
    _ answer: AdministratorAnswer, pin: [UInt8], address: HostPort
) -> String? {
    switch answer {
    case .invite(let secret):
        guard
            let invite = InviteText(
                secret: secret, pin: pin, host: address.host, port: address.port)
        else {
            complain("\(address) cannot stand in an invite; name another with --advertise")
            return nil
        }
        return invite.text(sha256: sha256)
    case .token(let token):
        return token
    case .refused(let reason):
        complain(reason)
        return nil
    }
}

/// Asks the server that runs on the folder, or opens the folder where none runs.
private func ask(
    _ request: AdministratorRequest, folder: String, settings: ServerSettings
) -> AdministratorAnswer? {
    do {
        if let answer = try askRunningServer(request, folder: folder) { return answer }
        guard FileManager.default.fileExists(atPath: storePath(in: folder)) else {
            complain("\(folder) holds no server's data; start roundtabled first or name --data")
            return nil
        }
        try prepareFolder(folder)
        let runtime = try makeRuntime(
            folder: folder, listen: HostPort(host: "127.0.0.1", port: 0), level: .warning,
            settings: settings, watchesSignals: false)
        defer { runtime.close() }
        return runtime.perform(request)
    } catch {
        complain("\(error)")
        return nil
    }
}

/// Prints an invite.
func makeInvite(_ options: Options) throws(UsageError) -> Int32 {
    let settings = try options.settings()
    let folder = options.dataFolder(settings)
    let request = AdministratorRequest.invite(
        role: options["--role"] ?? "editor", uses: try options.count("--uses", default: 1),
        expiresAfterSeconds: try options.seconds("--expires", default: "24h"))
    guard let answer = ask(request, folder: folder, settings: settings) else { return 1 }
    do {
        let (pin, address) = try whereToConnect(folder)
        guard let invite = inviteText(answer, pin: pin, address: address) else {
            return 1
        }
        print(invite)
        return 0
    } catch {
        complain("\(error)")
        return 1
    }
}

/// The server's pin, and the address that clients are told.
private func whereToConnect(_ folder: String) throws -> (pin: [UInt8], address: HostPort) {
    let (identity, _) = try ServerIdentity.load(folder: folder, orMakeFor: ["localhost"])
    let text = (try? String(contentsOfFile: addressPath(in: folder), encoding: .utf8)) ?? ""
    return (identity.pin, HostPort(text) ?? HostPort(host: "127.0.0.1", port: 7_466))
}

/// Writes all that a bot needs to connect as one line of JSON.
private func writeCredentials(_ file: String, token: String, folder: String) throws {
    let (pin, address) = try whereToConnect(folder)
    // Base32, digits and an address: nothing in them needs an escape.
    let line =
        "{\"address\":\"\(address)\",\"pin\":\"\(hexadecimal(pin))\","
        + "\"token\":\"\(token)\"}\n"
    try writePrivateFile(file, Array(line.utf8))
}

/// Prints a bot's token, or writes it into a file with what else the bot needs.
func makeToken(_ options: Options) throws(UsageError) -> Int32 {
    guard let bot = options["--bot"] else { throw UsageError("--bot NAME is required") }
    let request = AdministratorRequest.token(bot: bot, role: options["--role"] ?? "editor")
    let settings = try options.settings()
    let folder = options.dataFolder(settings)
    switch ask(request, folder: folder, settings: settings) {
    case .token(let token):
        guard let file = options["--file"] else {
            print(token)
            // Into a pipe or a file goes the token alone; a person is told what it is.
            if isatty(STDOUT_FILENO) == 1 {
                complain(
                    "the line above is the token of the bot \(bot): who has it acts as that bot. "
                        + "It is shown this once; --file writes it where only you can read it")
            }
            return 0
        }
        do {
            try writeCredentials(file, token: token, folder: folder)
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    case .refused(let reason):
        complain(reason)
        return 1
    case .invite, nil:
        return 1
    }
}

/// Prints all settings: the defaults, or what a file makes of them.
func printSettings(_ options: Options) throws(UsageError) -> Int32 {
    let settings = try options.settings()
    let listen = settings.listen ?? HostPort(host: "127.0.0.1", port: 7_466)
    let folder = options.dataFolder(settings)
    var configuration = ServerConfiguration(folder: folder, listen: listen)
    settings.apply(to: &configuration)
    print("# the data folder\ndata = \(folder)")
    print("# where the server listens\nlisten = \(listen)")
    print("# the address that invites carry")
    print(settings.advertise.map { "advertise = \($0)" } ?? "# advertise = \(listen)")
    print()
    print(settingsText(of: configuration), terminator: "")
    return 0
}
