// Intents that bots need, one of each form; Samples.swift has the others.
import TableModel
import TableValue

let sampleBots: [Intent] = [
    .combineCell(
        CombineCell(
            .minimum, CellEdit(row: row(12, 1), column: .name("qty"), value: .int(3)))),
    .combineCell(
        CombineCell(
            .maximum, CellEdit(row: row(12, 1), column: .id(column(1, 2)), value: .double(2.5)))),
    .combineCell(
        CombineCell(
            .appendText, CellEdit(row: row(12, 1), column: .name("note"), value: .text("\n")))),
    .combineCell(
        CombineCell(
            .addToList(isOnce: false),
            CellEdit(row: row(12, 1), column: .name("tags"), value: .text("red")))),
    .combineCell(
        CombineCell(
            .addToList(isOnce: true),
            CellEdit(row: row(12, 1), column: .id(column(1, 2)), value: .int(2)))),
    .combineCell(
        CombineCell(
            .removeFromList,
            CellEdit(row: row(12, 1), column: .name("tags"), value: .bool(true)))),
    .upsertRow(
        UpsertRow(
            key: .init(.name("sku"), .text("A-1")), cells: [.init(.id(column(1, 2)), .int(5))],
            cellsOfNew: [.init(.name("place"), .null), .init(.name("a\"b"), .bool(false))])),
    .upsertRow(UpsertRow(key: .init(.id(column(1, 2)), .int(1)))),
    .claimRow(
        ClaimRow(
            where: "state = 'open'", setting: [.init(.name("state"), .text("taken"))],
            leaseSeconds: 60)),
    .claimRow(ClaimRow(setting: [.init(.id(column(1, 2)), .null)])),
    .changeLease(LeaseChange(.renew(seconds: 30), row(12, 1), claim: 118)),
    .changeLease(LeaseChange(.giveBack, row(12, 1))),
    .changeLease(LeaseChange(.finish, row(12, 1), claim: 118)),
]
