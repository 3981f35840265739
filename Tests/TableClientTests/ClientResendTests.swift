// Connections that are cut at any place: no operation is lost, none is performed twice, each is
// decided once, and both sides end with the same table.
import TableModel
import TableValue
import TableWire
import TestSupport
import Testing

@testable import TableClient

/// A client and a server with a wire between them that the test holds.
private final class Wire {
    let play: Play
    let server = ModelServer()
    private(set) var toServer: [UInt8] = []
    private(set) var toClient: [UInt8] = []
    private(set) var notices: [ClientNotice] = []

    init(_ request: OpenRequest = OpenRequest(table: .id(t1)), restoring: [PendingOp] = []) {
        play = Play()
        play.open(request, restoring: restoring)
        play.start()
        play.connected()
        server.connected()
        collect()
    }

    var decided: [ClientNumber] { decidedNumbers(notices) }

    /// Takes what the client did.
    func collect() {
        for action in play.takeActions() {
            switch action {
            case .send(let bytes): toServer += bytes
            case .notify(let notice): notices.append(notice)
            case .connect, .disconnect: break
            }
        }
    }

    func submit(_ intents: Intent...) {
        play.submit(Op(body: intents))
        collect()
    }

    /// Moves bytes to the server; all by default.
    func deliver(bytes: Int = .max) {
        let count = min(bytes, toServer.count)
        server.received(Array(toServer.prefix(count)))
        toServer.removeFirst(count)
        toClient += server.takeOutput()
    }

    /// Moves bytes to the client; all by default.
    func answer(bytes: Int = .max) {
        toClient += server.takeOutput()
        let count = min(bytes, toClient.count)
        play.hears(bytes: Array(toClient.prefix(count)))
        toClient.removeFirst(count)
        collect()
    }

    /// Moves everything both ways until nothing moves, waiting where the server asked for it.
    func settle() {
        for _ in 0..<200 {
            if case .waiting = play.client.state { reconnect() }
            deliver()
            answer()
            guard toServer.isEmpty, toClient.isEmpty else { continue }
            if play.client.pendingCount(in: t1) == 0 { return }
            play.wait(seconds: 0.5)
            collect()
        }
        Issue.record("it does not settle")
    }

    /// The connection is gone, with what was under way.
    func cut() {
        toServer = []
        toClient = []
        play.lost()
        collect()
    }

    func reconnect() {
        play.waitForConnect()
        play.connected()
        server.connected()
        toServer = []
        toClient = []
        collect()
    }

    /// Expects both sides to hold the same, and each operation decided once, in order.
    func expectEqual(opCount: Int, _ note: String) {
        #expect(decided == Array(1...ClientNumber(opCount)), "decided, \(note)")
        guard let replica = play.client.replica(of: t1) else {
            Issue.record("no replica, \(note)")
            return
        }
        #expect(replica.pending.isEmpty, "\(note)")
        #expect(replica.confirmed.head == server.table.head, "head, \(note)")
        #expect(replica.columns == server.table.columns, "columns, \(note)")
        #expect(replica.rowCount == server.table.rowCount, "rows, \(note)")
        for position in 0..<server.table.rowCount {
            guard let id = server.table.row(at: position), replica.row(at: position) == id else {
                Issue.record("row at \(position), \(note)")
                return
            }
            for column in server.table.columns
            where replica.value(id, column.id) != server.table.value(id, column.id) {
                Issue.record("cell \(id) \(column.id), \(note)")
                return
            }
        }
        let numbers = server.log.filter { $0.session == mine }.map(\.clientNumber)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(note)")
    }
}

/// Five operations of different kinds, one of which makes no record and one is refused.
private func submitFive(_ wire: Wire) {
    wire.submit(edit(row(1), amount, .int(50)))
    wire.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(5)))
    wire.submit(edit(row(1), amount, .int(55)))
    wire.submit(.insertRows(InsertRows(ids: [row(1)], rowCount: 1)))
    wire.submit(.insertRows(InsertRows(rowCount: 2)), edit(row(2), name, .text("moved")))
}

@Test("cases 1, 2: cut at any byte towards the server: nothing is lost, nothing doubled")
func cutTowardsServer() {
    var length = 0
    var cut = 0
    repeat {
        let wire = Wire()
        wire.settle()
        submitFive(wire)
        length = wire.toServer.count
        wire.deliver(bytes: cut)
        wire.server.remote(edit(row(3), amount, .int(Int64(cut))))
        wire.cut()
        wire.submit(edit(row(3), name, .text("after the cut")))
        wire.settle()
        wire.expectEqual(opCount: 6, "cut at byte \(cut)")
        #expect(wire.server.table.value(row(1), amount) == .int(55), "cut at byte \(cut)")
        cut += 1
    } while cut <= length
    #expect(length > 200)
}

@Test("cases 18, 42: cut at any byte towards the client: each outcome comes once")
func cutTowardsClient() {
    var length = 0
    var cut = 0
    repeat {
        let wire = Wire()
        wire.settle()
        submitFive(wire)
        wire.deliver()
        length = wire.toClient.count
        wire.answer(bytes: cut)
        wire.server.prefersSnapshot = cut % 2 == 0
        wire.cut()
        wire.settle()
        wire.expectEqual(opCount: 5, "cut at byte \(cut)")
        let outcomes = wire.notices.compactMap { notice -> Outcome.Status? in
            if case .decided(_, _, _, let outcome) = notice { outcome.status } else { nil }
        }
        #expect(outcomes == [.ok, .ok, .noop, .rejected, .ok], "cut at byte \(cut)")
        cut += 1
    } while cut <= length
    #expect(length > 200)
}

@Test("cut at every byte while logging in, opening and loading")
func cutWhileOpening() {
    var length = 0
    var cut = 0
    repeat {
        let wire = Wire()
        wire.deliver()
        wire.answer()
        wire.deliver()
        length = wire.toClient.count
        wire.answer(bytes: cut)
        wire.server.remote(edit(row(3), amount, .int(9)))
        wire.cut()
        wire.settle()
        wire.submit(edit(row(1), amount, .int(5)))
        wire.settle()
        wire.expectEqual(opCount: 1, "cut at byte \(cut)")
        cut += 1
    } while cut <= length
    #expect(length > 200)
}

@Test("the stream may be split at every byte: what comes of it is the same")
func splitAtEveryByte() {
    let whole = Wire()
    whole.settle()
    submitFive(whole)
    whole.settle()
    let drip = Wire()
    while !drip.toServer.isEmpty || !drip.toClient.isEmpty {
        drip.deliver(bytes: 1)
        drip.answer(bytes: 1)
    }
    submitFive(drip)
    while !drip.toServer.isEmpty || !drip.toClient.isEmpty {
        drip.deliver(bytes: 1)
        drip.answer(bytes: 1)
    }
    drip.expectEqual(opCount: 5, "drip by drip")
    #expect(drip.notices == whole.notices)
}

@Test("case 17: two writes to one cell, the first acknowledged, then a loss and a remote write")
func twoWritesToOneCell() {
    let wire = Wire()
    wire.settle()
    wire.submit(edit(row(1), amount, .int(10)))
    wire.deliver()
    wire.answer()
    wire.submit(edit(row(1), amount, .int(20)))
    wire.cut()
    wire.server.remote(edit(row(1), amount, .int(99)))
    #expect(wire.play.client.replica(of: t1)?.value(row(1), amount) == .int(20))
    wire.settle()
    wire.expectEqual(opCount: 2, "")
    #expect(wire.server.table.value(row(1), amount) == .int(20))
    let told = wire.notices.contains {
        guard case .lost(_, let losses) = $0, let cell = losses.cells.first else { return false }
        return cell.mine == .int(10) && cell.theirs == .int(99) && cell.isSetAnew
    }
    #expect(told, "the value in between was replaced by somebody else's")
}

@Test("case 29: three rows at the end, a cut after the commit, another's row: no other order shows")
func insertsAtTheEnd() {
    let wire = Wire()
    wire.settle()
    for _ in 0..<3 { wire.submit(.insertRows(InsertRows(rowCount: 1))) }
    wire.deliver()
    wire.cut()
    wire.server.remote(
        .insertRows(InsertRows(ids: [row(9)], rowCount: 1)))
    let expected = [row(1), row(2), row(3)] + (1...3).map { row($0, of: mine) }
    #expect(shown(wire) == expected)
    wire.reconnect()
    // What comes in is looked at byte by byte: an own row never stands anywhere else.
    for _ in 0..<20 {
        wire.deliver()
        repeat {
            wire.answer(bytes: 1)
            let rows = shown(wire)
            #expect(rows == expected || rows == expected + [row(9)], "\(rows)")
        } while !wire.toClient.isEmpty
    }
    wire.expectEqual(opCount: 3, "")
    #expect(shown(wire) == expected + [row(9)])
}

private func shown(_ wire: Wire) -> [RowID] {
    guard let replica = wire.play.client.replica(of: t1) else { return [] }
    return (0..<replica.rowCount).compactMap { replica.row(at: $0) }
}

@Test("what a fresh snapshot contains is not shown over it once more")
func snapshotContainsThePending() {
    let wire = Wire()
    wire.settle()
    wire.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(5)))
    wire.submit(.insertRows(InsertRows(rowCount: 1)))
    wire.deliver()
    wire.cut()
    wire.server.prefersSnapshot = true
    wire.reconnect()
    for _ in 0..<20 {
        wire.deliver()
        repeat {
            wire.answer(bytes: 1)
            let replica = wire.play.client.replica(of: t1)
            #expect(replica?.value(row(1), amount) == .int(6))
            #expect(replica?.rowCount == 4)
        } while !wire.toClient.isEmpty
    }
    wire.expectEqual(opCount: 2, "")
}

@Test("case 2: operations restored from an earlier run are sent as they were, and counted on")
func restoredFromAnEarlierRun() throws {
    let first = Wire()
    first.settle()
    first.submit(.insertRows(InsertRows(rowCount: 1)))
    first.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(5)))
    first.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(5)))
    let kept = first.play.client.pendingOps(in: t1)
    #expect(kept.count == 3)
    var request = OpenRequest(table: .id(t1))
    request.resume = OpenRequest.Resume(session: mine, token: "token", next: 1)
    // The process ended after the first two had left.
    let cutAt = kept[0].line.count + kept[1].line.count
    first.deliver(bytes: cutAt)
    let play = Play()
    play.open(request, restoring: kept)
    #expect(play.client.pendingOps(in: t1) == kept)
    play.start()
    play.connected()
    let server = first.server
    server.connected()
    for _ in 0..<6 {
        for case .send(let bytes) in play.takeActions() { server.received(bytes) }
        play.hears(bytes: server.takeOutput())
    }
    #expect(server.table.value(row(1), amount) == .int(11))
    #expect(play.client.pendingOps(in: t1).isEmpty)
    #expect(play.client.makeRowIDs(1, in: t1) == [row(2, of: mine)])
    #expect(server.table.rowCount == 4)
    #expect(play.submit(edit(row(1), amount, .int(0))) == 4)
}

@Test("a server that refuses now and then for its load: everything arrives, in order")
func refusedForLoad() {
    let wire = Wire()
    wire.settle()
    for round in 0..<20 {
        wire.server.refusesNext = round % 4
        for _ in 0..<6 {
            wire.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(1)))
        }
        wire.settle()
    }
    wire.expectEqual(opCount: 120, "")
    #expect(wire.server.table.value(row(1), amount) == .int(121))
}

@Test(
    "case 9: random work, losses at random places: decided once, in order, equal at the end",
    arguments: 0..<40 as Range<UInt64>)
func randomLosses(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var request = OpenRequest(table: .id(t1))
    request.window = 1 + random.below(6)
    let wire = Wire(request)
    wire.settle()
    var count = 0
    for _ in 0..<120 {
        switch random.below(12) {
        case 0, 1, 2:
            count += 1
            switch random.below(4) {
            case 0: wire.submit(.insertRows(InsertRows(rowCount: 1, anchor: .first)))
            case 1:
                wire.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(1)))
            case 2: wire.submit(.moveRows([row(2)], to: .last), edit(row(2), amount, .int(5)))
            default: wire.submit(edit(row(3), amount, .text("no number")))
            }
        case 3: wire.server.remote(edit(row(1), name, .text("theirs")))
        case 4: wire.server.remote(.moveRows([row(1)], to: .last))
        case 5, 6: wire.deliver(bytes: random.below(200))
        case 7, 8: wire.answer(bytes: random.below(200))
        case 9: wire.server.prefersSnapshot.toggle()
        case 10: wire.server.refusesNext = random.below(2)
        default:
            if case .waiting = wire.play.client.state { wire.reconnect() } else { wire.cut() }
        }
        _ = shown(wire)
    }
    wire.settle()
    wire.deliver()
    wire.answer()
    if count > 0 { wire.expectEqual(opCount: count, "seed \(seed)") }
    let added = wire.server.log.filter { $0.session == mine }.count
    #expect(added <= count, "seed \(seed)")
}

@Test("outcomes come also where nothing is followed, over any number of losses")
func writeOnlyOverLosses() {
    var request = OpenRequest(table: .id(t1))
    request.follow = false
    let wire = Wire(request)
    wire.settle()
    var random = SeededRandom(seed: 5)
    for _ in 0..<60 {
        wire.submit(.addNumber(row: row(1), column: .id(amount), amount: .int(1)))
        wire.deliver(bytes: random.below(300))
        wire.answer(bytes: random.below(300))
        if random.below(3) == 0 {
            wire.cut()
            wire.reconnect()
        }
    }
    wire.settle()
    #expect(wire.decided == Array(1...60))
    #expect(wire.server.table.value(row(1), amount) == .int(61))
    #expect(wire.play.client.replica(of: t1) == nil)
}
