// Columns as an expression knows them: by a number that never changes, by their current names.
// The number is the raw value of the table's column id; nothing else is known of the table here.
package import TableValue

/// The number of a column that never changes, whatever its name.
package struct ColumnKey: Hashable, Sendable {
    /// The raw value of the table's column id: session in the high half, counter in the low.
    package let rawValue: Int64

    /// Wraps the raw value of a column id.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

extension ColumnKey: CustomStringConvertible {
    /// The id as it is written outside memory: `c12.3`.
    ///
    /// No name may have this shape, so that in quotes it can stand beside names.
    package var description: String {
        let bits = UInt64(bitPattern: rawValue)
        return "c\(bits >> 32).\(bits & 0xFFFF_FFFF)"
    }

    /// Reads `c12.3`; nil for anything else.
    package init?(_ text: Text) {
        guard NameKind.column.hasIDShape(text) else { return nil }
        let halves = text.string.dropFirst().split(separator: ".")
        guard halves.count == 2, let session = UInt32(halves[0]), session <= 0x7FFF_FFFF,
            let counter = UInt32(halves[1])
        else { return nil }
        rawValue = Int64(session) << 32 | Int64(counter)
    }
}

/// A column that an expression may use.
package struct SchemaColumn: Sendable {
    /// The number that never changes.
    package let key: ColumnKey
    /// The current name.
    package let name: Text
    /// The type of its cells.
    package let type: ExpressionType

    /// Names a column and its type.
    package init(key: ColumnKey, name: Text, type: ExpressionType) {
        self.key = key
        self.name = name
        self.type = type
    }
}

/// The columns that an expression may use, found by number and by name.
///
/// A name is looked for by its exact bytes first, then by Unicode simple case folding, the rule by
/// which names clash.
package struct ExpressionSchema: Sendable {
    /// The columns in order.
    package let columns: [SchemaColumn]
    private var indexOfKey: [ColumnKey: Int] = [:]
    private var indexOfName: [Text: Int] = [:]
    private var indexOfFoldedName: [Text: Int] = [:]

    /// Takes the columns; where two have the same number or name the first one counts.
    package init(_ columns: [SchemaColumn]) {
        self.columns = columns
        for (index, column) in columns.enumerated().reversed() {
            indexOfKey[column.key] = index
            indexOfName[column.name] = index
            indexOfFoldedName[simpleCaseFolded(column.name)] = index
        }
    }

    /// The column of a number.
    package func column(_ key: ColumnKey) -> SchemaColumn? {
        indexOfKey[key].map { columns[$0] }
    }

    /// The column of a name.
    package func column(named name: Text) -> SchemaColumn? {
        let index = indexOfName[name] ?? indexOfFoldedName[simpleCaseFolded(name)]
        return index.map { columns[$0] }
    }
}
