// The next row of a queue, for a person as for a bot: which rows may be given, what is set in the
// one that is, and the cursor goes there. The server sees to it that nobody else gets it.
import TableModel
import TableValue

extension App {
    /// A condition was typed, or nothing: asks what is set in the row; says why not.
    mutating func planClaim(where text: String, _ sheet: Sheet?) -> String? {
        guard let sheet else { return nil }
        let condition = text.trimmingSpaces
        if !condition.isEmpty {
            // Which row it gives the server knows alone; whether it can be read is known here.
            let trial = TransformColumn(
                column: .name(sheet.allColumns.first?.name ?? ""), value: "null",
                condition: Text(condition))
            if case .failure(let rejection) = sheet.tried(.transformColumn(trial), clock: clock),
                rejection.code == .badExpression
            {
                return rejection.message
            }
        }
        layer = .prompt(Prompt(kind: .claim(condition: condition)))
        return nil
    }

    /// What shall be set was typed: claims; says why not.
    mutating func claim(
        where condition: String, setting text: String, _ turn: inout Turn
    ) -> String? {
        guard let sheet = turn.sheet, mayEdit(sheet) else { return nil }
        var claim = ClaimRow(where: condition.isEmpty ? nil : Text(condition))
        for word in text.split(separator: ",") {
            let parts = word.split(separator: "=", maxSplits: 1)
            let name = String(parts.first ?? "").trimmingSpaces
            guard parts.count == 2, !name.isEmpty else {
                return "give column=value, with commas between"
            }
            guard let column = sheet.allColumns.named(name) else {
                return "there is no column \(name)"
            }
            do throws(ValueError) {
                let value = try Value(Text(String(parts[1]).trimmingSpaces), as: column.type)
                claim.cells.append(UpsertRow.Cell(.id(column.id), value))
            } catch {
                return "\(name): \(error.reason)"
            }
        }
        guard !claim.cells.isEmpty else {
            return "set something, so that nobody else takes the row: state=taken"
        }
        turn.perform(.claimRow(claim), for: .claim)
        say("claim: the server has yet to answer")
        return nil
    }

    /// The claim is decided: the cursor goes to the row, where there is one.
    mutating func claimed(_ outcome: Outcome, _ sheet: Sheet?) {
        guard outcome.status != .rejected else {
            let reason = outcome.rejection?.message ?? "the server gave no reason"
            return notices.warn("the claim was refused: \(reason)", at: now)
        }
        guard let row = outcome.rows.first else { return say("no such row is open") }
        guard let sheet, let position = sheet.position(of: row) else {
            return say("row \(row) is yours; it is not here any more")
        }
        if editor == nil { goTo(row: position, column: grid.columnPosition, sheet) }
        say("row \(grouped(position + 1)) is yours; \(keyText(.undo)) gives it back")
    }
}
