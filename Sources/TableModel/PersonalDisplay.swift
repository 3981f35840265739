// What one person says of how a table is shown to her: over what the table says, seen by nobody
// else. The server keeps it (Server+Display.swift in TableServer); here is what it holds.
import TableExpression
package import TableValue

/// What one person says of how one table is shown to her.
package struct PersonalDisplay: Hashable, Sendable {
    /// What is said of one column.
    package struct OfColumn: Hashable, Sendable {
        /// The column.
        package let column: ColumnID
        /// What is said of it.
        package fileprivate(set) var settings: DisplaySettings
    }

    /// Of columns, in the order of their ids; those of which nothing is said are left out.
    package private(set) var columns: [OfColumn] = []
    /// Of the table.
    package private(set) var settings = DisplaySettings()

    /// Nothing is said.
    package init() {}

    /// True where nothing is said.
    package var isEmpty: Bool { columns.isEmpty && settings.isEmpty }

    /// How many fields say something.
    package var count: Int { columns.reduce(settings.count) { $0 + $1.settings.count } }

    /// What is said of a column.
    package func settings(of column: ColumnID) -> DisplaySettings {
        let place = place(of: column)
        guard place < columns.count, columns[place].column == column else {
            return DisplaySettings()
        }
        return columns[place].settings
    }

    /// Says something of a column, or of the table where that is nil.
    package mutating func set(_ column: ColumnID?, _ entries: [DisplayEntry]) {
        guard let column else {
            for entry in entries { settings[entry.field] = entry.value }
            return
        }
        var changed = settings(of: column)
        for entry in entries { changed[entry.field] = entry.value }
        let place = place(of: column)
        if place < columns.count, columns[place].column == column { columns.remove(at: place) }
        if !changed.isEmpty {
            columns.insert(OfColumn(column: column, settings: changed), at: place)
        }
    }

    /// Says nothing any more of a column; of nothing at all where that is nil.
    package mutating func clear(_ column: ColumnID?) {
        guard let column else {
            self = PersonalDisplay()
            return
        }
        columns.removeAll { $0.column == column }
    }

    private func place(of column: ColumnID) -> Int {
        var (low, high) = (0, columns.count)
        while low < high {
            let middle = (low + high) / 2
            if columns[middle].column.rawValue < column.rawValue {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The JSON object that stands for it.
    package var tree: JSONTree {
        guard case .object(var members) = settings.tree else { return .object([]) }
        if !columns.isEmpty {
            let items = columns.map {
                JSONMember(key: Text($0.column.description), value: $0.settings.tree)
            }
            members.append(
                JSONMember(key: "columns", value: .object(items.sorted { $0.key < $1.key })))
        }
        return .object(members.sorted { $0.key < $1.key })
    }

    /// Reads the JSON object.
    ///
    /// - Throws: `DisplayFault` where a member is not known or has no such value.
    package init(reading tree: JSONTree) throws(DisplayFault) {
        guard case .object(let members) = tree else {
            throw DisplayFault("How a table is shown is an object.")
        }
        let fields = members.filter { $0.key != "columns" }
        settings = try DisplaySettings(reading: .object(fields), ofTable: true)
        guard let listed = members.value(of: "columns") else { return }
        guard case .object(let items) = listed else { throw DisplayFault("columns is an object.") }
        for item in items {
            guard let key = ColumnKey(item.key) else {
                throw DisplayFault("columns are named by their ids.")
            }
            set(ColumnID(key), try DisplaySettings(reading: item.value, ofTable: false).entries)
        }
    }
}
