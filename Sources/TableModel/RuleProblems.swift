// Whether rules suit the column that shall have them, and the one spelling in which they are kept.
// Nothing here looks at cells: RuleCheck.swift does.
import TableExpression
package import TableValue

extension ColumnRules {
    /// What is wrong with the rules for a column of a type; nil where they suit it.
    package func problem(for type: ColumnType, limits: TableLimits) -> String? {
        let list = list
        return choiceProblem(list, type, limits) ?? boundProblem(list, type)
            ?? lengthProblem(list, type) ?? patternProblem(list, type)
            ?? defaultProblem(list, type, limits) ?? computedProblem(list, type)
    }

    private func computedProblem(_ list: RuleList, _ type: ColumnType) -> String? {
        guard list.computed != nil else { return nil }
        guard type != .choice else { return "A choice column cannot be computed." }
        guard list.members.count == 1 else {
            return "A computed column has no other rule: nobody writes its cells."
        }
        return nil
    }

    private func choiceProblem(
        _ list: RuleList, _ type: ColumnType, _ limits: TableLimits
    ) -> String? {
        guard type == .choice || list.choices.isEmpty else {
            return "Only a choice column has choices."
        }
        guard list.choices.count <= limits.choicesMax else {
            return "A column may have \(limits.choicesMax) choices."
        }
        for choice in list.choices {
            if let reason = problemOfChoice(choice, limits) { return reason }
        }
        return choiceSet.count == list.choices.count ? nil : "A choice stands twice in the list."
    }

    private func boundProblem(_ list: RuleList, _ type: ColumnType) -> String? {
        var bounds: [Value] = []
        for bound in [list.minimum, list.maximum] {
            guard let bound else { continue }
            guard type.hasBounds else {
                return "min and max are for int, double, decimal, date and datetime columns."
            }
            guard let value = Value(rule: bound, of: type), value.isOrdered else {
                return "min and max are values of the column, which holds \(type.rawValue)."
            }
            bounds.append(value)
        }
        guard bounds.count == 2, isBelow(bounds[1], bounds[0]) else { return nil }
        return "min is above max."
    }

    private func lengthProblem(_ list: RuleList, _ type: ColumnType) -> String? {
        guard list.lengthMinimum != nil || list.lengthMaximum != nil else { return nil }
        guard type == .text || type == .list else {
            return "length_min and length_max are for text and list columns."
        }
        guard let least = list.lengthMinimum, let most = list.lengthMaximum else { return nil }
        return least <= most ? nil : "length_min is above length_max."
    }

    private func patternProblem(_ list: RuleList, _ type: ColumnType) -> String? {
        guard let text = list.pattern else { return nil }
        guard type == .text else { return "A pattern is for a text column." }
        do {
            _ = try TextPattern(text)
            return nil
        } catch {
            return "The pattern cannot be read at byte \(error.offset): \(error.message)"
        }
    }

    private func defaultProblem(
        _ list: RuleList, _ type: ColumnType, _ limits: TableLimits
    ) -> String? {
        if list.defaultValue != nil, list.defaultSource != nil {
            return "A column has one default: default or default_by."
        }
        switch list.defaultSource {
        case .now where type != .datetime && type != .date:
            return "The default now is for datetime and date columns."
        case .author where type != .text:
            return "The default author is for text columns."
        case .sequence where type != .int:
            return "The default sequence is for int columns."
        default: break
        }
        guard let tree = list.defaultValue else { return nil }
        guard let value = Value(rule: tree, of: type) else {
            return "The default is a value of the column, which holds \(type.rawValue)."
        }
        if let text = value.textHeld, text.byteCount > limits.madeTextBytesMax {
            return "A default may have \(limits.madeTextBytesMax) bytes."
        }
        // One less than a cell has: the default stands within the object of the rules.
        guard tree.depth < jsonDepthMax else {
            return "A default may be nested \(jsonDepthMax - 1) deep."
        }
        var rules = ValueRules(self, of: type)
        guard let broken = rules.broken(by: value) else { return nil }
        return "The default breaks the rule \(broken.rawValue)."
    }

    /// The rules with each value in its one spelling, so that equal rules are equal bytes.
    ///
    /// Needs `problem(for:limits:)` to be nil.
    func normalized(for type: ColumnType) -> ColumnRules {
        var list = list
        guard list.minimum != nil || list.maximum != nil || list.defaultValue != nil else {
            return self
        }
        func spelled(_ tree: JSONTree?) -> JSONTree? {
            tree.flatMap { Value(rule: $0, of: type)?.ruleTree ?? $0 }
        }
        list.minimum = spelled(list.minimum)
        list.maximum = spelled(list.maximum)
        list.defaultValue = spelled(list.defaultValue)
        return ColumnRules(list)
    }
}

/// Why a text can be no choice; nil where it can.
func problemOfChoice(_ choice: Text, _ limits: TableLimits) -> String? {
    guard (1...limits.nameBytesMax).contains(choice.byteCount) else {
        return "A choice has 1 to \(limits.nameBytesMax) bytes."
    }
    guard choice.string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        return "A choice has no control characters."
    }
    return nil
}

extension ColumnType {
    /// True where values have a smallest and a largest.
    var hasBounds: Bool {
        switch self {
        case .int, .double, .decimal, .date, .datetime: true
        case .text, .bool, .uuid, .choice, .list, .json: false
        }
    }
}

extension Value {
    /// The value of a column that a rule names; nil where it is none of the column's type.
    init?(rule tree: JSONTree, of type: ColumnType) {
        let loose: Value
        switch tree {
        case .null: return nil
        case .bool(let flag): loose = .bool(flag)
        case .int(let number): loose = .int(number)
        case .double(let number): loose = .double(number)
        case .text(let text): loose = .text(text)
        case .list, .object: loose = .json(CanonicalJSON(tree))
        }
        guard let value = fitted(loose, to: type) else { return nil }
        self = value
    }

    /// The value as a rule spells it: as a cell does.
    var ruleTree: JSONTree {
        switch self {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .int(let number) where number.magnitude <= 1 << 53: return .int(number)
        case .double(let number) where number.isFinite: return JSONTree(number)
        case .text(let text), .choice(let text): return .text(text)
        case .list(let json), .json(let json): return json.tree
        default:
            var bytes: [UInt8] = []
            writeText(to: &bytes)
            return .text(Text(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// False for the doubles that are no bounds.
    fileprivate var isOrdered: Bool {
        if case .double(let number) = self { number.isFinite } else { true }
    }
}

extension JSONTree {
    /// How deep objects and lists stand in one another.
    fileprivate var depth: Int {
        switch self {
        case .null, .bool, .int, .double, .text: 0
        case .list(let items): 1 + (items.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        }
    }
}
