// Which fields of a file are null: the empty ones without quotes, and what the user says.
package import TableValue

/// The texts that stand for null where they are not quoted.
package struct NullTexts: Hashable, Sendable {
    /// The texts beside the empty one.
    private let texts: [[UInt8]]

    /// Takes the texts that the user named; the empty field always counts.
    package init(_ texts: [Text] = []) {
        self.texts = texts.map { Array($0.string.utf8) }
    }

    /// True where a field of the row is null: not quoted, and empty or one of the texts.
    func isNull(_ row: FileRow, _ field: Int) -> Bool {
        if row.isQuoted(field) { return false }
        let range = row.range(of: field)
        if range.isEmpty { return true }
        for text in texts where text.count == range.count {
            var index = 0
            while index < text.count, text[index] == row.storage[range.lowerBound &+ index] {
                index &+= 1
            }
            if index == text.count { return true }
        }
        return false
    }
}
