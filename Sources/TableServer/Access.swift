// Who may do what: one table and one function. Everything that is not in the table is refused.
// Asked before an operation is resolved and before anything of a table is shown.
import TableModel
import TableValue

/// What a user is in this server.
package enum Role: String, Hashable, Sendable, CaseIterable {
    case owner, manager, editor, commenter, viewer, appender, auditor
}

/// Kinds of things that a role allows or not, as a set.
struct Rights: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let listTables = Rights(rawValue: 1 << 0)
    static let createTable = Rights(rawValue: 1 << 1)
    /// Cells, records, snapshots, hashes, who is there.
    static let readTable = Rights(rawValue: 1 << 2)
    /// To be seen by others with a cursor.
    static let showCursor = Rights(rawValue: 1 << 3)
    static let insertRows = Rights(rawValue: 1 << 4)
    static let editCells = Rights(rawValue: 1 << 5)
    static let deleteRows = Rights(rawValue: 1 << 6)
    static let moveRows = Rights(rawValue: 1 << 7)
    static let changeColumns = Rights(rawValue: 1 << 8)
    /// To take back what others did.
    static let undoOthers = Rights(rawValue: 1 << 9)

    /// To make comments, and to resolve them.
    static let comment = Rights(rawValue: 1 << 11)

    /// To rename, drop and restore tables.
    static let manageTables = Rights(rawValue: 1 << 10)

    static let reading: Rights = [.listTables, .readTable]
    static let rows: Rights = [.insertRows, .editCells, .deleteRows, .moveRows]
}

/// The one decision: default is no.
func allows(_ role: Role, _ right: Rights) -> Bool {
    rights(of: role).isSuperset(of: right)
}

/// The table of rights.
private func rights(of role: Role) -> Rights {
    switch role {
    case .owner, .manager:
        [
            .reading, .showCursor, .comment, .rows, .createTable, .changeColumns, .undoOthers,
            .manageTables,
        ]
    case .editor: [.reading, .showCursor, .comment, .rows]
    case .commenter: [.reading, .showCursor, .comment]
    case .viewer: [.reading, .showCursor]
    case .appender: .insertRows
    case .auditor: .reading
    }
}

/// True where the role may change anything in a table.
func allowsWriting(_ role: Role) -> Bool {
    allows(role, .insertRows) || allows(role, .editCells) || allows(role, .changeColumns)
        || allows(role, .comment)
}

/// The first part of an operation that the role does not allow, as a refusal; nil where it allows
/// all of it.
///
/// A precondition asks for the right to read, since its refusal shows a cell, and so does a place
/// behind a row, since the notes of the outcome tell whether the row is there.
func refusal(of op: Op, for role: Role) -> Rejection? {
    if !op.preconditions.isEmpty && !allows(role, .readTable) {
        return Rejection(
            .forbidden, "your role (\(role.rawValue)) may not ask for preconditions")
    }
    for (part, intent) in op.body.enumerated() {
        if allows(role, right(for: intent)) { continue }
        if allows(role, .insertRows), case .insertRows = intent {
            return Rejection(
                .forbidden, "your role (\(role.rawValue)) inserts at the start or the end only",
                part: part)
        }
        return Rejection(
            .forbidden,
            "your role (\(role.rawValue)) does not allow this; ask an owner for another role",
            part: part)
    }
    return nil
}

/// The right that an intent asks for.
func right(for intent: Intent) -> Rights {
    switch intent {
    case .insertRows(let insertion):
        if case .after = insertion.anchor { [.insertRows, .readTable] } else { .insertRows }
    case .setCells, .addNumber, .combineCell: .editCells
    case .claimRow: [.editCells, .readTable]
    case .changeLease: .editCells
    // Its answer tells whether a row has the key.
    case .upsertRow: [.insertRows, .editCells, .readTable]
    case .deleteRows: .deleteRows
    case .moveRows, .sortRows: .moveRows
    case .transformColumn: .editCells
    case .comment: [.comment, .readTable]
    case .setColumn: [.editCells, .insertRows]
    // Who copies sees what is copied.
    case .duplicateRows, .appendTable: [.insertRows, .readTable]
    case .clear: .deleteRows
    case .truncate: [.deleteRows, .changeColumns]
    case .addColumn, .renameColumn, .moveColumn, .deleteColumn, .changeRules, .retypeColumn,
        .duplicateColumn, .changeDisplay:
        .changeColumns
    // What more it needs depends on what is taken back.
    case .undo: .readTable
    // For columns the server asks once it knows whether they differ.
    case .restore(let request):
        request.columns == nil
            ? [.readTable, .editCells, .insertRows, .deleteRows, .moveRows]
            : [.readTable, .editCells]
    }
}

/// Why a user may not take an operation back; nil where that is allowed.
///
/// Rights are asked for anew: who has lost one cannot use an old operation to get around it.
func refusal(ofUndo needs: UndoNeeds, by user: Text, for role: Role) -> Rejection? {
    guard needs.user == user || allows(role, .undoOthers) else {
        return Rejection(
            .forbidden,
            "the operation is another user's; only its author, a manager or an owner takes it back"
        )
    }
    var rights: Rights = []
    if needs.changesCells { rights.insert(.editCells) }
    if needs.deletesRows { rights.insert(.deleteRows) }
    if needs.showsRows { rights.insert(.insertRows) }
    if needs.movesRows { rights.insert(.moveRows) }
    if needs.changesComments { rights.insert(.comment) }
    if needs.changesColumns { rights.insert(.changeColumns) }
    guard allows(role, rights) else {
        return Rejection(
            .forbidden, "your role (\(role.rawValue)) may not do what taking this back would do")
    }
    return nil
}

/// True where an operation names ids of its own for new rows or columns, which needs a session.
func makesOwnIDs(_ op: Op) -> Bool {
    op.body.contains { intent in
        switch intent {
        case .insertRows(let insertion): !insertion.ids.isEmpty
        case .duplicateRows(let duplication): !duplication.ids.isEmpty
        case .setColumn(let setting): !setting.newRows.isEmpty
        case .addColumn(let addition): addition.id != nil
        case .duplicateColumn(let duplication): duplication.id != nil
        default: false
        }
    }
}

/// Why a role may not bring back a table whose columns were others; nil where it may.
func refusal(
    ofRestore op: Op, changing present: [Column], to past: [Column], for role: Role
) -> Rejection? {
    guard case .restore(let request)? = op.body.first, request.isWhole,
        present.map(\.undisplayed) != past.map(\.undisplayed),
        !allows(role, .changeColumns)
    else { return nil }
    return Rejection(
        .forbidden,
        "the columns were others then, and your role (\(role.rawValue)) may not change columns")
}

extension Op {
    /// True where it brings back what was.
    var isRestore: Bool {
        if case .restore? = body.first { true } else { false }
    }
}
