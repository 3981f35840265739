// The real table against the naive one, step by step.
import TableValue
import Testing

@testable import TableModel

@Suite("The table against a naive one")
struct NaiveTableTests {
    @Test(
        "C4 C6 R1 R4 R8 R14 S1: a thousand ways to combine them come to the same",
        arguments: 1...(isLong ? 300 : 5) as ClosedRange<UInt64>)
    func sameOutcome(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var naive = NaiveTable()
        for step in 0..<(isLong ? 500 : 120) {
            let (op, author, resolution) = history.step()
            let accepted = naive.perform(op, by: author)
            func context() -> Comment { "seed \(seed), step \(step), \(op)" }
            try #require(accepted == (resolution != nil), context())
            try compare(history.owner, naive, context())
            guard let resolution else { continue }
            try #require(naive.sum.changed == !resolution.changes.isEmpty, context())
            let outcome = resolution.outcome
            try #require(Set(outcome.notes) == naive.sum.notes, context())
            try #require(outcome.notes.count == naive.sum.notes.count, context())
            try #require(outcome.rows == naive.sum.given, context())
            try #require(outcome.values == naive.sum.values, context())
            try #require(outcome.status == status(of: naive.sum), context())
            guard outcome.status == .partial else { continue }
            let counts = [outcome.applied, outcome.hidden, outcome.gone, outcome.refused]
            let sum = naive.sum
            try #require(counts == [sum.applied, sum.hidden, sum.gone, sum.refused], context())
        }
    }

    private func status(of sum: NaiveTable.Sum) -> Outcome.Status {
        if sum.gone + sum.refused == 0 {
            if !sum.changed { return .noop }
            if sum.hidden == 0 { return .ok }
            return sum.applied == 0 ? .hidden : .partial
        }
        if !sum.changed, sum.applied + sum.hidden + sum.refused == 0 { return .gone }
        return .partial
    }

    private func compare(_ table: Table, _ naive: NaiveTable, _ context: @autoclosure () -> Comment)
        throws
    {
        try #require(table.head == naive.sequence, context())
        try #require(table.allRows == naive.rows.map(\.id), context())
        try #require(table.liveRows == naive.rows.filter { !$0.isHidden }.map(\.id), context())
        let live = naive.fields.filter { !$0.isHidden }.map(\.column)
        try #require(table.columns == live, context())
        guard naive.sequence % 4 == 0 else { return }
        for row in naive.rows {
            for field in naive.fields {
                let cell = table.cell(row.id, field.column.id)
                let written = row.cells[field.column.id]
                try #require(cell?.value == (written?.value ?? .null), context())
                try #require(
                    cell?.version == (written?.sequence ?? row.created.sequence), context())
                try #require(
                    cell?.session.rawValue == (written?.session ?? row.created.session), context())
            }
        }
    }
}
