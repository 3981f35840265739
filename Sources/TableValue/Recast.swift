// What a stored value is in a column of another type: the conversion of a change of type.
// It is wider than what the wire takes (ValueText.swift), and never changes what a value says:
// where the other type cannot hold it, there is no conversion.

extension Value {
    /// The value as one of another type, or nil where that cannot hold it.
    ///
    /// - To text and choice: the canonical text, for a JSON text the text itself.
    /// - From text, choice and JSON texts: as that text is read.
    /// - Between numbers: where both types have the number, so 2.0 is the int 2, 2.5 is none, and a
    ///   decimal is a double where the double's shortest text is the same number.
    /// - Between bool and numbers: false is 0, true is 1, no other number is a bool.
    /// - Between date and datetime: the start of the day in UTC; the day as it was written there.
    /// - To json: a text that is JSON is that, another a JSON text.
    /// - To list: a value that can stand in a list is a list of it, but for the text of a list.
    ///
    /// The rules are version 1; another version would be another function, as records hold what
    /// came of it and are never converted again.
    package func recast(to type: ColumnType) -> Value? {
        if self.type == nil || self.type == type { return self }
        switch type {
        case .text: return .text(plainText)
        case .choice: return .choice(plainText)
        case .int, .double, .decimal, .bool: return recastToNumber(type)
        case .date:
            if case .datetime(let moment) = self { return .date(moment.writtenDay) }
        case .datetime:
            if case .date(let day) = self {
                return .datetime(
                    Moment(
                        microsecondsSinceEpoch: Int64(day.daysSinceEpoch) * microsecondsOfDay,
                        offsetMinutes: 0))
            }
        case .uuid: break
        case .list: return recastToList()
        case .json:
            if let text = textOfKind {
                return (try? Value(text, as: .json)) ?? .json(CanonicalJSON(.text(text)))
            }
            if let value = try? converted(to: .json) { return value }
            return .json(CanonicalJSON(.text(plainText)))
        }
        return textOfKind.flatMap { try? Value($0, as: type) }
    }

    /// The text as which it is shown to a type that holds texts.
    private var plainText: Text {
        if let text = textOfKind { return text }
        var bytes: [UInt8] = []
        writeText(to: &bytes)
        return Text(String(decoding: bytes, as: UTF8.self))
    }

    /// The text of what is a text, whatever the type that holds it.
    private var textOfKind: Text? {
        switch self {
        case .text(let text), .choice(let text): return text
        case .json(let json):
            guard case .text(let text) = json.tree else { return nil }
            return text
        default: return nil
        }
    }

    private func recastToNumber(_ type: ColumnType) -> Value? {
        switch self {
        case .bool(let flag): return Value.int(flag ? 1 : 0).recast(to: type)
        case .json(let json):
            switch json.tree {
            case .bool(let flag): return Value.bool(flag).recast(to: type)
            case .int(let number): return Value.int(number).recast(to: type)
            case .double(let number): return Value.double(number).recast(to: type)
            case .text(let text): return try? Value(text, as: type)
            case .null, .list, .object: return nil
            }
        case .text(let text), .choice(let text): return try? Value(text, as: type)
        case .int, .double, .decimal:
            return type == .bool ? recastToBool() : recastNumber(to: type)
        default: return nil
        }
    }

    private func recastToBool() -> Value? {
        switch recastNumber(to: .int) {
        case .int(0): .bool(false)
        case .int(1): .bool(true)
        default: nil
        }
    }

    private func recastNumber(to type: ColumnType) -> Value? {
        switch (self, type) {
        case (.double(let number), .int):
            // Not `exactly:`, which needs the mathematics library.
            guard number >= -0x1p63, number < 0x1p63, Double(Int64(number)) == number else {
                return nil
            }
            return .int(Int64(number))
        case (.double(let number), .decimal):
            return number.isFinite ? shortestDecimal().map { .decimal($0) } : nil
        case (.decimal, .int):
            return try? Value(plainText.withoutEmptyFraction, as: .int)
        case (.decimal(let decimal), .double):
            guard case .double(let number)? = try? Value(plainText, as: .double),
                case .decimal(let back)? = Value.double(number).recast(to: .decimal),
                back.compare(decimal) == 0
            else { return nil }
            return .double(number)
        default:
            return try? converted(to: type)
        }
    }

    private func recastToList() -> Value? {
        if let text = textOfKind, let list = try? Value(text, as: .list) { return list }
        let tree: JSONTree
        switch self {
        case .text(let text), .choice(let text): tree = .text(text)
        case .int(let number): tree = .int(number)
        case .bool(let flag): tree = .bool(flag)
        case .double(let number) where number.isFinite: tree = JSONTree(number)
        case .json(let json):
            if let list = try? Value(json.tree, as: .list) { return list }
            tree = json.tree
        default: tree = .text(plainText)
        }
        return try? Value(.list([tree]), as: .list)
    }

    /// The decimal of the digits that a finite double is written with; nil where it has no place.
    private func shortestDecimal() -> ExactDecimal? {
        let text = plainText.string
        guard let number = scanDecimal(text.utf8.span), number.isExact else { return nil }
        var coefficient = Int128(number.significand)
        if number.exponent > 0 {
            let power = powerOfTen(number.exponent)
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: Int128(power))
            guard !overflow, number.exponent < ExactDecimal.digitsMax else { return nil }
            coefficient = product
        }
        return ExactDecimal(
            coefficient: number.isNegative ? 0 - coefficient : coefficient,
            scale: max(0, 0 - number.exponent))
    }
}

extension Text {
    /// The text of a decimal without a fraction that is only zeros.
    fileprivate var withoutEmptyFraction: Text {
        guard let point = string.utf8.firstIndex(of: UInt8(ascii: ".")),
            string.utf8[string.utf8.index(after: point)...].allSatisfy({
                $0 == UInt8(ascii: "0")
            })
        else { return self }
        return Text(String(string[..<point]))
    }
}

extension Moment {
    /// The day where it was written, by its own offset.
    fileprivate var writtenDay: Day {
        let local = microsecondsSinceEpoch &+ Int64(offsetMinutes) &* 60_000_000
        return Day(
            daysSinceEpoch: Int32(truncatingIfNeeded: floorDivide(local, microsecondsOfDay)))
    }
}
