// Writes an expression's tree as its one canonical text: what it writes is read as the same tree.
// Keywords are in lower case, parentheses stand only where they are needed.
package import TableValue

extension Syntax {
    /// The canonical text, with the names that columns have in a schema.
    ///
    /// A column that the schema lacks is written as its id in quotes.
    ///
    /// Complexity: linear in the text.
    package func printed(in schema: ExpressionSchema? = nil) -> Text {
        var printer = Printer(schema: schema)
        printer.write(self, atLeast: .any)
        return Text(printer.output)
    }
}

/// True where a name needs no quotes to be read as a column.
func isBareName(_ name: Text) -> Bool {
    let bytes = name.string.utf8.span
    guard bytes.count > 0, isWordStart(bytes[0]) else { return false }
    for index in 0..<bytes.count where !isWordByte(bytes[index]) { return false }
    return strangeByte(in: name) == nil && keyword(name) == nil
}

private struct Printer {
    let schema: ExpressionSchema?
    var output = ""

    /// Writes a part, in parentheses where its rank is below `rank`.
    mutating func write(_ part: Syntax, atLeast rank: Rank) {
        let needsParentheses = part.form.rank < rank
        if needsParentheses { output += "(" }
        write(part.form)
        if needsParentheses { output += ")" }
    }

    private mutating func write(_ form: SyntaxForm) {
        switch form {
        case .null: output += "null"
        case .bool(let flag): output += flag ? "true" : "false"
        case .int(let number): output += String(number)
        case .decimal(let number): writeDecimal(number)
        case .double(let number): writeDouble(number)
        case .text(let text): writeQuoted(text, "'")
        case .typed(let type, let text):
            output += type.rawValue + " "
            writeQuoted(text, "'")
        case .column(let reference): write(reference)
        case .negate(let part): writeNegated(part)
        case .not(let part):
            output += "not "
            write(part, atLeast: .not)
        case .arithmetic(let found, let left, let right):
            write(left, atLeast: form.rank)
            output += " \(found.rawValue) "
            write(right, atLeast: form.rank.above)
        case .join(let parts): write(parts, " || ", atLeast: .sum)
        case .all(let parts): write(parts, " and ", atLeast: .not)
        case .any(let parts): write(parts, " or ", atLeast: .all)
        case .call(let function, let parts):
            output += function.rawValue + "("
            write(parts, ", ", atLeast: .any)
            output += ")"
        case .choose(let subject, let branches, let otherwise):
            writeCase(subject, branches, otherwise)
        case .cast(let part, let type, let isTrying):
            output += isTrying ? "try_cast(" : "cast("
            write(part, atLeast: .any)
            output += " as \(type.written))"
        default: writePredicate(form)
        }
    }

    private mutating func writePredicate(_ form: SyntaxForm) {
        switch form {
        case .compare(let comparison, let left, let right):
            write([left, right], " \(comparison.rawValue) ", atLeast: .join)
        case .isNull(let part, let isNegated):
            write(part, atLeast: .join)
            output += isNegated ? " is not null" : " is null"
        case .isBool(let part, let flag, let isNegated):
            write(part, atLeast: .join)
            output += (isNegated ? " is not " : " is ") + (flag ? "true" : "false")
        case .isDistinct(let left, let right, let isNegated):
            let words = isNegated ? " is not distinct from " : " is distinct from "
            write([left, right], words, atLeast: .join)
        case .oneOf(let part, let parts, let isNegated):
            write(part, atLeast: .join)
            output += isNegated ? " not in (" : " in ("
            write(parts, ", ", atLeast: .any)
            output += ")"
        case .between(let part, let low, let high, let isNegated):
            write(part, atLeast: .join)
            output += isNegated ? " not between " : " between "
            write([low, high], " and ", atLeast: .join)
        case .like(let part, let pattern, let escape, let isNegated):
            write([part, pattern], isNegated ? " not like " : " like ", atLeast: .join)
            guard let escape else { return }
            output += " escape "
            write(escape, atLeast: .join)
        default: break
        }
    }

    private mutating func write(_ parts: [Syntax], _ separator: String, atLeast rank: Rank) {
        for (place, part) in parts.enumerated() {
            if place > 0 { output += separator }
            write(part, atLeast: rank)
        }
    }

    // MARK: Literals and names

    /// Writes `-`, and parentheses where a number behind it would be read together with it.
    private mutating func writeNegated(_ part: Syntax) {
        switch part.form {
        case .int, .decimal, .double:
            output += "-("
            write(part.form)
            output += ")"
        case .negate:
            output += "- "
            write(part, atLeast: .sign)
        default:
            output += "-"
            write(part, atLeast: .sign)
        }
    }

    private mutating func writeDecimal(_ number: ExactDecimal) {
        var bytes: [UInt8] = []
        appendExactDecimal(number, to: &bytes)
        output += String(decoding: bytes, as: UTF8.self)
        // Without a point it would be read as an int, and only a typed literal keeps a scale of 0.
        if number.scale == 0 { output += ".0" }
    }

    /// Writes a double with an exponent, which tells it from other numbers.
    private mutating func writeDouble(_ number: Double) {
        var bytes: [UInt8] = []
        appendDouble(number, to: &bytes)
        output += String(decoding: bytes, as: UTF8.self)
        if !bytes.contains(UInt8(ascii: "e")) { output += "e0" }
    }

    private mutating func writeQuoted(_ text: Text, _ quote: Unicode.Scalar) {
        output.unicodeScalars.append(quote)
        for scalar in text.string.unicodeScalars {
            if scalar == quote { output.unicodeScalars.append(quote) }
            output.unicodeScalars.append(scalar)
        }
        output.unicodeScalars.append(quote)
    }

    private mutating func write(_ reference: ColumnReference) {
        switch reference {
        case .name(let name): writeName(name)
        case .key(let key):
            if let column = schema?.column(key) {
                writeName(column.name)
            } else {
                output += "\"\(key)\""
            }
        }
    }

    private mutating func writeName(_ name: Text) {
        if isBareName(name) { output += name.string } else { writeQuoted(name, "\"") }
    }

    private mutating func writeCase(
        _ subject: Syntax?, _ branches: [CaseBranch], _ otherwise: Syntax?
    ) {
        output += "case"
        if let subject {
            output += " "
            write(subject, atLeast: .any)
        }
        for branch in branches {
            output += " when "
            write(branch.condition, atLeast: .any)
            output += " then "
            write(branch.result, atLeast: .any)
        }
        if let otherwise {
            output += " else "
            write(otherwise, atLeast: .any)
        }
        output += " end"
    }
}

extension SyntaxForm {
    /// How much the outermost operator binds.
    var rank: Rank {
        switch self {
        case .any: .any
        case .all: .all
        case .not: .not
        case .compare, .isNull, .isBool, .isDistinct, .oneOf, .between, .like: .predicate
        case .join: .join
        case .arithmetic(.add, _, _), .arithmetic(.subtract, _, _): .sum
        case .arithmetic: .product
        case .negate: .sign
        case .int(let number): number < 0 ? .sign : .operand
        case .decimal(let number): number.coefficient < 0 ? .sign : .operand
        case .double(let number): number.sign == .minus ? .sign : .operand
        default: .operand
        }
    }
}
