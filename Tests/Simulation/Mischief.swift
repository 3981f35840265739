// The layer that planted bugs live in: it stands between the real cores and their surroundings
// and changes what passes. Without a bug everything passes as it is.
import TableLog
import TableModel
import TableValue
import TableWire

/// Changes what passes between a core and the world, where a bug is planted.
struct Mischief {
    let bug: PlantedBug?
    /// What was made of a line, so that a line sent again is changed in the same way.
    private var rewritten: [[UInt8]: [UInt8]] = [:]
    /// The link on which an operation was sent first.
    private var firstLinks: [[UInt8]: Int] = [:]
    /// Records that were changed on their way to the disk, as lines.
    private var changedRecords: [SequenceNumber: [UInt8]] = [:]
    /// The links on which a record was left out.
    private var skipped: Set<Int> = []
    /// The table as the disk has it.
    private var reference = ReferenceTable()

    /// Passes everything as it is, but for the bug.
    init(bug: PlantedBug?) {
        self.bug = bug
    }

    // MARK: From a client

    /// What the server gets of what a client sent.
    mutating func clientSent(_ bytes: [UInt8], on link: Int) -> [UInt8] {
        switch bug {
        case .bentInsert, .bentMove, .bentAdd, .bentUndo, .bentClaim:
            return linesOf(bytes).flatMap { bend($0) }
        case .noDuplicateCheck: return linesOf(bytes).flatMap { doubled($0, on: link) }
        default: return bytes
        }
    }

    /// An operation that was sent before on another link, once more as a new one.
    private mutating func doubled(_ line: [UInt8], on link: Int) -> [UInt8] {
        guard isLine(line, "op"), var read = try? readClientMessage(line),
            case .op(var submitted) = read.message
        else { return line }
        guard let first = firstLinks[line] else {
            firstLinks[line] = link
            return line
        }
        guard first != link else { return line }
        submitted.clientNumber = 0
        submitted.op.body = submitted.op.body.map(withoutIDs)
        read.message = .op(submitted)
        var output: [UInt8] = []
        write(read, to: &output)
        return output + line
    }

    private func withoutIDs(_ intent: Intent) -> Intent {
        switch intent {
        case .insertRows(var insert):
            insert.ids = []
            return .insertRows(insert)
        case .addColumn(var add):
            add.id = nil
            return .addColumn(add)
        default: return intent
        }
    }

    private mutating func bend(_ line: [UInt8]) -> [UInt8] {
        if let known = rewritten[line] { return known }
        guard var read = try? readClientMessage(line), case .op(var submitted) = read.message
        else { return line }
        submitted.op.body = submitted.op.body.map(bend)
        read.message = .op(submitted)
        var output: [UInt8] = []
        write(read, to: &output)
        rewritten[line] = output
        return output
    }

    private func bend(_ intent: Intent) -> Intent {
        switch (bug, intent) {
        case (.bentInsert, .insertRows(var insert)):
            guard case .after(let row) = insert.anchor,
                let place = reference.rowPlace(row),
                let next = reference.rows[(place + 1)...].first(where: { !$0.isHidden })
            else { return intent }
            insert.anchor = .after(next.id)
            return .insertRows(insert)
        case (.bentMove, .moveRows(let rows, let anchor)):
            return .moveRows(rows.reversed(), to: anchor)
        case (.bentAdd, .addNumber(let row, .id(let column), .int(let amount))):
            guard case .int(let value) = reference.value(row, column) else { return intent }
            let sum = Value.int(value &+ amount)
            return .setCells([CellEdit(row: row, column: .id(column), value: sum)])
        case (.bentClaim, .claimRow(let claim)):
            let leased = reference.liveRows.first { reference.leases[$0] != nil }
            guard let row = leased, !claim.cells.isEmpty else { return intent }
            return .setCells(
                claim.cells.map { CellEdit(row: row, column: $0.column, value: $0.value) })
        case (.bentUndo, .undo(let request)):
            return .undo(UndoRequest(request.target, isForced: true))
        default:
            return intent
        }
    }

    // MARK: From the server

    /// What leaves the server for a connection.
    mutating func serverSent(_ bytes: [UInt8], on link: Int) -> [UInt8] {
        switch bug {
        case .skippedRecord:
            guard !skipped.contains(link), link > 4 else { return bytes }
            var output = linesOf(bytes)
            let place = output.firstIndex { isLine($0, "record") }
            guard let place, output.count > 1 else { return bytes }
            skipped.insert(link)
            output.remove(at: place)
            return output.flatMap { $0 }
        case .resurrection:
            guard !changedRecords.isEmpty else { return bytes }
            return linesOf(bytes).flatMap { line in
                Mischief.record(in: line).flatMap { changedRecords[$0.sequence] } ?? line
            }
        default:
            return bytes
        }
    }

    private static func record(in line: [UInt8]) -> Record? {
        guard isLine(line, "record"), case .record(_, let record)? = try? readServerMessage(line)
        else { return nil }
        return record
    }

    // MARK: To the disk and back

    /// What the disk gets of a batch.
    mutating func stored(_ batch: LogBatch) -> LogBatch {
        guard bug != nil, batch.log != 0 else { return batch }
        var result = batch
        result.bytes = linesOf(batch.bytes).flatMap { stored($0, log: batch.log) }
        return result
    }

    private mutating func stored(_ line: [UInt8], log: LogID) -> [UInt8] {
        if var record = Mischief.record(in: line) {
            let shown = bug == .resurrection ? resurrected(by: record) : []
            record.changes.append(contentsOf: shown)
            try? reference.apply(record)
            guard !shown.isEmpty else { return line }
            var output: [UInt8] = []
            write(
                ServerLine(message: .record(TableID(rawValue: log), record)), to: &output)
            changedRecords[record.sequence] = output
            return output
        }
        return line
    }

    /// What brings back the hidden rows whose cells a record sets.
    private func resurrected(by record: Record) -> [Change] {
        var changes: [Change] = []
        for case .cellsSet(let cells) in record.changes {
            guard let row = cells.first?.row, let place = reference.rowPlace(row),
                reference.rows[place].isHidden
            else { continue }
            let before = reference.rows[..<place]
            let slot = before.last.flatMap { $0.isHidden ? $0.id : nil }
            let after = before.last { !$0.isHidden }?.id
            changes.append(
                .rowsShown(
                    RowBlock(
                        ids: [row], place: RowPlace(after: after, slot: slot), columns: [],
                        cells: [])))
        }
        return changes
    }

    /// What a server that starts gets of a log.
    func recovered(_ batches: [LogBatch]) -> [LogBatch] {
        guard bug == .forgottenDecision || bug == .lostRefusal else { return batches }
        var result = batches
        var seen: Set<SessionNumber> = []
        for place in result.indices.reversed() where result[place].log != 0 {
            var output: [[UInt8]] = []
            var lost: Set<ClientNumber> = []
            for line in linesOf(result[place].bytes) {
                if isLine(line, "reply"), case .reply(let reply)? = try? readServerMessage(line),
                    lost.contains(reply.clientNumber)
                {
                    lost.remove(reply.clientNumber)
                } else {
                    output.append(withoutNewest(line, &seen, &lost))
                }
            }
            result[place].bytes = output.flatMap { $0 }
        }
        return result.filter { !$0.bytes.isEmpty }
    }

    /// A `decided` line without the newest entry of each session that is not seen yet; any other
    /// line as it is.
    private func withoutNewest(
        _ line: [UInt8], _ seen: inout Set<SessionNumber>, _ lost: inout Set<ClientNumber>
    ) -> [UInt8] {
        guard isLine(line, "decided"), let entries = try? readDecided(line) else { return line }
        let text = String(decoding: line, as: UTF8.self)
        guard let start = text.firstIndex(of: "[") else { return line }
        var lists = text[start...].split(separator: "]").filter { $0.contains("\"s") }
        for place in entries.indices.reversed()
        where seen.insert(entries[place].session).inserted {
            guard (entries[place].sequence == 0) == (bug == .lostRefusal) else { continue }
            lists.remove(at: place)
            if entries[place].sequence == 0 { lost.insert(entries[place].clientNumber) }
        }
        guard !lists.isEmpty else { return [] }
        let kept = lists.map { "[" + $0.drop { $0 != "\"" } + "]" }.joined(separator: ",")
        return Array("\(text[..<start])[\(kept)]}\n".utf8)
    }

    /// The log whose last batch a lying disk loses in a crash.
    func logToForget(in disk: VirtualDisk) -> LogID? {
        guard bug == .lyingDisk else { return nil }
        return disk.logs.last { $0 != 0 && (disk.committed[$0]?.count ?? 0) > 3 }
    }
}
