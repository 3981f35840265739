// What an operation asks for: edits and preconditions, built step by step. One `Edits` becomes one
// operation: every observer sees all of it or none, and it has one number.
// Those of columns and whole tables are in EditsColumns.swift, those of claims in Claim.swift. It
// sends nothing; the next step is SharedTable.commit (Shared.swift).
import TableModel
import TableValue

/// Edits and preconditions of one operation.
///
/// A column is named by its name or its id. What they mean when others act at the same time is in
/// docs/semantics.md.
public struct Edits: Sendable {
    /// Where rows come to stand.
    public enum Place: Hashable, Sendable {
        /// Before all others.
        case first
        /// Behind all others.
        case last
        /// Right behind that row.
        case after(RowID)
    }

    /// Where a column comes to stand.
    public enum ColumnPlace: Hashable, Sendable {
        /// Before all others.
        case first
        /// Behind all others.
        case last
        /// Right behind the column of that name or id.
        case after(String)
    }

    /// What happens when some parts cannot be applied as meant.
    public enum Mode: Hashable, Sendable {
        /// One part that cannot be applied refuses the whole.
        case strict
        /// What can be applied is; the outcome counts the rest.
        case best
    }

    /// Which operation shall be taken back.
    public enum UndoTarget: Hashable, Sendable {
        /// The last one of this session that has not been taken back.
        case last
        /// The last one of this user, in whichever session.
        case lastOfUser
        /// The one that made the record of that number.
        case sequence(Int64)
        /// This session's own operation of that number.
        case number(Int64)
    }

    var body: [Intent] = []
    var preconditions: [Precondition] = []

    /// No edits yet.
    public init() {}

    /// True where there is nothing to do.
    public var isEmpty: Bool { body.isEmpty }

    // MARK: Rows and cells

    /// Sets one cell.
    public mutating func set(_ row: RowID, _ column: String, _ value: Value) {
        body.append(
            .setCells([CellEdit(row: row.held, column: reference(column), value: value.held)]))
    }

    /// Sets cells of one row.
    public mutating func set(_ row: RowID, _ values: [String: Value]) {
        let cells = values.sorted { Text($0.key) < Text($1.key) }.map {
            CellEdit(row: row.held, column: reference($0.key), value: $0.value.held)
        }
        body.append(.setCells(cells))
    }

    /// Sets cells of many rows, by row and the column's name or id.
    public mutating func set(_ cells: [(row: RowID, column: String, value: Value)]) {
        body.append(
            .setCells(
                cells.map {
                    CellEdit(
                        row: $0.row.held, column: reference($0.column), value: $0.value.held)
                }))
    }

    /// Adds to a number, whatever it is by then; the outcome's `values` has the sum.
    public mutating func add(_ row: RowID, _ column: String, _ amount: Value) {
        body.append(
            .addNumber(row: row.held, column: reference(column), amount: amount.held))
    }

    /// Inserts rows, each by the values of its columns, as one block.
    ///
    /// `ids`, where given, are of `SharedTable.newRows` and as many as rows: so later edits of the
    /// same operation can name them. Otherwise the outcome's `rows` has the ids.
    public mutating func insert(
        _ rows: [[String: Value]], at place: Place = .last, ids: [RowID] = []
    ) {
        let columns = Set(rows.flatMap(\.keys)).sorted { Text($0) < Text($1) }
        let cells = rows.flatMap { row in columns.map { (row[$0] ?? .null).held } }
        body.append(
            .insertRows(
                InsertRows(
                    ids: ids.map(\.held), rowCount: rows.count, anchor: place.anchor,
                    columns: columns.map { reference($0) }, cells: cells)))
    }

    /// Deletes rows, which are hidden, not lost: late edits of them are kept.
    public mutating func delete(_ rows: [RowID]) {
        body.append(.deleteRows(rows.map(\.held)))
    }

    /// Moves rows, which arrive together in the order given.
    public mutating func move(_ rows: [RowID], to place: Place) {
        body.append(.moveRows(rows.map(\.held), to: place.anchor))
    }

    // MARK: Undo and restore, each alone in its operation

    /// Takes an operation back; what others have gone on from stays, unless it is forced.
    public mutating func undo(_ target: UndoTarget = .last, isForced: Bool = false) {
        let request: UndoRequest.Target =
            switch target {
            case .last: .last(ofUser: false)
            case .lastOfUser: .last(ofUser: true)
            case .sequence(let number): .sequence(number)
            case .number(let number): .clientNumber(number)
            }
        body.append(.undo(UndoRequest(request, isForced: isForced)))
    }

    /// Does again what the last undo took back.
    public mutating func redo(ofUser: Bool = false, isForced: Bool = false) {
        body.append(.undo(UndoRequest(.lastUndone(ofUser: ofUser), isForced: isForced)))
    }

    /// Makes the table what it was, or these rows or columns of it; undo takes it back.
    public mutating func restore(
        to moment: Moment, rows: [RowID]? = nil, columns: [String]? = nil
    ) {
        body.append(
            .restore(
                RestoreRequest(
                    to: moment.held, rows: rows?.map(\.held),
                    columns: columns?.map { reference($0) })))
    }
}

// MARK: Joining with what is there by then

extension Edits {
    /// Sets a number or date to the smaller of this and what it is by then.
    public mutating func minimum(_ row: RowID, _ column: String, _ value: Value) {
        combine(.minimum, row, column, value)
    }

    /// Sets a number or date to the larger of this and what it is by then.
    public mutating func maximum(_ row: RowID, _ column: String, _ value: Value) {
        combine(.maximum, row, column, value)
    }

    /// Puts text behind what the cell holds by then.
    public mutating func appendText(_ row: RowID, _ column: String, _ text: String) {
        combine(.appendText, row, column, .text(text))
    }

    /// Puts an item at the end of a list; with `once` only where it is not in it.
    public mutating func addToList(
        _ row: RowID, _ column: String, _ item: Value, once: Bool = false
    ) {
        combine(.addToList(isOnce: once), row, column, item)
    }

    /// Takes an item out of a list, wherever it stands in it.
    public mutating func removeFromList(_ row: RowID, _ column: String, _ item: Value) {
        combine(.removeFromList, row, column, item)
    }

    private mutating func combine(
        _ combination: CellCombination, _ row: RowID, _ column: String, _ value: Value
    ) {
        let edit = CellEdit(row: row.held, column: reference(column), value: value.held)
        body.append(.combineCell(CombineCell(combination, edit)))
    }

    /// Sets `values` in the row that has the key in a unique column, or appends one with it.
    ///
    /// A row that is appended gets the values of `new` as well. The outcome's `rows` names the
    /// row, `inserted` says whether it is new.
    public mutating func upsert(
        _ column: String, _ key: Value, _ values: [String: Value] = [:],
        new: [String: Value] = [:]
    ) {
        func cells(_ values: [String: Value]) -> [UpsertRow.Cell] {
            values.sorted { Text($0.key) < Text($1.key) }.map {
                UpsertRow.Cell(reference($0.key), $0.value.held)
            }
        }
        body.append(
            .upsertRow(
                UpsertRow(
                    key: UpsertRow.Cell(reference(column), key.held), cells: cells(values),
                    cellsOfNew: cells(new))))
    }
}

// MARK: Preconditions: all must hold when the operation is sequenced

extension Edits {
    /// Only if the cell has this value.
    public mutating func requireValue(_ row: RowID, _ column: String, _ value: Value) {
        preconditions.append(
            .cellValue(row: row.held, column: reference(column), value: value.held))
    }

    /// Only if the cell was last written by the record of this number.
    public mutating func requireVersion(_ row: RowID, _ column: String, _ version: Int64) {
        preconditions.append(
            .cellVersion(row: row.held, column: reference(column), version: version))
    }

    /// Only if no cell of the row changed after the record of this number.
    public mutating func requireRowVersion(_ row: RowID, _ version: Int64) {
        preconditions.append(.rowVersion(row: row.held, version: version))
    }

    /// Only if the row is there.
    public mutating func requireRow(_ row: RowID) {
        preconditions.append(.rowLive(row.held))
    }

    /// Only if no row has this value in the column.
    public mutating func requireAbsent(_ column: String, _ value: Value) {
        preconditions.append(.rowAbsent(column: reference(column), value: value.held))
    }

    /// Only if nobody changed anything after the record of this number.
    public mutating func requireTableSequence(_ sequence: Int64) {
        preconditions.append(.tableSequence(sequence))
    }

    /// Only if nobody changed a column after the record of this number.
    public mutating func requireSchemaSequence(_ sequence: Int64) {
        preconditions.append(.schemaSequence(sequence))
    }
}

extension Edits {
    func op(mode: Mode) -> Op {
        Op(mode: mode == .strict ? .strict : .best, preconditions: preconditions, body: body)
    }
}

extension Edits.Place {
    var anchor: RowAnchor {
        switch self {
        case .first: .first
        case .last: .last
        case .after(let row): .after(row.held)
        }
    }
}

extension Edits.ColumnPlace {
    var anchor: ColumnAnchor {
        switch self {
        case .first: .first
        case .last: .last
        case .after(let column): .after(reference(column))
        }
    }
}
