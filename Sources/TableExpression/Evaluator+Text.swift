// What the functions of texts do. Characters are Unicode scalars, places count from 1.
// Types were checked before, in Checker+Calls.swift; cases are in CaseMapping.swift.
import TableValue

/// How many characters bytes of UTF-8 hold.
private func characterCount(_ bytes: Span<UInt8>) -> Int {
    var count = 0
    for index in 0..<bytes.count where bytes[index] & 0xC0 != 0x80 { count &+= 1 }
    return count
}

/// The byte at which a character begins, counted from 0; the end for one beyond.
private func byteOffset(of character: Int, in bytes: Span<UInt8>) -> Int {
    var count = -1
    for index in 0..<bytes.count where bytes[index] & 0xC0 != 0x80 {
        count &+= 1
        if count == character { return index }
    }
    return bytes.count
}

/// The bytes from one to before another, which begin characters.
private func part(of text: Text, _ start: Int, _ end: Int) -> Text {
    guard start < end else { return "" }
    if start == 0, end == text.byteCount { return text }
    return unsafe Text(validating: text.string.utf8.span.extracting(start..<end).bytes) ?? ""
}

extension Evaluator {
    mutating func callText(
        _ function: Function, _ base: Int, _ count: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        if function == .concat { return try concatenated(base) }
        let text = try text(base)
        try spend(bytes: text.byteCount)
        switch function {
        case .length: return .int(Int64(characterCount(text.string.utf8.span)))
        case .lower: return .text(try mapped(text, lowerCased))
        case .upper: return .text(try mapped(text, upperCased))
        case .fold: return .text(try mapped(text, simpleCaseFolded))
        case .trim, .trimStart, .trimEnd:
            let characters = count > 1 ? try self.text(base + 1) : nil
            return .text(try trimmed(text, function, characters))
        case .substring:
            return .text(
                try substring(text, try int(base + 1), count > 2 ? try int(base + 2) : nil))
        case .left, .right: return .text(try end(of: text, function, try int(base + 1)))
        case .repeat: return .text(try repeated(text, try int(base + 1)))
        case .padStart, .padEnd:
            let fill = count > 2 ? try self.text(base + 2) : " "
            return .text(try padded(text, try int(base + 1), fill, atStart: function == .padStart))
        default: return try callSearch(function, text, base)
        }
    }

    private mutating func callSearch(
        _ function: Function, _ text: Text, _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        let part = try self.text(base + 1)
        switch function {
        case .startsWith: return .bool(text.string.utf8.starts(with: part.string.utf8))
        case .endsWith:
            return .bool(
                text.byteCount >= part.byteCount
                    && text.string.utf8.suffix(part.byteCount).elementsEqual(part.string.utf8))
        case .contains: return .bool(try find(part, in: text, from: 0) != nil)
        case .position:
            guard let place = try find(part, in: text, from: 0) else { return .int(0) }
            let before = text.string.utf8.span.extracting(0..<place)
            return .int(Int64(characterCount(before) + 1))
        case .replace: return .text(try replaced(text, part, try self.text(base + 2)))
        case .split: return try madeList(try split(text, part).map { .text($0) })
        case .splitPart:
            let parts = try split(text, part)
            let place = try int(base + 2)
            guard place >= 1, place <= parts.count else { return .null }
            return .text(parts[Int(place) - 1])
        default: throw .wrongCellType
        }
    }

    // MARK: Making texts

    private func mapped(
        _ text: Text, _ map: (Unicode.Scalar) -> Unicode.Scalar
    ) throws(EvaluationFault) -> Text {
        var made = String()
        made.reserveCapacity(text.byteCount)
        for scalar in text.string.unicodeScalars { made.unicodeScalars.append(map(scalar)) }
        guard made.utf8.count <= limits.resultBytesMax else { throw .resultTooLarge }
        return Text(made)
    }

    mutating func runJoin(_ count: Int) throws(EvaluationFault) {
        let base = stack.count - count
        guard base >= 0 else { throw .wrongCellType }
        var result = ExpressionValue.null
        if !stack[base...].contains(where: \.isNull) {
            if case .list = stack[base] {
                result = try joinedLists(base)
            } else {
                result = try concatenated(base)
            }
        }
        stack.removeLast(count)
        stack.append(result)
    }

    /// The texts of all values from a place of the stack on, without the nulls.
    private mutating func concatenated(_ base: Int) throws(EvaluationFault) -> ExpressionValue {
        var bytes: [UInt8] = []
        for index in base..<stack.count {
            try writeText(of: stack[index], to: &bytes)
            guard bytes.count <= limits.resultBytesMax else { throw .resultTooLarge }
        }
        try spend(bytes: bytes.count)
        return .text(try made(bytes))
    }

    private mutating func repeated(_ text: Text, _ count: Int64) throws(EvaluationFault) -> Text {
        guard count >= 0 else { throw .argumentOutOfRange }
        let (total, overflow) = Int64(text.byteCount).multipliedReportingOverflow(by: count)
        guard !overflow, total <= limits.resultBytesMax else { throw .resultTooLarge }
        try spend(bytes: Int(total))
        return total == 0 ? "" : Text(String(repeating: text.string, count: Int(count)))
    }

    private mutating func padded(
        _ text: Text, _ wanted: Int64, _ fill: Text, atStart: Bool
    ) throws(EvaluationFault) -> Text {
        let missing = wanted.subtractingReportingOverflow(
            Int64(characterCount(text.string.utf8.span)))
        guard !missing.overflow, missing.partialValue > 0, !fill.isEmpty else { return text }
        guard missing.partialValue <= limits.resultBytesMax else { throw .resultTooLarge }
        try spend(Int(missing.partialValue) / 4)
        let scalars = Array(fill.string.unicodeScalars)
        var padding = String()
        for place in 0..<Int(missing.partialValue) {
            padding.unicodeScalars.append(scalars[place % scalars.count])
        }
        let total = padding.utf8.count + text.byteCount
        guard total <= limits.resultBytesMax else { throw .resultTooLarge }
        return Text(atStart ? padding + text.string : text.string + padding)
    }

    // MARK: Parts of texts

    private func trimmed(
        _ text: Text, _ function: Function, _ characters: Text?
    ) throws(EvaluationFault) -> Text {
        let set = characters.map { Set($0.string.unicodeScalars) }
        let isTrimmed: (Unicode.Scalar) -> Bool = { set?.contains($0) ?? isWhiteSpace($0) }
        var scalars = text.string.unicodeScalars[...]
        if function != .trimEnd { scalars = scalars.drop(while: isTrimmed) }
        if function != .trimStart {
            while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
        }
        return scalars.count == text.string.unicodeScalars.count
            ? text : Text(String(Substring(scalars)))
    }

    private func substring(
        _ text: Text, _ start: Int64, _ count: Int64?
    ) throws(EvaluationFault) -> Text {
        let bytes = text.string.utf8.span
        let first = byteOffset(of: Int(clamping: max(start, 1)) - 1, in: bytes)
        guard let count else { return part(of: text, first, bytes.count) }
        guard count >= 0 else { throw .argumentOutOfRange }
        // As in SQL, characters before the first count too: substring('abc', 0, 2) is 'a'.
        let (last, overflow) = start.addingReportingOverflow(count)
        if overflow { return part(of: text, first, bytes.count) }
        guard last > 1 else { return "" }
        return part(of: text, first, byteOffset(of: Int(clamping: last) - 1, in: bytes))
    }

    private func end(
        of text: Text, _ function: Function, _ count: Int64
    ) throws(EvaluationFault) -> Text {
        guard count >= 0 else { throw .argumentOutOfRange }
        let bytes = text.string.utf8.span
        if function == .left {
            return part(of: text, 0, byteOffset(of: Int(clamping: count), in: bytes))
        }
        let skipped = max(0, Int64(characterCount(bytes)) - count)
        return part(of: text, byteOffset(of: Int(clamping: skipped), in: bytes), bytes.count)
    }

    // MARK: Search

    /// The first byte at or behind one at which a part stands; nil where it does not.
    private mutating func find(
        _ part: Text, in text: Text, from start: Int
    ) throws(EvaluationFault) -> Int? {
        let bytes = text.string.utf8.span
        let wanted = part.string.utf8.span
        guard wanted.count > 0 else { return start }
        var place = start
        var looked = 0
        while place + wanted.count <= bytes.count {
            var same = 0
            while same < wanted.count, bytes[place + same] == wanted[same] { same += 1 }
            if same == wanted.count {
                try spend(bytes: looked)
                return place
            }
            looked += same + 1
            place += 1
            if looked > 4_096 {
                try spend(bytes: looked)
                looked = 0
            }
        }
        try spend(bytes: looked)
        return nil
    }

    private mutating func replaced(
        _ text: Text, _ part: Text, _ other: Text
    ) throws(EvaluationFault) -> Text {
        guard !part.isEmpty, var place = try find(part, in: text, from: 0) else { return text }
        let bytes = Array(text.string.utf8)
        var made: [UInt8] = []
        var copied = 0
        while true {
            made.append(contentsOf: bytes[copied..<place])
            other.write(to: &made)
            copied = place + part.byteCount
            guard made.count <= limits.resultBytesMax else { throw .resultTooLarge }
            try spend(1)
            guard let next = try find(part, in: text, from: copied) else { break }
            place = next
        }
        made.append(contentsOf: bytes[copied...])
        try spend(bytes: made.count)
        return try self.made(made)
    }

    private mutating func split(
        _ text: Text, _ separator: Text
    ) throws(EvaluationFault) -> [Text] {
        guard !separator.isEmpty else { throw .argumentOutOfRange }
        var parts: [Text] = []
        var start = 0
        while let place = try find(separator, in: text, from: start) {
            parts.append(part(of: text, start, place))
            start = place + separator.byteCount
            try spend(1)
            guard parts.count < limits.elementsMax else { throw .resultTooLarge }
        }
        parts.append(part(of: text, start, text.byteCount))
        return parts
    }
}
