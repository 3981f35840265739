// The examples of docs/expressions.md are run, and its lists compared with the code.
import Foundation
import TableExpression
import TableValue
import Testing

private let document: [String] = {
    let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: "docs/expressions.md")
    return (try? String(contentsOf: path, encoding: .utf8))?.components(separatedBy: "\n") ?? []
}()

/// The cells of a line of a table, without the backquotes around them.
private func cells(_ line: String) -> [String] {
    let hidden = line.replacingOccurrences(of: "\\|", with: "\u{1}")
    return hidden.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "\u{1}", with: "|")
    }
}

/// The lines of all tables with a first cell in the head.
private func rows(under head: String) -> [[String]] {
    var found: [[String]] = []
    var isInside = false
    for line in document {
        guard line.hasPrefix("|") else {
            isInside = false
            continue
        }
        if line.hasPrefix("| \(head) |") {
            isInside = true
        } else if isInside, !line.hasPrefix("|---") {
            found.append(cells(line))
        }
    }
    return found
}

private func unquoted(_ cell: String) -> String {
    cell.replacingOccurrences(of: "`", with: "")
}

@Test("every example of the document gives what the document says")
func examples() {
    let examples = rows(under: "expression")
    #expect(examples.count >= 80)
    for example in examples {
        guard example.count == 2 else {
            Issue.record("not two cells: \(example)")
            continue
        }
        #expect(outcome(unquoted(example[0])) == unquoted(example[1]), "\(example[0])")
    }
}

@Test("the row of the document is the row of the tests")
func sampleRowIsDocumented() {
    let rows = rows(under: "column")
    #expect(rows.count == sampleColumns.count)
    for (row, column) in zip(rows, sampleColumns) where row.count == 3 {
        #expect(unquoted(row[0]) == column.name)
        let type = column.type == .list(.json) ? "list" : column.type.description
        #expect(row[1] == type)
        #expect(unquoted(row[2]) == (column.value.isEmpty ? "null" : column.value))
    }
}

@Test("every function, type and code is in the document")
func everythingIsDocumented() {
    let text = document.joined(separator: "\n")
    for function in Function.allCases {
        #expect(text.contains("\(function.rawValue)"), "\(function.usage)")
    }
    let functions = rows(under: "function").compactMap(\.first).joined(separator: " ")
        .split(separator: "`")
    let named = Set(functions.map { String(String($0).prefix { $0 != "(" }) })
    for function in Function.allCases where function.rawValue != "month" {
        #expect(named.contains(function.rawValue), "\(function.rawValue) is in no table")
    }
    for code in ExpressionError.Code.allCases { #expect(text.contains("`\(code.rawValue)`")) }
    for fault in EvaluationFault.allCases { #expect(text.contains("`\(fault.rawValue)`")) }
    for type in ScalarType.allCases { #expect(text.contains("\"\(type.rawValue)\"")) }
}

@Test("the error that the document shows is shown so")
func shownError() {
    let text = "done or name < 5"
    let rendered = checkError(text)?.rendered(source: "done or name < 5") ?? ""
    #expect(document.joined(separator: "\n").contains(rendered))
    #expect(rendered.hasSuffix("\n        ^^^^^^^^"))
}
