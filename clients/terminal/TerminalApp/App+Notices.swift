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
            if table == self.table { applied(record, isMine: isMine, &turn) }
        case .decided(let table, let number, _, let outcome):
            guard table == self.table else { return }
            if case .claim? = purposes[number] {
                purposes[number] = nil
                claimed(outcome, turn.sheet)
            } else {
                decided(number, outcome)
            }
        case .doubted(let table, let number):
            if table == self.table { doubted(number) }
        case .lost(let table, let losses):
            if table == self.table { lost(losses, turn.sheet) }
        case .presence(let table, let list):
            if table == self.table { people.take(list) }
        case .display: break
        case .renamed(let table, let name):
            if table == self.table { title = name.string }
        case .unanswered(let since):
            if connection == .live { connection = .unanswered(since: since) }
        case .answering:
            if case .unanswered = connection { connection = .live }
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
        case .answered(let id, let answer):
            if takeHistory(answer, to: id) { return }
            for user in people.take(answer, to: id) {
                notices.name(user, people.name(of: user))
            }
        }
    }

    /// A record was applied.
    private mutating func applied(_ record: Record, isMine: Bool, _ turn: inout Turn) {
        defer { warnedOf = nil }
        authors.note(record)
        grid.isContentNew = true
        if !isMine {
            take(record, turn.sheet)
        } else if case .undo? = purposes[record.clientNumber] {
            followUndo(record, turn.sheet)
        }
        for case .columnMoved(let id, _) in record.changes { grid.columnMoved(id) }
        recount(record.changes, turn.sheet)
        columnNames.follow(record)
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
            if opened.role == "commenter" { readOnlyReason = App.commentsOnly }
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
        people.heard(of: record.user)
        let who = Author.user(record.user)
        for change in record.changes {
            switch change {
            case .cellsSet(let cells): interfere(cells, by: who)
            case .cellsFilled(let column, let rows, let values):
                interfere(fill(column, rows, values), by: who)
            case .rowsArranged(let rows): say("sorted \(counted(rows.count, "row"))", by: who)
            case .rowsHidden(let rows): deleted(rows, by: who)
            case .columnAdded(let column, _): say("added column \(column.name)", by: who)
            case .columnRenamed(let id, let name):
                say("renamed column \(columnName(id)) to \(name)", by: who)
            case .columnHidden(let id): columnDeleted(id, by: who)
            case .commentPut(let comment): told(comment, in: record, sheet)
            default: continue
            }
        }
        if let sheet { checkEditor(sheet, by: who) }
    }

    /// The cell under edit, where a fill sets it.
    func fill(_ column: ColumnID, _ rows: [RowID], _ values: [Value]) -> [CellChange] {
        guard let editor, editor.column.id == column else { return [] }
        // A column that comes back brings its cells, which `checkEditor` compares.
        if case .columnDeleted = editor.interference { return [] }
        return zip(rows, values).filter { $0.0 == editor.row }
            .map { CellChange(row: $0, column: column, value: $1) }
    }

    private mutating func interfere(_ cells: [CellChange], by who: Author) {
        guard let editor else { return }
        for cell in cells where cell.row == editor.row && cell.column == editor.column.id {
            self.editor?.interference = .changed(to: cell.value, by: who)
        }
    }

    private mutating func deleted(_ rows: [RowID], by who: Author) {
        let count = selection.remove(rows)
        if count > 0 {
            say("deleted \(counted(count, "chosen row"))", by: who)
        } else if let row = grid.row, rows.contains(row), editor == nil, warnedOf == nil {
            say("deleted the row under the cursor", by: who)
        }
        if let editor, rows.contains(editor.row) {
            self.editor?.interference = .rowDeleted(by: who)
        }
    }

    /// The name that a column had when it was last heard of.
    func columnName(_ id: ColumnID) -> String { columnNames[id] ?? id.description }

    private mutating func columnDeleted(_ id: ColumnID, by who: Author) {
        if editor?.column.id == id {
            editor?.interference = .columnDeleted(by: who)
        } else if warnedOf == nil {
            say("deleted column \(columnName(id))", by: who)
        }
    }

    /// Says in passing what somebody did.
    mutating func say(_ deed: String, by author: Author, keeping kept: CellEditor? = nil) {
        var unnamed: Text?
        if case .user(let user) = author, !people.isKnown(user) { unnamed = user }
        notices.say(
            "\(people.name(of: author)) \(deed)", keeping: kept, unnamed: unnamed, at: now)
    }

    /// Says of what somebody did what must be seen.
    mutating func warn(_ deed: String, by author: Author, puttingBack back: PutBack? = nil) {
        var unnamed: Text?
        if case .user(let user) = author {
            people.heard(of: user)
            if !people.isKnown(user) { unnamed = user }
        }
        notices.warn(
            "\(people.name(of: author)) \(deed)", puttingBack: back, unnamed: unnamed, at: now)
    }

    /// Asks the server for the names of those who are not here.
    mutating func askForNames(_ client: inout Client, _ clientActions: inout [ClientAction]) {
        let users = people.namesToAskFor
        guard connection == .live, !users.isEmpty else { return }
        people.asked(users, as: client.request(.users(users), at: now, into: &clientActions))
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
