// The client core and the real server core with a wire between them that is cut at every byte.
// Random histories with many clients are the seeded world's (Tests/Simulation).
import TableModel
import TableServer
import TableValue
import TableWire
import TestSupport
import Testing

@testable import TableClient

/// A client, the real server, and the bytes under way.
private final class RealWire {
    let server = RealServer()
    let play: Play
    private(set) var toServer: [UInt8] = []
    private(set) var toClient: [UInt8] = []
    private(set) var notices: [ClientNotice] = []

    init(_ request: OpenRequest = OpenRequest(table: .name("stage"))) {
        let token = server.makeToken("ada", role: "owner")
        play = Play { $0.credential = .token(token) }
        play.open(request)
        play.start()
        connect()
        settle()
    }

    var amountCell: (row: RowID, column: ColumnID)? {
        guard let replica = play.client.replica(of: t1), let row = replica.row(at: 0),
            replica.columns.count > 1
        else { return nil }
        return (row, replica.columns[1].id)
    }

    func add(_ amount: Int64) {
        guard let cell = amountCell else {
            Issue.record("nothing is loaded")
            return
        }
        play.submit(
            .addNumber(row: cell.row, column: .id(cell.column), amount: .int(amount)))
        collect()
    }

    func submit(_ intents: Intent...) {
        play.submit(Op(body: intents))
        collect()
    }

    func deliver(bytes: Int = .max) {
        let count = min(bytes, toServer.count)
        server.received(Array(toServer.prefix(count)))
        toServer.removeFirst(count)
        toClient += server.takeOutput()
    }

    func answer(bytes: Int = .max) {
        toClient += server.takeOutput()
        let count = min(bytes, toClient.count)
        play.hears(bytes: Array(toClient.prefix(count)))
        toClient.removeFirst(count)
        collect()
    }

    /// The client has lost the connection; the server has not noticed.
    func cut() {
        play.lost()
        collect()
    }

    func settle() {
        for _ in 0..<50 {
            if case .waiting = play.client.state {
                play.waitForConnect()
                connect()
            }
            deliver()
            answer()
            if toServer.isEmpty && toClient.isEmpty && play.client.state == .ready { return }
        }
        Issue.record("it does not settle")
    }

    private func connect() {
        play.connected()
        server.connectClient()
        toServer = []
        toClient = []
        collect()
    }

    private func collect() {
        for action in play.takeActions() {
            switch action {
            case .send(let bytes): toServer += bytes
            case .notify(let notice): notices.append(notice)
            case .connect, .disconnect: break
            }
        }
    }

    /// Expects what was done to be there once, told once, and the contents to be the same.
    func expectEqual(opCount: Int, rowCount: Int, sum: Int64, _ note: String) {
        #expect(decidedNumbers(notices) == Array(1...ClientNumber(opCount)), "\(note)")
        let id = play.request(.hash(.id(t1)))
        collect()
        settle()
        let own = play.client.contentHash(of: t1, using: PlainDigest.self)
        let isSame = notices.contains {
            guard case .answered(id, .hash(t1, let sequence, let hash)) = $0 else { return false }
            return own.map { $0.sequence == sequence && $0.hash == hash } ?? false
        }
        #expect(isSame, "the contents differ, \(note)")
        let replica = play.client.replica(of: t1)
        #expect(replica?.rowCount == rowCount, "\(note)")
        #expect(replica?.pending.isEmpty == true, "\(note)")
        guard let cell = amountCell else { return }
        #expect(replica?.value(cell.row, cell.column) == .int(sum), "\(note)")
    }
}

/// Four operations: one adds, one inserts, one changes nothing, one is refused.
private func submitFour(_ wire: RealWire) {
    wire.add(1)
    wire.submit(.insertRows(InsertRows(rowCount: 2)))
    wire.submit(.moveRows([], to: .first))
    wire.submit(.addColumn(AddColumn(name: "amount", type: .int)))
}

@Test("cases 1, 8, 12: cut at any byte towards the real server, which may restart meanwhile")
func realServerCutTowardsServer() {
    var length = 0
    var cut = 0
    repeat {
        let wire = RealWire()
        submitFour(wire)
        length = wire.toServer.count
        wire.deliver(bytes: cut)
        wire.server.remote(.insertRows(InsertRows(rowCount: 1)))
        if cut % 3 == 0 { wire.server.restart() }
        wire.cut()
        wire.add(10)
        wire.settle()
        wire.expectEqual(opCount: 5, rowCount: 4, sum: 11, "cut at byte \(cut)")
        cut += 7
    } while cut <= length
    #expect(length > 200)
}

@Test("cases 2, 8, 42: cut at any byte towards the client: the stored answers come again")
func realServerCutTowardsClient() {
    var length = 0
    var cut = 0
    repeat {
        let wire = RealWire()
        submitFour(wire)
        wire.deliver()
        length = wire.toClient.count
        wire.answer(bytes: cut)
        if cut % 2 == 0 { wire.server.restart() }
        wire.cut()
        wire.settle()
        wire.expectEqual(opCount: 4, rowCount: 3, sum: 1, "cut at byte \(cut)")
        cut += 7
    } while cut <= length
    #expect(length > 200)
}

@Test("a table that is only written: answers come over losses from the real server too")
func realServerWriteOnly() {
    let reader = RealWire()
    guard let cell = reader.amountCell else {
        Issue.record("nothing is loaded")
        return
    }
    var request = OpenRequest(table: .name("stage"))
    request.follow = false
    let wire = RealWire(request)
    var random = SeededRandom(seed: 9)
    for _ in 0..<40 {
        wire.submit(
            .addNumber(row: cell.row, column: .id(cell.column), amount: .int(1)))
        wire.deliver(bytes: random.below(300))
        wire.answer(bytes: random.below(300))
        if random.below(4) == 0 {
            if random.below(2) == 0 { wire.server.restart() }
            wire.cut()
            wire.settle()
        }
    }
    wire.settle()
    #expect(decidedNumbers(wire.notices) == Array(1...40))
    let last = wire.notices.last {
        if case .decided = $0 { true } else { false }
    }
    guard case .decided(_, 40, _, let outcome) = last else {
        Issue.record("\(String(describing: last))")
        return
    }
    #expect(outcome.values == [.int(40)])
}
