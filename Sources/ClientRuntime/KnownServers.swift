// The servers that this person has joined, with the pin that each must show and the token that
// each gave; kept in one small file that only its owner may read. It opens no connection.
package import TableValue
package import TableWire
package import Transport

/// One server that was joined.
package struct KnownServer: Hashable, Sendable {
    /// Where it listens, as it was joined.
    package var address: HostPort
    /// The fingerprint of the server's key, as the invite carried it.
    package var pin: Text
    /// The user's id on that server, such as `u2`, and the name that others see.
    package var user: Text
    /// The name under which this person joined.
    package var name: Text
    /// The secret of this device on that server.
    package var token: Text

    /// Joins what a login told with what the invite carried.
    package init(address: HostPort, pin: Text, user: Text, name: Text, token: Text) {
        self.address = address
        self.pin = pin
        self.user = user
        self.name = name
        self.token = token
    }
}

/// The servers that were joined, in the order in which they were.
package struct KnownServers: Hashable, Sendable {
    /// The servers, in the order in which they were joined.
    package private(set) var servers: [KnownServer] = []
    /// The server that a table's bare name speaks of: the one joined last, until told otherwise.
    package private(set) var defaultAddress: HostPort?

    /// Nothing joined yet.
    package init() {}

    /// The server at an address, or the default one where `address` is nil.
    package func server(at address: HostPort?) -> KnownServer? {
        guard let wanted = address ?? defaultAddress else { return nil }
        return servers.first { $0.address == wanted }
    }

    /// Remembers a server in place of what was known at its address, and makes it the default.
    package mutating func remember(_ server: KnownServer) {
        if let index = servers.firstIndex(where: { $0.address == server.address }) {
            servers[index] = server
        } else {
            servers.append(server)
        }
        defaultAddress = server.address
    }
}

// MARK: The file

extension KnownServers {
    private static let fileName = "servers.json"
    private static let fileBytesMax = 1 << 20

    /// Reads the file in a folder; nothing known where there is none.
    ///
    /// Errors: the file cannot be read, or is not what this program writes; it is never replaced
    /// by an empty one.
    package static func load(from folder: String) throws(LocalFileError) -> KnownServers {
        let path = "\(folder)/\(fileName)"
        guard let bytes = try LocalFiles.contents(of: path, byteCountMax: fileBytesMax) else {
            return KnownServers()
        }
        do {
            return try KnownServers(reading: bytes)
        } catch {
            throw LocalFileError(
                "\(path) is not as this program wrote it (\(error.reason), byte \(error.offset)); "
                    + "mend it, or move it away and join again")
        }
    }

    /// Changes the file in a folder as one step, also while other processes do the same.
    package static func update(
        in folder: String, _ change: (inout KnownServers) -> Void
    ) throws(LocalFileError) {
        try LocalFiles.makePrivateFolder(folder)
        let lock = try LocalFile.writing("\(folder)/servers.lock", mode: 0o600)
        try lock.lock()
        var known = try load(from: folder)
        change(&known)
        try LocalFiles.replace("\(folder)/\(fileName)", with: known.bytes)
    }

    /// The file's content.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("version")
        writer.integer(1)
        if let defaultAddress {
            writer.key("default")
            writer.text(defaultAddress.description)
        }
        writer.key("servers")
        writer.beginArray()
        for server in servers {
            writer.beginObject()
            writer.key("address")
            writer.text(server.address.description)
            writer.key("pin")
            writer.text(server.pin)
            writer.key("user")
            writer.text(server.user)
            writer.key("name")
            writer.text(server.name)
            writer.key("token")
            writer.text(server.token)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// Reads the file's content.
    package init(reading bytes: [UInt8]) throws(WireError) {
        let limits = WireLimits()
        self = try unsafe withJSONReader(bytes.span.bytes, limits: limits) {
            (reader) throws(WireError) -> KnownServers in
            try Self.read(&reader)
        }
    }

    private enum FileKey: String, JSONKeySet {
        case version, `default`, servers
        static let lookup = JSONKeyTable<FileKey>()
    }

    private enum ServerKey: String, JSONKeySet {
        case address, pin, user, name, token
        static let lookup = JSONKeyTable<ServerKey>()
    }

    private static func read(_ reader: inout JSONReader) throws(WireError) -> KnownServers {
        var known = KnownServers()
        var object = try reader.beginObject(FileKey.self)
        while let key = try object.next(&reader) {
            switch key {
            case .version:
                guard try reader.readInteger() == 1 else {
                    throw reader.malformed("it is of a newer version")
                }
            case .default:
                known.defaultAddress = try readAddress(&reader)
            case .servers:
                var list = try reader.beginArray()
                while try list.next(&reader) {
                    known.servers.append(try readServer(&reader))
                }
            }
        }
        return known
    }

    private static func readServer(_ reader: inout JSONReader) throws(WireError) -> KnownServer {
        var address: HostPort?
        var texts: [ServerKey: Text] = [:]
        var object = try reader.beginObject(ServerKey.self)
        while let key = try object.next(&reader) {
            if key == .address {
                address = try readAddress(&reader)
            } else {
                texts[key] = try reader.readText()
            }
        }
        guard let address else { throw reader.missing("address") }
        guard let pin = texts[.pin] else { throw reader.missing("pin") }
        guard let token = texts[.token] else { throw reader.missing("token") }
        return KnownServer(
            address: address, pin: pin, user: texts[.user] ?? "", name: texts[.name] ?? "",
            token: token)
    }

    private static func readAddress(_ reader: inout JSONReader) throws(WireError) -> HostPort {
        let text = try reader.readText()
        guard let address = HostPort(text.string) else {
            throw reader.malformed("expected HOST:PORT")
        }
        return address
    }
}
