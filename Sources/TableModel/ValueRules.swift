// The rules that ask of one value alone, made ready for a column: bounds, lengths, choices, the
// pattern. Null breaks none of them but `required`. RuleBook.swift keeps them for a table.
import TableExpression
import TableValue

/// The rules of a column that look at nothing but the value.
struct ValueRules: Sendable {
    let rules: ColumnRules
    let isRequired: Bool
    let isComputed: Bool
    private let minimum: Value?
    private let maximum: Value?
    private let lengthMinimum: Int?
    private let lengthMaximum: Int?
    private let isChoice: Bool
    private var matcher: PatternMatcher?
    /// Steps that patterns have taken so far.
    var stepsSpent: Int { matcher?.stepsSpent ?? 0 }

    init(_ rules: ColumnRules, of type: ColumnType) {
        let list = rules.list
        self.rules = rules
        isRequired = list.isRequired
        isComputed = list.computed != nil
        minimum = list.minimum.flatMap { Value(rule: $0, of: type) }
        maximum = list.maximum.flatMap { Value(rule: $0, of: type) }
        lengthMinimum = list.lengthMinimum
        lengthMaximum = list.lengthMaximum
        isChoice = type == .choice
        matcher = rules.pattern?.matcher()
    }

    /// The first rule that a value of the column's type breaks; nil where it keeps them.
    ///
    /// A text on which the pattern takes too many steps breaks it.
    mutating func broken(by value: Value) -> RuleName? {
        if isComputed { return .computed }
        if case .null = value { return isRequired ? .required : nil }
        if isChoice, case .choice(let text) = value, !rules.choiceSet.contains(text) {
            return .choices
        }
        if let minimum, isBelow(value, minimum) { return .minimum }
        if let maximum, isBelow(maximum, value) { return .maximum }
        if lengthMinimum != nil || lengthMaximum != nil {
            let length = value.length
            if let lengthMinimum, length < lengthMinimum { return .lengthMinimum }
            if let lengthMaximum, length > lengthMaximum { return .lengthMaximum }
        }
        if case .text(let text) = value, matcher != nil,
            matcher?.matches(text, stepsMax: patternStepsMax) != true
        {
            return .pattern
        }
        return nil
    }

    /// Why the value cannot be written; nil where it keeps the rules.
    mutating func violation(of value: Value, in column: ColumnID) -> Rejection? {
        guard let name = broken(by: value) else { return nil }
        return Rejection(.ruleBroken, message(for: name), column: column, rule: name.text)
    }

    private func message(for name: RuleName) -> String {
        switch name {
        case .choices:
            "The value is none of the column's choices; take one, or add it to them first."
        case .minimum: "The value is below the least that the column takes: \(text(minimum))."
        case .maximum: "The value is above the most that the column takes: \(text(maximum))."
        case .lengthMinimum: "The value is shorter than the column asks: \(lengthMinimum ?? 0)."
        case .lengthMaximum: "The value is longer than the column takes: \(lengthMaximum ?? 0)."
        case .pattern: "The text does not match the column's pattern."
        case .required: "The column is required: give a value."
        case .computed: "The column is computed: write the columns that it is computed of."
        case .unique, .defaultValue, .defaultSource, .check:
            "The value breaks a rule of the column."
        }
    }

    private func text(_ bound: Value?) -> String {
        var bytes: [UInt8] = []
        bound?.writeText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Steps that a pattern may take for one text.
private let patternStepsMax = 1_000_000

extension Value {
    /// Characters (Unicode scalars) of a text, items of a list; 0 for anything else.
    fileprivate var length: Int {
        switch self {
        case .text(let text): return text.string.unicodeScalars.count
        case .list(let json):
            guard case .list(let items) = json.tree else { return 0 }
            return items.count
        default: return 0
        }
    }
}

/// True where a value is below another of the same type: numbers by their worth, NaN above all of
/// them, datetimes by their instant.
func isBelow(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.double(let left), .double(let right)): right.isNaN ? !left.isNaN : left < right
    case (.decimal(let left), .decimal(let right)): left.isLess(than: right)
    case (.date(let left), .date(let right)): left < right
    case (.datetime(let left), .datetime(let right)):
        left.microsecondsSinceEpoch < right.microsecondsSinceEpoch
    default: false
    }
}
