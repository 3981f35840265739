// What a column asks of its cells besides their type, as one JSON object says it: in operations,
// records, snapshots, and in the content hash. Whether rules suit a column is in
// RuleProblems.swift, whether a value keeps them in ValueRules.swift.
import TableExpression
package import TableValue

/// The rules of a column.
///
/// It knows nothing of the column's type: what a bound is, only the column says.
package struct ColumnRules: Hashable, Sendable {
    /// What the rules are, and what follows from it.
    private struct Kept {
        var list: RuleList
        /// Both could be had from the list; they are asked for each cell.
        var choiceSet: Set<Text>
        var pattern: TextPattern?
    }

    /// In a box: most columns have no rules, and columns are copied often.
    private indirect enum Box {
        case none
        case kept(Kept)
    }

    private let box: Box
    /// About how many bytes the rules take in a line.
    let byteCount: Int

    /// Takes rules as they are.
    init(_ list: RuleList) {
        byteCount = list.byteCount
        guard list != RuleList() else {
            box = .none
            return
        }
        let pattern = list.pattern.flatMap { try? TextPattern($0) }
        box = .kept(Kept(list: list, choiceSet: Set(list.choices), pattern: pattern))
    }

    /// Rules of a choice column; none without choices.
    package init(choices: [Text] = []) {
        var list = RuleList()
        list.choices = choices
        self.init(list)
    }

    private var kept: Kept? {
        if case .kept(let kept) = box { kept } else { nil }
    }

    /// The rules one by one.
    var list: RuleList { kept?.list ?? RuleList() }

    /// The texts that a choice column takes, in the order in which they are offered; of choice
    /// columns only.
    package var choices: [Text] { kept?.list.choices ?? [] }

    /// The choices as a set.
    var choiceSet: Set<Text> { kept?.choiceSet ?? [] }

    /// The pattern that texts must match; nil where there is none, or what stands there is none.
    var pattern: TextPattern? { kept?.pattern }

    /// True where there is no rule.
    package var isEmpty: Bool {
        if case .none = box { true } else { false }
    }

    /// True where the server computes the cells of the column.
    package var isComputed: Bool { list.computed != nil }

    /// True where a new row has to bring a value.
    ///
    /// The column is required then, and nothing else gives it one.
    package var mustBeGiven: Bool {
        let list = list
        return list.isRequired && list.defaultValue == nil && list.defaultSource == nil
            && list.computed == nil
    }

    /// The rules as the JSON object that stands for them; rules that are not there are left out.
    package var tree: JSONTree { .object(list.members.sorted { $0.key < $1.key }) }

    /// Reads the JSON object.
    ///
    /// It says nothing of whether the rules suit a type: `problem(for:limits:)` does.
    ///
    /// - Throws: `RuleFault` where a key is not known or its value is not of its kind.
    package init(_ tree: JSONTree) throws(RuleFault) {
        guard case .object(let members) = tree else {
            throw RuleFault("The rules of a column are an object.")
        }
        var list = RuleList()
        for member in members { try list.read(member) }
        self.init(list)
    }

    /// The rules after a change: each key of `patch` replaces the rule of that name, or takes it
    /// away where the value is null; `choices_added` puts choices at the end that are not there.
    ///
    /// A default of one kind takes the place of one of the other.
    ///
    /// - Throws: `RuleFault` where a key is not known or its value is not of its kind.
    package func changed(by patch: JSONTree) throws(RuleFault) -> ColumnRules {
        guard case .object(let patches) = patch else {
            throw RuleFault("The rules of a column are an object.")
        }
        var list = list
        for patch in patches where patch.key != "choices_added" {
            guard let name = RuleName(rawValue: patch.key.string) else {
                throw RuleFault("There is no rule of that name.")
            }
            list.remove(name)
            if case .null = patch.value { continue }
            if name == .defaultValue { list.remove(.defaultSource) }
            if name == .defaultSource { list.remove(.defaultValue) }
            try list.read(patch)
        }
        for patch in patches where patch.key == "choices_added" && patch.value != .null {
            var present = Set(list.choices)
            list.choices += try readTexts(patch.value, of: patch.key).filter {
                present.insert($0).inserted
            }
        }
        return ColumnRules(list)
    }
}

extension ColumnRules {
    package static func == (left: ColumnRules, right: ColumnRules) -> Bool {
        left.byteCount == right.byteCount && left.list == right.list
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(list)
    }
}

/// Why a JSON value does not stand for rules.
package struct RuleFault: Error, Hashable, Sendable {
    /// What is wrong, for a person.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What each rule is called, on the wire and in refusals.
enum RuleName: String, CaseIterable, Sendable {
    case choices
    case minimum = "min"
    case maximum = "max"
    case lengthMinimum = "length_min"
    case lengthMaximum = "length_max"
    case pattern
    case required
    case unique
    case defaultValue = "default"
    case defaultSource = "default_by"
    case check
    case computed

    /// The name as a refusal holds it.
    var text: Text { Text(rawValue) }
}

/// Where a default comes from that is no constant.
enum DefaultSource: String, CaseIterable, Sendable {
    /// The server's time.
    case now
    /// The user who inserts the row.
    case author
    /// The number after the highest that the column ever had.
    case sequence
}

/// The rules one by one.
struct RuleList: Hashable, Sendable {
    var choices: [Text] = []
    /// The bounds as JSON spells values of the column.
    var minimum: JSONTree?
    var maximum: JSONTree?
    /// In characters of a text, items of a list.
    var lengthMinimum: Int?
    var lengthMaximum: Int?
    var pattern: Text?
    var isRequired = false
    var isUnique = false
    var defaultValue: JSONTree?
    var defaultSource: DefaultSource?
    /// An expression that each row keeps; stored with the ids of columns.
    var check: Text?
    /// An expression that says what the cells are.
    var computed: Text?

    /// The rules that are there, in a fixed order.
    var members: [JSONMember] {
        RuleName.allCases.compactMap { name in
            value(of: name).map { JSONMember(key: name.text, value: $0) }
        }
    }

    private func value(of name: RuleName) -> JSONTree? {
        switch name {
        case .choices: choices.isEmpty ? nil : .list(choices.map { .text($0) })
        case .minimum: minimum
        case .maximum: maximum
        case .lengthMinimum: lengthMinimum.map { .int(Int64($0)) }
        case .lengthMaximum: lengthMaximum.map { .int(Int64($0)) }
        case .pattern: pattern.map { .text($0) }
        case .required: isRequired ? .bool(true) : nil
        case .unique: isUnique ? .bool(true) : nil
        case .defaultValue: defaultValue
        case .defaultSource: defaultSource.map { .text(Text($0.rawValue)) }
        case .check: check.map { .text($0) }
        case .computed: computed.map { .text($0) }
        }
    }

    /// About how many bytes they take in a line.
    var byteCount: Int {
        members.reduce(choices.reduce(0) { $0 + $1.byteCount + 3 }) { count, member in
            if member.key == RuleName.choices.text { return count }
            return count + member.key.byteCount + CanonicalJSON(member.value).text.byteCount + 4
        }
    }

    mutating func remove(_ name: RuleName) {
        switch name {
        case .choices: choices = []
        case .minimum: minimum = nil
        case .maximum: maximum = nil
        case .lengthMinimum: lengthMinimum = nil
        case .lengthMaximum: lengthMaximum = nil
        case .pattern: pattern = nil
        case .required: isRequired = false
        case .unique: isUnique = false
        case .defaultValue: defaultValue = nil
        case .defaultSource: defaultSource = nil
        case .check: check = nil
        case .computed: computed = nil
        }
    }

    /// Reads one rule.
    mutating func read(_ member: JSONMember) throws(RuleFault) {
        guard let name = RuleName(rawValue: member.key.string) else {
            throw RuleFault("There is no rule of that name.")
        }
        switch name {
        case .choices: choices = try readTexts(member.value, of: member.key)
        case .minimum: minimum = try readBound(member)
        case .maximum: maximum = try readBound(member)
        case .lengthMinimum: lengthMinimum = try readLength(member)
        case .lengthMaximum: lengthMaximum = try readLength(member)
        case .pattern: pattern = try readText(member)
        case .required: isRequired = try readFlag(member)
        case .unique: isUnique = try readFlag(member)
        case .defaultValue:
            guard member.value != .null else { throw RuleFault("A default is not null.") }
            defaultValue = member.value
        case .defaultSource:
            guard let source = DefaultSource(rawValue: try readText(member).string) else {
                throw RuleFault("default_by is one of now, author, sequence.")
            }
            defaultSource = source
        case .check: check = try readText(member)
        case .computed: computed = try readText(member)
        }
    }
}

private func readBound(_ member: JSONMember) throws(RuleFault) -> JSONTree {
    switch member.value {
    case .int, .double, .text: return member.value
    default: throw RuleFault("\(member.key) is a value of the column.")
    }
}

private func readLength(_ member: JSONMember) throws(RuleFault) -> Int {
    guard case .int(let number) = member.value, number >= 0 else {
        throw RuleFault("\(member.key) is a number from 0.")
    }
    return Int(number)
}

private func readText(_ member: JSONMember) throws(RuleFault) -> Text {
    guard case .text(let text) = member.value else { throw RuleFault("\(member.key) is a text.") }
    return text
}

private func readFlag(_ member: JSONMember) throws(RuleFault) -> Bool {
    guard case .bool(let flag) = member.value else {
        throw RuleFault("\(member.key) is true or false.")
    }
    return flag
}

private func readTexts(_ tree: JSONTree, of key: Text) throws(RuleFault) -> [Text] {
    guard case .list(let items) = tree else { throw RuleFault("\(key) is a list of texts.") }
    var texts: [Text] = []
    for item in items {
        guard case .text(let text) = item else { throw RuleFault("\(key) is a list of texts.") }
        texts.append(text)
    }
    return texts
}
