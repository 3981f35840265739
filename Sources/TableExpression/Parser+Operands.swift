// Reads what stands between operators: literals, columns, calls, case, cast, parentheses.
// No types are known yet: Checker.swift comes next.
import TableValue

/// What may stand where a value is expected, for errors.
private let operandWords = "a value: a column, a number, a 'text', a function or ("

extension Parser {
    mutating func readOperand() throws(ExpressionError) -> Syntax {
        let start = token
        switch start.kind {
        case .keyword(let keyword): return try readKeyword(keyword)
        case .number(let digits):
            return try readNumber(digits, isNegative: false, from: start.place)
        case .text(let text):
            advance()
            return try made(.text(text), from: start.place)
        case .quotedName(let name):
            advance()
            if NameKind.column.hasIDShape(name) {
                guard let key = ColumnKey(name) else {
                    throw ExpressionError(
                        .unknownColumn, at: start.place, "there is no column of this id")
                }
                return try made(.column(.key(key)), from: start.place)
            }
            return try made(.column(.name(name)), from: start.place)
        case .word(let word): return try readWord(word)
        case .sign(.open):
            advance()
            let inside = try read(.any)
            guard take(.close) else { throw wanted("an operator or \")\"") }
            return inside
        case .sign(.plus):
            throw ExpressionError(
                .syntax, at: start.place, "a number has no + in front", expected: operandWords)
        case .sign, .end: throw wanted(operandWords)
        }
    }

    private mutating func readKeyword(_ keyword: Keyword) throws(ExpressionError) -> Syntax {
        let start = token.place
        switch keyword {
        case .null:
            advance()
            return try made(.null, from: start)
        case .true, .false:
            advance()
            return try made(.bool(keyword == .true), from: start)
        case .case:
            advance()
            return try readCase(start)
        case .cast, .tryCast:
            advance()
            return try readCast(start, isTrying: keyword == .tryCast)
        default:
            throw ExpressionError(
                .syntax, at: start,
                "expected a value, found \"\(keyword.rawValue)\"; a column of that name is "
                    + "written in double quotes", expected: operandWords)
        }
    }

    // MARK: Numbers

    /// Reads the number whose digits are the token, with a `-` that was before them or not.
    mutating func readNumber(
        _ digits: Text, isNegative: Bool, from start: SourcePlace
    ) throws(ExpressionError) -> Syntax {
        advance()
        let bytes = Array(((isNegative ? "-" : "") + digits.string).utf8)
        let place = start.through(previousPlace)
        if bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard case .success(let value) = readDouble(bytes.span) else {
                throw ExpressionError(
                    .badLiteral, at: place, "the number is beyond the range of a double")
            }
            return try made(.double(value), from: start)
        }
        if bytes.contains(UInt8(ascii: ".")) {
            guard case .success(let value) = readExactDecimal(bytes.span) else {
                throw ExpressionError(
                    .badLiteral, at: place,
                    "a number with a point has at most \(ExactDecimal.digitsMax) digits; "
                        + "with an exponent (e0) it is a double")
            }
            return try made(.decimal(value), from: start)
        }
        guard case .success(let value) = readInteger(bytes.span) else {
            throw ExpressionError(
                .badLiteral, at: place,
                "the number is beyond the range of an int, -9223372036854775808 to "
                    + "9223372036854775807; with .0 behind it is a decimal")
        }
        return try made(.int(value), from: start)
    }

    // MARK: Words

    /// Reads a function's call, a literal with its type in front, or a column.
    private mutating func readWord(_ word: Text) throws(ExpressionError) -> Syntax {
        let start = token.place
        advance()
        if take(.open) {
            guard let function = Function(word) else { throw unknownFunction(word, at: start) }
            let arguments = try readArguments()
            return try made(.call(function, arguments), from: start)
        }
        if case .text(let text) = token.kind {
            guard let type = ScalarType(word: word) else {
                throw ExpressionError(
                    .syntax, at: start, "expected a type before the text", expected: typeWords)
            }
            advance()
            return try made(.typed(type, text), from: start)
        }
        return try made(.column(.name(word)), from: start)
    }

    private func unknownFunction(_ word: Text, at place: SourcePlace) -> ExpressionError {
        let close = Function.nearest(to: word)
        return ExpressionError(
            .unknownFunction, at: place,
            "there is no function of this name" + (close.map { "; did you mean \($0)?" } ?? ""),
            expected: close)
    }

    /// Reads values with commas between them up to the closing parenthesis.
    mutating func readArguments() throws(ExpressionError) -> [Syntax] {
        var arguments: [Syntax] = []
        if take(.close) { return arguments }
        repeat {
            arguments.append(try read(.any))
        } while take(.comma)
        guard take(.close) else { throw wanted("an operator, \",\" or \")\"") }
        return arguments
    }

    // MARK: Case and cast

    private mutating func readCase(_ start: SourcePlace) throws(ExpressionError) -> Syntax {
        let subject = token.kind == .keyword(.when) ? nil : try read(.any)
        var branches: [CaseBranch] = []
        while take(.when) {
            let condition = try read(.any)
            try need(.then)
            branches.append(CaseBranch(condition: condition, result: try read(.any)))
        }
        guard !branches.isEmpty else { throw wanted("\"when\"") }
        let otherwise = take(.else) ? try read(.any) : nil
        guard take(.end) else { throw wanted("when, else or end") }
        return try made(.choose(subject: subject, branches, otherwise: otherwise), from: start)
    }

    private mutating func readCast(
        _ start: SourcePlace, isTrying: Bool
    ) throws(ExpressionError) -> Syntax {
        try need(.open)
        let value = try read(.any)
        try need(.as)
        let type = try readType()
        try need(.close)
        return try made(.cast(value, type, isTrying: isTrying), from: start)
    }
}

extension Parser {
    /// Reads `int`, or `list(int)`.
    private mutating func readType() throws(ExpressionError) -> ExpressionType {
        guard case .word(let word) = token.kind else { throw wanted(typeWords) }
        let isList = word.byteCount == 4 && simpleCaseFolded(word) == "list"
        if isList {
            advance()
            try need(.open)
        }
        guard case .word(let word) = token.kind, let type = ScalarType(word: word) else {
            throw wanted(typeWords)
        }
        advance()
        if isList { try need(.close) }
        return isList ? .list(type) : .scalar(type)
    }
}

/// The types by name, for errors.
private let typeWords =
    "a type: " + ScalarType.allCases.map(\.rawValue).joined(separator: ", ") + ", list(type)"

extension ScalarType {
    /// The type of a name, in whatever case.
    fileprivate init?(word: Text) {
        guard word.byteCount <= 8 else { return nil }
        self.init(rawValue: simpleCaseFolded(word).string)
    }
}
