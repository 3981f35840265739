// The types of calls: how many arguments, of which types, and what comes of them.
// It computes nothing; Evaluator+Calls.swift does.
import TableValue

extension Checker {
    mutating func checkCall(
        _ function: Function, _ arguments: [Syntax], _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        let signature = function.signature
        guard signature.allows(arguments.count) else {
            throw ExpressionError(
                .wrongArguments, at: place,
                "\(function.usage) does not take \(arguments.count) arguments",
                expected: function.usage)
        }
        if function == .today || function == .now {
            guard allowsTime else {
                throw ExpressionError(
                    .timeNotAllowed, at: place,
                    "\(function.rawValue)() may not be used here, since its result would change "
                        + "by itself")
            }
            usesTime = true
        }
        var parts = try check(arguments)
        var united = ExpressionType.null
        let shared = parts.indices.filter { signature.parameter($0)?.isShared == true }
        if !shared.isEmpty {
            let found = try self.united(shared.map { parts[$0] }, place)
            for (index, part) in zip(shared, found.parts) { parts[index] = part }
            united = found.type
            try checkUnited(function, united, place)
        }
        for index in parts.indices {
            guard let parameter = signature.parameter(index), !parameter.isShared else { continue }
            parts[index] = try argument(
                parts[index], parameter, of: function, after: index > 0 ? parts[0] : nil)
        }
        return try result(function, parts, united, place)
    }

    private func checkUnited(
        _ function: Function, _ type: ExpressionType, _ place: SourcePlace
    ) throws(ExpressionError) {
        if function.signature.parameters.contains(.ordered), !type.isOrdered {
            throw ExpressionError(
                .wrongType, at: place, "\(type.withArticle) has no order",
                expected: function.usage)
        }
        if function == .list, case .list = type {
            throw ExpressionError(
                .wrongType, at: place, "a list holds single values, not lists; || joins lists")
        }
    }

    private func argument(
        _ part: Typed, _ parameter: Parameter, of function: Function, after first: Typed?
    ) throws(ExpressionError) -> Typed {
        if let fit = try fittedArgument(part, parameter, after: first) { return fit }
        let wanted = parameter == .element ? first?.type.elementWords ?? "" : parameter.rawValue
        throw ExpressionError(
            .wrongType, at: part.place,
            "\(function.usage) takes \(wanted) here, and this is \(part.type.withArticle)",
            expected: wanted)
    }

    /// The part as an argument; nil where it does not fit.
    private func fittedArgument(
        _ part: Typed, _ parameter: Parameter, after first: Typed?
    ) throws(ExpressionError) -> Typed? {
        if part.type == .null, parameter != .pattern { return part }
        switch parameter {
        case .text: return try fitted(part, to: .text)
        case .int: return try fitted(part, to: .int)
        case .bool: return try fitted(part, to: .bool)
        case .date: return try fitted(part, to: .date)
        case .datetime: return try fitted(part, to: .datetime)
        case .json: return try fitted(part, to: .json)
        case .number: return part.type.isNumber ? part : nil
        case .moment: return part.type == .date || part.type == .datetime ? part : nil
        case .sequence, .list:
            if case .list = part.type { return part }
            return parameter == .sequence && part.type == .text ? part : nil
        case .pattern:
            guard part.isLiteral, case .text = part.constant else { return nil }
            return part
        case .scalar:
            if case .scalar = part.type { return part }
            return nil
        case .element:
            switch first?.type {
            case .list(.json): return try jsonElement(part)
            case .list(let element): return try fitted(part, to: .scalar(element))
            case .text: return try fitted(part, to: .text)
            default: return part
            }
        case .ordered, .same: return part
        }
    }

    /// A text, number or bool as an element of a column of lists.
    private func jsonElement(_ part: Typed) throws(ExpressionError) -> Typed? {
        if part.type == .json { return part }
        let value = part.type == .decimal ? try fitted(part, to: .double) : part
        guard let value, case .scalar(let type) = value.type, type.isInJSON else { return nil }
        return made(.call(.toJSON), .json, part.place, [value])
    }

    // MARK: Results

    private func result(
        _ function: Function, _ parts: [Typed], _ united: ExpressionType, _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        switch function {
        case .matches, .containsMatch: return try match(function, parts, place)
        case .if:
            return made(
                .choose(hasSubject: false, hasOtherwise: true), united, place, parts)
        case .coalesce: return made(.coalesce, united, place, parts)
        case .listSum:
            guard parts[0].type.isListOfNumbers else {
                throw ExpressionError(
                    .wrongType, at: parts[0].place,
                    "list_sum takes a list of numbers, and this "
                        + "is \(parts[0].type.withArticle)")
            }
        case .listMin, .listMax:
            if parts[0].type == .list(.json) {
                throw ExpressionError(
                    .wrongType, at: parts[0].place, "JSON values have no order")
            }
        case .join:
            let list = parts[0].type
            guard list == .list(.text) || list == .list(.json) || list == .null else {
                throw ExpressionError(
                    .wrongType, at: parts[0].place,
                    "join takes a list of texts, and this is "
                        + parts[0].type.withArticle)
            }
        default: break
        }
        let type = try resultType(function.signature.result, parts, united, place)
        return made(.call(function), type, place, parts)
    }

    private func resultType(
        _ rule: ResultRule, _ parts: [Typed], _ united: ExpressionType, _ place: SourcePlace
    ) throws(ExpressionError) -> ExpressionType {
        switch rule {
        case .type(let type): return type
        case .first: return parts[0].type
        case .united: return united
        case .listOfUnited:
            guard case .scalar(let element) = united else {
                throw ExpressionError(
                    .wrongType, at: place,
                    "the type of the elements is not known; "
                        + "cast(null as text) has one")
            }
            return .list(element)
        case .elementOfFirst:
            if case .list(let element) = parts[0].type { return .scalar(element) }
            return .null
        }
    }

    private func match(
        _ function: Function, _ parts: [Typed], _ place: SourcePlace
    ) throws(ExpressionError) -> Typed {
        guard case .text(let pattern)? = parts[1].constant else {
            throw ExpressionError(.badPattern, at: place, "the pattern must be a text")
        }
        do {
            let program = try PatternProgram(
                pattern, scope: function == .matches ? .whole : .anywhere)
            return made(.match(program), .bool, place, [parts[0]])
        } catch {
            // Within the quotes; a doubled quote before it moves the place by one.
            let quotes = pattern.string.utf8.prefix(error.offset).count { $0 == 0x27 }
            let start = Int(parts[1].place.start) + 1 + error.offset + quotes
            throw ExpressionError(
                .badPattern, at: SourcePlace(start, start + 1), error.message)
        }
    }
}

extension ExpressionType {
    /// What may be searched for in a value of this type, for errors.
    fileprivate var elementWords: String {
        switch self {
        case .list(.json): "a text, a number, a bool or a JSON value"
        case .list(let element): element.rawValue
        default: "text"
        }
    }

    fileprivate var isListOfNumbers: Bool {
        switch self {
        case .list(.int), .list(.decimal), .list(.double), .null: true
        default: false
        }
    }
}
