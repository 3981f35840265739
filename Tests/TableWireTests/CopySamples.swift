// Intents that change a column as a whole or copy what is there, one of each shape.
// Samples.swift has the others.
import TableValue

@testable import TableModel

let copySamples: [Intent] = [
    .retypeColumn(RetypeColumn(column: .name("qty"), type: .int)),
    .retypeColumn(
        RetypeColumn(
            column: .id(column(1, 2)), type: .choice,
            rules: .object([JSONMember(key: "choices", value: .list([.text("open")]))]),
            unconvertible: .empty)),
    .duplicateColumn(DuplicateColumn(column: .name("qty"))),
    .duplicateColumn(
        DuplicateColumn(
            column: .name("qty"), id: column(12, 3), name: "copy", anchor: .first, onClash: .suffix)
    ),
    .setColumn(SetColumn(column: .name("qty"), values: [.int(1), .null])),
    .setColumn(
        SetColumn(
            column: .name("qty"), values: [.int(1), .int(2)], rows: [row(12, 1)],
            newRows: [row(12, 9)])),
    .duplicateRows(DuplicateRows(rows: [row(12, 1)])),
    .duplicateRows(
        DuplicateRows(rows: [row(12, 1)], ids: [row(12, 9)], anchor: .after(row(1, 1)))),
    .appendTable(AppendTable(source: "other")),
    .appendTable(AppendTable(source: "t7", isLenient: true)),
]
