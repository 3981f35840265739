// What columns ask of their cells, written a second time as plainly as possible: every rule looked
// up in its JSON object each time it is asked for, every search through all rows. Nothing of
// TableModel's rules is used but the reading of a change. Used by the other Reference files.
import TableModel
import TableValue

/// The rules of a column as a list of names and what they say.
struct ReferenceRules {
    let type: ColumnType
    private let members: [JSONMember]

    init(_ column: Column) {
        type = column.type
        members = if case .object(let members) = column.rules.tree { members } else { [] }
    }

    subscript(name: Text) -> JSONTree? { members.first { $0.key == name }?.value }

    var isRequired: Bool { self["required"] != nil }
    var isUnique: Bool { self["unique"] != nil }
    /// True where a default that only the server knows may break another rule.
    var dependsOnServer: Bool {
        guard self["default_by"] != nil, !isSequence else { return false }
        return members.contains { !["default_by", "required"].contains($0.key.string) }
    }
    var isSequence: Bool { self["default_by"] == .text("sequence") }

    /// What it asks that rows may break and `others` did not ask.
    func asksMore(than others: ReferenceRules) -> Bool {
        members.contains { member in
            if member.key == "default" || member.key == "default_by" { return false }
            if member.key == "check" || member.key == "computed" { return false }
            if member.key == "choices" { return false }
            return others[member.key] != member.value
        } || !Set(others.choices).isSubset(of: Set(choices))
    }

    var choices: [JSONTree] {
        if case .list(let items)? = self["choices"] { items } else { [] }
    }

    /// A value that a rule names, as a cell has it.
    func value(_ tree: JSONTree?) -> Value? {
        switch tree {
        case .bool(let flag): try? Value.bool(flag).converted(to: type)
        case .int(let number): try? Value.int(number).converted(to: type)
        case .double(let number): .double(number)
        case .text(let text): try? Value.text(text).converted(to: type)
        case .some(.list), .some(.object):
            tree.flatMap { try? Value.json(CanonicalJSON($0)).converted(to: type) }
        default: nil
        }
    }

    /// True where a value keeps them, but for what other rows have.
    func keep(_ value: Value) -> Bool {
        if self["computed"] != nil { return false }
        if value == .null { return !isRequired }
        if let least = self.value(self["min"]), isLess(value, least) { return false }
        if let most = self.value(self["max"]), isLess(most, value) { return false }
        switch value {
        case .choice(let text): return choices.contains(.text(text))
        case .text(let text):
            let length = Int64(text.string.unicodeScalars.count)
            if case .int(let most)? = self["length_max"], length > most { return false }
            if case .int(let least)? = self["length_min"], length < least { return false }
            if case .text(let pattern)? = self["pattern"] {
                return Self.patterns.first { $0.0 == pattern }?.1(text.string) ?? false
            }
            return true
        default: return true
        }
    }

    private func isLess(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): left < right
        case (.double(let left), .double(let right)):
            left.isNaN ? false : right.isNaN ? true : left < right
        case (.decimal(let left), .decimal(let right)): left.isLess(than: right)
        default: false
        }
    }

    /// The patterns of OpMaker.swift, and what they mean.
    static let patterns: [(Text, @Sendable (String) -> Bool)] = [
        ("[ab]*", { $0.unicodeScalars.allSatisfy { $0 == "a" || $0 == "b" } }),
        (
            "(t\\d+)?",
            {
                let digits = $0.utf8.dropFirst()
                return $0.isEmpty
                    || ($0.utf8.first == UInt8(ascii: "t") && !digits.isEmpty
                        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 })
            }
        ),
    ]

    /// True where the type can have them and they do not contradict themselves.
    var areSensible: Bool {
        for member in members {
            let fits: Bool
            switch member.key.string {
            case "choices": fits = type == .choice && Set(choices).count == choices.count
            case "min", "max":
                fits =
                    [.int, .double, .decimal, .date, .datetime].contains(type)
                    && value(member.value) != nil
            case "length_min", "length_max": fits = type == .text || type == .list
            case "pattern": fits = type == .text
            case "default": fits = value(member.value).map { keep($0) } ?? false
            case "default_by":
                fits =
                    switch member.value {
                    case .text("now"): type == .date || type == .datetime
                    case .text("author"): type == .text
                    default: type == .int
                    }
            case "computed": fits = type == .int && members.count == 1
            default: fits = true
            }
            guard fits else { return false }
        }
        if let least = value(self["min"]), let most = value(self["max"]), isLess(most, least) {
            return false
        }
        if case .int(let least)? = self["length_min"], case .int(let most)? = self["length_max"] {
            return least <= most
        }
        return true
    }

    /// The default of one new row; nil where there is none.
    ///
    /// `highest` is of a sequence.
    ///
    /// - Throws: `Refused` where there is one that cannot be.
    func makeDefault(
        highest: Int64, _ circumstances: Circumstances
    ) throws(ReferenceRefusal) -> Value? {
        let made: Value
        switch self["default_by"] {
        case nil: return value(self["default"])
        case .text("author")?: made = .text(circumstances.user)
        case .text("now")? where type == .date:
            made = .date(
                Day(daysSinceEpoch: Int32(circumstances.timeMilliseconds / 86_400_000)))
        case .text("now")?:
            made = .datetime(
                Moment(
                    microsecondsSinceEpoch: circumstances.timeMilliseconds * 1_000,
                    offsetMinutes: 0))
        default:
            guard highest < .max else { throw ReferenceRefusal() }
            var next = highest + 1
            if case .int(let least)? = value(self["min"]), next < least { next = least }
            made = .int(next)
        }
        guard keep(made) else { throw ReferenceRefusal() }
        return made
    }
}

/// An intent is refused as a whole.
struct ReferenceRefusal: Error {}

/// What counts where values must differ, as bytes: strings would take two spellings of one
/// character for the same.
func referenceWorth(_ value: Value) -> [UInt8] {
    let text: String
    switch value {
    case .double(let number): text = number == 0 ? "0" : "\(number)"
    case .decimal(let number):
        var (digits, scale) = (number.coefficient, Int(number.scale))
        while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
        text = "\(digits) \(scale)"
    case .datetime(let moment): text = "\(moment.microsecondsSinceEpoch)"
    default: text = "\(value)"
    }
    return Array(text.utf8)
}

extension ReferenceTable {
    /// True where a live row other than `row` holds a value of that worth.
    func isTaken(_ value: Value, _ column: ColumnID, besides row: RowID?) -> Bool {
        guard value != .null else { return false }
        let worth = referenceWorth(value)
        return rows.contains {
            $0.id != row && !$0.isHidden && self.value($0.id, column) != .null
                && referenceWorth(self.value($0.id, column)) == worth
        }
    }

    /// The rows whose cells break the rules of a column as it shall be.
    func isKept(_ column: Column) -> Bool {
        let rules = ReferenceRules(column)
        return rows.allSatisfy {
            $0.isHidden
                || rules.keep(value($0.id, column.id))
                    && !(rules.isUnique
                        && isTaken(value($0.id, column.id), column.id, besides: $0.id))
        }
    }

    /// Notes numbers that a column with a sequence has, once it has one.
    mutating func noteSequence(_ column: Column) {
        guard ReferenceRules(column).isSequence else { return }
        var highest = self.highest[column.id] ?? 0
        for row in rows {
            if case .int(let number) = value(row.id, column.id) { highest = max(highest, number) }
        }
        self.highest[column.id] = highest
    }

    /// Notes a number that is written.
    mutating func raise(_ column: ColumnID, _ value: Value) {
        if let present = highest[column], case .int(let number) = value {
            highest[column] = max(present, number)
        }
    }
}

extension ReferenceResolver {
    /// Inserts rows, whose ids are right, at an index, with cells and defaults; refused as a whole
    /// where a row lacks what is required.
    mutating func fill(_ ids: [RowID], _ insert: InsertRows) throws(ReferenceRefusal) {
        if !insert.cells.isEmpty {
            for (rowIndex, id) in ids.enumerated() {
                for (columnIndex, reference) in insert.columns.enumerated() {
                    let value = insert.cells[rowIndex * insert.columns.count + columnIndex]
                    guard let column = column(reference) else {
                        refused += 1
                        continue
                    }
                    guard write(id, column, value) != nil else {
                        if ReferenceRules(column.column).isRequired { throw ReferenceRefusal() }
                        refused += 1
                        continue
                    }
                    if column.isHidden { hidden += 1 } else { applied += 1 }
                }
            }
        }
        let named = insert.cells.isEmpty ? [] : insert.columns.compactMap { column($0)?.column.id }
        for column in table.columns where !column.isHidden && !named.contains(column.column.id) {
            for id in ids { try fillDefault(id, column.column) }
        }
        for id in ids {
            for (column, value) in computed(id, [:], of: nil) { put(id, column, value) }
            guard brokenChecks(id, [:], of: nil).isEmpty else { throw ReferenceRefusal() }
        }
    }

    /// The default of a cell that is not named.
    private mutating func fillDefault(_ id: RowID, _ column: Column) throws(ReferenceRefusal) {
        let rules = ReferenceRules(column)
        if circumstances == nil, rules.dependsOnServer {
            isUncertain = true
            return
        }
        let made = try rules.makeDefault(
            highest: table.highest[column.id] ?? 0,
            circumstances ?? Circumstances(user: "", timeMilliseconds: 0))
        guard let made else {
            if rules.isRequired { throw ReferenceRefusal() }
            return
        }
        if rules.isUnique, table.isTaken(made, column.id, besides: id) { throw ReferenceRefusal() }
        put(id, column.id, made)
    }

    /// Gives a new column its defaults in the rows that are there.
    mutating func fillColumn(_ column: Column) throws(ReferenceRefusal) {
        for row in table.rows where !row.isHidden { try fillDefault(row.id, column) }
    }
}
