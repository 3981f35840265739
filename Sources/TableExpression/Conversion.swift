// Conversions between types: those of cast and try_cast, and literals read as their type.
// Nothing is rounded but an int or a decimal that is asked to be a double.
import TableValue

/// Reads the text of a value; nil where it is none of that type.
func expressionValue(reading text: Text, as type: ScalarType) -> ExpressionValue? {
    let bytes = text.string.utf8.span
    switch type {
    case .text: return .text(text)
    case .int: return (try? readInteger(bytes).get()).map { .int($0) }
    case .double: return (try? readDouble(bytes).get()).map { .double($0) }
    case .decimal: return (try? readExactDecimal(bytes).get()).map { .decimal($0) }
    case .bool: return readBool(bytes).map { .bool($0) }
    case .date: return readDay(bytes).map { .date($0) }
    case .datetime: return readMoment(bytes).map { .datetime($0) }
    case .uuid: return readIdentifier(bytes).map { .uuid($0) }
    case .json: return (try? readJSONTree(bytes)).map { ExpressionValue($0) }
    }
}

extension ExpressionValue {
    /// A JSON value; JSON's null is null.
    init(_ tree: JSONTree) {
        if case .null = tree { self = .null } else { self = .json(CanonicalJSON(tree)) }
    }

    /// Appends the canonical text of a single value; null and lists append nothing.
    func writeText(to output: inout [UInt8]) {
        switch self {
        case .null, .list: break
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .int(let number): appendDecimal(number, to: &output)
        case .double(let number): appendDouble(number, to: &output)
        case .decimal(let number): appendExactDecimal(number, to: &output)
        case .text(let text): text.write(to: &output)
        case .date(let day): appendDay(day, to: &output)
        case .datetime(let moment): appendMoment(moment, to: &output)
        case .uuid(let identifier): appendIdentifier(identifier, to: &output)
        case .json(let json):
            // A JSON string stands for its own text, everything else for its JSON.
            if json.isString, case .text(let text) = json.tree {
                text.write(to: &output)
            } else {
                json.text.write(to: &output)
            }
        }
    }
}

/// The digits that a double is shown with, as a decimal; nil where that has none of them.
func shortestDecimal(_ number: Double) -> ExactDecimal? {
    guard number.isFinite else { return nil }
    var bytes: [UInt8] = []
    appendDouble(number, to: &bytes)
    var coefficient: Int128 = 0
    var scale = 0
    var hasPoint = false
    var index = 0
    while index < bytes.count, bytes[index] | 0x20 != UInt8(ascii: "e") {
        if bytes[index] == UInt8(ascii: ".") { hasPoint = true }
        if (0x30...0x39).contains(bytes[index]) {
            // A double is shown with at most seventeen digits.
            coefficient = coefficient &* 10 &+ Int128(bytes[index] - 0x30)
            if hasPoint { scale += 1 }
        }
        index += 1
    }
    if index < bytes.count {
        let digits = bytes[(index + 1)...].filter { $0 != UInt8(ascii: "+") }
        guard case .success(let exponent) = readInteger(digits.span) else { return nil }
        scale -= Int(clamping: exponent)
    }
    if scale < 0 {
        guard scale >= -ExactDecimal.digitsMax else { return nil }
        let (product, overflow) = coefficient.multipliedReportingOverflow(
            by: Int128(powerOfTen(0 - scale)))
        if overflow { return nil }
        coefficient = product
        scale = 0
    }
    return ExactDecimal(coefficient: number < 0 ? 0 - coefficient : coefficient, scale: scale)
}

extension Evaluator {
    mutating func runConvert(_ type: ExpressionType, isTrying: Bool) throws(EvaluationFault) {
        let value = try pop()
        do throws(EvaluationFault) {
            switch type {
            case .null: stack.append(value)
            case .scalar(let type): stack.append(try converted(value, to: type))
            case .list(let type): stack.append(try convertedList(value, to: type))
            }
        } catch {
            switch error {
            case .cannotConvert, .notExact, .numberOutOfRange, .dateOutOfRange:
                guard isTrying else { throw error }
                stack.append(.null)
            default: throw error
            }
        }
    }

    private mutating func converted(
        _ value: ExpressionValue, to type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        if value.isNull || value.scalarType == type { return value }
        switch (value, type) {
        case (.json(let json), _) where type != .text:
            try spend(bytes: 4 * json.text.byteCount)
            return try converted(json.tree, to: type)
        case (.list(let elements), .json):
            return .json(try madeJSON(elements))
        case (_, .text):
            var bytes: [UInt8] = []
            try writeText(of: value, to: &bytes)
            try spend(bytes: bytes.count)
            return .text(try made(bytes))
        case (.text(let text), _):
            try spend(bytes: 4 * text.byteCount)
            guard let read = expressionValue(reading: text, as: type) else {
                throw .cannotConvert
            }
            // JSON can grow: 1e18 is written with all its digits.
            guard read.byteCount <= limits.resultBytesMax else { throw .resultTooLarge }
            return read
        case (.date(let day), .datetime):
            let moment = Moment(
                microsecondsSinceEpoch: Int64(day.daysSinceEpoch) * microsecondsOfDay,
                offsetMinutes: 0)
            return .datetime(moment)
        case (.datetime(let moment), .date): return .date(try localDay(moment))
        case (_, .json): return .json(try madeJSON(value))
        default: return try convertedNumber(value, to: type)
        }
    }

    /// A list, or a JSON value that is one, with each element converted.
    private mutating func convertedList(
        _ value: ExpressionValue, to type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        let elements: [ExpressionValue]
        switch value {
        case .null: return .null
        case .list(let found): elements = found
        case .json(let json):
            try spend(bytes: 4 * json.text.byteCount)
            guard case .list(let items) = json.tree else { throw .cannotConvert }
            guard items.count <= limits.elementsMax else { throw .resultTooLarge }
            elements = items.map { ExpressionValue($0) }
        default: throw .wrongCellType
        }
        guard elements.count <= limits.elementsMax else { throw .resultTooLarge }
        var made: [ExpressionValue] = []
        made.reserveCapacity(elements.count)
        for element in elements {
            try spend(1)
            // A text among JSON values is itself, not the text of another one.
            if type == .json, !element.isNull {
                made.append(.json(try madeJSON(element)))
            } else {
                made.append(try converted(element, to: type))
            }
        }
        return try madeList(made)
    }

    private func convertedNumber(
        _ value: ExpressionValue, to type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        switch (value, type) {
        case (.int(let number), .double): return .double(Double(number))
        case (.int(let number), .decimal): return .decimal(ExactDecimal(number))
        case (.decimal(let number), .double): return .double(number.nearestDouble)
        case (.decimal(let number), .int):
            if let whole = number.wholeNumber { return .int(whole) }
            let isWhole = Int128(powerOfTen(Int(number.scale)))
            throw number.coefficient % isWhole == 0 ? .numberOutOfRange : .notExact
        case (.double(let number), .int):
            guard number.isFinite else { throw .cannotConvert }
            if let whole = Int64(exactly: number) { return .int(whole) }
            throw number.rounded(.towardZero) == number ? .numberOutOfRange : .notExact
        case (.double(let number), .decimal):
            guard number.isFinite else { throw .cannotConvert }
            guard let decimal = shortestDecimal(number) else { throw .numberOutOfRange }
            return .decimal(decimal)
        default: throw .cannotConvert
        }
    }

    // MARK: JSON values

    private func converted(
        _ tree: JSONTree, to type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        switch (tree, type) {
        case (.null, _): return .null
        case (.bool(let flag), .bool): return .bool(flag)
        case (.int(let number), _): return try convertedOrSame(.int(number), type)
        case (.double(let number), _): return try convertedOrSame(.double(number), type)
        case (.text(let text), _):
            guard type != .bool, let read = expressionValue(reading: text, as: type) else {
                throw .cannotConvert
            }
            return read
        default: throw .cannotConvert
        }
    }

    private func convertedOrSame(
        _ value: ExpressionValue, _ type: ScalarType
    ) throws(EvaluationFault) -> ExpressionValue {
        value.scalarType == type ? value : try convertedNumber(value, to: type)
    }
}
