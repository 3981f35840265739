// What the client core tells: the connection, records of others, who is here, lost values.
// Nobody's action moves the cursor or the view; App.arrange keeps both on their rows.
import TableClient
import TableModel
import TableValue
import TableWire

extension App {
    /// Takes what the client core tells.
    mutating func take(_ notice: ClientNotice, _ turn: inout Turn) {
        switch notice {
        case .loggedIn(let user, let name, _, _):
            people.user = user
            people.userName = name.string
            if connection != .live { connection = .loading }
        case .opened(let opened): take(opened, turn.sheet)
        case .live(let table, _):
            if table == self.table { wentLive(turn.sheet) }
        case .applied(let table, let record, let isMine):
            guard table == self.table else { return }
            if !isMine { take(record, turn.sheet) }
            for case .columnMoved(let id, _) in record.changes { grid.columnMoved(id) }
            recount(record.changes, turn.sheet)
            columnNames.follow(record)
        case .decided(let table, let number, _, let outcome):
            if table == self.table { decided(number, outcome) }
        case .doubted(let table, let number):
            if table == self.table { doubted(number) }
        case .overwritten(let table, let row, let column, let mine, let theirs, let user, _):
            guard table == self.table else { return }
            overwritten(row, column, mine: mine, theirs: theirs, by: user, turn.sheet)
        case .presence(let table, let list):
            if table == self.table { people.take(list) }
        case .reconnecting(_, let reason):
            guard case .reconnecting = connection else {
                connection = .reconnecting(since: now, reason: reason)
                return
            }
        case .lineageChanged(_, let ops): setAside(ops)
        case .failed(let error):
            guard error.table == nil || table == nil || error.table == table else { return }
            connection = .failed(error.message)
            keepUnsent()
            notices.warn("given up: \(error.message)", at: now)
        case .answered: break
        }
    }

    private mutating func take(_ opened: Opened, _ sheet: Sheet?) {
        table = opened.table
        role = opened.role.string
        for column in opened.columns { columnNames[column.id] = column.name.string }
        title = opened.name.string
        people.reconnected()
        if !options.isReadOnly {
            readOnlyReason =
                opened.writer == nil ? "your role (\(opened.role)) does not allow changes" : nil
        }
        if connection != .live { connection = .loading }
    }

    private mutating func wentLive(_ sheet: Sheet?) {
        if connection == .live { return }
        connection = .live
        guard let sheet else { return }
        checkEditor(sheet)
        compareEditor(sheet)
    }

    // MARK: Records of others

    private mutating func take(_ record: Record, _ sheet: Sheet?) {
        flashes.take(record, at: now)
        let who = people.name(of: record.user)
        for change in record.changes {
            switch change {
            case .cellsSet(let cells): interfere(cells, by: who)
            case .rowsHidden(let rows): deleted(rows, by: who)
            case .columnAdded(let column, _): say("\(who) added column \(column.name)")
            case .columnRenamed(let id, let name):
                say("\(who) renamed column \(columnName(id)) to \(name)")
                if editor?.column.id == id { return }
            case .columnHidden(let id): columnDeleted(id, by: who)
            default: continue
            }
        }
        if let sheet { checkEditor(sheet, by: who) }
    }

    private mutating func interfere(_ cells: [CellChange], by who: String) {
        guard let editor else { return }
        for cell in cells where cell.row == editor.row && cell.column == editor.column.id {
            self.editor?.interference = .changed(to: cell.value, by: who)
        }
    }

    private mutating func deleted(_ rows: [RowID], by who: String) {
        let count = selection.remove(rows)
        if count > 0 {
            say("\(who) deleted \(counted(count, "chosen row"))")
        } else if let row = grid.row, rows.contains(row), editor == nil {
            say("\(who) deleted the row under the cursor")
        }
        if let editor, rows.contains(editor.row) {
            self.editor?.interference = .rowDeleted(by: who)
        }
    }

    /// The name that a column had when it was last heard of.
    private func columnName(_ id: ColumnID) -> String { columnNames[id] ?? id.description }

    private mutating func columnDeleted(_ id: ColumnID, by who: String) {
        if editor?.column.id == id {
            editor?.interference = .columnDeleted(by: who)
        } else {
            say("\(who) deleted column \(columnName(id))")
        }
    }

    // MARK: Lost values

    private mutating func overwritten(
        _ row: RowID, _ column: ColumnID, mine: Value, theirs: Value, by user: Text,
        _ sheet: Sheet?
    ) {
        guard let known = sheet?.column(column) else { return }
        let place = sheet?.position(of: row).map { "row \(grouped($0 + 1))" } ?? "a deleted row"
        let text =
            "\(people.name(of: user)) replaced your value in \(place), \(known.name): now "
            + glance(CellLook(theirs).text, widthMax: 30)
        let kept = CellEditor(row: row, column: known, value: mine)
        notices.warn(text, keeping: kept, at: now)
    }

    /// The table's history is another one: what was pending is kept as messages.
    private mutating func setAside(_ ops: [Op]) {
        guard !ops.isEmpty else {
            return say("the table was restored from elsewhere; it is loaded anew")
        }
        keepUnsent()
        notices.warn(
            "the table was restored from elsewhere; \(counted(ops.count, "change")) of yours "
                + "did not get into it", at: now)
    }

    /// What was not confirmed will not be any more: typed texts are kept with messages.
    private mutating func keepUnsent() {
        for number in purposes.keys.sorted() {
            switch purposes[number] {
            case .edit(let kept)?, .recreate(let kept)?:
                let text = glance(kept.field.text, widthMax: 40)
                notices.warn(
                    "not confirmed: \(kept.column.name), \(text)", keeping: kept, at: now)
            case .paste(_, let source)?: clipboard = source
            default: continue
            }
        }
        purposes = [:]
    }
}

extension [ColumnID: String] {
    /// Keeps names in step with a record.
    fileprivate mutating func follow(_ record: Record) {
        for change in record.changes {
            switch change {
            case .columnAdded(let column, _): self[column.id] = column.name.string
            case .columnRenamed(let id, let name): self[id] = name.string
            default: continue
            }
        }
    }
}
