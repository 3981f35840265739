// How a table is shown, as the table itself says it: fields from a closed set, each with a value
// of its own kind. It is no content: no hash, no rule and no expression knows of it.
// Row styles are in RowStyle.swift; who may say what is decided in ResolveDisplay.swift.
package import TableValue

/// One thing that can be said of how a column, or the table, is shown.
package enum DisplayField: String, Hashable, Sendable, CaseIterable {
    case width
    case widthMin = "width_min"
    case widthMax = "width_max"
    case align
    /// Digits behind the point.
    case decimals
    /// Groups of three digits.
    case thousands
    /// A hundred times the number, with a sign behind it.
    case percent
    /// How dates are spelled.
    case date
    case hidden
    /// How many of the first columns stay while the others scroll; of the table.
    case frozen
    /// Whether row styles are drawn; of the table.
    case styles

    /// True for what is said of the table, not of one of its columns.
    package var isOfTable: Bool { self == .frozen || self == .styles }

    /// True where it says something of the cells of a column of that type.
    package func suits(_ type: ColumnType) -> Bool {
        switch self {
        case .decimals, .thousands, .percent:
            type == .int || type == .double || type == .decimal
        case .date: type == .date || type == .datetime
        case .width, .widthMin, .widthMax, .align, .hidden: true
        case .frozen, .styles: false
        }
    }

    /// The numbers that it may have; nil where it has none.
    private var numbers: ClosedRange<Int64>? {
        switch self {
        case .width, .widthMin, .widthMax: 1...500
        case .decimals: 0...18
        case .frozen: 0...100
        case .align, .thousands, .percent, .date, .hidden, .styles: nil
        }
    }

    /// The words that it may have.
    private var words: [DisplayWord] {
        switch self {
        case .width, .widthMin, .widthMax, .decimals: [.automatic]
        case .align: [.automatic, .left, .right, .center]
        case .date: [.automatic, .iso, .dayFirst, .monthFirst, .words]
        case .thousands, .percent, .hidden, .frozen, .styles: []
        }
    }

    /// What it may be, for a person.
    package var choices: String {
        var choices: [String] = []
        if let numbers { choices.append("\(numbers.lowerBound) to \(numbers.upperBound)") }
        choices += words.map(\.rawValue)
        if choices.isEmpty { choices = ["true", "false"] }
        return choices.joined(separator: ", ")
    }

    /// The value that a JSON value stands for; nil where this field has none such.
    package func value(_ tree: JSONTree) -> DisplayValue? {
        switch tree {
        case .int(let number):
            guard let numbers, numbers.contains(number) else { return nil }
            return .number(Int(number))
        case .bool(let flag): return numbers == nil && words.isEmpty ? .flag(flag) : nil
        case .text(let text):
            guard let word = DisplayWord(rawValue: text.string), words.contains(word) else {
                return nil
            }
            return .word(word)
        case .null, .double, .list, .object: return nil
        }
    }
}

/// The words that display settings are made of.
package enum DisplayWord: String, Hashable, Sendable {
    /// As if nothing were said: takes back for oneself what the table says.
    case automatic = "auto"
    case left, right, center
    /// `2026-11-30`.
    case iso
    /// `30.11.2026`.
    case dayFirst = "day_first"
    /// `11/30/2026`.
    case monthFirst = "month_first"
    /// `30 Nov 2026`.
    case words
}

/// What one field says.
package enum DisplayValue: Hashable, Sendable {
    case number(Int)
    case flag(Bool)
    case word(DisplayWord)

    /// The same as JSON.
    package var tree: JSONTree {
        switch self {
        case .number(let number): .int(Int64(number))
        case .flag(let flag): .bool(flag)
        case .word(let word): .text(Text(word.rawValue))
        }
    }
}

/// One field with what it says from now on; nil where nothing.
package struct DisplayEntry: Hashable, Sendable {
    /// What is said.
    package let field: DisplayField
    /// What it says.
    package let value: DisplayValue?

    /// Names a field and its value.
    package init(_ field: DisplayField, _ value: DisplayValue?) {
        self.field = field
        self.value = value
    }
}

/// Why a JSON value does not stand for display settings.
package struct DisplayFault: Error, Hashable, Sendable {
    /// What is wrong, for a person.
    package let reason: String
    /// The field that is wrong; nil where it is none of them.
    package let field: DisplayField?

    init(_ reason: String, field: DisplayField? = nil) {
        self.reason = reason
        self.field = field
    }
}

/// What is said of how something is shown, field by field.
package struct DisplaySettings: Hashable, Sendable {
    /// Never iterated: `entries` has them in the order of the fields.
    private var values: [DisplayField: DisplayValue] = [:]

    /// Nothing is said.
    package init() {}

    /// Reads the JSON object that stands for it.
    ///
    /// - Parameters:
    ///   - tree: the object of fields.
    ///   - isOfTable: true for those of the table, false for those of a column.
    /// - Throws: `DisplayFault` with the field that is not known or has no such value.
    package init(reading tree: JSONTree, ofTable isOfTable: Bool) throws(DisplayFault) {
        for entry in try displayEntries(reading: tree, ofTable: isOfTable) {
            self[entry.field] = entry.value
        }
    }

    /// What a field says; nil where nothing.
    package subscript(field: DisplayField) -> DisplayValue? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// True where nothing is said.
    package var isEmpty: Bool { values.isEmpty }

    /// How many fields say something.
    package var count: Int { values.count }

    /// What is said, in the order of the fields.
    package var entries: [DisplayEntry] {
        DisplayField.allCases.compactMap { field in
            self[field].map { DisplayEntry(field, $0) }
        }
    }

    /// The JSON object that stands for it.
    package var tree: JSONTree { displayTree(entries) }

    /// These settings where they say something, else those.
    package func over(_ others: DisplaySettings) -> DisplaySettings {
        var joined = others
        for entry in entries { joined[entry.field] = entry.value }
        return joined
    }

    /// What of it says something of cells of a type, `auto` left out.
    package func suiting(_ type: ColumnType) -> DisplaySettings {
        var suiting = DisplaySettings()
        for entry in entries where entry.field.suits(type) {
            if entry.value != .word(.automatic) { suiting[entry.field] = entry.value }
        }
        return suiting
    }

    /// The number of a field; nil where it has none.
    package func number(_ field: DisplayField) -> Int? {
        if case .number(let number)? = self[field] { number } else { nil }
    }

    /// The flag of a field; nil where it has none.
    package func flag(_ field: DisplayField) -> Bool? {
        if case .flag(let flag)? = self[field] { flag } else { nil }
    }

    /// The word of a field; nil where it has none.
    package func word(_ field: DisplayField) -> DisplayWord? {
        if case .word(let word)? = self[field] { word } else { nil }
    }
}

/// Changed fields as one JSON object, null where nothing is said any more.
package func displayTree(_ entries: [DisplayEntry]) -> JSONTree {
    let members = entries.map { entry in
        JSONMember(key: Text(entry.field.rawValue), value: entry.value?.tree ?? .null)
    }
    return .object(members.sorted { $0.key < $1.key })
}

/// Reads fields, null where one shall say nothing any more.
///
/// - Parameters:
///   - tree: the object of fields.
///   - isOfTable: true for those of the table, false for those of a column.
/// - Returns: the fields in the order of the object.
/// - Throws: `DisplayFault` with the field that is not known or has no such value.
package func displayEntries(
    reading tree: JSONTree, ofTable isOfTable: Bool
) throws(DisplayFault) -> [DisplayEntry] {
    guard case .object(let members) = tree else {
        throw DisplayFault("Display settings are an object.")
    }
    var entries: [DisplayEntry] = []
    for member in members {
        guard let field = DisplayField(rawValue: member.key.string), field.isOfTable == isOfTable
        else { throw DisplayFault("There is no display setting of that name.") }
        if case .null = member.value {
            entries.append(DisplayEntry(field, nil))
            continue
        }
        guard let value = field.value(member.value) else {
            throw DisplayFault("\(field.rawValue) is one of: \(field.choices).", field: field)
        }
        entries.append(DisplayEntry(field, value))
    }
    return entries
}

/// Reads what somebody wants changed, of a column or of the table.
///
/// - Parameters:
///   - tree: an object of fields, null where one shall say nothing any more.
///   - type: what the column holds; nil for fields of the table.
/// - Returns: the fields in the order of the object.
/// - Throws: `DisplayFault` with the field that is not known, has no such value or does not suit
///   the type.
package func displayEntries(
    wanted tree: JSONTree, for type: ColumnType?
) throws(DisplayFault) -> [DisplayEntry] {
    let entries = try displayEntries(reading: tree, ofTable: type == nil)
    guard let type else { return entries }
    for entry in entries where entry.value != nil && !entry.field.suits(type) {
        throw DisplayFault(
            "\(entry.field.rawValue) does not suit a column that holds \(type.rawValue).",
            field: entry.field)
    }
    return entries
}
