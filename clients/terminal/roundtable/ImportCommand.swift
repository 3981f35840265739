// import: a file becomes a table, or more rows of one. Two passes: the first reads every row to
// find the types, the second sends the rows; between them nothing of the file is kept.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

extension Command {
    /// Imports a file.
    static let importFile = Command(
        "import", "makes a table from a csv or tsv file, or appends its rows to one",
        operands: [Operand("FILE"), Operand("TABLE")],
        options: [
            Option("format", value: "FORMAT", "csv or tsv (default: by the file's name)"),
            Option("types", value: "COLUMN:TYPE,…", "these columns have these types"),
            Option(
                "null", value: "TEXT", isRepeatable: true,
                "what stands for an empty cell, besides the empty field"),
            Option("columns", value: "NAME,…", "only these columns of the file"),
            Option("delimiter", value: "C", "what stands between fields"),
            Option("no-header", "the first line is a row; columns are named for their place"),
            Option("dry-run", "print what would be decided, and do nothing"), jsonOption,
        ] + connectionOptions,
        details: """
            The types of the columns are found from all rows: a column is an int only where
            every field is written as an int is, so 007 and +1 stay text. Where the table is
            there already, the file's columns are matched to its columns by name. `-` is
            standard input, which is then kept in memory until its types are known.
            """
    ) { invocation in
        try ImportRun(invocation).run()
    }
}

/// The bytes of a file, as often as needed: from its descriptor, or from memory where it is a pipe.
private struct Passes: ~Copyable {
    private let path: String
    private let file: LocalFile
    private var kept: [UInt8]?
    private var hasRead = false

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        file = try openInput(path)
        if !file.rewind() { kept = [] }
    }

    /// Calls `body` with each piece, from the first; once or more than once.
    mutating func forEachPiece(
        _ body: (Span<UInt8>) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        if hasRead {
            if let kept { return try body(kept.span) }
            guard file.rewind() else { throw .local("\(path) can be read only once") }
        }
        hasRead = true
        var piece: [UInt8] = []
        while true {
            do {
                try file.read(upTo: 256 << 10, into: &piece)
            } catch {
                throw .local(error.reason)
            }
            guard !piece.isEmpty else { return }
            kept?.append(contentsOf: piece)
            try body(piece.span)
        }
    }
}

/// One call of `import`.
private struct ImportRun {
    private let invocation: Invocation
    private let path: String
    private let target: TableTarget

    init(_ invocation: Invocation) throws(CommandFailure) {
        self.invocation = invocation
        path = invocation.word("FILE")
        target = try TableTarget(invocation.word("TABLE"))
    }

    func run() throws(CommandFailure) {
        let options = try readOptions()
        var passes = try Passes(path)
        var plan = try scan(&passes, options)
        let chosen = try chosenFields(plan)
        if invocation.has("dry-run") { return try printPlan(plan, chosen) }
        let existing = try openExisting()
        if let existing {
            // The table's types count, not those that the file looks like.
            var known = options
            let names = Set(chosen.map { plan.columns[$0].name })
            known.types = existing.columns.filter { names.contains($0.name) }
                .map { TypedColumn(name: $0.name, type: $0.type) }
            plan = try scan(&passes, known)
        }
        let (table, columns) = try makeReady(existing, plan, chosen)
        let count = try send(&passes, plan, chosen, to: table, columns)
        table.conversation.end()
        if invocation.has("json") {
            let output = Output()
            try output.line("{\"rows\":\(count),\"columns\":\(columns.count)}")
            try output.finish()
        }
        talk("imported \(count) rows, \(columns.count) columns into \(target.text)")
    }

    // MARK: What the words say

    private func readOptions() throws(CommandFailure) -> ImportOptions {
        var options = ImportOptions()
        let format = try invocation.format(of: path, default: .csv)
        guard format == .csv || format == .tsv else {
            throw .words("import reads csv and tsv; --format says which")
        }
        options.dialect = format == .tsv ? .tsv : .csv
        if let word = invocation.value("delimiter") {
            let byte = word == "\\t" ? UInt8(ascii: "\t") : word.utf8.first
            guard let byte, word.utf8.count == 1 || word == "\\t",
                let dialect = Dialect(delimiter: byte, quote: UInt8(ascii: "\""))
            else { throw .words("--delimiter is one character, such as ; or \\t") }
            options.dialect = dialect
        }
        options.dialect.hasHeader = !invocation.has("no-header")
        options.nullTexts = invocation.values("null").map { Text($0) }
        if let list = invocation.value("types") {
            do {
                options.types = try typedColumns(parsing: Text(list))
            } catch {
                throw .words("--types: \(error.description)")
            }
        }
        return options
    }

    /// The places of the fields that are imported.
    private func chosenFields(_ plan: ImportPlan) throws(CommandFailure) -> [Int] {
        guard let list = invocation.value("columns") else { return Array(plan.columns.indices) }
        var chosen: [Int] = []
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            let name = Text(String(word))
            guard let index = plan.columns.firstIndex(where: { $0.name == name }) else {
                throw .words("\(path) has no column `\(word)`")
            }
            chosen.append(index)
        }
        return chosen
    }

    // MARK: First pass

    private func scan(
        _ passes: inout Passes, _ options: ImportOptions
    ) throws(CommandFailure) -> ImportPlan {
        var scan = ImportScan(options)
        try passes.forEachPiece { (piece) throws(CommandFailure) in
            do throws(TableFiles.FileError) {
                try scan.read(piece)
            } catch {
                throw .file(path, error)
            }
        }
        do {
            return try scan.finish()
        } catch {
            throw .file(path, error)
        }
    }

    private func printPlan(_ plan: ImportPlan, _ chosen: [Int]) throws(CommandFailure) {
        let output = Output()
        for index in chosen {
            let column = plan.columns[index]
            if invocation.has("json") {
                var writer = JSONWriter()
                writer.beginObject()
                writer.key("name")
                writer.text(column.name)
                writer.key("type")
                writer.text(column.type.rawValue)
                writer.key("nulls")
                writer.integer(column.nullCount)
                writer.endObject()
                writer.endLine()
                try output.write(writer.bytes)
            } else {
                let name = TerminalSafe.line(column.name.string)
                try output.line("\(name):\(column.type.rawValue)  \(column.nullCount) empty")
            }
        }
        try output.finish()
        talk("\(plan.rowCount) rows, \(chosen.count) columns; nothing was imported")
    }

    // MARK: The table

    /// The table where it is there already.
    private func openExisting() throws(CommandFailure) -> TableAtHand? {
        let conversation = try invocation.converse(with: target.server)
        guard case .tables(let tables) = try conversation.ask(.tables) else {
            throw .unexpectedAnswer
        }
        let isThere = tables.contains { table in
            switch target.table {
            case .id(let id): table.table == id
            case .name(let name): table.name == name
            }
        }
        conversation.end()
        return isThere ? try invocation.openTable(for: .write, patience: .long) : nil
    }

    /// Makes the table where it is not there, and finds the column for each chosen field.
    private func makeReady(
        _ existing: TableAtHand?, _ plan: ImportPlan, _ chosen: [Int]
    ) throws(CommandFailure) -> (TableAtHand, [ColumnID]) {
        if let existing {
            var columns: [ColumnID] = []
            for index in chosen {
                columns.append(try existing.columns.column(plan.columns[index].name).id)
            }
            return (existing, columns)
        }
        let columns = chosen.map {
            NewColumn(name: plan.columns[$0].name, type: plan.columns[$0].type)
        }
        let conversation = try invocation.converse(with: target.server)
        let made = try conversation.makeTable(target, columns: columns)
        conversation.end()
        let table = try invocation.openTable(for: .write, patience: .long)
        return (table, made.columns.map(\.id))
    }

    // MARK: Second pass

    private func send(
        _ passes: inout Passes, _ plan: ImportPlan, _ chosen: [Int], to table: TableAtHand,
        _ columns: [ColumnID]
    ) throws(CommandFailure) -> Int {
        var rows = ImportRows(plan)
        var values: [Value] = []
        var sender = RowSender(table: table, columns: columns)
        try passes.forEachPiece { (piece) throws(CommandFailure) in
            var position = 0
            while try next({ () throws(TableFiles.FileError) in
                try rows.readRow(piece, from: &position, into: &values)
            }) {
                try sender.add(chosen.map { values[$0] })
            }
        }
        if try next({ () throws(TableFiles.FileError) in try rows.finish(into: &values) }) {
            try sender.add(chosen.map { values[$0] })
        }
        try sender.finish()
        return sender.sentCount
    }

    /// Whether there is another row.
    private func next(
        _ read: () throws(TableFiles.FileError) -> Bool
    ) throws(CommandFailure) -> Bool {
        do {
            return try read()
        } catch {
            throw .file(path, error)
        }
    }
}

/// Gathers rows into operations and keeps a few of them in flight.
private struct RowSender {
    private let table: TableAtHand
    private let columns: [ColumnID]
    private var cells: [Value] = []
    private var rowCount = 0
    private var byteCount = 0
    private var inFlight: Set<ClientNumber> = []
    /// Rows handed over so far.
    private(set) var sentCount = 0

    /// About the most that one operation carries, well below the limits of a line and of parts.
    private static let rowsPerOpMax = 1_000
    private static let bytesPerOpMax = 256 << 10
    /// Operations that wait for their answer.
    private static let opsInFlightMax = 8

    init(table: TableAtHand, columns: [ColumnID]) {
        self.table = table
        self.columns = columns
    }

    /// Adds a row.
    mutating func add(_ values: [Value]) throws(CommandFailure) {
        for value in values {
            if case .text(let text) = value { byteCount += text.byteCount }
            byteCount += 12
        }
        cells.append(contentsOf: values)
        rowCount += 1
        if rowCount >= Self.rowsPerOpMax || byteCount >= Self.bytesPerOpMax { try flush() }
    }

    /// Sends what is left and waits until everything is decided.
    mutating func finish() throws(CommandFailure) {
        try flush()
        while !inFlight.isEmpty { try waitForOne() }
    }

    private mutating func flush() throws(CommandFailure) {
        guard rowCount > 0 else { return }
        while inFlight.count >= Self.opsInFlightMax { try waitForOne() }
        let count = rowCount
        let ids = table.conversation.driver.perform { client, _, _ in
            client.makeRowIDs(count, in: table.id)
        }
        guard ids.count == count else {
            throw .refused(code: "no_session", message: "the table is not open for writing")
        }
        let rows = InsertRows(
            ids: ids, rowCount: count, anchor: .last, columns: columns.map { .id($0) },
            cells: cells)
        let op = Op(base: table.opened.sequence, mode: .strict, body: [.insertRows(rows)])
        let number = try table.conversation.submit(op, to: table.id)
        guard number > 0 else {
            throw .refused(
                code: WireCode.tooLarge.rawValue,
                message: "rows \(sentCount + 1) to \(sentCount + count) are too large for one line")
        }
        inFlight.insert(number)
        sentCount += count
        cells.removeAll(keepingCapacity: true)
        rowCount = 0
        byteCount = 0
    }

    private mutating func waitForOne() throws(CommandFailure) {
        let table = table
        let (number, outcome) = try table.conversation.wait {
            (notice) throws(CommandFailure) -> (ClientNumber, Outcome)? in
            guard case .decided(table.id, let number, _, let outcome) = notice else { return nil }
            return (number, outcome)
        }
        inFlight.remove(number)
        guard let rejection = outcome.rejection else { return }
        throw .refused(
            code: rejection.code.rawValue,
            message: "\(rejection.message); rows sent before it stay in the table")
    }
}
