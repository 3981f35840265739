// One table's stream: opened, snapshot or records, live; its replica is kept in step, and its
// author's operations are decided by what passes.
import TableModel
import TableValue
import TableWire

extension Client {
    /// The numbers of records that can be; JSON numbers are exact up to there.
    private static let sequences = 0...SequenceNumber(1) << 53

    /// Asks for a table, where it is wanted.
    mutating func sendOpen(_ position: Int) {
        guard tables[position].phase == .wanted else { return }
        let id = takeRequestID()
        tables[position].phase = .opening(id)
        say(.open(tables[position].makeOpenRequest(window: configuration.window)), id: id)
    }

    /// The server opened a table.
    mutating func opened(
        _ position: Int, _ opened: Opened, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        let id = opened.table
        if let held = positions[id], held != position, tables[held].phase == .failed {
            // It was given up under another name, and is opened anew.
            tables[held].id = nil
            positions[id] = position
        }
        guard positions[id] ?? position == position, tables[position].id ?? id == id,
            opened.columns.count <= configuration.columnsMax,
            Client.sequences.contains(opened.sequence)
        else { return lose("the server opened another table", at: now, into: &actions) }
        tables[position].id = id
        positions[id] = position
        tables[position].phase = .open
        if let lineage = tables[position].lineage, lineage != opened.lineage {
            let ops = tables[position].setAside()
            actions.append(.notify(.lineageChanged(id, setAside: ops)))
        }
        guard tables[position].take(opened.writer) else {
            let error = ErrorMessage(
                .sessionExpired,
                "the server does not know what this session has done; open the table anew",
                table: id)
            return failTable(position, error, into: &actions)
        }
        succeeded()
        if tables[position].lineage == nil {
            tables[position].lineage = opened.lineage
            if tables[position].replica == nil { tables[position].sequence = opened.sequence }
        }
        if tables[position].replica == nil || tables[position].isLoaded {
            actions.append(.notify(.opened(opened)))
        } else {
            tables[position].untold = opened
        }
    }

    /// The server did not open a table.
    mutating func openRefused(
        _ position: Int, _ error: ErrorMessage, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        if error.code == .lineageChanged, let id = tables[position].id ?? error.table,
            tables[position].holdsHistory
        {
            let ops = tables[position].setAside()
            actions.append(.notify(.lineageChanged(id, setAside: ops)))
            tables[position].phase = .wanted
            sendOpen(position)
        } else if error.code.isFinal || error.code == .noSession || error.code == .lineageChanged {
            failTable(position, error, into: &actions)
        } else {
            note(retrySeconds: error.retrySeconds)
            lose("\(error.code.rawValue): \(error.message)", at: now, into: &actions)
        }
    }

    /// Gives one table up.
    ///
    /// What is pending in it, and its replica, can still be read.
    mutating func failTable(
        _ position: Int, _ error: ErrorMessage, into actions: inout [ClientAction]
    ) {
        if state == .ready, tables[position].phase == .open, error.code != .tableDeleted {
            say(.close(tables[position].reference), id: takeRequestID())
        }
        tables[position].phase = .failed
        tables[position].loading = nil
        tables[position].untold = nil
        var error = error
        error.table = tables[position].id
        error.message = "table \(tables[position].label): \(error.message)"
        actions.append(.notify(.failed(error)))
    }

    /// The stream makes no sense: load the table anew, some times, then give it up.
    mutating func fault(
        _ position: Int, _ reason: String, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        tables[position].faults += 1
        tables[position].stepsSinceFault = 0
        tables[position].isLoaded = false
        guard tables[position].faults <= configuration.faultsMax else {
            return failTable(position, ErrorMessage(.internalError, reason), into: &actions)
        }
        lose(reason, at: now, into: &actions)
    }

    // MARK: Snapshot

    /// A snapshot begins.
    mutating func snapshotBegan(
        _ position: Int, _ table: Table, rowCount: Int, columnCount: Int, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].replica != nil else {
            let reason =
                "the records after \(tables[position].sequence) are not sent any more; "
                + "follow from the head"
            return failTable(position, ErrorMessage(.slowConsumer, reason), into: &actions)
        }
        guard columnCount <= configuration.columnsMax, rowCount >= 0,
            Client.sequences.contains(table.head)
        else { return fault(position, "a snapshot that cannot be", at: now, into: &actions) }
        tables[position].loading = OpenTable.Loading(table: table, rowCount: rowCount)
    }

    /// A block of a snapshot's rows came.
    mutating func chunkCame(
        _ position: Int, _ chunk: Chunk, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].replica != nil else { return }
        guard tables[position].loading != nil else {
            return fault(position, "rows outside a snapshot", at: now, into: &actions)
        }
        guard tables[position].load(chunk) else {
            return fault(position, "rows that do not fit", at: now, into: &actions)
        }
    }

    /// Comments of a snapshot came.
    mutating func commentsCame(
        _ position: Int, _ answer: CommentsAnswer, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].replica != nil else { return }
        guard tables[position].loading?.table.load(answer.comments) == true else {
            return fault(
                position, "comments of a snapshot do not fit", at: now, into: &actions)
        }
    }

    /// A snapshot is complete.
    mutating func snapshotEnded(
        _ position: Int, _ sequence: SequenceNumber, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].replica != nil else { return }
        guard let loading = tables[position].loading, loading.table.head == sequence,
            loading.table.rowCount == loading.rowCount
        else { return fault(position, "a snapshot with rows missing", at: now, into: &actions) }
        tables[position].finish(loading)
        if let opened = tables[position].untold {
            tables[position].untold = nil
            actions.append(.notify(.opened(opened)))
        }
        settle(position, into: &actions)
    }

    // MARK: Records

    /// A record came.
    mutating func recorded(
        _ position: Int, _ record: Record, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].request.follow, let id = tables[position].id else { return }
        var record = record
        if tables[position].replica != nil {
            guard tables[position].isLoaded, tables[position].loading == nil,
                let fitting = tables[position].converted(record)
            else { return fault(position, "a record that does not fit", at: now, into: &actions) }
            record = fitting
            noticeLosses(position, record, into: &actions)
            guard tables[position].replica?.apply(record) == true else {
                return fault(position, "a record that does not follow", at: now, into: &actions)
            }
        } else if record.sequence != tables[position].sequence &+ 1 {
            return fault(position, "a record is missing", at: now, into: &actions)
        }
        tables[position].sequence = record.sequence
        tables[position].stepped()
        let isMine =
            record.clientNumber > 0 && record.session == tables[position].writer?.session
        actions.append(.notify(.applied(id, record, isMine: isMine)))
        guard isMine else { return }
        let answer = Answer(sequence: record.sequence, outcome: record.outcome)
        _ = tables[position].outbox.answered(record.clientNumber, answer)
        settle(position, into: &actions)
    }

    /// Everything up to a number has been sent.
    mutating func caughtUp(
        _ position: Int, _ sequence: SequenceNumber, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        guard let id = tables[position].id, tables[position].request.follow else { return }
        guard tables[position].replica == nil || tables[position].isLoaded,
            sequence <= tables[position].sequence
        else { return fault(position, "records are missing", at: now, into: &actions) }
        tables[position].outbox.sendUnansweredAgain()
        guard !tables[position].isLive else { return }
        tables[position].isLive = true
        actions.append(.notify(.live(id, sequence: tables[position].sequence)))
    }

    /// Tells of work of this client that a record of somebody else takes away.
    private mutating func noticeLosses(
        _ position: Int, _ record: Record, into actions: inout [ClientAction]
    ) {
        guard let id = tables[position].id, let session = tables[position].writer?.session,
            record.session != session, let confirmed = tables[position].replica?.confirmed
        else { return }
        var losses = Losses(of: session, by: record, in: confirmed)
        guard !losses.isEmpty else { return }
        if !losses.cells.isEmpty {
            let underWay = tables[position].outbox.cellsSet(over: confirmed)
            for (index, cell) in losses.cells.enumerated() {
                let key = CellKey(row: cell.row, column: cell.column)
                losses.cells[index].isSetAnew = underWay.contains(key)
            }
        }
        actions.append(.notify(.lost(id, losses)))
    }
}
