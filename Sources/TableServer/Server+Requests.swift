// Requests that are not operations: create, read, who, presence. Opening, hashing, and what
// concerns tables as a whole have files of their own.
import TableModel
import TableValue
import TableWire

extension Server {
    /// Serves a request of a connection that has logged in.
    mutating func serveRequest(_ line: ClientLine, of slot: Int) {
        switch line.message {
        case .hello, .login:
            dismissForMistake(
                slot, ErrorMessage(.malformed, "a connection says hello and logs in once"),
                id: line.id)
        case .ping: answer(slot, .pong, id: line.id)
        case .bye: dismiss(slot, ErrorMessage(.goingAway, "as you wish"), answering: nil)
        case .tables: listTables(dropped: false, for: slot, id: line.id)
        case .droppedTables: listTables(dropped: true, for: slot, id: line.id)
        case .renameTable(let table, let name, let onClash):
            renameTable(table, to: name, onClash: onClash, for: slot, id: line.id)
        case .dropTable(let table): dropTable(table, for: slot, id: line.id)
        case .restoreTable(let table, let onClash):
            restoreTable(table, onClash: onClash, for: slot, id: line.id)
        case .create(let name, let columns):
            createTable(name, columns: columns, for: slot, id: line.id)
        case .open(let request): open(request, for: slot, id: line.id)
        case .close(let table): close(table, for: slot, id: line.id)
        case .read(let request): read(request, for: slot, id: line.id)
        case .past(let request): askForPast(request, for: slot, id: line.id)
        case .history(let request): askForHistory(request, for: slot, id: line.id)
        case .hash(let table): askForHash(of: table, for: slot, id: line.id)
        case .display(let request): changeDisplay(request, for: slot, id: line.id)
        case .who(let table): who(table, for: slot, id: line.id)
        case .comments(let request): listComments(request, for: slot, id: line.id)
        case .users(let users):
            guard isAllowed(.readTable, for: slot, id: line.id) else { return }
            listUsers(users, for: slot, id: line.id)
        case .presence(let table, let row, let column, let isEditing):
            let cursor = Cursor(row: row, column: column, isEditing: isEditing)
            move(cursor, in: table, of: slot, id: line.id)
        case .op: break
        }
    }

    /// The room that a request names, if the role allows what it wants; otherwise it is refused.
    mutating func room(
        _ reference: TableReference, right: Rights, for slot: Int, id: RequestID?
    ) -> Int? {
        guard isAllowed(right, for: slot, id: id) else { return nil }
        guard let room = room(reference) else {
            refuseMissing(reference, for: slot, id: id)
            return nil
        }
        return room
    }

    /// Whether the role of a connection's user allows something; otherwise it is refused.
    mutating func isAllowed(_ right: Rights, for slot: Int, id: RequestID?) -> Bool {
        let role = accounts[connections[slot].account].role
        if allows(role, right) { return true }
        refuse(
            slot, ErrorMessage(.forbidden, "your role (\(role.rawValue)) does not allow this"),
            id: id)
        return false
    }

    /// Answers with what a room holds now: after everything of it that is not yet durable, and
    /// after the records up to now where the connection follows it.
    mutating func answer(
        _ slot: Int, _ message: ServerMessage, id: RequestID?, asOf room: Int
    ) {
        answer(
            slot, message, id: id,
            gate: AnswerGate(
                batch: rooms[room].changedBatch, room: room, sequence: rooms[room].table.head))
    }

    // MARK: Tables

    private mutating func createTable(
        _ name: Text, columns: [NewColumn], for slot: Int, id: RequestID?
    ) {
        guard isAllowed(.createTable, for: slot, id: id) else { return }
        accounts[connections[slot].account].sessionPace.take()
        if let error = problem(withName: name, columns: columns) {
            return refuse(slot, error, id: id)
        }
        var room = Room(
            id: TableID(rawValue: Int64(rooms.count) + 1), name: name,
            lineage: environment.secret(prefix: "", randomByteCount: 10), limits: limits)
        let op = Op(
            mode: .strict,
            body: columns.map {
                .addColumn(AddColumn(name: $0.name, type: $0.type, rules: $0.rules))
            })
        var record: Record?
        if !columns.isEmpty {
            do {
                let author = OpAuthor(
                    session: .server, user: accounts[connections[slot].account].idText)
                let resolution = try room.table.perform(op, by: author, as: 1)
                record = Record(
                    sequence: 1, session: author.session, clientNumber: 0, user: author.user,
                    timeMilliseconds: now.wallMilliseconds, changes: resolution.changes)
            } catch {
                return refuse(slot, wireError(for: error), id: id)
            }
        }
        let position = rooms.count
        let creator = accounts[connections[slot].account].number
        log(.table(room.id, name: name, lineage: room.lineage, by: creator))
        enter(room)
        log(.log(format: logFormat), in: position)
        if let record { add(record, to: position) }
        answer(
            slot, .created(rooms[position].id, columns: rooms[position].table.columns), id: id,
            asOf: position)
    }

    /// Adds a room to those that are found by name and id.
    mutating func enter(_ room: Room) {
        roomsByID[room.id] = rooms.count
        roomsByFoldedName[simpleCaseFolded(room.name)] = rooms.count
        rooms.append(room)
    }

    private func problem(withName name: Text, columns: [NewColumn]) -> ErrorMessage? {
        if let problem = nameProblem(name, of: .table, bytesMax: limits.table.nameBytesMax) {
            return ErrorMessage(.badName, problem)
        }
        if roomsByFoldedName[simpleCaseFolded(name)] != nil {
            return ErrorMessage(.tableExists, "there is a table of that name already")
        }
        if rooms.count >= limits.tablesMax {
            return ErrorMessage(.tooManyTables, "the server has \(limits.tablesMax) tables")
        }
        if columns.count > limits.table.columnsMax {
            return ErrorMessage(
                .tooManyColumns, "a table has at most \(limits.table.columnsMax) columns")
        }
        return nil
    }

    /// The error of the wire that says why columns were refused.
    private func wireError(for rejection: Rejection) -> ErrorMessage {
        let code: WireCode =
            switch rejection.code {
            case .tooManyColumns: .tooManyColumns
            case .badRule: .badRule
            default: .badName
            }
        return ErrorMessage(code, rejection.message)
    }

    // MARK: Reading

    private mutating func read(_ request: ReadRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table, right: .readTable, for: slot, id: id) else { return }
        if let sequence = request.at {
            return readPast(request, at: sequence, in: room, for: slot, id: id)
        }
        read(request, of: rooms[room].table, in: room, for: slot, id: id)
    }

    /// Reads rows of a table as it is, or was.
    mutating func read(
        _ request: ReadRequest, of table: Table, in room: Int, for slot: Int, id: RequestID?
    ) {
        guard request.columns.count <= limits.table.columnsMax else {
            return refuse(
                slot,
                ErrorMessage(
                    .tooManyColumns,
                    "a table has at most \(limits.table.columnsMax) columns; name each once",
                    table: rooms[room].id), id: id)
        }
        var columns: [ColumnID] = []
        for reference in request.columns {
            guard let column = table.liveColumn(reference) else {
                return refuse(
                    slot,
                    ErrorMessage(
                        .unknownColumn, "there is no such column; read the table's columns",
                        table: rooms[room].id), id: id)
            }
            columns.append(column)
        }
        if request.columns.isEmpty { columns = table.columns.map(\.id) }
        var reader = RowReader(
            columns: columns, hasVersions: request.versions, rowsMax: limits.readRowsMax,
            bytesMax: limits.readBytesMax)
        reader.read(request.range, of: table)
        let rowsAnswer = RowsAnswer(
            table: rooms[room].id, sequence: table.head, columns: columns, rows: reader.rows,
            cells: reader.cells, versions: reader.versions, total: table.rowCount)
        answer(slot, .rows(rowsAnswer), id: id, asOf: room)
    }
}

/// Collects rows for an answer, at most as many as one may hold.
struct RowReader {
    let columns: [ColumnID]
    let hasVersions: Bool
    let rowsMax: Int
    let bytesMax: Int
    private(set) var rows: [RowID] = []
    private(set) var cells: [Value] = []
    private(set) var versions: [SequenceNumber] = []
    private var byteCount = 0

    /// Reads nothing yet.
    init(columns: [ColumnID], hasVersions: Bool, rowsMax: Int, bytesMax: Int) {
        self.columns = columns
        self.hasVersions = hasVersions
        self.rowsMax = rowsMax
        self.bytesMax = bytesMax
    }

    /// Collects the live rows of a range, until the answer is full.
    mutating func read(_ range: ReadRange, of table: Table) {
        switch range {
        case .positions(let from, let count):
            guard from >= 0, count > 0 else { return }
            table.forEachRow(from: from, count: min(count, rowsMax), columns: columns) {
                row, values in
                add(row, values, of: table)
                return byteCount < bytesMax
            }
        case .rows(let wanted):
            for row in wanted.prefix(rowsMax) where table.state(of: row) == .live {
                add(row, columns.map { table.value(row, $0) ?? .null }, of: table)
                if byteCount >= bytesMax { return }
            }
        }
    }

    private mutating func add(_ row: RowID, _ values: [Value], of table: Table) {
        rows.append(row)
        cells.append(contentsOf: values)
        byteCount += 16
        for value in values { byteCount += estimatedByteCount(of: value) }
        guard hasVersions else { return }
        for column in columns {
            versions.append(table.cell(row, column)?.version ?? 0)
            byteCount += 10
        }
    }
}

extension Table {
    /// The id of a live column that a request names.
    func liveColumn(_ reference: ColumnReference) -> ColumnID? {
        switch reference {
        case .id(let id): columns.contains { $0.id == id } ? id : nil
        case .name(let name): column(named: name)?.id
        }
    }
}
