// Why a text is no expression, and why an expression gives no value for a row.
// Neither ever contains the content of a cell. The limits behind them are in
// ExpressionLimits.swift.
package import TableValue

/// Why a text is no expression for a table: what is wrong, where, and what was expected.
package struct ExpressionError: Error, Hashable, Sendable {
    /// The kind of error, stable for programs.
    package enum Code: String, Sendable, CaseIterable {
        case notUTF8 = "expression_not_utf8"
        case tooLong = "expression_too_long"
        case tooDeep = "expression_too_deep"
        case syntax = "expression_syntax"
        case badLiteral = "bad_literal"
        case badPattern = "bad_pattern"
        case unknownColumn = "unknown_column"
        case unknownFunction = "unknown_function"
        case wrongArguments = "wrong_arguments"
        case wrongType = "wrong_type"
        case timeNotAllowed = "time_not_allowed"
    }

    /// The kind of error.
    package let code: Code
    /// The stretch of the text that is meant.
    package let place: SourcePlace
    /// What is wrong and what to do, in words for a person.
    package let message: String
    /// What was expected at the place, in words; nil where nothing in particular was.
    package let expected: String?

    /// Says what is wrong, where, and what was expected.
    package init(
        _ code: Code, at place: SourcePlace, _ message: String, expected: String? = nil
    ) {
        self.code = code
        self.place = place
        self.message = message
        self.expected = expected
    }

    /// The message with line and column, and the line with carets under the place; `source` is the
    /// text that was read.
    package func rendered(source: Text) -> String {
        let found = place.lineAndColumn(in: source)
        return "line \(found.line), column \(found.column): \(message)\n"
            + place.rendered(in: source)
    }
}

/// Why an expression gives no value for a row.
package enum EvaluationFault: String, Error, Hashable, Sendable, CaseIterable {
    case numberOutOfRange = "number_out_of_range"
    case divisionByZero = "division_by_zero"
    case notExact = "not_exact"
    case dateOutOfRange = "date_out_of_range"
    case cannotConvert = "cannot_convert"
    case argumentOutOfRange = "argument_out_of_range"
    case resultTooLarge = "result_too_large"
    case resultTooDeep = "result_too_deep"
    case badPattern = "bad_pattern"
    case budgetSpent = "step_budget_spent"
    case noTimeGiven = "no_time_given"
    case wrongCellType = "wrong_cell_type"

    /// What happened and what to do, in words for a person.
    package var message: String {
        switch self {
        case .numberOutOfRange: "the result is outside the range of its number type"
        case .divisionByZero: "division by zero; nullif(divisor, 0) gives null instead"
        case .notExact: "the number has no exact counterpart; round it or cast it first"
        case .dateOutOfRange: "the result is outside the years 0001 to 9999"
        case .cannotConvert: "the value cannot be converted; try_cast gives null instead"
        case .argumentOutOfRange: "an argument is outside the range of the function"
        case .resultTooLarge: "the result is larger than a cell may be"
        case .resultTooDeep: "the result is nested deeper than JSON in a cell may be"
        case .badPattern: "the pattern cannot be read, or is too long"
        case .budgetSpent: "the expression takes more steps for this row than one row may take"
        case .noTimeGiven: "today() and now() have no time here"
        case .wrongCellType: "a cell does not have the type that its column had; compile again"
        }
    }
}

/// Why an expression gives no value for a row, and which part of it.
package struct EvaluationError: Error, Hashable, Sendable {
    /// What happened.
    package let fault: EvaluationFault
    /// The part of the expression's text that failed.
    package let place: SourcePlace

    /// Names what happened and where.
    package init(_ fault: EvaluationFault, at place: SourcePlace) {
        self.fault = fault
        self.place = place
    }

    /// The message with line and column, and the line with carets under the place; `source` is the
    /// text that the expression was made from.
    package func rendered(source: Text) -> String {
        let found = place.lineAndColumn(in: source)
        return "line \(found.line), column \(found.column): \(fault.message)\n"
            + place.rendered(in: source)
    }
}
