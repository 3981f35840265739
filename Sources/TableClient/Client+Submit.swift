// Operations: given a number and a line, shown at once, sent as the window allows, decided once.
// What they do to the table is the replica's (Replica.swift); what waits is in Outbox.swift.
package import TableModel
import TableValue
package import TableWire

extension Client {
    /// Performs an operation: it shows in the replica at once and is sent until it is decided.
    ///
    /// It is sent as soon as the window allows, and again after a reconnect. It never changes once
    /// it has its number.
    ///
    /// Where `base` is 0 it becomes the number of the replica. New rows and columns without ids are
    /// given ids of this client's session; the outcome names them as if the server had.
    ///
    /// - Parameters:
    ///   - op: what is wanted.
    ///   - table: where.
    ///   - now: the time.
    ///   - actions: where to put what is to be done.
    /// - Returns: its client number; nil where the table is not open for writing, where too many
    ///   operations wait, or where its line would be longer than the server takes (which is told
    ///   by a `decided` of number 0).
    package mutating func submit(
        _ op: Op, to table: TableID, at now: ClientInstant, into actions: inout [ClientAction]
    ) -> ClientNumber? {
        guard let position = positions[table], tables[position].takesOps,
            tables[position].outbox.count < configuration.pendingOpsMax
        else { return nil }
        var op = op
        if op.base == 0, tables[position].isLoaded { op.base = tables[position].sequence }
        let filled = fillIDs(&op, in: position)
        let number = tables[position].outbox.nextNumber
        var line: [UInt8] = []
        let submitted = SubmittedOp(table: .id(table), clientNumber: number, op: op)
        write(ClientLine(message: .op(submitted)), to: &line)
        guard line.count - 1 <= sendLineBytesMax else {
            var outcome = Outcome(status: .rejected)
            outcome.rejection = Rejection(
                .tooManyParts,
                "the operation has \(line.count) bytes, the server takes \(sendLineBytesMax) "
                    + "at once; split it")
            let refusal = ClientNotice.decided(
                table, clientNumber: 0, sequence: nil, outcome: outcome)
            actions.append(.notify(refusal))
            return nil
        }
        let pending = PendingOp(clientNumber: number, op: op, line: line)
        tables[position].outbox.append(pending, filled: filled)
        tables[position].replica?.add(pending)
        flush(at: now, into: &actions)
        return number
    }

    /// New row ids of this client's session in a table, never used before; empty where there is
    /// no session, or where more than a million are wanted at once.
    package mutating func makeRowIDs(_ count: Int, in table: TableID) -> [RowID] {
        positions[table].map { tables[$0].makeRowIDs(count) } ?? []
    }

    /// A new column id of this client's session in a table; nil where there is no session.
    package mutating func makeColumnID(in table: TableID) -> ColumnID? {
        positions[table].flatMap { tables[$0].makeColumnID() }
    }

    // MARK: Answers

    /// The server answered an operation outside the stream of records.
    mutating func replied(_ position: Int, _ reply: Reply, into actions: inout [ClientAction]) {
        let answer = Answer(sequence: reply.sequence, outcome: reply.outcome)
        answered(position, reply.clientNumber, answer, into: &actions)
    }

    private mutating func answered(
        _ position: Int, _ number: ClientNumber, _ answer: Answer,
        into actions: inout [ClientAction]
    ) {
        guard tables[position].outbox.answered(number, answer) else { return }
        // One whose record is still to come stays in the overlay until it does.
        if answer.sequence.map({ $0 <= tables[position].sequence }) ?? true {
            tables[position].replica?.drop(number)
        }
        tables[position].stepped()
        settle(position, into: &actions)
    }

    /// Tells of the operations that are decided, each once, in order.
    mutating func settle(_ position: Int, into actions: inout [ClientAction]) {
        guard let id = tables[position].id else { return }
        let keepsRows = tables[position].replica != nil
        let decided = tables[position].outbox.takeDecided(
            confirmedThrough: keepsRows ? tables[position].sequence : nil)
        for decision in decided {
            let number = decision.clientNumber
            let notice: ClientNotice =
                if let outcome = decision.answer.outcome {
                    .decided(
                        id, clientNumber: number, sequence: decision.answer.sequence,
                        outcome: outcome)
                } else {
                    .doubted(id, clientNumber: number)
                }
            actions.append(.notify(notice))
        }
    }

    /// The server did not take an operation; it has no outcome.
    mutating func opRefused(
        _ position: Int, _ number: ClientNumber, _ error: ErrorMessage, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        switch error.code {
        case .sequenceGap:
            guard tables[position].outbox.gapFound(at: number),
                tables[position].outbox.rewindsWithoutProgress > configuration.faultsMax
            else { return }
            fault(position, "operations are missing at the server", at: now, into: &actions)
        case .rateLimited:
            let seconds = min(max(error.retrySeconds ?? 1, 0.05), configuration.retryMaxSeconds)
            tables[position].pausedUntil = now.after(seconds: seconds)
            tables[position].outbox.refused(number)
        case .sessionExpired:
            // Of this operation alone the answer is gone; the session goes on.
            answered(position, number, Answer(sequence: nil, outcome: nil), into: &actions)
        case .notOpen, .noSession, .lineageChanged, .slowConsumer, .loginTimeout,
            .tooManyConnections, .storageFailed, .internalError, .goingAway:
            // What became of it is not known here: to come back and resume tells.
            note(retrySeconds: error.retrySeconds)
            lose("\(error.code.rawValue): \(error.message)", at: now, into: &actions)
        default:
            failTable(position, error, into: &actions)
        }
    }

    // MARK: Inside

    /// Gives ids to what the operation makes: pending rows must have names, for the overlay and
    /// for operations that follow.
    private mutating func fillIDs(_ op: inout Op, in position: Int) -> FilledIDs {
        var filled = FilledIDs()
        for index in op.body.indices {
            switch op.body[index] {
            case .insertRows(var insert) where insert.ids.isEmpty && insert.rowCount > 0:
                guard insert.rowCount <= TableLimits().partsMax else { continue }
                insert.ids = tables[position].makeRowIDs(insert.rowCount)
                filled.rows += insert.ids
                op.body[index] = .insertRows(insert)
            case .addColumn(var add) where add.id == nil:
                add.id = tables[position].makeColumnID()
                if let id = add.id { filled.columns.append(id) }
                op.body[index] = .addColumn(add)
            default: continue
            }
        }
        return filled
    }
}
