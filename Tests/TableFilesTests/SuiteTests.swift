// The published suites of CSV files, read where they lie; each test says when it skips.
import Foundation
import TableFiles
import TableValue
import Testing

/// A file as the suites' JSON puts it: rows of texts, or objects by the header's names.
private func asJSON(_ bytes: [UInt8], isObjects: Bool) throws(FileError) -> [[String: String]] {
    var options = ImportOptions()
    options.dialect.hasHeader = isObjects
    var scan = CheckedRows(options.dialect)
    var position = 0
    var found: [[String: String]] = []
    func keep() {
        let names = isObjects ? scan.header.map(\.string) : (0..<scan.row.count).map(String.init)
        found.append(
            Dictionary(
                uniqueKeysWithValues: names.enumerated().map { ($1, scan.row.text($0).string) }))
    }
    while try scan.readRow(bytes.span, from: &position) { keep() }
    if try scan.finish() { keep() }
    return found
}

/// Reads what a suite says a file holds.
private func expectation(_ path: String) throws -> (isObjects: Bool, rows: [[String: String]]) {
    let json = try JSONSerialization.jsonObject(with: Data(try Suites.bytes(path)))
    if let arrays = json as? [[String]], !arrays.isEmpty {
        let rows = arrays.map { row in
            Dictionary(uniqueKeysWithValues: row.enumerated().map { (String($0), $1) })
        }
        return (false, rows)
    }
    return (true, try #require(json as? [[String: String]]))
}

@Test(
    "csv-spectrum: every file is read as its JSON says",
    .enabled(if: Suites.isThere("csv-spectrum"), "ROUNDTABLE_SUITES has no csv-spectrum"))
func spectrum() throws {
    let names = Suites.names(in: "csv-spectrum/csvs", ending: ".csv")
    #expect(names.count >= 12)
    for name in names {
        let bytes = try Suites.bytes("csv-spectrum/csvs/\(name).csv")
        if name == "location_coordinates" {
            // Its JSON does not belong to it, and it has a bare quote inside a field.
            #expect(read(bytes).error?.problem == .quoteInPlainField)
            continue
        }
        let expected = try expectation("csv-spectrum/json/\(name).json")
        #expect(try asJSON(bytes, isObjects: expected.isObjects) == expected.rows, "\(name)")
    }
}

@Test(
    "csv-test-data: every file is read as its JSON says",
    .enabled(if: Suites.isThere("csv-test-data"), "ROUNDTABLE_SUITES has no csv-test-data"))
func testData() throws {
    let names = Suites.names(in: "csv-test-data/json", ending: ".json")
    #expect(names.count >= 18)
    for name in names {
        let bytes = try Suites.bytes("csv-test-data/csv/\(name).csv")
        let expected = try expectation("csv-test-data/json/\(name).json")
        #expect(try asJSON(bytes, isObjects: expected.isObjects) == expected.rows, "\(name)")
    }
}

@Test(
    "csv-test-data: every file with a bad name is refused, where its header is known too",
    .enabled(if: Suites.isThere("csv-test-data"), "ROUNDTABLE_SUITES has no csv-test-data"))
func badTestData() throws {
    let names = Suites.names(in: "csv-test-data/csv", ending: ".csv").filter {
        $0.hasPrefix("bad-")
    }
    #expect(names.count >= 7)
    for name in names {
        var options = ImportOptions()
        // What is wrong with this file is only that it is not the one that was expected.
        if name == "bad-header-wrong-header" { options.types = columns("foo:text") }
        let bytes = try Suites.bytes("csv-test-data/csv/\(name).csv")
        #expect(throws: FileError.self, "\(name)") { try imported(bytes, options) }
    }
}

/// Imports a file, writes it again, and imports that: the values must be the same.
private func expectRoundTrip(
    _ bytes: [UInt8], nulls: [Text], types: [ColumnType]?, isByteForByte: Bool
) throws {
    var options = ImportOptions()
    options.nullTexts = nulls
    let (plan, rows) = try imported(bytes, options, pieceBytes: 60_000)
    if let types { #expect(plan.columns.map(\.type) == types) }
    #expect(plan.rowCount == rows.count)
    let list = plan.columns.map { TypedColumn(name: $0.name, type: $0.type) }
    var output = OutputOptions()
    output.nullText = nulls.first ?? ""
    let file = Array(written(.csv, list, rows, output).utf8)
    if isByteForByte { #expect(file == bytes, "not byte for byte") }
    options.types = list
    let again = try imported(file, options)
    #expect(again.rows == rows)
    #expect(again.plan.columns.map(\.name) == plan.columns.map(\.name))
}

@Test(
    "airports.csv comes back value by value",
    .enabled(if: Suites.isThere("real/airports.csv"), "ROUNDTABLE_SUITES has no airports.csv"))
func airports() throws {
    try expectRoundTrip(
        Suites.bytes("real/airports.csv"), nulls: ["NA"],
        types: [.text, .text, .double, .double, .int, .int, .text, .text], isByteForByte: false)
}

@Test(
    "planes.csv, airlines.csv and us-employment.csv come back byte for byte",
    .enabled(if: Suites.isThere("real/planes.csv"), "ROUNDTABLE_SUITES has no planes.csv"))
func planes() throws {
    try expectRoundTrip(
        Suites.bytes("real/planes.csv"), nulls: ["NA"],
        types: [.text, .int, .text, .text, .text, .int, .int, .int, .text], isByteForByte: true)
    try expectRoundTrip(
        Suites.bytes("real/airlines.csv"), nulls: [], types: [.text, .text], isByteForByte: true)
    try expectRoundTrip(
        Suites.bytes("real/us-employment.csv"), nulls: [], types: nil, isByteForByte: true)
}

/// The first bytes of flights.csv out of its archive; nil where that cannot be had.
private func flights(bytesMax: Int) -> [UInt8]? {
    let archive = Suites.root.appending(path: "real/flights.csv.zip").path()
    let unzip = "/usr/bin/unzip"
    guard FileManager.default.fileExists(atPath: archive),
        FileManager.default.isExecutableFile(atPath: unzip)
    else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: unzip)
    process.arguments = ["-p", archive]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    // Read to the end, since ending a child early needs signals that this process may block.
    var bytes: [UInt8] = []
    while let data = try? pipe.fileHandleForReading.read(upToCount: 1 << 20), !data.isEmpty {
        if bytes.count < bytesMax { bytes.append(contentsOf: data.prefix(bytesMax - bytes.count)) }
    }
    process.waitUntilExit()
    return bytes
}

private let canReadFlights =
    Suites.isThere("real/flights.csv.zip")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip")

@Test(
    "the beginning of flights.csv comes back byte for byte, its numbers are numbers",
    .enabled(if: canReadFlights, "no flights.csv.zip in ROUNDTABLE_SUITES, or no unzip"))
func flightsComeBack() throws {
    var bytes = try #require(flights(bytesMax: 500_000))
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "\n")))
    bytes.removeSubrange((end + 1)...)
    try expectRoundTrip(
        bytes, nulls: ["NA"],
        types: [
            .int, .int, .int, .int, .int, .int, .int, .int, .int, .text, .int, .text, .text, .text,
            .int, .int, .int, .int, .datetime,
        ], isByteForByte: true)
}
