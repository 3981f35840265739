// The text `name:text,qty:int` of the command line into columns and types; a choice column may
// bring its choices: `state:choice(open|done)`.
// The list is one row of CSV, so that a name with a comma can be quoted.
package import TableValue

/// A column and the type that was asked for it.
package struct TypedColumn: Hashable, Sendable {
    /// The column's name.
    package let name: Text
    /// Its type.
    package let type: ColumnType
    /// The choices of a choice column; nil where they were not told.
    package let choices: [Text]?

    /// Joins them.
    package init(name: Text, type: ColumnType, choices: [Text]? = nil) {
        self.name = name
        self.type = type
        self.choices = choices
    }
}

/// Reads `name:type,name:type`; the last colon of each part counts, but for those in brackets.
///
/// A choice column may have its choices in brackets: `state:choice(open|done)`. A part with a
/// comma in it is quoted as in CSV: `"last, first:text",qty:int`. An empty text is an empty list.
///
/// - Parameter text: the list.
/// - Returns: columns in the order of the list.
/// - Throws: `FileError` with `badTypeList` or `columnGivenTwice`, which says what to write.
package func typedColumns(parsing text: Text) throws(FileError) -> [TypedColumn] {
    if text.isEmpty { return [] }
    let row = try singleRow(text)
    var columns: [TypedColumn] = []
    var names: Set<Text> = []
    for field in 0..<row.count {
        let part = row.text(field).string
        let (head, choices) = try cutChoices(part, number: field + 1)
        guard let colon = head.utf8.lastIndex(of: Byte.colon), colon != head.startIndex else {
            throw FileError(
                .badTypeList("part \(field + 1) of the list is not of the form name:type"))
        }
        let name = Text(String(head[..<colon]))
        let word = String(head[head.index(after: colon)...])
        guard let type = ColumnType(rawValue: word) else {
            let types = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
            throw FileError(
                .badTypeList("part \(field + 1) of the list names no type; types are \(types)"))
        }
        guard names.insert(simpleCaseFolded(name)).inserted else {
            throw FileError(.columnGivenTwice(name))
        }
        columns.append(TypedColumn(name: name, type: type, choices: choices))
    }
    return columns
}

/// Cuts `state:choice(open|done)` into `state:choice` and the choices; nil where it has none.
private func cutChoices(
    _ part: String, number: Int
) throws(FileError) -> (head: Substring, choices: [Text]?) {
    let opening = ":choice("
    let bytes = Array(part.utf8)
    let sought = Array(opening.utf8)
    guard bytes.last == UInt8(ascii: ")"), bytes.count > sought.count,
        let start = (0..<bytes.count - sought.count).first(where: {
            bytes[$0..<$0 + sought.count].elementsEqual(sought)
        })
    else { return (part[...], nil) }
    let list = bytes[(start + sought.count)..<(bytes.count - 1)]
    let choices = list.split(separator: UInt8(ascii: "|")).map {
        Text(String(decoding: $0, as: UTF8.self))
    }
    guard !choices.isEmpty, Set(choices).count == choices.count else {
        throw FileError(
            .badTypeList("part \(number) of the list needs choices, each once: choice(open|done)"))
    }
    let headCount = start + sought.count - 1
    return (part[..<part.utf8.index(part.startIndex, offsetBy: headCount)], choices)
}

/// The one row of CSV that a text is.
private func singleRow(_ text: Text) throws(FileError) -> FileRow {
    let words = FileError(.badTypeList("the list cannot be read; write name:type,name:type"))
    var reader = DelimitedReader(.csv)
    var position = 0
    let bytes = text.string.utf8.span
    do {
        if try reader.readRow(bytes, from: &position) {
            guard position == bytes.count else { throw words }
        } else {
            guard try reader.finish() else { throw words }
        }
    } catch {
        throw words
    }
    return reader.row
}
