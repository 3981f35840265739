// The functions by name, what they take and what they give. What they do is in Evaluator+*.swift;
// the words for people are in docs/expressions.md, which a test compares with this list.
import TableValue

/// A function that expressions may call.
package enum Function: String, Sendable, CaseIterable {
    // Texts.
    case length, lower, upper, fold, trim
    case trimStart = "trim_start"
    case trimEnd = "trim_end"
    case substring, left, right, replace, `repeat`
    case padStart = "pad_start"
    case padEnd = "pad_end"
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case contains, position, concat, split
    case splitPart = "split_part"
    case matches
    case containsMatch = "contains_match"
    // Numbers.
    case abs, sign, round, floor, ceil, trunc, sqrt
    // Any type.
    case greatest, least, coalesce, nullif, `if`
    // Dates.
    case today, now, year, quarter, month, week, day, hour, minute, second, microsecond, weekday
    case dayOfYear = "day_of_year"
    case makeDate = "make_date"
    case addDays = "add_days"
    case addMonths = "add_months"
    case addYears = "add_years"
    case addHours = "add_hours"
    case addMinutes = "add_minutes"
    case addSeconds = "add_seconds"
    case daysBetween = "days_between"
    case monthsBetween = "months_between"
    case secondsBetween = "seconds_between"
    case startOfMonth = "start_of_month"
    case endOfMonth = "end_of_month"
    case atOffset = "at_offset"
    case offsetMinutes = "offset_minutes"
    // Lists.
    case list, element, append, remove, join
    case listDistinct = "list_distinct"
    case listSum = "list_sum"
    case listMin = "list_min"
    case listMax = "list_max"
    // JSON values.
    case jsonGet = "json_get"
    case jsonAt = "json_at"
    case jsonType = "json_type"
    case jsonLength = "json_length"
    case toJSON = "to_json"
}

/// What an argument may be.
enum Parameter: String {
    case text, int, number, bool, date, datetime, list, json
    case moment = "date or datetime"
    case sequence = "text or list"
    /// A text that is written out, since it is made ready once and not for each row.
    case pattern = "'pattern'"
    /// Any single value.
    case scalar = "value"
    /// A value that has an order, of the same type as all others here.
    case ordered = "ordered value"
    /// A value of the same type as all others here.
    case same = "value of one type"
    /// A value of the list's elements' type, or a text where a text is searched.
    case element = "element"

    /// True where all arguments of this kind are brought to one type.
    var isShared: Bool { self == .ordered || self == .same }
}

/// What a function gives.
enum ResultRule {
    case type(ExpressionType)
    case first
    /// The one type of all arguments that are `ordered` or `same`.
    case united
    case listOfUnited
    case elementOfFirst
}

/// What a function takes and gives.
struct Signature {
    var parameters: [Parameter]
    /// How many of the last parameters may be left out.
    var optionalCount = 0
    /// True where the last parameter may come any number of times more.
    var isRepeating = false
    var result: ResultRule

    init(
        _ parameters: [Parameter], optional optionalCount: Int = 0, repeating: Bool = false,
        _ result: ResultRule
    ) {
        self.parameters = parameters
        self.optionalCount = optionalCount
        isRepeating = repeating
        self.result = result
    }

    var countMin: Int { parameters.count - optionalCount }

    func allows(_ count: Int) -> Bool {
        count >= countMin && (isRepeating || count <= parameters.count)
    }

    func parameter(_ index: Int) -> Parameter? {
        index < parameters.count ? parameters[index] : isRepeating ? parameters.last : nil
    }
}

extension Function {
    /// The function of a name, in whatever case.
    init?(_ word: Text) {
        guard word.byteCount <= 32 else { return nil }
        self.init(rawValue: simpleCaseFolded(word).string)
    }

    /// How the function is called: `substring(text, int[, int])`.
    package var usage: String {
        let signature = signature
        var text = rawValue + "("
        for (place, parameter) in signature.parameters.enumerated() {
            let isOptional = place >= signature.countMin
            text += isOptional ? "[" : ""
            text += (place > 0 ? ", " : "") + parameter.rawValue
            text += isOptional ? "]" : ""
        }
        return text + (signature.isRepeating ? ", …)" : ")")
    }

    var signature: Signature {
        switch self {
        case .length: Signature([.sequence], .type(.int))
        case .lower, .upper, .fold: Signature([.text], .type(.text))
        case .trim, .trimStart, .trimEnd: Signature([.text, .text], optional: 1, .type(.text))
        case .substring: Signature([.text, .int, .int], optional: 1, .type(.text))
        case .left, .right, .repeat: Signature([.text, .int], .type(.text))
        case .replace: Signature([.text, .text, .text], .type(.text))
        case .padStart, .padEnd: Signature([.text, .int, .text], optional: 1, .type(.text))
        case .startsWith, .endsWith: Signature([.text, .text], .type(.bool))
        case .contains: Signature([.sequence, .element], .type(.bool))
        case .position: Signature([.sequence, .element], .type(.int))
        case .concat: Signature([.scalar], repeating: true, .type(.text))
        case .split: Signature([.text, .text], .type(.list(.text)))
        case .splitPart: Signature([.text, .text, .int], .type(.text))
        case .matches, .containsMatch: Signature([.text, .pattern], .type(.bool))
        case .abs, .floor, .ceil, .trunc: Signature([.number], .first)
        case .sign: Signature([.number], .type(.int))
        case .round: Signature([.number, .int], optional: 1, .first)
        case .sqrt: Signature([.number], .type(.double))
        case .greatest, .least: Signature([.ordered], repeating: true, .united)
        case .coalesce: Signature([.same], repeating: true, .united)
        case .nullif: Signature([.same, .same], .united)
        case .if: Signature([.bool, .same, .same], .united)
        default: signatureOfDatesAndLists
        }
    }

    private var signatureOfDatesAndLists: Signature {
        switch self {
        case .today: Signature([], .type(.date))
        case .now: Signature([], .type(.datetime))
        case .hour, .minute, .second, .microsecond, .offsetMinutes:
            Signature([.datetime], .type(.int))
        case .makeDate: Signature([.int, .int, .int], .type(.date))
        case .addDays, .addMonths, .addYears: Signature([.moment, .int], .first)
        case .addHours, .addMinutes, .addSeconds: Signature([.datetime, .int], .type(.datetime))
        case .daysBetween, .monthsBetween: Signature([.date, .date], .type(.int))
        case .secondsBetween: Signature([.datetime, .datetime], .type(.int))
        case .startOfMonth, .endOfMonth: Signature([.date], .type(.date))
        case .atOffset: Signature([.datetime, .int], .type(.datetime))
        case .list: Signature([.same], repeating: true, .listOfUnited)
        case .element: Signature([.list, .int], .elementOfFirst)
        case .append, .remove: Signature([.list, .element], .first)
        case .listDistinct: Signature([.list], .first)
        case .join: Signature([.list, .text], .type(.text))
        case .listSum, .listMin, .listMax: Signature([.list], .elementOfFirst)
        case .jsonGet: Signature([.json, .text], .type(.json))
        case .jsonAt: Signature([.json, .int], .type(.json))
        case .jsonType: Signature([.json], .type(.text))
        case .jsonLength: Signature([.json], .type(.int))
        case .toJSON: Signature([.scalar], .type(.json))
        default: Signature([.moment], .type(.int))
        }
    }

    /// The function whose name differs from a word by the fewest letters, at most two.
    static func nearest(to word: Text) -> String? {
        guard word.byteCount <= 32 else { return nil }
        let letters = Array(simpleCaseFolded(word).string.utf8)
        var best: (name: String, distance: Int)?
        for function in allCases {
            let found = distance(letters, Array(function.rawValue.utf8))
            if found <= 2, found < letters.count, found < best?.distance ?? 3 {
                best = (function.rawValue, found)
            }
        }
        return best?.name
    }
}

/// How many letters must be put in, left out or replaced to make one word of the other.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let replaced = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
