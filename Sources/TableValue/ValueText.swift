// The text of values: how each type is read from text and written as text.
// One place for the rules of conversion; the readers and writers of each type are beside it in
// IntegerText, DoubleText, DateText and IdentifierText.swift. Nothing is ever guessed.

/// Why a text or a value does not fit a column's type.
package struct ValueError: Error, Hashable, Sendable {
    /// The type that was asked for.
    package let type: ColumnType
    /// What is wrong, in words for a person, without the value itself.
    package let reason: String

    /// Names the type and what is wrong.
    package init(type: ColumnType, reason: String) {
        self.type = type
        self.reason = reason
    }
}

extension Value {
    /// Reads the text of a value of `type`.
    ///
    /// - int: optional `-`, digits, in the 64-bit range.
    /// - double: a decimal number, or `NaN`, `Infinity`, `-Infinity`.
    /// - bool: `true` or `false`.
    /// - date: `2026-11-30`. datetime: `2026-11-30T08:00:00+01:00` (RFC 3339), at most six
    ///   digits of a second, `Z` for UTC. uuid: eight-four-four-four-twelve hexadecimal digits.
    /// - decimal: optional `-`, digits, optionally a point and digits; at most 38 digits, all of
    ///   which are kept.
    /// - list: a JSON list of texts, numbers and bools. json: any JSON value but null.
    /// - text: any text. choice: any text; whether the column has it is for the table to say.
    ///
    /// - Parameters:
    ///   - text: the text, never meaning null.
    ///   - type: the type to read it as.
    /// - Throws: `ValueError` where the text is not one of that type.
    package init(_ text: Text, as type: ColumnType) throws(ValueError) {
        if type == .text {
            self = .text(text)
        } else if type == .choice {
            self = .choice(text)
        } else {
            try self.init(utf8: text.string.utf8.span, as: type)
        }
    }

    /// Reads the bytes of a text as `init(_:as:)` does, without making a `Text` of them unless
    /// `type` is text.
    ///
    /// - Parameters:
    ///   - bytes: the text; where they are not UTF-8 no type takes them.
    ///   - type: the type to read it as.
    /// - Throws: `ValueError` where the text is not one of that type.
    package init(utf8 bytes: Span<UInt8>, as type: ColumnType) throws(ValueError) {
        switch type {
        case .text, .choice:
            guard let text = unsafe Text(validating: bytes.bytes) else {
                throw ValueError(type: type, reason: "the bytes are not UTF-8")
            }
            self = type == .text ? .text(text) : .choice(text)
        case .int:
            self = .int(try readIntegerValue(bytes))
        case .double:
            self = .double(try readDoubleValue(bytes))
        case .bool:
            guard let value = readBool(bytes) else {
                throw ValueError(type: type, reason: "a bool is true or false")
            }
            self = .bool(value)
        case .date:
            guard let day = readDay(bytes) else {
                throw ValueError(
                    type: type, reason: "a date is written like 2026-11-30, years 0001 to 9999")
            }
            self = .date(day)
        case .datetime:
            guard let moment = readMoment(bytes) else {
                throw ValueError(
                    type: type,
                    reason: "a datetime is written like 2026-11-30T08:00:00Z or with an offset "
                        + "like +01:00, with at most six digits of a second")
            }
            self = .datetime(moment)
        case .uuid:
            guard let identifier = readIdentifier(bytes) else {
                throw ValueError(
                    type: type,
                    reason: "a uuid is 8-4-4-4-12 hexadecimal digits with dashes between them")
            }
            self = .uuid(identifier)
        case .decimal:
            self = .decimal(try readDecimalValue(bytes))
        case .list, .json:
            self = try Value(try readJSONValue(bytes, type), as: type)
        }
    }

    /// A JSON value as one of a list or json column.
    ///
    /// - Throws: `ValueError` where a list is wanted and it is none of texts, numbers and bools.
    package init(_ tree: JSONTree, as type: ColumnType) throws(ValueError) {
        if case .null = tree {
            self = .null
            return
        }
        guard type == .list else {
            self = .json(CanonicalJSON(tree))
            return
        }
        guard case .list(let items) = tree, items.allSatisfy(\.isScalar) else {
            throw ValueError(type: type, reason: type.reading)
        }
        self = .list(CanonicalJSON(tree))
    }

    /// Turns a value as it came over the wire into one of `type`.
    ///
    /// Null fits everywhere. An int fits an int, a decimal and (when exact) a double column; text
    /// is read by `init(_:as:)` for every type but bool; a JSON list fits a list; in a json column
    /// text, int, double, bool and list are the JSON values of that kind; anything else must have
    /// the type already. So a double never fits an int or decimal column, even where it is a whole
    /// number. All NaN become one.
    ///
    /// - Throws: `ValueError` where it does not fit; nothing is guessed.
    package func converted(to type: ColumnType) throws(ValueError) -> Value {
        switch (self, type) {
        case (.null, _), (.bool, .bool), (.int, .int), (.text, .text), (.date, .date),
            (.datetime, .datetime), (.uuid, .uuid), (.decimal, .decimal), (.choice, .choice),
            (.list, .list), (.json, .json):
            return self
        case (.double(let value), .double):
            return value.isNaN ? .double(.nan) : self
        case (.int(let value), .double):
            guard let exact = Double(exactly: value) else {
                throw ValueError(type: type, reason: "the integer is not exact as a double")
            }
            return .double(exact)
        case (.int(let value), .decimal):
            return .decimal(ExactDecimal(value))
        case (.text(let text), .int), (.text(let text), .double), (.text(let text), .date),
            (.text(let text), .datetime), (.text(let text), .uuid), (.text(let text), .decimal),
            (.text(let text), .choice):
            return try Value(text, as: type)
        case (.json(let json), .list):
            return try Value(json.tree, as: .list)
        case (.text, .json), (.int, .json), (.double, .json), (.bool, .json), (.list, .json):
            return try convertedToJSON()
        default:
            let given = self.type?.rawValue ?? "null"
            throw ValueError(
                type: type, reason: "a value of type \(given) does not fit type \(type.rawValue)")
        }
    }

    private func convertedToJSON() throws(ValueError) -> Value {
        switch self {
        case .text(let text): return .json(CanonicalJSON(.text(text)))
        case .int(let number): return .json(CanonicalJSON(.int(number)))
        case .bool(let flag): return .json(CanonicalJSON(.bool(flag)))
        case .list(let list): return .json(list)
        case .double(let number) where number.isFinite:
            return .json(CanonicalJSON(JSONTree(number)))
        default:
            throw ValueError(type: .json, reason: "JSON has no NaN and no infinities")
        }
    }

    /// Appends the canonical text of the value, which `init(_:as:)` reads back exactly.
    ///
    /// Null appends nothing. A double is written with the fewest digits that read back as the
    /// same double.
    package func writeText(to output: inout [UInt8]) {
        switch self {
        case .null: break
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): appendDecimal(value, to: &output)
        case .double(let value): appendDouble(value, to: &output)
        case .text(let text): text.write(to: &output)
        case .date(let day): appendDay(day, to: &output)
        case .datetime(let moment): appendMoment(moment, to: &output)
        case .uuid(let identifier): appendIdentifier(identifier, to: &output)
        case .decimal(let decimal): appendExactDecimal(decimal, to: &output)
        case .choice(let text): text.write(to: &output)
        case .list(let json), .json(let json): json.text.write(to: &output)
        }
    }
}

extension ColumnType {
    /// How a list or a JSON value is written, for errors.
    fileprivate var reading: String {
        self == .list
            ? "a list is written as JSON, like [\"a\", 2, true], of texts, numbers and bools"
            : "a json value is written as JSON, like {\"a\": [1, null]}"
    }
}

extension JSONTree {
    /// True for what can stand in a list: a text, a number or a bool.
    package var isScalar: Bool {
        switch self {
        case .bool, .int, .double, .text: true
        case .null, .list, .object: false
        }
    }
}

/// Reads `true` or `false`; nil for anything else.
package func readBool(_ bytes: Span<UInt8>) -> Bool? {
    if equals(bytes, "true") { return true }
    return equals(bytes, "false") ? false : nil
}

private func readIntegerValue(_ bytes: Span<UInt8>) throws(ValueError) -> Int64 {
    switch readInteger(bytes) {
    case .success(let value): return value
    case .failure(.malformed):
        throw ValueError(
            type: .int, reason: "an int is decimal digits, with - in front if negative")
    case .failure(.outOfRange):
        throw ValueError(type: .int, reason: "the number is outside the range of 64-bit integers")
    }
}

private func readDoubleValue(_ bytes: Span<UInt8>) throws(ValueError) -> Double {
    switch readDouble(bytes) {
    case .success(let value): return value
    case .failure(.malformed):
        throw ValueError(
            type: .double,
            reason: "a double is a decimal number like -1.5 or 2e10, or NaN, Infinity, -Infinity")
    case .failure(.tooLarge):
        throw ValueError(type: .double, reason: "the number is larger than any double")
    case .failure(.tooSmall):
        throw ValueError(type: .double, reason: "the number is too near zero for a double")
    }
}

private func readDecimalValue(_ bytes: Span<UInt8>) throws(ValueError) -> ExactDecimal {
    switch readExactDecimal(bytes) {
    case .success(let value): return value
    case .failure(.malformed):
        throw ValueError(
            type: .decimal,
            reason: "a decimal is written like -12.50: digits, and behind a point more of them")
    case .failure(.tooLong):
        throw ValueError(
            type: .decimal,
            reason: "a decimal has at most \(ExactDecimal.digitsMax) digits")
    }
}

private func readJSONValue(
    _ bytes: Span<UInt8>, _ type: ColumnType
) throws(ValueError) -> JSONTree {
    do {
        return try readJSONTree(bytes)
    } catch {
        throw ValueError(
            type: type, reason: "\(type.reading): \(error.reason), at byte \(error.offset)")
    }
}
