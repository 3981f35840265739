// The table: its storage and what can be read from it. Nothing here changes anything.
// The verbs are in Perform.swift (resolve and apply), Apply.swift (records), Load.swift
// (snapshots), Inverse.swift and ContentHash.swift.
package import TableValue

/// What a table knows of a row id.
package enum RowState: Hashable, Sendable {
    case live, hidden, unknown
}

/// One shared table: typed columns, rows in order, and the verbs perform and apply.
///
/// A copy is cheap and stays as it was: storage is in chunks that are shared until written.
package struct Table: Sendable {
    /// The limits that operations are held to.
    package var limits = TableLimits()
    /// The number of the last record applied.
    package internal(set) var head: SequenceNumber = 0

    /// The number of the last record that changed the columns.
    var schemaHead: SequenceNumber = 0
    var schema = Schema()
    /// By column index.
    var cells: [ColumnStore] = []
    var rows = RowStore()
    /// True where every row that was ever inserted is known.
    ///
    /// A replica of a snapshot knows only the hidden rows that it saw being hidden; it must not
    /// place rows by them.
    var isComplete = true
    var journal = Journal()
    var commentBook = CommentBook()
    /// The rules of the columns, made ready.
    var ruleBook = RuleBook()
    /// True where what operations replace is kept, so that they can be taken back: at the one who
    /// gives the numbers.
    package var keepsUndo = false
    var undoLog = UndoLog()
    /// Rows that are given to somebody for a time; kept where undo is.
    var leases = LeaseBook()
    var claims = ClaimMemories()
    /// How many rows the last claim looked at.
    package internal(set) var rowsLookedAt = 0
    /// Nil until the first content hash is asked for.
    var hashCache: HashCache?
    var hashCut = HashCut()

    /// An empty table without columns.
    package init() {}

    // MARK: Columns

    /// The live columns in order.
    package var columns: [Column] { schema.liveColumns }

    /// The column of that id, live or hidden.
    package func column(_ id: ColumnID) -> Column? {
        schema.index(of: id).map { schema.entries[$0].column }
    }

    /// The live column whose folded name equals that of `name`.
    package func column(named name: Text) -> Column? {
        schema.index(named: name).map { schema.entries[$0].column }
    }

    /// The highest counter of that session among all columns ever seen; 0 where none.
    package func highestColumnCounter(of session: SessionNumber) -> UInt32 {
        schema.highestCounter(of: session)
    }

    // MARK: Rows

    /// The number of live rows.
    package var rowCount: Int { rows.order.liveCount }

    /// The live row at a position from 0.
    ///
    /// Complexity: logarithmic in the rows.
    package func row(at position: Int) -> RowID? {
        rows.order.slot(at: position).map { rows.ids[$0] }
    }

    /// The position of a live row, from 0.
    ///
    /// Complexity: logarithmic in the rows.
    package func position(of row: RowID) -> Int? {
        guard let slot = rows.slot(of: row), !rows.order.isHidden(slot) else { return nil }
        return rows.order.liveCountBefore(slot)
    }

    /// What the table knows of a row id.
    package func state(of row: RowID) -> RowState {
        guard let slot = rows.slot(of: row) else { return .unknown }
        return rows.order.isHidden(slot) ? .hidden : .live
    }

    /// The highest counter of that session among all rows ever seen; 0 where none.
    package func highestRowCounter(of session: SessionNumber) -> UInt32 {
        rows.index.highestCounter(of: session)
    }

    // MARK: Cells

    /// A cell's value, also of a hidden row or column; nil where either is unknown.
    package func value(_ row: RowID, _ column: ColumnID) -> Value? {
        guard let slot = rows.slot(of: row), let index = schema.index(of: column) else {
            return nil
        }
        return cells[index].value(slot)
    }

    /// A cell's value with the number and session that wrote it; nil where unknown.
    ///
    /// Both are 0 for what a replica got from a snapshot, which does not say.
    package func cell(_ row: RowID, _ column: ColumnID) -> CurrentCell? {
        guard let slot = rows.slot(of: row), let index = schema.index(of: column) else {
            return nil
        }
        let stamp = cellStamp(slot, index)
        return CurrentCell(
            value: cells[index].value(slot), version: stamp.sequence,
            session: SessionNumber(truncating: stamp.session))
    }

    /// Who last wrote a cell: the record that set it, or the one that began its row.
    func cellStamp(_ slot: UInt32, _ column: Int) -> Stamp {
        cells[column].stamps[slot] ?? rows.created[slot]
    }

    /// Visits live rows in order from a position, with their values in the order of `columns`;
    /// stops after `count` rows or when `body` returns false.
    ///
    /// A column that is unknown reads as null.
    ///
    /// Complexity: logarithmic in the rows, then linear in what is visited.
    package func forEachRow(
        from position: Int, count: Int, columns: [ColumnID],
        _ body: (_ row: RowID, _ values: [Value]) -> Bool
    ) {
        guard count > 0, let start = rows.order.entryPlace(at: position) else { return }
        let indexes = columns.map { schema.index(of: $0) }
        var values = [Value](repeating: .null, count: columns.count)
        var rest = count
        var leaf: UInt32? = start.leaf
        var first = start.index
        while let current = leaf {
            for entry in rows.order.leaves[current].entries[first...]
            where entry < RowOrder.hiddenBit {
                for (place, index) in indexes.enumerated() {
                    values[place] = index.map { cells[$0].value(entry) } ?? .null
                }
                guard body(rows.ids[entry], values) else { return }
                rest -= 1
                if rest == 0 { return }
            }
            first = 0
            leaf = rows.order.neighbour(of: current, step: 1)
        }
    }
}
