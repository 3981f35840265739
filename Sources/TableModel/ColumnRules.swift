// What a column asks of its cells besides their type. One JSON object stands for it wherever it
// is written: in operations, records, snapshots, and in the content hash.
package import TableValue

/// The rules of a column.
package struct ColumnRules: Hashable, Sendable {
    /// The texts that a choice column takes, in the order in which they are offered; of choice
    /// columns only.
    package let choices: [Text]
    // Both could be had from the choices; they are asked for each cell, and each change of a rule.
    private let choiceSet: Set<Text>
    /// About how many bytes the rules take in a line.
    let byteCount: Int

    /// Rules of a choice column; none without choices.
    package init(choices: [Text] = []) {
        self.choices = choices
        choiceSet = Set(choices)
        byteCount = choices.reduce(0) { $0 + $1.byteCount + 3 }
    }

    /// True where a choice column takes the text.
    func takes(_ choice: Text) -> Bool { choiceSet.contains(choice) }

    /// True where what kept these rules may break the others.
    func canBeBroken(by others: ColumnRules) -> Bool {
        !choiceSet.isSubset(of: others.choiceSet)
    }

    /// True where there is no rule.
    package var isEmpty: Bool { choices.isEmpty }

    /// The rules as the JSON object that stands for them; rules that are not there are left out.
    package var tree: JSONTree {
        var members: [JSONMember] = []
        if !choices.isEmpty {
            members.append(JSONMember(key: "choices", value: .list(choices.map { .text($0) })))
        }
        return .object(members)
    }

    /// Reads the JSON object.
    ///
    /// It says nothing of whether the rules suit a type: `problem(for:limits:)` does.
    ///
    /// - Throws: `RuleFault` where a key is not known or its value is not of its kind.
    package init(_ tree: JSONTree) throws(RuleFault) {
        guard case .object(let members) = tree else {
            throw RuleFault("The rules of a column are an object.")
        }
        var choices: [Text] = []
        for member in members {
            switch member.key {
            case "choices": choices = try readTexts(member.value, of: member.key)
            default: throw RuleFault("There is no rule of that name.")
            }
        }
        self.init(choices: choices)
    }

    /// The rules after a change: each key of `patch` replaces the rule of that name, or takes it
    /// away where the value is null; `choices_added` puts choices at the end that are not there.
    ///
    /// - Throws: `RuleFault` where a key is not known or its value is not of its kind.
    package func changed(by patch: JSONTree) throws(RuleFault) -> ColumnRules {
        guard case .object(let patches) = patch, case .object(let members) = tree else {
            throw RuleFault("The rules of a column are an object.")
        }
        var kept = members.filter { member in !patches.contains { $0.key == member.key } }
        var added: [Text] = []
        for patch in patches where patch.value != .null {
            if patch.key == "choices_added" {
                added = try readTexts(patch.value, of: patch.key)
            } else {
                kept.append(patch)
            }
        }
        let rules = try ColumnRules(.object(kept))
        var present = rules.choiceSet
        return ColumnRules(choices: rules.choices + added.filter { present.insert($0).inserted })
    }

    /// What is wrong with the rules for a column of a type; nil where they suit it.
    package func problem(for type: ColumnType, limits: TableLimits) -> String? {
        guard type == .choice || choices.isEmpty else { return "Only a choice column has choices." }
        guard choices.count <= limits.choicesMax else {
            return "A column may have \(limits.choicesMax) choices."
        }
        for choice in choices {
            guard (1...limits.nameBytesMax).contains(choice.byteCount) else {
                return "A choice has 1 to \(limits.nameBytesMax) bytes."
            }
            guard choice.string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                return "A choice has no control characters."
            }
        }
        return choiceSet.count == choices.count ? nil : "A choice stands twice in the list."
    }
}

extension ColumnRules {
    package static func == (left: ColumnRules, right: ColumnRules) -> Bool {
        left.choices == right.choices
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(choices) }
}

/// Why a JSON value does not stand for rules.
package struct RuleFault: Error, Hashable, Sendable {
    /// What is wrong, for a person.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
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
