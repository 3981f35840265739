// GA1: the whole matrix of roles and rights, cell by cell, against a table written by hand.
import TableModel
import TableValue
import Testing

@testable import TableServer

@Suite struct AccessTests {
    static let rights: [(Rights, String)] = [
        (.listTables, "list"), (.createTable, "create"), (.readTable, "read"),
        (.showCursor, "cursor"), (.insertRows, "insert"), (.editCells, "edit"),
        (.deleteRows, "delete"), (.moveRows, "move"), (.changeColumns, "columns"),
        (.undoOthers, "others"), (.manageTables, "tables"), (.comment, "comment"),
    ]

    static let expected: [Role: String] = [
        .owner: "list create read cursor insert edit delete move columns others tables comment",
        .manager: "list create read cursor insert edit delete move columns others tables comment",
        .editor: "list read cursor insert edit delete move comment",
        .commenter: "list read cursor comment",
        .viewer: "list read cursor",
        .appender: "insert",
        .auditor: "list read",
    ]

    @Test("GA1: every role has exactly the rights of the table", arguments: Role.allCases)
    func matrix(_ role: Role) {
        let held = AccessTests.rights.filter { allows(role, $0.0) }.map(\.1)
        #expect(held.joined(separator: " ") == AccessTests.expected[role])
    }

    @Test("every right there is stands in the matrix")
    func complete() {
        let all = AccessTests.rights.reduce(Rights()) { $0.union($1.0) }
        #expect(all.rawValue == 0b1111_1111_1111)
    }

    static let row = RowID(session: SessionNumber(truncating: 1), counter: 1)
    static let intents: [(Intent, String)] = [
        (.insertRows(InsertRows(rowCount: 1)), "insert"),
        (.setCells([CellEdit(row: row, column: .name("a"), value: .null)]), "edit"),
        (.addNumber(row: row, column: .name("a"), amount: .int(1)), "edit"),
        (.deleteRows([row]), "delete"), (.moveRows([row], to: .last), "move"),
        (.addColumn(AddColumn(name: "a", type: .int)), "columns"),
        (.renameColumn(.name("a"), name: "b", onClash: .reject), "columns"),
        (.moveColumn(.name("a"), to: .first), "columns"),
        (.deleteColumn(.name("a")), "columns"),
        (.comment(.make(MakeComment(row: row, text: "?"))), "comment"),
        (.comment(.resolve(CommentID(sequence: 1, ordinal: 1), isResolved: true)), "comment"),
    ]

    @Test("GA1: every intent asks for its right, also behind others", arguments: Role.allCases)
    func intents(_ role: Role) {
        for (intent, right) in AccessTests.intents {
            let isAllowed = AccessTests.expected[role]?.split(separator: " ").contains(right[...])
            #expect((refusal(of: Op(body: [intent]), for: role) == nil) == isAllowed)
            let insert = Intent.insertRows(InsertRows(rowCount: 1))
            let refusal = refusal(of: Op(body: [insert, intent]), for: role)
            if isAllowed == true, allows(role, .insertRows) {
                #expect(refusal == nil)
            } else {
                #expect(refusal?.code == .forbidden)
                #expect(refusal?.part == (allows(role, .insertRows) ? 1 : 0))
            }
        }
    }

    @Test("a precondition shows a cell, so it asks for the right to read")
    func preconditions() {
        let op = Op(
            preconditions: [.rowLive(AccessTests.row)],
            body: [.insertRows(InsertRows(rowCount: 1))])
        #expect(refusal(of: op, for: .appender)?.code == .forbidden)
        #expect(refusal(of: op, for: .editor) == nil)
    }

    @Test("a place behind a row tells whether the row is there, so it asks for the right to read")
    func anchors() {
        let anchored = Op(body: [
            .insertRows(InsertRows(rowCount: 1, anchor: .first)),
            .insertRows(InsertRows(rowCount: 1, anchor: .after(AccessTests.row))),
        ])
        let refused = refusal(of: anchored, for: .appender)
        #expect(refused?.code == .forbidden)
        #expect(refused?.part == 1)
        #expect(refusal(of: anchored, for: .editor) == nil)
    }

    @Test("ids of one's own are found wherever they stand")
    func ownIDs() {
        #expect(!makesOwnIDs(Op(body: [.insertRows(InsertRows(rowCount: 2))])))
        #expect(
            makesOwnIDs(
                Op(body: [
                    .deleteRows([AccessTests.row]),
                    .insertRows(InsertRows(ids: [AccessTests.row], rowCount: 1)),
                ])))
        let column = ColumnID(session: SessionNumber(truncating: 1), counter: 1)
        #expect(
            makesOwnIDs(Op(body: [.addColumn(AddColumn(id: column, name: "a", type: .int))])))
    }
}
