// How tables are shown to one user alone: kept for her in the table's log, as lines without a
// number, given to her when she opens the table on any device, and told to nobody else.
// What a table says to everybody is an operation like others, and no business of this file.
import TableModel
import TableValue
import TableWire

extension Server {
    /// Says something of how a table, or one of its columns, is shown to the user alone.
    mutating func changeDisplay(_ request: DisplayRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table, right: .readTable, for: slot, id: id) else { return }
        let account = connections[slot].account
        accounts[account].sessionPace.take()
        let user = accounts[account].number
        let before = rooms[room].personal[user] ?? PersonalDisplay()
        let line: LogLine
        do {
            line = try personalLine(request, of: user, in: room)
        } catch {
            return refuse(slot, error.message, id: id)
        }
        guard let mine = before.changed(by: line) else { return }
        guard mine.count <= max(limits.displayFieldsMax, before.count) else {
            return refuse(
                slot,
                ErrorMessage(
                    .tooManySettings,
                    "one user has \(limits.displayFieldsMax) display settings of one table "
                        + "at most; take some back", table: rooms[room].id), id: id)
        }
        if mine != before {
            log(line, in: room)
            rooms[room].personal[user] = mine.isEmpty ? nil : mine
            tell(mine, to: account, besides: slot, in: room)
        }
        answer(
            slot, .display(rooms[room].id, mine: mine), id: id,
            gate: AnswerGate(batch: rooms[room].changedBatch))
    }

    /// The line of the log that a request comes to.
    private func personalLine(
        _ request: DisplayRequest, of user: Int64, in room: Int
    ) throws(RequestRefusal) -> LogLine {
        var column: Column?
        if let reference = request.column {
            column = rooms[room].table.anyColumn(reference)
            if column == nil {
                throw RequestRefusal(
                    ErrorMessage(
                        .unknownColumn, "there is no such column; read the table's columns",
                        table: rooms[room].id))
            }
        }
        guard let patch = request.patch else {
            return .personalDisplay(user: user, column: column?.id, nil)
        }
        do {
            let entries = try displayEntries(wanted: patch, for: column?.type)
            return .personalDisplay(user: user, column: column?.id, entries)
        } catch {
            let place = column.map { "column \($0.id): " } ?? ""
            throw RequestRefusal(
                ErrorMessage(.badDisplay, place + error.reason, table: rooms[room].id))
        }
    }

    /// Tells the other connections of a user that have the table open.
    private mutating func tell(
        _ mine: PersonalDisplay, to account: Int, besides slot: Int, in room: Int
    ) {
        let gate = AnswerGate(batch: rooms[room].changedBatch)
        for other in connections.indices
        where other != slot && connections[other].phase == .open
            && connections[other].account == account
            && connections[other].position(ofRoom: room) != nil
        {
            answer(other, .display(rooms[room].id, mine: mine), gate: gate)
        }
    }

    /// Takes a line of the log.
    ///
    /// - Returns: false where it does not fit.
    mutating func recoverPersonal(_ line: LogLine, room: Int) -> Bool {
        guard case .personalDisplay(let user, _, _) = line,
            accounts.position(ofNumber: user) != nil
        else { return false }
        let before = rooms[room].personal[user] ?? PersonalDisplay()
        guard let mine = before.changed(by: line) else { return false }
        rooms[room].personal[user] = mine.isEmpty ? nil : mine
        return true
    }
}

/// Why a request is refused.
private struct RequestRefusal: Error {
    let message: ErrorMessage

    init(_ message: ErrorMessage) { self.message = message }
}

extension PersonalDisplay {
    /// The same after a line of the log; nil where that is about something else.
    fileprivate func changed(by line: LogLine) -> PersonalDisplay? {
        guard case .personalDisplay(_, let column, let entries) = line else { return nil }
        var changed = self
        if let entries { changed.set(column, entries) } else { changed.clear(column) }
        return changed
    }
}

extension Table {
    /// A column that a request names: by its id also one that was deleted.
    fileprivate func anyColumn(_ reference: ColumnReference) -> Column? {
        switch reference {
        case .id(let id): column(id)
        case .name(let name): column(named: name)
        }
    }
}
