// Random expressions for the property tests: any tree at all, or one whose types fit.
import TableExpression
import TableValue
import TestSupport

/// Draws expressions from one seed.
struct ExpressionMaker {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    // MARK: Any tree

    /// Any tree of at most a depth, whether or not its types fit.
    mutating func anything(depth: Int) -> Syntax {
        guard depth > 1, random.chance(85) else { return leaf() }
        let next = depth - 1
        switch random.below(14) {
        case 0: return Syntax(.negate(anything(depth: next)))
        case 1: return Syntax(.not(anything(depth: next)))
        case 2, 3:
            let sign = random.pick(ArithmeticOperator.allCases)
            return Syntax(.arithmetic(sign, anything(depth: next), anything(depth: next)))
        case 4:
            let sign = random.pick(Comparison.allCases)
            return Syntax(.compare(sign, anything(depth: next), anything(depth: next)))
        case 5: return Syntax(.join(some(2, depth: next)))
        case 6: return Syntax(.all(some(2, depth: next)))
        case 7: return Syntax(.any(some(2, depth: next)))
        case 8: return question(depth: next)
        case 9:
            return Syntax(
                .oneOf(anything(depth: next), some(1, depth: next), isNegated: random.chance(50)))
        case 10:
            return Syntax(
                .between(
                    anything(depth: next), anything(depth: next), anything(depth: next),
                    isNegated: random.chance(50)))
        case 11: return choice(depth: next)
        case 12:
            let type = random.pick(ScalarType.allCases)
            return Syntax(
                .cast(
                    anything(depth: next), random.chance(80) ? .scalar(type) : .list(type),
                    isTrying: random.chance(50)))
        default:
            return Syntax(.call(random.pick(Function.allCases), some(0, depth: next)))
        }
    }

    private mutating func some(_ countMin: Int, depth: Int) -> [Syntax] {
        var parts: [Syntax] = []
        for _ in 0..<(countMin + random.below(3)) { parts.append(anything(depth: depth)) }
        return parts
    }

    private mutating func question(depth: Int) -> Syntax {
        let part = anything(depth: depth)
        let isNegated = random.chance(50)
        switch random.below(4) {
        case 0: return Syntax(.isNull(part, isNegated: isNegated))
        case 1: return Syntax(.isBool(part, random.chance(50), isNegated: isNegated))
        case 2: return Syntax(.isDistinct(part, anything(depth: depth), isNegated: isNegated))
        default:
            let escape = random.chance(30) ? anything(depth: depth) : nil
            return Syntax(.like(part, anything(depth: depth), escape: escape, isNegated: isNegated))
        }
    }

    private mutating func choice(depth: Int) -> Syntax {
        var branches: [CaseBranch] = []
        for _ in 0...random.below(2) {
            branches.append(
                CaseBranch(condition: anything(depth: depth), result: anything(depth: depth)))
        }
        let subject = random.chance(40) ? anything(depth: depth) : nil
        let otherwise = random.chance(50) ? anything(depth: depth) : nil
        return Syntax(.choose(subject: subject, branches, otherwise: otherwise))
    }

    private mutating func leaf() -> Syntax {
        switch random.below(9) {
        case 0: return Syntax(.null)
        case 1: return Syntax(.bool(random.chance(50)))
        case 2: return Syntax(.int(random.pick([0, 1, -1, 42, .max, .min])))
        case 3:
            let scale = 1 + random.below(4)
            let number = ExactDecimal(
                coefficient: Int128(random.below(2_001) - 1_000), scale: scale)
            return Syntax(number.map { .decimal($0) } ?? .null)
        case 4:
            return Syntax(
                .double(
                    random.pick([
                        0, -0.0, 1, -1.5, 1e300, .leastNonzeroMagnitude, 0.1, 1e21, 123_456,
                    ])))
        case 5: return Syntax(.text(Text(random.word(of: "aB'\"%_ é😀\n", countMax: 6))))
        case 6:
            return Syntax(
                .typed(random.pick(ScalarType.allCases), Text(random.word(of: "1-'x", countMax: 4)))
            )
        case 7:
            return Syntax(.column(.key(key(1 + random.below(20)))))
        default:
            let names = [
                "a", "and", "Case", "x y", "é", "1a", "_", "\"", "date", "a-b", "TRUE", "length",
                "x\u{A0}",
            ]
            return Syntax(.column(.name(Text(random.pick(names)))))
        }
    }

    // MARK: Trees that fit

    /// Text of an expression that mostly has the type, so that it gets as far as being evaluated.
    mutating func text(of type: ScalarType, depth: Int) -> String {
        if random.chance(4) { return "null" }
        if depth > 1, random.chance(15) {
            let condition = text(of: .bool, depth: depth - 1)
            return "case when \(condition) then \(text(of: type, depth: depth - 1)) else "
                + "\(text(of: type, depth: depth - 1)) end"
        }
        switch type {
        case .bool: return bool(depth)
        case .int: return int(depth)
        case .text: return string(depth)
        case .decimal:
            if depth < 2 {
                return random.pick(["price", "0.05", "-1.5", "decimal '99999999999999999999'"])
            }
            let sign = random.pick(["+", "-", "*", "/", "%"])
            return
                "(\(text(of: .decimal, depth: depth - 1)) \(sign) "
                + "\(text(of: .decimal, depth: depth - 1)))"
        case .double:
            if depth < 2 {
                return random.pick(["ratio", "1e308", "-0e0", "double 'NaN'", "1e-308"])
            }
            let sign = random.pick(["+", "-", "*", "/"])
            return
                "(\(text(of: .double, depth: depth - 1)) \(sign) "
                + "\(text(of: .double, depth: depth - 1)))"
        case .date:
            if depth < 2 {
                return random.pick(["due", "date '0001-01-01'", "date '9999-12-31'", "today()"])
            }
            let call = random.pick(["add_days", "add_months", "add_years"])
            return "\(call)(\(text(of: .date, depth: depth - 1)), \(int(depth - 1)))"
        case .datetime:
            if depth < 2 {
                return random.pick(["seen", "now()", "datetime '0001-01-01T00:00:00+23:59'"])
            }
            let call = random.pick([
                "add_days", "add_months", "add_hours", "add_seconds", "at_offset",
            ])
            return "\(call)(\(text(of: .datetime, depth: depth - 1)), \(int(depth - 1)))"
        case .uuid: return "id"
        case .json:
            return random.pick(["data", "json_get(data, 'a')", "json_at(json_get(data, 'a'), qty)"])
        }
    }

    private mutating func bool(_ depth: Int) -> String {
        guard depth > 1 else { return random.pick(["done", "unknown", "true", "false"]) }
        let next = depth - 1
        switch random.below(8) {
        case 0: return "(\(bool(next)) and \(bool(next)))"
        case 1: return "(\(bool(next)) or \(bool(next)))"
        case 2: return "(not \(bool(next)))"
        case 3: return "(\(string(next)) like \(string(next)))"
        case 4:
            let pattern = random.pick(["a*b|c", "(.|\\n)*", "[^a]+x?", "^.{1,3}$", "(a|aa)*"])
            return "matches(\(string(next)), '\(pattern)')"
        case 5: return "contains(\(string(next)), \(string(next)))"
        default:
            let type = random.pick(ScalarType.allCases.filter { $0 != .json })
            let sign = random.pick(["=", "<>", "<", "<=", ">", ">="])
            return "(\(text(of: type, depth: next)) \(sign) \(text(of: type, depth: next)))"
        }
    }

    private mutating func int(_ depth: Int) -> String {
        guard depth > 1 else {
            return random.pick([
                "qty", "missing", "0", "1", "-1", "3", "9223372036854775807",
                "-9223372036854775808",
            ])
        }
        let next = depth - 1
        switch random.below(7) {
        case 0: return "length(\(string(next)))"
        case 1:
            return "days_between(\(text(of: .date, depth: next)), \(text(of: .date, depth: next)))"
        case 2:
            return
                random.pick(["year", "week", "weekday", "day_of_year"])
                + "(\(text(of: .date, depth: next)))"
        case 3:
            return
                "try_cast(\(text(of: random.pick([.text, .double, .decimal]), depth: next)) as int)"
        case 4: return "-(\(int(next)))"
        default: return "(\(int(next)) \(random.pick(["+", "-", "*", "/", "%"])) \(int(next)))"
        }
    }

    private mutating func string(_ depth: Int) -> String {
        guard depth > 1 else {
            return random.pick(["name", "note", "unsaid", "''", "'a'", "'é😀%'", "'A b_c'"])
        }
        let next = depth - 1
        switch random.below(9) {
        case 0: return "(\(string(next)) || \(string(next)))"
        case 1: return "\(random.pick(["upper", "lower", "trim", "fold"]))(\(string(next)))"
        case 2: return "substring(\(string(next)), \(int(next)), \(int(next)))"
        case 3: return "replace(\(string(next)), \(string(next)), \(string(next)))"
        case 4: return "repeat(\(string(next)), \(int(next)))"
        case 5: return "pad_end(\(string(next)), \(int(next)), \(string(next)))"
        case 6: return "join(split(\(string(next)), \(string(next))), \(string(next)))"
        case 7: return "cast(\(text(of: random.pick(ScalarType.allCases), depth: next)) as text)"
        default: return "\(random.pick(["left", "right"]))(\(string(next)), \(int(next)))"
        }
    }
}
