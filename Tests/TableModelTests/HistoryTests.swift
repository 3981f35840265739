// The invariants I1 to I10 over histories by chance.
import TableValue
import Testing

@testable import TableModel

private let seeds: [UInt64] = Array(1...(isLong ? 400 : 4))
private let steps = isLong ? 600 : 120

@Suite("Histories by chance")
struct HistoryTests {
    @Test("I1: owner, follower, replay and replicas of snapshots agree", arguments: seeds)
    func everybodyAgrees(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var follower = Table()
        var replicas: [Table] = []
        for step in 0..<steps {
            let applied = history.records.count
            _ = history.step()
            for record in history.records[applied...] {
                var fits = follower.apply(record)
                for index in replicas.indices { fits = replicas[index].apply(record) && fits }
                try #require(fits, "seed \(seed), step \(step)")
            }
            if step % 50 == 20 { replicas.append(snapshot(of: history.owner)) }
            guard step % 10 == 0 else { continue }
            let context: Comment = "seed \(seed), step \(step)"
            try #require(history.owner.invariantProblem() == nil, context)
            try #require(follower.invariantProblem() == nil, context)
            try #require(follower.allRows == history.owner.allRows, context)
            let hash = history.owner.contentHash(using: TestDigest.self)
            let followed = follower.contentHash(using: TestDigest.self)
            try #require(followed == hash, context)
            try #require(history.owner.freshHash() == hash, context)
            for index in replicas.indices {
                try #require(replicas[index].liveRows == history.owner.liveRows, context)
                try #require(replicas[index].columns == history.owner.columns, context)
                let replicated = replicas[index].contentHash(using: TestDigest.self)
                try #require(replicated == hash, context)
                try #require(replicas[index].invariantProblem() == nil, context)
            }
        }
    }

    private func snapshot(of table: Table) -> Table {
        var loaded = Table(columns: table.columns, head: table.head)
        let columns = table.columns.map(\.id)
        table.forEachRow(from: 0, count: table.rowCount, columns: columns) { row, values in
            loaded.load(rows: [row], columns: columns, cells: values)
        }
        return loaded
    }
}
