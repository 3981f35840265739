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
        "import", "makes a table from a csv, tsv, json or ndjson file, or appends its rows to one",
        operands: [Operand("FILE"), Operand("TABLE")],
        options: [
            Option("format", value: "FORMAT", "csv, tsv, json or ndjson (default: by the name)"),
            Option("types", value: "COLUMN:TYPE,…", "these columns have these types"),
            Option(
                "null", value: "TEXT", isRepeatable: true,
                "what stands for an empty cell, besides the empty field"),
            Option("columns", value: "NAME,…", "only these columns of the file"),
            Option("rows", value: "A:B", "only the rows from number A to number B, from 1"),
            Option("delimiter", value: "C", "what stands between fields"),
            Option("decimal", value: "C", "what stands for the decimal point, such as ,"),
            Option("no-header", "the first line is a row; columns are named for their place"),
            Option("dry-run", "print the columns and types that were found, and do nothing"),
            jsonOption,
        ] + connectionOptions,
        details: """
            The types of the columns are found from all rows: a column is an int only where
            every field is written as an int is, so 007 and +1 stay text. Where the table is
            there already, its types count, and rows are appended with the file's columns
            matched by name. `-` is standard input. Rows are stored in pieces: where the
            server refuses one, those before it stay, and the error says how many. Of several
            pieces it names the records, with which `roundtable undo` takes them back at once.

            A json file is one list of objects, an ndjson file one object a line; their keys
            are the columns, in the order in which they first come, and a key that a row
            lacks is an empty cell. Dates and long integers are texts there, as `export`
            writes them. Values of different kinds in one column are refused, unless --types
            names a type that all of them fit.

            The types are \(typeNames).
            A choice column takes its choices from its type, --types 'state:choice(open|done)',
            or, where the table is new, from the values in the file: at most 1,000, of 1 to 128
            bytes each.
            """
    ) { invocation in
        try ImportRun(invocation).run()
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
        var file = try ImportFile(path)
        var plan = try scan(&file, options)
        let chosen = try chosenFields(plan)
        if invocation.has("dry-run") {
            try checkChoices(plan, chosen)
            return try printPlan(plan, chosen)
        }
        let existing = try openExisting()
        if let existing {
            // The table's types count, not those that the file looks like.
            var known = options
            known.types = []
            for index in chosen {
                let name = plan.columns[index].name
                let column = try existing.columns.column(name)
                let choices = column.type == .choice ? column.rules.choices : nil
                known.types.append(TypedColumn(name: name, type: column.type, choices: choices))
            }
            plan = try scan(&file, known)
        } else {
            try checkChoices(plan, chosen)
        }
        let (table, columns) = try makeReady(existing, plan, chosen)
        let (count, records) = try send(&file, plan, chosen, to: table, columns)
        table.conversation.end()
        if invocation.has("json") {
            let output = Output()
            try output.line(
                "{\"rows\":\(count),\"columns\":\(columns.count),\"records\":\"\(records)\"}")
            try output.finish()
        }
        talk("imported \(counts(count, columns.count)) into \(target.text)")
        if !records.isEmpty, !records.isSingle {
            talk("roundtable undo \(target.text) --seq \(records) takes the rows back")
        }
        hintAtHeader(plan)
    }

    // MARK: What the words say

    private func readOptions() throws(CommandFailure) -> ImportOptions {
        var options = ImportOptions()
        let format = try invocation.format(
            of: invocation.has("delimiter") ? nil : path, default: .csv, mayLackEnding: true)
        switch format {
        case .csv, .tsv:
            options.dialect = format == .tsv ? .tsv : .csv
            try readDialect(into: &options)
        case .json, .ndjson:
            options.shape = format == .json ? .json : .ndjson
            for option in ["null", "delimiter", "decimal", "no-header"]
            where invocation.has(option) {
                throw .words("--\(option) is for csv and tsv")
            }
        case .box, .markdown:
            throw .words("import reads csv, tsv, json and ndjson; --format says which")
        }
        options.rows = try wantedRows()
        if let list = invocation.value("types") {
            do {
                options.types = try typedColumns(parsing: Text(list))
            } catch {
                throw .words("--types: \(error.description)")
            }
        }
        return options
    }

    private func readDialect(into options: inout ImportOptions) throws(CommandFailure) {
        if let word = invocation.value("delimiter") {
            let byte = word == "\\t" ? UInt8(ascii: "\t") : word.utf8.first
            guard let byte, word.utf8.count == 1 || word == "\\t",
                let dialect = Dialect(delimiter: byte, quote: UInt8(ascii: "\""))
            else { throw .words("--delimiter is one character, such as ; or \\t") }
            options.dialect = dialect
        }
        options.dialect.hasHeader = !invocation.has("no-header")
        options.nullTexts = invocation.values("null").map { Text($0) }
        guard let word = invocation.value("decimal") else { return }
        guard word.utf8.count == 1, let mark = word.utf8.first, [",", ".", "'"].contains(word)
        else {
            throw .words("--decimal is one of , . '")
        }
        guard mark != options.dialect.delimiter else {
            throw .words("--decimal is also the delimiter; name another with --delimiter")
        }
        options.decimalMark = mark
    }

    /// The rows that `--rows` names: `A:B`, where either may be left out.
    private func wantedRows() throws(CommandFailure) -> ClosedRange<Int>? {
        guard let word = invocation.value("rows") else { return nil }
        let ends = word.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) }
        guard ends.count == 2, zip(ends, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            throw .words("--rows is A:B, such as 1:100, :100 or 101:")
        }
        let (first, last) = (numbers[0] ?? 1, numbers[1] ?? .max)
        guard first >= 1, last >= first else {
            throw .words("--rows \(word): rows are counted from 1, and B is not below A")
        }
        return first...last
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
        _ file: inout ImportFile, _ options: ImportOptions
    ) throws(CommandFailure) -> ImportPlan {
        var scan = ImportScan(options)
        try file.forEachPiece { (piece) throws(CommandFailure) in
            do throws(FileError) {
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

    /// Refuses values that cannot be the choices of a new column.
    private func checkChoices(_ plan: ImportPlan, _ chosen: [Int]) throws(CommandFailure) {
        for index in chosen {
            if let fault = plan.columns[index].choicesFault { throw .file(path, fault) }
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
        talk("\(counts(plan.rowCount, chosen.count)); nothing was imported")
        hintAtHeader(plan)
    }

    private func counts(_ rows: Int, _ columns: Int) -> String {
        "\(counted(rows, "row")), \(counted(columns, "column"))"
    }

    /// Says why there is no row, where the file has a header and nothing else.
    private func hintAtHeader(_ plan: ImportPlan) {
        guard plan.rowCount == 0, plan.options.shape == .delimited, plan.options.rows == nil,
            plan.options.dialect.hasHeader
        else { return }
        talk("the file has a header only; with --no-header its first line is a row")
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
        let columns = chosen.map { index in
            let column = plan.columns[index]
            return NewColumn(
                name: column.name, type: column.type,
                rules: ColumnRules(choices: column.choices).tree)
        }
        let conversation = try invocation.converse(with: target.server)
        let made = try conversation.makeTable(target, columns: columns)
        conversation.end()
        let table = try invocation.openTable(for: .write, patience: .long)
        return (table, made.columns.map(\.id))
    }

    // MARK: Second pass

    private func send(
        _ file: inout ImportFile, _ plan: ImportPlan, _ chosen: [Int], to table: TableAtHand,
        _ columns: [ColumnID]
    ) throws(CommandFailure) -> (rowCount: Int, records: RecordNumbers) {
        var rows = ImportRows(plan)
        var values: [Value] = []
        var sender = RowSender(table: table, columns: columns)
        var progress = Progress(of: plan.rowCount, on: table.conversation.driver.loop)
        try file.forEachPiece { (piece) throws(CommandFailure) in
            var position = 0
            while try next({ () throws(FileError) in
                try rows.readRow(piece, from: &position, into: &values)
            }) {
                try sender.add(chosen.map { values[$0] })
            }
            progress.show(sender.storedCount)
        }
        if try next({ () throws(FileError) in try rows.finish(into: &values) }) {
            try sender.add(chosen.map { values[$0] })
        }
        try sender.finish()
        progress.end()
        return (sender.storedCount, sender.records)
    }

    /// Whether there is another row.
    private func next(
        _ read: () throws(FileError) -> Bool
    ) throws(CommandFailure) -> Bool {
        do {
            return try read()
        } catch {
            throw .file(path, error)
        }
    }
}
