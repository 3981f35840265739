// How one message is said to each server, and how many lines come back.
import Foundation
import Transport

/// What a workload needs to know of the server it speaks to.
protocol Dialect {
    /// Lines that one delivered message has at a watcher.
    var linesPerDelivery: Int { get }
    /// Lines that one acknowledgement has at a writer.
    var linesPerAcknowledgement: Int { get }

    /// Makes a connection ready to write; called once a writer.
    mutating func prepareWriter(_ connection: LoadConnection, in load: Load) throws
    /// Makes a connection ready to watch; called once a watcher.
    mutating func prepareWatcher(_ connection: LoadConnection, in load: Load) throws
    /// Appends one message of the writer with that index.
    mutating func appendMessage(text: String, writer: Int, to output: inout [UInt8])
}

/// Our own protocol: each writer edits one cell of a row of its own.
struct RoundtableDialect: Dialect {
    let linesPerDelivery = 1
    let linesPerAcknowledgement = 1
    private let tokens: [String]
    private var loginCount = 0
    private var hasTable = false
    private var rows: [String] = []
    private var clientNumbers: [Int] = []

    init(tokens: [String]) {
        self.tokens = tokens
    }

    private mutating func logIn(_ connection: LoadConnection, in load: Load) throws {
        try load.ask(connection, "{\"type\":\"hello\"}\n", expecting: "\"welcome\"")
        let token = tokens[loginCount % tokens.count]
        loginCount += 1
        try load.ask(
            connection, "{\"type\":\"login\",\"token\":\"\(token)\"}\n", expecting: "\"logged_in\"")
        guard !hasTable else { return }
        hasTable = true
        try load.ask(
            connection,
            "{\"type\":\"create\",\"table\":\"bench\",\"columns\":"
                + "[{\"name\":\"number\",\"type\":\"int\"},"
                + "{\"name\":\"text\",\"type\":\"text\"}]}\n",
            expecting: "\"created\"")
    }

    mutating func prepareWriter(_ connection: LoadConnection, in load: Load) throws {
        try logIn(connection, in: load)
        try load.ask(
            connection,
            "{\"type\":\"open\",\"table\":\"bench\",\"follow\":false,\"window\":1024}\n",
            expecting: "\"opened\"")
        let answer = try load.ask(
            connection,
            "{\"type\":\"op\",\"table\":\"bench\",\"cseq\":1,"
                + "\"body\":[{\"append\":{\"number\":1,\"text\":\"start\"}}]}\n",
            expecting: "\"reply\"")
        guard let match = answer.firstMatch(of: /"rows":\["(s[0-9]+\.[0-9]+)"\]/) else {
            throw BenchError("the server gave no row: \(answer)")
        }
        rows.append(String(match.output.1))
        clientNumbers.append(1)
    }

    mutating func prepareWatcher(_ connection: LoadConnection, in load: Load) throws {
        try logIn(connection, in: load)
        try load.ask(
            connection,
            "{\"type\":\"open\",\"table\":\"bench\",\"write\":false,\"start\":\"head\"}\n",
            expecting: "\"live\"")
    }

    mutating func appendMessage(text: String, writer: Int, to output: inout [UInt8]) {
        clientNumbers[writer] += 1
        output.append(
            contentsOf: "{\"type\":\"op\",\"table\":\"t1\",\"cseq\":\(clientNumbers[writer]),".utf8)
        output.append(
            contentsOf: "\"body\":[{\"set\":[[\"\(rows[writer])\",\"text\",\"\(text)\"]]}]}\n".utf8)
    }
}

/// Redis: published messages for watchers, entries of a stream for durable writes.
struct RedisDialect: Dialect {
    let isDurable: Bool
    let linesPerDelivery = 7
    var linesPerAcknowledgement: Int { isDurable ? 2 : 1 }

    mutating func prepareWriter(_ connection: LoadConnection, in load: Load) throws {
        try load.ask(connection, "PING\r\n", expecting: "PONG")
    }

    mutating func prepareWatcher(_ connection: LoadConnection, in load: Load) throws {
        try load.ask(connection, "SUBSCRIBE bench\r\n", expecting: ":1")
    }

    mutating func appendMessage(text: String, writer: Int, to output: inout [UInt8]) {
        if isDurable {
            output.append(
                contentsOf: "*5\r\n$4\r\nXADD\r\n$5\r\nbench\r\n$1\r\n*\r\n$1\r\nf\r\n".utf8)
        } else {
            output.append(contentsOf: "*3\r\n$7\r\nPUBLISH\r\n$5\r\nbench\r\n".utf8)
        }
        output.append(contentsOf: "$\(text.utf8.count)\r\n\(text)\r\n".utf8)
    }
}
