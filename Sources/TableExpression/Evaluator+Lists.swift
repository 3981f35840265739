// What the functions of lists and of JSON values do. Places count from 1, and from the end where
// they are negative.
import TableValue

/// The index of a place in a list; nil where there is none.
private func index(of place: Int64, count: Int) -> Int? {
    if place >= 1, place <= count { return Int(place) - 1 }
    if place < 0, place >= 0 - Int64(count) { return count + Int(place) }
    return nil
}

extension ExpressionValue {
    /// A value that is the same, bit by bit, for all that compare as equal.
    fileprivate var comparisonKey: ExpressionValue {
        switch self {
        case .double(let number): return .double(number.isNaN ? .nan : number == 0 ? 0 : number)
        case .datetime(let moment): return .int(moment.microsecondsSinceEpoch)
        case .decimal(let number):
            var coefficient = number.coefficient
            var scale = Int(number.scale)
            while scale > 0, coefficient % 10 == 0 {
                coefficient /= 10
                scale -= 1
            }
            return ExactDecimal(coefficient: coefficient, scale: scale).map { .decimal($0) } ?? self
        default: return self
        }
    }
}

extension Evaluator {
    private func list(_ index: Int) throws(EvaluationFault) -> [ExpressionValue] {
        guard index < stack.count, case .list(let elements) = stack[index] else {
            throw .wrongCellType
        }
        return elements
    }

    mutating func callList(
        _ function: Function, _ base: Int, _ count: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        if function == .list {
            return try madeList(Array(stack[base...]))
        }
        if stack[base].isNull { return .null }
        let elements = try list(base)
        try spend(elements.count)
        switch function {
        case .element:
            let place = try int(base + 1)
            return index(of: place, count: elements.count).map { elements[$0] } ?? .null
        case .append:
            return try madeList(elements + [stack[base + 1]])
        case .remove:
            var kept: [ExpressionValue] = []
            for element in elements where try !areSame(element, stack[base + 1]) {
                kept.append(element)
            }
            return .list(kept)
        case .listDistinct:
            return .list(try distinct(elements))
        case .join: return try joined(elements, try text(base + 1))
        default: return try folded(elements, function)
        }
    }

    /// `length`, `contains` and `position` of a list.
    mutating func callSearch(
        _ function: Function, _ elements: [ExpressionValue], _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        if function == .length { return .int(Int64(elements.count)) }
        try spend(elements.count)
        for (index, element) in elements.enumerated()
        where try areSame(element, stack[base + 1]) {
            return function == .contains ? .bool(true) : .int(Int64(index + 1))
        }
        return function == .contains ? .bool(false) : .int(0)
    }

    /// All lists from a place of the stack on, one behind the other.
    mutating func joinedLists(_ base: Int) throws(EvaluationFault) -> ExpressionValue {
        var all: [ExpressionValue] = []
        for index in base..<stack.count {
            all += try list(index)
            guard all.count <= limits.elementsMax else { throw .resultTooLarge }
        }
        return try madeList(all)
    }

    /// Each element once, where it first stands.
    private mutating func distinct(
        _ elements: [ExpressionValue]
    ) throws(EvaluationFault) -> [ExpressionValue] {
        var met: Set<ExpressionValue> = []
        var kept: [ExpressionValue] = []
        for element in elements {
            // For the hash, and for comparing with the one that is the same.
            try spend(bytes: 2 * element.byteCount)
            if met.insert(element.comparisonKey).inserted { kept.append(element) }
        }
        return kept
    }

    private mutating func joined(
        _ elements: [ExpressionValue], _ separator: Text
    ) throws(EvaluationFault) -> ExpressionValue {
        var bytes: [UInt8] = []
        var isFirst = true
        for element in elements where !element.isNull {
            if !isFirst { separator.write(to: &bytes) }
            isFirst = false
            try writeText(of: element, to: &bytes)
            guard bytes.count <= limits.resultBytesMax else { throw .resultTooLarge }
        }
        try spend(bytes: bytes.count)
        return .text(try made(bytes))
    }

    /// The sum, the smallest or the largest of the elements that are not null.
    private mutating func folded(
        _ elements: [ExpressionValue], _ function: Function
    ) throws(EvaluationFault) -> ExpressionValue {
        var result = ExpressionValue.null
        for element in elements where !element.isNull {
            if result.isNull {
                result = element
            } else if function == .listSum {
                result = try arithmetic(.add, result, element)
            } else {
                let found = try order(element, result)
                if function == .listMax ? found > 0 : found < 0 { result = element }
            }
        }
        return result
    }

    // MARK: JSON values

    mutating func callJSON(
        _ function: Function, _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        if function == .toJSON { return .json(try madeJSON(stack[base])) }
        guard case .json(let json) = stack[base] else { throw .wrongCellType }
        try spend(bytes: 4 * json.text.byteCount)
        let tree = json.tree
        switch (function, tree) {
        case (.jsonType, _): return .text(tree.typeName)
        case (.jsonLength, .list(let elements)): return .int(Int64(elements.count))
        case (.jsonLength, .object(let members)): return .int(Int64(members.count))
        case (.jsonAt, .list(let elements)):
            let found = index(of: try int(base + 1), count: elements.count)
            return found.map { ExpressionValue(elements[$0]) } ?? .null
        case (.jsonGet, .object(let members)):
            let key = try text(base + 1)
            let found = members.first { $0.key == key }
            return found.map { ExpressionValue($0.value) } ?? .null
        default: return .null
        }
    }
}

extension JSONTree {
    fileprivate var typeName: Text {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .int, .double: "number"
        case .text: "string"
        case .list: "array"
        case .object: "object"
        }
    }
}
