// Makes texts, lists and JSON values: each takes the steps of its bytes, and none is larger or
// nested deeper than a cell may be. It never parses what it only passes on. Which values are made
// is up to Conversion.swift and Evaluator+*.swift.
import TableValue

extension ExpressionValue {
    /// The bytes of a text, of a JSON value, and of those in a list; nothing for what has a fixed
    /// size.
    ///
    /// Complexity: linear in the elements of a list.
    var byteCount: Int {
        switch self {
        case .text(let text): text.byteCount
        case .json(let json): json.text.byteCount
        case .list(let elements): elements.reduce(0) { $0 &+ $1.byteCount }
        default: 0
        }
    }
}

extension CanonicalJSON {
    /// True for a string, told by its first byte.
    var isString: Bool { text.string.utf8.first == UInt8(ascii: "\"") }
}

/// How deep lists and objects are nested in the text of a JSON value: 0 for a number.
private func nestingDepth(_ json: Span<UInt8>) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var index = 0
    while index < json.count {
        switch json[index] {
        case UInt8(ascii: "\""): isInString.toggle()
        // What is escaped, a quote among it, ends no string.
        case UInt8(ascii: "\\"): index += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if !isInString { depth += 1 }
            deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if !isInString { depth -= 1 }
        default: break
        }
        index += 1
    }
    return deepest
}

extension Evaluator {
    /// A text of bytes that are UTF-8, no larger than a result may be.
    func made(_ bytes: [UInt8]) throws(EvaluationFault) -> Text {
        guard bytes.count <= limits.resultBytesMax else { throw .resultTooLarge }
        return Text(String(decoding: bytes, as: UTF8.self))
    }

    /// Appends the text of a single value, and takes the steps of finding it where it must be
    /// parsed; those of its bytes are the caller's.
    mutating func writeText(
        of value: ExpressionValue, to output: inout [UInt8]
    ) throws(EvaluationFault) {
        if case .json(let json) = value, json.isString {
            try spend(bytes: 4 * json.text.byteCount)
        }
        value.writeText(to: &output)
    }

    /// A list of elements, no more and no larger than a result may be.
    mutating func madeList(
        _ elements: [ExpressionValue]
    ) throws(EvaluationFault) -> ExpressionValue {
        guard elements.count <= limits.elementsMax else { throw .resultTooLarge }
        try spend(elements.count)
        var byteCount = 0
        for element in elements {
            byteCount &+= element.byteCount
            guard byteCount <= limits.resultBytesMax else { throw .resultTooLarge }
        }
        try spend(bytes: byteCount)
        return .list(elements)
    }

    /// A single value as JSON: what JSON has no type for becomes a string.
    mutating func madeJSON(
        _ value: ExpressionValue
    ) throws(EvaluationFault) -> CanonicalJSON {
        let tree: JSONTree
        switch value {
        case .json(let json): return json
        case .list: throw .wrongCellType
        case .null: tree = .null
        case .bool(let flag): tree = .bool(flag)
        case .int(let number): tree = .int(number)
        case .double(let number):
            guard number.isFinite else { throw .cannotConvert }
            tree = .double(number)
        case .text(let text): tree = .text(text)
        default:
            var bytes: [UInt8] = []
            value.writeText(to: &bytes)
            tree = .text(try made(bytes))
        }
        try spend(bytes: value.byteCount)
        let json = CanonicalJSON(tree)
        try spend(bytes: json.text.byteCount)
        guard json.text.byteCount <= limits.resultBytesMax else { throw .resultTooLarge }
        return json
    }

    /// A list as a JSON value, no larger than a result and no deeper than JSON in a cell may be.
    mutating func madeJSON(
        _ elements: [ExpressionValue]
    ) throws(EvaluationFault) -> CanonicalJSON {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for element in elements {
            try spend(1)
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            let text = try madeJSON(element).text
            // Looked at for its depth, and copied.
            try spend(bytes: 2 * text.byteCount)
            guard bytes.count + text.byteCount < limits.resultBytesMax else {
                throw .resultTooLarge
            }
            guard nestingDepth(text.string.utf8.span) < jsonDepthMax else { throw .resultTooDeep }
            text.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        // Canonical parts with commas between them are canonical.
        return CanonicalJSON(stored: try made(bytes))
    }
}
