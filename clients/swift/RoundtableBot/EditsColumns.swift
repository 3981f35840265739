// Edits of columns and of whole tables, and copies: what one operation can ask for beside single
// rows and cells, which are in Edits.swift. It sends nothing.
import TableModel
import TableValue

// MARK: The whole table

extension Edits {
    /// Sorts for good: by columns, `-name` with the largest first; all rows, or those named.
    public mutating func sort(by columns: [String], rows: [RowID]? = nil) {
        let keys = columns.map { name in
            let isDescending = name.hasPrefix("-")
            let column = isDescending ? String(name.dropFirst()) : name
            return SortRows.Key(reference(column), isDescending: isDescending)
        }
        body.append(.sortRows(SortRows(by: keys, rows: rows?.map(\.held))))
    }

    /// Sets a column of all rows, or of those where a condition holds, by an expression.
    public mutating func transform(
        _ column: String, to expression: String, where condition: String? = nil
    ) {
        body.append(
            .transformColumn(
                TransformColumn(
                    column: reference(column), value: Text(expression),
                    condition: condition.map { Text($0) })))
    }

    /// Deletes the rows that this bot has seen; those that came since stay.
    public mutating func clear() {
        body.append(.clear)
    }

    /// Deletes all rows, also those that nobody here has seen.
    public mutating func truncate() {
        body.append(.truncate)
    }

    /// Inserts rows like others, behind the last of them where no place is given.
    ///
    /// What a column gives to each new row (a number, the time, the author) they get anew. The
    /// outcome's `rows` has the ids, unless `ids` of `SharedTable.newRows` are given.
    public mutating func duplicate(
        _ rows: [RowID], at place: Place? = nil, ids: [RowID] = []
    ) {
        body.append(
            .duplicateRows(
                DuplicateRows(
                    rows: rows.map(\.held), ids: ids.map(\.held), anchor: place?.anchor)))
    }

    /// Appends all rows of another table, by the names of its columns.
    ///
    /// Where `isLenient`, columns that this table lacks and values that do not fit are left out.
    public mutating func appendTable(_ table: String, isLenient: Bool = false) {
        body.append(.appendTable(AppendTable(source: Text(table), isLenient: isLenient)))
    }
}

// MARK: Columns

extension Edits {
    /// Adds a column; the outcome's `columns` has its id.
    ///
    /// `rules` is a JSON object as docs/protocol.md has it: a choice column needs
    /// `{"choices":["open","done"]}`. `ifAbsent` answers with the column that is there already,
    /// `suffix` asks for another name where this one is taken. Errors: `invalidText` where the
    /// type or the rules cannot be.
    public mutating func addColumn(
        _ name: String, type: String, at place: ColumnPlace = .last, rules: String = "{}",
        ifAbsent: Bool = false, suffix: Bool = false
    ) throws(BotError) {
        let type = try columnType(type)
        body.append(
            .addColumn(
                AddColumn(
                    name: Text(name), type: type, rules: try object(rules), anchor: place.anchor,
                    onClash: suffix ? .suffix : .reject, ifAbsent: ifAbsent)))
    }

    /// Renames a column.
    public mutating func renameColumn(
        _ column: String, to name: String, suffix: Bool = false
    ) {
        body.append(
            .renameColumn(
                reference(column), name: Text(name), onClash: suffix ? .suffix : .reject))
    }

    /// Changes the rules that a JSON object names; null takes one away.
    public mutating func changeRules(of column: String, _ rules: String) throws(BotError) {
        body.append(.changeRules(reference(column), try object(rules)))
    }

    /// Moves a column.
    public mutating func moveColumn(_ column: String, to place: ColumnPlace) {
        body.append(.moveColumn(reference(column), to: place.anchor))
    }

    /// Deletes a column, which is hidden like a row.
    public mutating func deleteColumn(_ column: String) {
        body.append(.deleteColumn(reference(column)))
    }

    /// Changes what a column holds; its cells are converted.
    ///
    /// Cells that hold what the type cannot refuse it with `cannot_convert`, or become empty where
    /// `isEmptying`, until an undo. `rules` changes rules along with it. Errors: `invalidText`.
    public mutating func retypeColumn(
        _ column: String, to type: String, isEmptying: Bool = false, rules: String = "{}"
    ) throws(BotError) {
        let type = try columnType(type)
        body.append(
            .retypeColumn(
                RetypeColumn(
                    column: reference(column), type: type, rules: try object(rules),
                    unconvertible: isEmptying ? .empty : .reject)))
    }

    /// Adds a column like another, with its cells; the outcome's `columns` has its id.
    ///
    /// Without a name or a place it stands behind the other and has its name with a number.
    public mutating func duplicateColumn(
        _ column: String, as name: String? = nil, at place: ColumnPlace? = nil,
        suffix: Bool = false
    ) {
        body.append(
            .duplicateColumn(
                DuplicateColumn(
                    column: reference(column), name: name.map { Text($0) },
                    anchor: place?.anchor,
                    onClash: suffix || name == nil ? .suffix : .reject)))
    }

    /// Sets a column of all rows in order, or of those named; more values make new rows.
    ///
    /// Without `rows`, rows that this bot has not seen are passed over. `newRows` are ids of
    /// `SharedTable.newRows` for the rows that are made; without them the server gives ids.
    public mutating func setColumn(
        _ column: String, to values: [Value], rows: [RowID]? = nil, newRows: [RowID] = []
    ) {
        body.append(
            .setColumn(
                SetColumn(
                    column: reference(column), values: values.map(\.held),
                    rows: rows?.map(\.held), newRows: newRows.map(\.held))))
    }
}

/// The type of a name, such as `int`.
func columnType(_ name: String) throws(BotError) -> ColumnType {
    guard let type = ColumnType(rawValue: name) else {
        throw BotError(.invalidText, "malformed", "there is no type of columns named so")
    }
    return type
}

private func object(_ json: String) throws(BotError) -> JSONTree {
    let tree = try Value.json(json).held
    guard case .json(let canonical) = tree, case .object = canonical.tree else {
        throw BotError(.invalidText, "malformed", "rules are a JSON object")
    }
    return canonical.tree
}
