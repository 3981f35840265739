// What the tests of files share: reading bytes in any pieces, awkward values, the suites' folder.
import Foundation
import TableFiles
import TableValue
import TestSupport

/// A field of a row that was read.
struct Field: Hashable, CustomStringConvertible {
    let text: Text
    let isQuoted: Bool
    var description: String { isQuoted ? "\"\(text)\"" : "\(text)" }
}

/// All rows of a file, or the error that ended it.
struct Reading: Equatable {
    var rows: [[Field]] = []
    var lines: [Int] = []
    var error: FileError?

    var texts: [[String]] { rows.map { $0.map(\.text.string) } }
}

/// Reads bytes in pieces that end at the given places.
func read(
    _ bytes: [UInt8], _ dialect: Dialect = .csv, splitAt splits: [Int] = [],
    limits: FileLimits = FileLimits()
) -> Reading {
    var reader = DelimitedReader(dialect, limits: limits)
    var reading = Reading()
    func keep() {
        let row = reader.row
        reading.rows.append(
            (0..<row.count).map { Field(text: row.text($0), isQuoted: row.isQuoted($0)) })
        reading.lines.append(row.line)
    }
    do throws(FileError) {
        var start = 0
        for end in splits + [bytes.count] {
            let piece = Array(bytes[start..<end])
            start = end
            var position = 0
            while try reader.readRow(piece.span, from: &position) { keep() }
        }
        if try reader.finish() { keep() }
        // A reader that has ended stays at its end.
        if try reader.finish() { reading.rows.append([]) }
    } catch {
        reading.error = error
    }
    return reading
}

func read(_ text: String, _ dialect: Dialect = .csv, splitAt splits: [Int] = []) -> Reading {
    read(Array(text.utf8), dialect, splitAt: splits)
}

/// A file as its plan and its rows of values, in pieces of a given size.
func imported(
    _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), pieceBytes: Int = 4096
) throws(FileError) -> (plan: ImportPlan, rows: [[Value]]) {
    let pieces = stride(from: 0, to: bytes.count, by: pieceBytes).map { start in
        Array(bytes[start..<min(start + pieceBytes, bytes.count)])
    }
    var scan = ImportScan(options)
    for piece in pieces { try scan.read(piece.span) }
    let plan = try scan.finish()
    var reader = ImportRows(plan)
    var rows: [[Value]] = []
    var values: [Value] = []
    for piece in pieces {
        var position = 0
        while try reader.readRow(piece.span, from: &position, into: &values) {
            rows.append(values)
        }
    }
    if try reader.finish(into: &values) { rows.append(values) }
    return (plan, rows)
}

func imported(
    _ text: String, _ options: ImportOptions = ImportOptions()
) throws(FileError) -> (plan: ImportPlan, rows: [[Value]]) {
    try imported(Array(text.utf8), options)
}

/// A table as text in a format.
func written(
    _ format: TableFormat, _ columns: [TypedColumn], _ rows: [[Value]],
    _ options: OutputOptions = OutputOptions()
) -> String {
    var writer = TableWriter(format, columns: columns, options: options)
    var output: [UInt8] = []
    writer.begin(&output)
    for row in rows { writer.append(row, to: &output) }
    writer.end(&output)
    return String(decoding: output, as: UTF8.self)
}

/// Columns from `name:type,…`.
func columns(_ list: Text) -> [TypedColumn] { (try? typedColumns(parsing: list)) ?? [] }

extension SeededRandom {
    /// A value of a type, or sometimes null, chosen to be awkward.
    mutating func value(_ type: ColumnType) -> Value {
        if below(6) == 0 { return .null }
        let bits = next()
        switch type {
        case .bool: return .bool(bits & 1 == 0)
        case .int: return .int(Int64(bitPattern: bits) >> Int64(below(64)))
        case .double:
            let double = Double(bitPattern: bits)
            return .double(below(2) == 0 ? Double(below(1000)) / 8 : double.isNaN ? .nan : double)
        case .decimal:
            let digits = Int128(Int64(bitPattern: bits) >> Int64(below(64)))
            return ExactDecimal(coefficient: digits, scale: below(20)).map { .decimal($0) } ?? .null
        case .choice: return .choice(Text(word(of: "ab ,\"", countMax: 4)))
        case .list, .json:
            let list = JSONTree.list([
                .text(Text(word(of: "é\"\n,", countMax: 3))), .int(Int64(below(9))),
            ])
            return type == .list ? .list(CanonicalJSON(list)) : .json(CanonicalJSON(list))
        case .text:
            let special = ",;\t\"\n\r '\\|\u{0}\u{FEFF}\u{301}éa0-NA漢👌"
            return .text(Text(word(of: special, countMax: 6)))
        case .date: return .date(Day(daysSinceEpoch: Int32(below(3_000_000)) - 700_000))
        case .datetime:
            return .datetime(
                Moment(
                    microsecondsSinceEpoch: Int64(below(1 << 50)) - (1 << 49),
                    offsetMinutes: Int16(below(2_879) - 1_439)))
        case .uuid: return .uuid(Identifier128(high: bits, low: next()))
        }
    }
}

/// The folder with files from elsewhere that the tests read; they skip where it is absent.
enum Suites {
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["ROUNDTABLE_SUITES"], !path.isEmpty {
            return URL(filePath: path)
        }
        return URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "shared/data")
    }()

    static func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: name).path())
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: name)))
    }

    /// The names of a folder's files with an ending, without it.
    static func names(in folder: String, ending: String) -> [String] {
        let path = root.appending(path: folder).path()
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .sorted()
    }
}
