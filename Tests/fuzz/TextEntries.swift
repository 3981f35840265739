// Entries for texts that people bring: files of delimited text, and the text of single values.
import TableFiles
import TableValue

/// Rows are the same whatever the size of the pieces; the first byte chooses the dialect, the
/// second the size.
func takeDelimited(_ bytes: [UInt8]) {
    guard bytes.count > 2 else { return }
    let delimiters = [UInt8(ascii: ","), 0x09, UInt8(ascii: ";"), UInt8(ascii: "|")]
    let choice = bytes[0]
    let quote: UInt8? = choice & 4 == 0 ? UInt8(ascii: "\"") : nil
    guard let dialect = Dialect(delimiter: delimiters[Int(choice & 3)], quote: quote) else {
        fail("a plain dialect is refused")
    }
    let file = Array(bytes.dropFirst(2))
    let whole = rows(of: file, pieceByteCount: max(1, file.count), dialect)
    let pieces = rows(of: file, pieceByteCount: Int(bytes[1] & 7) + 1, dialect)
    if whole != pieces { fail("rows depend on how the file is cut") }
}

/// The fields of all rows, and whether the file ended in an error.
private func rows(
    of file: [UInt8], pieceByteCount: Int, _ dialect: Dialect
) -> (rows: [[Text]], error: FileError?) {
    var limits = FileLimits()
    limits.fieldBytesMax = 64
    limits.rowBytesMax = 256
    limits.columnsMax = 16
    var reader = DelimitedReader(dialect, limits: limits)
    var rows: [[Text]] = []
    func take(_ row: FileRow) {
        rows.append((0..<row.count).map { row.text($0) })
    }
    do throws(FileError) {
        for start in stride(from: 0, to: file.count, by: pieceByteCount) {
            let piece = Array(file[start..<min(start + pieceByteCount, file.count)])
            var position = 0
            while try reader.readRow(piece.span, from: &position) { take(reader.row) }
        }
        if try reader.finish() { take(reader.row) }
        return (rows, nil)
    } catch {
        return (rows, error)
    }
}

private func != (
    left: (rows: [[Text]], error: FileError?), right: (rows: [[Text]], error: FileError?)
) -> Bool {
    left.rows != right.rows || (left.error == nil) != (right.error == nil)
}

/// What is read as a value is written as text that is read as the same value.
func takeValueText(_ bytes: [UInt8]) {
    guard let text = unsafe Text(validating: bytes.span.bytes) else { return }
    for type in ColumnType.allCases {
        guard let value = try? Value(text, as: type) else { continue }
        var written: [UInt8] = []
        value.writeText(to: &written)
        guard let again = unsafe Text(validating: written.span.bytes),
            let read = try? Value(again, as: type), read == value
        else { fail("a \(type.rawValue) changes when it is written and read again") }
        if (try? Value.text(text).converted(to: type)) != value, type != .bool {
            fail("a \(type.rawValue) is another over the wire")
        }
    }
}
