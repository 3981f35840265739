// Which type a column of a JSON file can have, looking at every value: the kinds of JSON, and of
// texts those that our own writer makes of other types. It guesses nothing; what does not go
// together is an error, not a text. Next: JSONImport.swift.
import TableValue

/// Integers up to this magnitude are numbers, as every JSON reader keeps them.
let jsonIntegerMax: UInt64 = 1 << 53

/// What is known of a column's values so far.
struct JSONInference: Sendable {
    private var hasInt = false
    private var hasDouble = false
    private var hasBool = false
    private var hasText = false
    /// False once an integer is no double.
    private var isExactAsDouble = true
    /// True while every text is an integer that JSON readers do not keep as a number.
    private var isLongInt = true
    /// True while every text is `NaN`, `Infinity` or `-Infinity`.
    private var isDoubleWord = true
    private var hasNested = false
    /// True while every list or object is a list of texts, numbers and bools.
    private var isListOfScalars = true
    /// The types that every text so far can be read as, in the order in which they are preferred.
    private var textTypes: [ColumnType] = [.date, .datetime, .uuid]
    /// The values that are not null.
    private(set) var valueCount = 0

    /// Looks at a value as the reader of the wire gives it.
    ///
    /// - Returns: false where it does not go together with those before it.
    mutating func add(_ value: Value) -> Bool {
        switch value {
        case .null: return true
        case .int(let number):
            hasInt = true
            if Double(exactly: number) == nil { isExactAsDouble = false }
        case .double: hasDouble = true
        case .bool: hasBool = true
        case .text(let text):
            hasText = true
            add(text)
        case .json(let json):
            hasNested = true
            if (try? Value(json.tree, as: .list)) == nil { isListOfScalars = false }
        case .date, .datetime, .uuid, .decimal, .choice, .list: return false
        }
        valueCount &+= 1
        return type != nil
    }

    private mutating func add(_ text: Text) {
        if isLongInt {
            if case .int(let number)? = try? Value(text, as: .int) {
                isLongInt = number.magnitude > jsonIntegerMax
            } else {
                isLongInt = false
            }
        }
        if isDoubleWord { isDoubleWord = ["NaN", "Infinity", "-Infinity"].contains(text) }
        textTypes.removeAll { (try? Value(text, as: $0)) == nil }
    }

    /// The type that all values fit; nil where there is none.
    var type: ColumnType? {
        if hasNested {
            let isAlone = !(hasInt || hasDouble || hasBool || hasText)
            return isAlone && isListOfScalars ? .list : .json
        }
        return switch (hasInt || hasDouble, hasBool, hasText) {
        case (false, false, false): .text
        case (false, true, false): .bool
        case (false, false, true): textTypes.first ?? .text
        case (true, false, false):
            if hasDouble { isExactAsDouble ? .double : nil } else { .int }
        case (true, false, true):
            if isLongInt, !hasDouble {
                .int
            } else if isDoubleWord, isExactAsDouble {
                .double
            } else {
                nil
            }
        default: nil
        }
    }
}
