// A table as text, row by row, in each of the formats that the command line knows.
// One door to the writers beside it: DelimitedWriter, JSONWriter, MarkdownWriter, BoxWriter.
package import TableValue

/// The formats that a table can be written in.
package enum TableFormat: String, Hashable, Sendable, CaseIterable {
    case box, csv, tsv, json, ndjson, markdown
}

/// How a table is written, as far as it can be chosen.
package struct OutputOptions: Hashable, Sendable {
    /// What stands for null in CSV and TSV; the same text as a value is then quoted.
    ///
    /// Where `Dialect.canStandForNull` says no, null is the empty field as by default.
    package var nullText: Text = ""
    /// True to write the names of the columns first in CSV and TSV.
    package var hasHeader = true
    /// The columns of a terminal that a cell of boxed text takes at most, at least one; nil for
    /// no limit.
    package var cellWidthMax: Int?
    /// The rows that the table has where not all of them are written; shown below boxed text.
    package var rowsInTable: Int?
    /// True to show control characters of text in CSV and TSV too, for output to a terminal.
    package var isForTerminal = false

    /// The defaults: everything, as it reads back.
    package init() {}
}

/// Writes a table as text: `begin`, `append` for each row, `end`.
///
/// Each call appends to the output what is known by then. Boxed text needs the widths of all
/// cells, so it keeps the rows and writes everything in `end`; the other formats keep nothing.
package struct TableWriter: Sendable {
    private enum Writer {
        case delimited(DelimitedWriter)
        case json(JSONWriter)
        case markdown(MarkdownWriter)
        case box(BoxWriter)
    }

    private var writer: Writer

    /// Begins a table of the given columns.
    package init(
        _ format: TableFormat, columns: [TypedColumn], options: OutputOptions = OutputOptions()
    ) {
        switch format {
        case .csv:
            writer = .delimited(DelimitedWriter(.csv, columns: columns, options: options))
        case .tsv:
            writer = .delimited(DelimitedWriter(.tsv, columns: columns, options: options))
        case .json: writer = .json(JSONWriter(columns: columns, isArray: true))
        case .ndjson: writer = .json(JSONWriter(columns: columns, isArray: false))
        case .markdown: writer = .markdown(MarkdownWriter(columns: columns))
        case .box: writer = .box(BoxWriter(columns: columns, options: options))
        }
    }

    /// Writes what stands before the rows.
    package mutating func begin(_ output: inout [UInt8]) {
        switch writer {
        case .delimited(let writer): writer.begin(&output)
        case .json(let writer): writer.begin(&output)
        case .markdown(let writer): writer.begin(&output)
        case .box: break
        }
    }

    /// Writes a row, one value a column; missing values count as null, others are passed over.
    package mutating func append(_ values: [Value], to output: inout [UInt8]) {
        switch writer {
        case .delimited(let writer): writer.append(values, to: &output)
        case .json(var jsonWriter):
            jsonWriter.append(values, to: &output)
            writer = .json(jsonWriter)
        case .markdown(let writer): writer.append(values, to: &output)
        case .box(var boxWriter):
            // So that there is one owner while the rows grow.
            writer = .json(JSONWriter(columns: [], isArray: false))
            boxWriter.append(values)
            writer = .box(boxWriter)
        }
    }

    /// Writes what stands behind the rows.
    package mutating func end(_ output: inout [UInt8]) {
        end(&output) { (_: inout [UInt8]) throws(Never) in }
    }

    /// Writes what stands behind the rows, and calls `body` after each line with what has been
    /// written by then.
    ///
    /// `body` may take the bytes out of the output; for boxed text, which is written as a whole
    /// here, no more than a line is then kept.
    package mutating func end<Failure: Error>(
        _ output: inout [UInt8], afterEachLine body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch writer {
        case .delimited, .markdown: break
        case .json(let writer): writer.end(&output)
        case .box(let writer): try writer.end(&output, afterEachLine: body)
        }
    }
}
