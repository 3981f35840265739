// One of each message, with values of every type: what the tests of readers and writers share.
import TableModel
import TableValue

@testable import TableWire

/// Shorthands for ids.
func row(_ session: UInt32, _ counter: UInt32) -> RowID {
    RowID(session: SessionNumber(truncating: session), counter: counter)
}

func column(_ session: UInt32, _ counter: UInt32) -> ColumnID {
    ColumnID(session: SessionNumber(truncating: session), counter: counter)
}

func rows(_ session: UInt32, _ counters: ClosedRange<UInt32>) -> [RowID] {
    counters.map { row(session, $0) }
}

/// A line as bytes.
func bytes(_ string: String) -> [UInt8] { Array(string.utf8) }

/// Reads a client's line given as a string.
func readClient(
    _ string: String, limits: WireLimits = WireLimits()
) throws(WireError) -> ClientLine {
    let line = bytes(string)
    return unsafe try readClientLine(line.span.bytes, limits: limits)
}

/// Reads a server's line given as a string.
func readServer(
    _ string: String, limits: WireLimits = WireLimits()
) throws(WireError) -> ServerLine {
    let line = bytes(string)
    return unsafe try readServerLine(line.span.bytes, limits: limits)
}

/// A message as its line, without the end.
func lineText(_ line: ClientLine) -> String {
    var output: [UInt8] = []
    write(line, to: &output)
    return String(decoding: output.dropLast(), as: UTF8.self)
}

/// A message as its line, without the end.
func lineText(_ line: ServerLine) -> String {
    var output: [UInt8] = []
    write(line, to: &output)
    return String(decoding: output.dropLast(), as: UTF8.self)
}

/// Values that come back from the wire as what they were: numbers, texts, bools, null.
let plainValues: [Value] = [
    .null, .bool(true), .bool(false), .int(0), .int(-1), .int(1 << 53), .int(-(1 << 53)),
    .double(1.5), .double(-0.0), .double(Double.leastNonzeroMagnitude),
    .double(1.7976931348623157e308),
    .double(0.1), .double(1e21), .text(""), .text("Grüße, \"世界\" \\ / 🙂"),
    .text(Text("\u{0}\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\u{7F}\u{2028}")),
]

let sampleBlock = RowBlock(
    ids: rows(12, 1...3) + [row(13, 7)], place: RowPlace(after: row(3, 4), slot: row(3, 5)),
    columns: [column(0, 1), column(12, 2)],
    cells: [
        .int(1), .text("a"), .null, .text(""), .double(2.5), .bool(false), .int(-7), .null,
    ])

let sampleJSON = Value.json(
    CanonicalJSON(
        .object([
            JSONMember(key: "a", value: .list([.int(1), .double(1.5), .null, .bool(true)])),
            JSONMember(key: "é\n", value: .text("\u{0}\"")),
        ])))

let sampleChanges: [Change] =
    displayChangeSamples + [
        .rowsInserted(sampleBlock),
        .rowsInserted(
            RowBlock(ids: [row(1, 1)], place: RowPlace(after: nil), columns: [], cells: [])),
        .cellsSet([
            CellChange(row: row(12, 1), column: column(1, 2), value: .int(5)),
            CellChange(row: row(12, 2), column: column(1, 2), value: .null),
        ]),
        .rowsHidden([row(12, 1)] + rows(12, 7...9)),
        .rowsShown(sampleBlock),
        .rowsMoved(rows(12, 1...2), to: RowPlace(after: row(1, 1))),
        .rowsMoved([row(12, 4)], to: RowPlace(after: nil, slot: row(1, 9))),
        .columnAdded(
            Column(id: column(12, 1), name: "Due", type: .date),
            at: ColumnPlace(after: column(3, 1))),
        .columnAdded(
            Column(id: column(12, 2), name: "When", type: .datetime), at: ColumnPlace(after: nil)),
        .columnRenamed(column(12, 1), name: "Größe"),
        .columnAdded(
            Column(
                id: column(12, 3), name: "state", type: .choice,
                rules: ColumnRules(choices: ["open", "\"done\""])), at: ColumnPlace(after: nil)),
        .columnRulesSet(column(12, 3), ColumnRules(choices: ["open", "späť"])),
        .columnRulesSet(column(12, 3), ColumnRules()),
        .columnRetyped(column(12, 1), .choice, ColumnRules(choices: ["a"])),
        .columnRetyped(column(12, 1), .int, ColumnRules()),
        .cellsSet([
            CellChange(row: row(12, 1), column: column(1, 2), value: sampleJSON),
            CellChange(row: row(12, 2), column: column(1, 2), value: .text("12.50")),
        ]),
        .columnMoved(column(12, 1), to: ColumnPlace(after: nil)),
        .columnMoved(column(12, 1), to: ColumnPlace(after: column(3, 1), slot: column(3, 2))),
        .columnHidden(column(12, 1)),
        .columnShown(
            Column(
                id: column(12, 1), name: "Due", type: .choice, rules: ColumnRules(choices: ["a"])),
            at: ColumnPlace(after: column(3, 1))),
        .rowsArranged([row(1, 2), row(1, 1)]),
        .commentPut(sampleComments[0]), .commentPut(sampleComments[1]),
        .leaseSet(row(12, 1), untilMilliseconds: 1_796_025_600_123), .leaseEnded(row(12, 1)),
        .cellsFilled(column(12, 1), rows: [row(1, 1), row(1, 2)], values: [.int(3), .null]),
    ]

var fullOutcome: Outcome {
    var outcome = Outcome(status: .partial)
    outcome.applied = 7
    outcome.hidden = 2
    outcome.gone = 1
    outcome.refused = 3
    outcome.notes = [
        .sibling, .anchorHidden, .anchorGone, .anchorMoved, .orderChanged, .nothingToClaim,
        .overrode(count: 3, sequence: 118), .renamed("Due 2"), .restored(sampleRestored),
        .converted(count: 3, emptied: 2), .converted(count: 1, emptied: 0),
    ]
    outcome.rows = rows(0, 5...9)
    outcome.columns = [column(0, 3)]
    outcome.values = [.int(8), .double(2.5)]
    outcome.rejection = Rejection(
        .preconditionFailed, "The cell was written since: read it again.", part: 2,
        row: row(12, 1), column: column(1, 2),
        current: CurrentCell(
            value: .text("x"), version: 118, session: SessionNumber(truncating: 3),
            user: "u2"))
    outcome.rejection?.rule = "choices"
    outcome.rejection?.sequence = 119
    outcome.inserted = [true, false]
    outcome.comments = [CommentID(sequence: 118, ordinal: 1)]
    outcome.rejection?.offenders = rows(12, 5...7)
    return outcome
}

let sampleBody: [Intent] =
    copySamples + sampleBots + sampleCommentIntents + otherSamples + displaySamples

private let otherSamples: [Intent] = [
    .insertRows(
        InsertRows(
            ids: rows(12, 1...2), rowCount: 2, anchor: .after(row(3, 4)),
            columns: [.name("name"), .id(column(1, 2))],
            cells: [.text("a"), .int(1), .null, .double(2.5)])),
    .insertRows(InsertRows(rowCount: 3)),
    .insertRows(
        InsertRows(rowCount: 1, anchor: .first, columns: [.name("qty")], cells: [.int(4)])),
    .setCells([
        CellEdit(row: row(12, 1), column: .name("qty"), value: .int(5)),
        CellEdit(row: row(12, 2), column: .id(column(1, 2)), value: .text("x")),
    ]),
    .addNumber(row: row(12, 1), column: .name("qty"), amount: .int(3)),
    .deleteRows([row(12, 1)] + rows(12, 7...9)),
    .moveRows([row(12, 1)], to: .after(row(12, 9))),
    .moveRows(rows(12, 1...2), to: .last),
    .addColumn(AddColumn(name: "Due", type: .date)),
    .addColumn(
        AddColumn(
            id: column(12, 1), name: "When", type: .uuid, anchor: .after(.name("Due")),
            onClash: .suffix, ifAbsent: true)),
    .renameColumn(.id(column(12, 1)), name: "When", onClash: .reject),
    .renameColumn(.name("When"), name: "Then", onClash: .suffix),
    .moveColumn(.id(column(12, 1)), to: .first),
    .moveColumn(.name("Then"), to: .after(.id(column(3, 1)))),
    .deleteColumn(.name("Then")),
    .addColumn(
        AddColumn(
            name: "state", type: .choice,
            rules: .object([JSONMember(key: "choices", value: .list([.text("open")]))]))),
    .sortRows(SortRows(by: [.init(.name("due")), .init(.id(column(1, 2)), isDescending: true)])),
    .sortRows(SortRows(by: [.init(.name("due"))], rows: [row(1, 2), row(1, 7)])),
    .transformColumn(TransformColumn(column: .name("qty"), value: "qty + 1")),
    .transformColumn(
        TransformColumn(column: .name("qty"), value: "'a\"b'", condition: "qty > 3")),
    .clear, .truncate, .undo(UndoRequest(.last(ofUser: false))),
    .undo(UndoRequest(.lastUndone(ofUser: true), isForced: true)),
    .undo(UndoRequest(.sequence(7))), .undo(UndoRequest(.clientNumber(7))),
    .restore(RestoreRequest(to: .sequence(118))),
    .restore(
        RestoreRequest(
            to: .time(1_796_025_600_000), rows: rows(12, 1...2), columns: [.name("qty")])),
    .changeRules(
        .name("state"), .object([JSONMember(key: "choices_added", value: .list([.text("done")]))])),
    .changeRules(.id(column(12, 1)), .object([JSONMember(key: "choices", value: .null)])),
    .setCells([CellEdit(row: row(12, 1), column: .name("state"), value: sampleJSON)]),
]

let samplePreconditions: [Precondition] = [
    .cellVersion(row: row(12, 1), column: .name("qty"), version: 118),
    .cellValue(row: row(12, 1), column: .id(column(1, 2)), value: .int(5)),
    .rowVersion(row: row(12, 1), version: 118), .rowLive(row(12, 1)), .tableSequence(120),
    .rowAbsent(column: .name("sku"), value: .text("A-1")),
    .rowAbsent(column: .id(column(1, 2)), value: .int(7)),
    .schemaSequence(0),
]

let sampleOp = SubmittedOp(
    table: .id(TableID(rawValue: 1)), clientNumber: 7,
    op: Op(base: 120, mode: .strict, preconditions: samplePreconditions, body: sampleBody))

var sampleOpen: OpenRequest {
    var request = OpenRequest(table: .name("parts"))
    request.write = false
    request.follow = false
    request.start = .head
    request.have = OpenRequest.Held(lineage: "abc", sequence: 118)
    request.resume = OpenRequest.Resume(
        session: SessionNumber(truncating: 12), token: "secret", next: 8)
    request.window = 1_024
    return request
}

let clientMessages: [ClientMessage] = [
    .hello(versions: [1], features: [], client: ""),
    .hello(versions: [1, 2], features: ["a", "b"], client: "bot 1.0"),
    .login(.token("rt1d_aaaa")), .login(.invite("abcd", name: "Ada")),
    .ping, .tables, .droppedTables, .bye,
    .renameTable(.name("parts"), name: "bits", onClash: .reject),
    .renameTable(.id(TableID(rawValue: 3)), name: "bits", onClash: .suffix),
    .dropTable(.id(TableID(rawValue: 3))),
    .restoreTable(.name("parts"), onClash: .reject),
    .restoreTable(.id(TableID(rawValue: 3)), onClash: .suffix),
    .create(
        name: "parts",
        columns: ColumnType.allCases.map { NewColumn(name: Text("c " + $0.rawValue), type: $0) }),
    .create(name: "empty", columns: []),
    .open(OpenRequest(table: .id(TableID(rawValue: 3)))), .open(sampleOpen),
    .close(.name("parts")), .hash(.id(TableID(rawValue: 1))), .who(.name("t")),
    .users(["u1", "u22"]), .users([]),
    .display(DisplayRequest(table: .name("parts"), patch: nil)),
    .display(
        DisplayRequest(
            table: .id(TableID(rawValue: 3)), column: .name("due"),
            patch: .object([JSONMember(key: "hidden", value: .bool(true))]))),
    .comments(CommentsRequest(table: .name("t"))),
    .comments(sampleCommentsRequest),
    .op(sampleOp),
    .op(SubmittedOp(table: .name("parts"), clientNumber: 0, op: Op(body: []))),
    .read(ReadRequest(table: .name("parts"), range: .rows(rows(1, 1...4)))),
    .read(
        ReadRequest(
            table: .name("parts"), range: .positions(from: 3, count: 9),
            columns: [.name("qty"), .id(column(1, 2))], versions: true)),
    .read(
        ReadRequest(table: .name("parts"), range: .positions(from: 0, count: 1), at: 118)),
    .past(PastRequest(table: .name("parts"), moment: .sequence(118))),
    .past(PastRequest(table: .id(TableID(rawValue: 1)), moment: .time(-1))),
    .history(HistoryRequest(table: .name("parts"))), .history(sampleHistory),
    .presence(.id(TableID(rawValue: 1)), row: row(1, 2), column: column(1, 2)),
    .presence(.id(TableID(rawValue: 1)), row: nil, column: nil),
    .presence(
        .id(TableID(rawValue: 1)), row: row(1, 2), column: column(1, 2), isEditing: true),
]

let sampleColumns = ColumnType.allCases.enumerated().map { index, type in
    Column(id: column(0, UInt32(index) + 1), name: Text(type.rawValue), type: type)
}

let sampleRecord = Record(
    sequence: 121, session: SessionNumber(truncating: 12), clientNumber: 7, user: "u2",
    timeMilliseconds: 1_796_025_600_000, changes: sampleChanges, outcome: fullOutcome)

let sampleOpened = Opened(
    table: TableID(rawValue: 1), name: "parts", lineage: "abc", sequence: 120,
    columns: sampleColumns, rowCount: 336_776, role: "editor",
    writer: WriteSession(
        session: SessionNumber(truncating: 12), token: "secret", lastClientNumber: 6,
        rowCounter: 4_294_967_295, columnCounter: 3, window: 64))

let sampleError = ErrorMessage(
    .malformed, "a field comes twice", table: TableID(rawValue: 1), clientNumber: 7, offset: 19,
    retrySeconds: 0.25)

let serverMessages: [ServerMessage] = {
    let table = TableID(rawValue: 1)
    var silent = sampleOpened
    silent.writer = nil
    silent.look = sampleLook
    silent.mine = sampleMine
    let present = [
        Presence(connection: 5, user: "u2", name: "Ada", row: row(1, 2), column: column(1, 2)),
        Presence(connection: 6, user: "u3", name: "Grace"),
        Presence(
            connection: 7, user: "u3", name: "Grace", row: row(1, 2), column: column(1, 2),
            isEditing: true),
    ]
    return [
        .welcome(Welcome()),
        .loggedIn(user: "u2", name: "Ada", role: "owner", token: "rt1d_aaaa"),
        .loggedIn(user: "u2", name: "Ada", role: "owner", token: nil), .pong,
        .tables([]),
        .tables([
            TableSummary(table: table, name: "parts", rowCount: 7, columnCount: 2, sequence: 120)
        ]),
        .created(table, columns: sampleColumns), .opened(sampleOpened), .opened(silent),
        .snapshot(table, sequence: 120, rowCount: 336_776, columns: sampleColumns),
        .snapshot(
            table, sequence: 120, rowCount: 1, columns: displayedColumns, look: sampleLook),
        .display(table, mine: sampleMine), .display(table, mine: PersonalDisplay()),
        .chunk(
            Chunk(
                table: table, rows: sampleBlock.ids, columns: sampleBlock.columns,
                cells: sampleBlock.cells)),
        .chunk(Chunk(table: table, rows: rows(1, 1...9), columns: [], cells: [])),
        .snapshotEnd(table, sequence: 120), .record(table, sampleRecord),
        .record(
            table,
            Record(
                sequence: 1, session: .server, clientNumber: 0, user: "u1", timeMilliseconds: -1,
                changes: [])),
        .live(table, sequence: 0),
        .reply(
            Reply(
                table: table, clientNumber: 0, sequence: 9, outcome: fullOutcome,
                isExactlyOnce: false)),
        .reply(
            Reply(
                table: table, clientNumber: 9, sequence: nil, outcome: Outcome(status: .noop),
                isExactlyOnce: true)),
        .rows(
            RowsAnswer(
                table: table, sequence: 120, columns: sampleBlock.columns, rows: sampleBlock.ids,
                cells: sampleBlock.cells, versions: Array(1...8), total: 336_776)),
        .rows(
            RowsAnswer(
                table: table, sequence: 120, columns: [], rows: [], cells: [], versions: [],
                total: 0)),
        .past(
            PastAnswer(
                table: table, sequence: 118, timeMilliseconds: 1_796_025_600_000, rowCount: 7,
                columns: sampleColumns)),
        .past(
            PastAnswer(
                table: table, sequence: 1, timeMilliseconds: nil, rowCount: 0, columns: [])),
        .history(
            HistoryAnswer(
                table: table, sequence: 121,
                entries: [
                    sampleEntry,
                    HistoryEntry(
                        sequence: 1, timeMilliseconds: -1, user: "u1", session: .server,
                        clientNumber: 0, kind: .columns),
                ], next: 120)),
        .history(HistoryAnswer(table: table, sequence: 0, entries: [], next: nil)),
        .hash(table, sequence: 120, hash: Array(0..<32)), .who(table, present),
        .comments(CommentsAnswer(table: table, sequence: 0, comments: [])),
        .comments(
            CommentsAnswer(
                table: table, sequence: 120, comments: sampleComments,
                hidden: [sampleComments[1].id], next: sampleComments[1].id)),
        .users([UserName(user: "u1", name: "Ada"), UserName(user: "u2", name: "é\"")]), .users([]),
        .presence(table, present), .presence(table, []), .closed(table), .error(sampleError),
        .renamed(table, name: "bits"), .dropped(table), .restored(table, name: "parts 2"),
        .error(ErrorMessage(.tooDeep, "")), .bye(ErrorMessage(.goingAway, "bye", retrySeconds: 3)),
    ]
}()
