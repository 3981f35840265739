// What can be told of a stored record without reading all of it: when it was, and whether it can
// be about a row. The lines are our own, so their spelling is known (RecordWriter.swift).
import TableModel
import TableWire

private let timeKey = Array(#","time":"#.utf8)
private let columnKey = Array(#"{"column_"#.utf8)

/// When a record was made, in milliseconds since 1970; nil where the line does not say.
///
/// Nothing before the time has texts of users, so its key is the first that is spelled so.
func recordTime(_ line: [UInt8]) -> Int64? {
    var index = 0
    while index + timeKey.count < line.count {
        guard has(timeKey, in: line, at: index) else {
            index += 1
            continue
        }
        index += timeKey.count
        var isNegative = false
        if line[index] == UInt8(ascii: "-") {
            isNegative = true
            index += 1
        }
        var time: Int64 = 0
        while index < line.count, case let digit = line[index] &- UInt8(ascii: "0"), digit <= 9 {
            time = time &* 10 &+ Int64(digit)
            index += 1
        }
        return isNegative ? 0 &- time : time
    }
    return nil
}

/// Finds the records that may be about one row, or about columns.
struct RowScan {
    /// `"s12.`, with which each id and each run of the row's session begins.
    private let prefix: [UInt8]
    private let counter: UInt32

    /// Looks for one row.
    init(for row: RowID) {
        let text = "\"\(row)"
        let dot = text.lastIndex(of: ".") ?? text.startIndex
        prefix = Array(text[...dot].utf8)
        counter = row.counter
    }

    /// True where the line may be about the row or about columns; where it says false it is not.
    func mayConcern(_ line: [UInt8]) -> Bool {
        var index = 0
        while index + 2 < line.count {
            switch line[index] {
            case UInt8(ascii: "\""):
                if has(prefix, in: line, at: index), names(line, at: index + prefix.count) {
                    return true
                }
            case UInt8(ascii: "{"):
                if has(columnKey, in: line, at: index) { return true }
            default: break
            }
            index += 1
        }
        return false
    }

    /// True where `4071"`, or `1-256"` around it, stands there.
    private func names(_ line: [UInt8], at start: Int) -> Bool {
        var index = start
        let first = number(line, &index)
        var last = first
        if index < line.count, line[index] == UInt8(ascii: "-") {
            index += 1
            last = number(line, &index)
        }
        return first <= UInt64(counter) && UInt64(counter) <= last
    }

    private func number(_ line: [UInt8], _ index: inout Int) -> UInt64 {
        var number: UInt64 = 0
        while index < line.count, case let digit = line[index] &- UInt8(ascii: "0"), digit <= 9 {
            number = number &* 10 &+ UInt64(digit)
            index += 1
        }
        return number
    }
}

private func has(_ word: [UInt8], in line: [UInt8], at start: Int) -> Bool {
    guard line.count - start >= word.count else { return false }
    for index in word.indices where line[start + index] != word[index] { return false }
    return true
}
