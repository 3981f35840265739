// The text `name:text,qty:int` of the command line into columns and types.
// The list is one row of CSV, so that a name with a comma can be quoted.
package import TableValue

/// A column and the type that was asked for it.
package struct TypedColumn: Hashable, Sendable {
    /// The column's name.
    package let name: Text
    /// Its type.
    package let type: ColumnType

    /// Joins the two.
    package init(name: Text, type: ColumnType) {
        self.name = name
        self.type = type
    }
}

/// Reads `name:type,name:type`; the last colon of each part counts.
///
/// A part with a comma in its name is quoted as in CSV: `"last, first:text",qty:int`. An empty
/// text is an empty list.
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
        guard let colon = part.utf8.lastIndex(of: Byte.colon), colon != part.startIndex else {
            throw FileError(
                .badTypeList("part \(field + 1) of the list is not of the form name:type"))
        }
        let name = Text(String(part[..<colon]))
        let word = String(part[part.index(after: colon)...])
        guard let type = ColumnType(rawValue: word) else {
            let types = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")
            throw FileError(
                .badTypeList("part \(field + 1) of the list names no type; types are \(types)"))
        }
        guard names.insert(simpleCaseFolded(name)).inserted else {
            throw FileError(.columnGivenTwice(name))
        }
        columns.append(TypedColumn(name: name, type: type))
    }
    return columns
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
