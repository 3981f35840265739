// Draws what bots do: cells joined with what they hold, and upserts of few keys.
import TableClient
import TableModel
import TableValue

extension OpMaker {
    /// Mostly a combination that the column takes.
    mutating func combine() -> Intent {
        let column = random.pick(replica.columns.filter { $0.type != .bool && $0.type != .uuid })
        let type = column?.type ?? .int
        let fits: [CellCombination] =
            switch type {
            case .text: [.appendText]
            case .list: [.addToList(isOnce: false), .addToList(isOnce: true), .removeFromList]
            default: [.minimum, .maximum]
            }
        let all: [CellCombination] = [.minimum, .maximum, .appendText, .removeFromList]
        let combination = random.pick(random.chance(95) ? fits : all) ?? .minimum
        var offered = value(type)
        if type == .list, random.chance(90) { offered = .text(random.chance(50) ? "a" : "b") }
        // Cells that grow and grow would make each step dearer than the one before.
        if case .text(let text) = offered, text.byteCount > 8 { offered = .text("+") }
        return .combineCell(
            CombineCell(
                combination, CellEdit(row: row(), column: reference(column), value: offered)))
    }

    /// By a unique column where there is one.
    mutating func upsert() -> Intent {
        let unique = replica.columns.filter { ReferenceRules($0).isUnique }
        let key = random.pick(random.chance(90) && !unique.isEmpty ? unique : replica.columns)
        var cells: [[UpsertRow.Cell]] = [[], []]
        for place in cells.indices {
            let column = random.pick(replica.columns)
            if random.chance(60) {
                cells[place].append(
                    UpsertRow.Cell(reference(column), value(column?.type ?? .text)))
            }
        }
        var wanted = value(key?.type ?? .text)
        if key?.type == .text, random.chance(70) { wanted = .text(random.chance(50) ? "k" : "t1") }
        return .upsertRow(
            UpsertRow(
                key: UpsertRow.Cell(reference(key), wanted), cells: cells[0],
                cellsOfNew: cells[1]))
    }

    /// Mostly one that can be: leases are short, so that they end while others play.
    mutating func claim() -> Intent {
        let numbers = replica.columns.filter { $0.type == .int }
        var claim = ClaimRow()
        if let column = random.pick(numbers), random.chance(70) {
            claim.condition = Text("\"\(column.id)\" <= \(random.between(-1, 4))")
            claim.cells = [UpsertRow.Cell(reference(column), .int(random.between(5, 9)))]
        } else {
            let column = random.pick(replica.columns)
            claim.cells = [UpsertRow.Cell(reference(column), value(column?.type ?? .text))]
        }
        if random.chance(60) { claim.leaseSeconds = 1 + random.below(2) }
        if random.chance(10) { claim.cells = [] }
        return .claimRow(claim)
    }

    mutating func changeLease() -> Intent {
        let kind: LeaseChange.Kind =
            random.chance(30)
            ? .renew(seconds: random.below(3)) : random.chance(50) ? .giveBack : .finish
        let claim = SequenceNumber(1 + random.below(Int(replica.confirmed.head) + 1))
        return .changeLease(LeaseChange(kind, row(), claim: random.chance(10) ? claim : nil))
    }
}
