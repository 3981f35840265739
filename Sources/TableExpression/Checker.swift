// Finds the type of every part of an expression against a table's columns, or the place where
// types do not fit. Operators are in Checker+Operators.swift, calls in Checker+Calls.swift.
import TableValue

/// Finds types, and collects the columns that an expression uses.
struct Checker {
    let schema: ExpressionSchema
    let allowsTime: Bool
    /// The columns in the order of their first use.
    var columns: [ColumnKey] = []
    /// True once `today()` or `now()` is met.
    var usesTime = false
    private var slots: [ColumnKey: Int] = [:]

    init(schema: ExpressionSchema, allowsTime: Bool) {
        self.schema = schema
        self.allowsTime = allowsTime
    }

    /// Gives a part its type; the recursion is bounded by the tree's height.
    mutating func check(_ part: Syntax) throws(ExpressionError) -> Typed {
        switch part.form {
        case .null: return Typed(operation: .constant(.null), type: .null, place: part.place)
        case .bool(let flag): return literal(.bool(flag), .bool, part.place)
        case .int(let number): return literal(.int(number), .int, part.place)
        case .decimal(let number): return literal(.decimal(number), .decimal, part.place)
        case .double(let number): return literal(.double(number), .double, part.place)
        case .text(let text): return literal(.text(text), .text, part.place)
        case .typed(let type, let text): return try checkTyped(type, text, part.place)
        case .column(let reference): return try checkColumn(reference, part.place)
        case .cast(let value, let type, let isTrying):
            return try checkCast(value, type, isTrying: isTrying, part.place)
        case .choose(let subject, let branches, let otherwise):
            return try checkCase(subject, branches, otherwise, part.place)
        case .call(let function, let arguments):
            return try checkCall(function, arguments, part.place)
        default: return try checkOperator(part)
        }
    }

    mutating func check(_ parts: [Syntax]) throws(ExpressionError) -> [Typed] {
        var found: [Typed] = []
        found.reserveCapacity(parts.count)
        for part in parts { found.append(try check(part)) }
        return found
    }

    // MARK: Values

    private func literal(
        _ value: ExpressionValue, _ type: ExpressionType, _ place: SourcePlace
    ) -> Typed {
        Typed(operation: .constant(value), type: type, place: place, isLiteral: true)
    }

    private func checkTyped(
        _ type: ScalarType, _ text: Text, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let value = try read(text, as: type, place)
        return Typed(operation: .constant(value), type: .scalar(type), place: place)
    }

    /// Reads a literal's text as a type.
    func read(
        _ text: Text, as type: ScalarType, _ place: SourcePlace
    ) throws(ExpressionError) -> ExpressionValue {
        guard let value = expressionValue(reading: text, as: type) else {
            throw ExpressionError(
                .badLiteral, at: place, "the text is not that of a \(type.rawValue)",
                expected: type.example)
        }
        return value
    }

    private mutating func checkColumn(
        _ reference: ColumnReference, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let found: SchemaColumn?
        switch reference {
        case .name(let name): found = schema.column(named: name)
        case .key(let key): found = schema.column(key)
        }
        guard let column = found else {
            throw ExpressionError(
                .unknownColumn, at: place,
                "there is no column of this name; a text stands in single quotes",
                expected: "the name of a column")
        }
        let slot = slots[column.key] ?? columns.count
        if slot == columns.count {
            slots[column.key] = slot
            columns.append(column.key)
        }
        return Typed(operation: .column(slot), type: column.type, place: place)
    }

    // MARK: Fitting

    /// The part as one of `type`: itself, a literal read as that type, or an int widened.
    ///
    /// Nil where it does not fit.
    func fitted(_ part: Typed, to type: ExpressionType) throws(ExpressionError) -> Typed? {
        if part.type == type || part.type == .null { return part }
        if type == .list(.json), part.type.isMixable {
            return made(.convert(type, isTrying: false), type, part.place, [part])
        }
        guard case .scalar(let scalar) = type else { return nil }
        if part.isLiteral, let value = part.constant {
            if let fit = try fittedLiteral(value, scalar, part.place) {
                return Typed(operation: .constant(fit), type: type, place: part.place)
            }
        }
        guard part.type == .int, scalar == .decimal || scalar == .double else { return nil }
        return Typed(operation: .widen(scalar), type: type, place: part.place, operands: [part])
    }

    private func fittedLiteral(
        _ value: ExpressionValue, _ type: ScalarType, _ place: SourcePlace
    ) throws(ExpressionError) -> ExpressionValue? {
        switch (value, type) {
        case (.text(let text), .date), (.text(let text), .datetime), (.text(let text), .uuid):
            return try read(text, as: type, place)
        case (.decimal(let number), .double): return .double(number.nearestDouble)
        case (.int(let number), .decimal): return .decimal(ExactDecimal(number))
        default: return nil
        }
    }

    /// The one type that all parts have or take, and the parts as that type; without `widens`,
    /// numbers stay as they are, for operators that take different ones.
    func united(
        _ parts: [Typed], _ place: SourcePlace, widens: Bool = true
    ) throws(ExpressionError) -> (type: ExpressionType, parts: [Typed]) {
        var type = ExpressionType.null
        for part in parts where !part.isLiteral {
            type = try unitedType(type, part, place)
        }
        for part in parts where part.isLiteral {
            if try fitted(part, to: type) == nil { type = try unitedType(type, part, place) }
        }
        var fit: [Typed] = []
        for part in parts {
            guard let found = try fitted(part, to: type) else {
                throw mismatch(type, part.type, place)
            }
            if case .widen = found.operation, !widens {
                fit.append(part)
            } else {
                fit.append(found)
            }
        }
        return (type, fit)
    }

    private func unitedType(
        _ type: ExpressionType, _ part: Typed, _ place: SourcePlace
    ) throws(ExpressionError) -> ExpressionType {
        guard let united = type.united(with: part.type) else {
            throw mismatch(type, part.type, place)
        }
        return united
    }

    func mismatch(
        _ left: ExpressionType, _ right: ExpressionType, _ place: SourcePlace
    ) -> ExpressionError {
        let hint =
            left.isDecimalAndDouble(right)
            ? "a decimal is exact and a double is not; cast one of them"
            : "cast one of them"
        return ExpressionError(
            .wrongType, at: place,
            "\(left.withArticle) and \(right.withArticle) do not go "
                + "together; \(hint)")
    }

    /// The part as one of `type`, or an error that names what was expected.
    func needed(
        _ part: Typed, _ type: ExpressionType, _ what: String
    ) throws(ExpressionError) -> Typed {
        if let fit = try fitted(part, to: type) { return fit }
        throw ExpressionError(
            .wrongType, at: part.place,
            "\(what) takes \(type.withArticle), and this is \(part.type.withArticle)",
            expected: type.description)
    }
}

extension ExpressionType {
    /// The type in a sentence: "an int".
    var withArticle: String {
        switch self {
        case .null: "null"
        case .scalar(.int): "an int"
        default: "a \(self)"
        }
    }
}

extension ScalarType {
    /// How a value of the type is written, for errors.
    var example: String {
        switch self {
        case .text: "a text"
        case .int: "digits like -12"
        case .double: "a number like 1.5 or 2e10, NaN, Infinity or -Infinity"
        case .decimal: "a number like -12.50, at most 38 digits"
        case .bool: "true or false"
        case .date: "a date like 2026-11-30"
        case .datetime: "a datetime like 2026-11-30T08:00:00Z or with an offset like +01:00"
        case .uuid: "8-4-4-4-12 hexadecimal digits"
        case .json: "a JSON value"
        }
    }
}
