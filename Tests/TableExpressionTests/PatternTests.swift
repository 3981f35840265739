import TableValue
import TestSupport
import Testing

@testable import TableExpression

private func matches(_ pattern: String, _ text: String, _ scope: PatternScope = .whole) throws
    -> Bool
{
    var matcher = PatternMatcher(try PatternProgram(Text(pattern), scope: scope))
    return matcher.matches(Text(text))
}

@Test(
    "patterns match whole texts",
    arguments: [
        ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
        ("a.c", "a\u{1F600}c", true),
        (".", "\n", false), ("a*", "", true), ("a*", "aaa", true), ("a+", "", false),
        ("a?b", "b", true),
        ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaaa", true),
        ("a{1,3}", "aaaa", false),
        ("a{0}", "", true), ("(ab|c)+", "abcab", true), ("(?:ab|c)+", "abd", false),
        ("a|", "", true), ("a||b", "b", true),
        ("[a-c]x", "bx", true), ("[^a-c]x", "bx", false), ("[]a]+", "]a]", true),
        ("[a-]", "-", true), ("[\\d-]+", "1-2", true),
        ("\\d{4}-\\d{2}", "2026-11", true), ("\\w+\\s\\w+", "ab cd", true), ("\\D+", "12", false),
        ("\\S\\W", "a-", true),
        ("\\.", ".", true), ("\\.", "a", false), ("\\u{e9}", "é", true), ("é+", "éé", true),
        ("[à-ü]+", "éö", true),
        ("^a$", "a", true), ("a^b", "ab", false), ("(^|x)a", "a", true), ("$", "", true),
        ("^$", "", true), ("$a", "a", false),
        ("(a|b$)c?", "b", true), ("(a|b$)c?", "bc", false), ("\\n\\t\\r", "\n\t\r", true),
        ("[^\\n]*", "a b", true),
        ("((a{2}){2}){2}", "aaaaaaaa", true), ("[\\^\\]]", "^", true), ("{", "", false),
        ("\u{301}", "\u{301}", true),
    ])
func patterns(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect((try? matches(pattern, text)) ?? false == expected, "\(pattern) on \(text)")
}

@Test("a pattern anywhere stops at the first match and knows both ends")
func anywhere() throws {
    #expect(try matches("b+", "aabbaa", .anywhere))
    #expect(try !matches("^b", "ab", .anywhere))
    #expect(try matches("^a", "ab", .anywhere))
    #expect(try matches("b$", "ab", .anywhere))
    #expect(try !matches("a$", "ab", .anywhere))
    #expect(try matches("", "", .anywhere))
    #expect(try matches("^$", "", .anywhere))
    #expect(try !matches("x", "", .anywhere))
    #expect(try matches("a|^$", "", .anywhere))
}

@Test(
    "a pattern that cannot be read is refused at its place",
    arguments: [
        ("(a", 0), ("a)", 1), ("[a", 0), ("*a", 0), ("a**", 2), ("a{2}{3}", 4), ("a{3,2}", 1),
        ("a{x}", 2), ("a{2", 3),
        ("a{1001}", 2), ("\\", 0), ("\\q", 0), ("\\1", 0), ("(?=a)", 0), ("(?<n>a)", 0),
        ("[b-a]", 1), ("[\\d-z]", 1),
        ("\\u{110000}", 0), ("\\u{d800}", 0), ("\\u0041", 0), ("^*", 1), ("a}", 1), ("a]", 1),
        ("é)", 2), ("[[a]]", 1),
    ])
func badPatterns(_ pattern: String, _ offset: Int) {
    do throws(PatternError) {
        _ = try PatternProgram(Text(pattern), scope: .whole)
        Issue.record("\(pattern) is read")
    } catch {
        #expect(error.offset == offset, "\(pattern): \(error.message)")
    }
}

@Test("an error in an expression's pattern points into the pattern")
func patternPlaces() {
    let text = "matches(name, 'it''s (')"
    #expect(checkError(text)?.code == .badPattern)
    #expect(pointed(checkError(text), in: text) == "(")
    #expect(checkError("matches(name, name)")?.code == .wrongType)
    #expect(checkError("matches(name, null)")?.code == .wrongType)
}

@Test("patterns are bounded in bytes, nesting and states")
func patternBounds() {
    let tooLarge = [
        String(repeating: "a", count: 1_025),
        String(repeating: "(", count: 60) + String(repeating: ")", count: 60),
        "a{1000}b{1000}c{1000}", "((((a{100}){100}){100}){100}){100}",
        "(((((){1000}){1000}){1000}){1000}){1000}",
        "((a*)*){1000}((b*)*){1000}", "((a{0}){1000}){1000}",
    ]
    for pattern in tooLarge {
        #expect(throws: PatternError.self) { try PatternProgram(Text(pattern), scope: .whole) }
    }
    #expect(throws: Never.self) {
        try PatternProgram(Text(String(repeating: "a", count: 1_024)), scope: .whole)
    }
    #expect(throws: PatternError.self) {
        try PatternProgram(like: Text(String(repeating: "a", count: 1_025)), escape: nil)
    }
}

@Test("patterns that make others backtrack take steps in proportion to the text")
func linearSteps() throws {
    let hard = [
        "(a+)+", "(a|a)*", "(a|aa)+", "(.*)(.*)(.*)(.*)b", "(a?){200}a{200}", "([a-z]+)*x",
        "(x+x+)+y",
    ]
    for pattern in hard {
        let program = try PatternProgram(Text(pattern), scope: .whole)
        var steps: [Int] = []
        for count in [10_000, 20_000] {
            var matcher = PatternMatcher(program)
            _ = matcher.matches(Text(String(repeating: "a", count: count) + "!"))
            steps.append(matcher.stepsSpent)
        }
        #expect(steps[1] <= 2 * steps[0] + 64, "\(pattern): \(steps)")
        #expect(
            steps[1] <= 20_000 / 16 + program.states.count * program.states.count * 8,
            "\(pattern): \(steps)")
    }
    // Sets of states without end: each character makes new ones, and all are dropped at times.
    let growing = try PatternProgram("(.*a.{12})b", scope: .anywhere)
    var random = SeededRandom(seed: 5)
    var text = ""
    for _ in 0..<20_000 { text += random.chance(50) ? "a" : "c" }
    var matcher = PatternMatcher(growing)
    let isFound = matcher.matches(Text(text))
    #expect(!isFound)
    #expect(matcher.stepsSpent <= 20_000 * growing.states.count * 4)
    // Where that is too much, matching ends at the limit, and the next text is matched as ever.
    let before = matcher.stepsSpent
    let isKnown = matcher.matches(Text(text), stepsMax: 5_000) != nil
    #expect(!isKnown)
    #expect(matcher.stepsSpent - before < 6_000)
    let isNext = matcher.matches("aaaaaaaaaaaaab")
    #expect(isNext)
}

@Test("like takes steps in proportion to the text too")
func linearLike() throws {
    let program = try PatternProgram(like: "%a%a%a%a%a%a%a%a%b", escape: nil)
    var matcher = PatternMatcher(program)
    let isFound = matcher.matches(Text(String(repeating: "a", count: 100_000)))
    #expect(!isFound)
    #expect(matcher.stepsSpent < 20_000)
}

// MARK: Twins that backtrack

private func naiveLike(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>)
    -> Bool
{
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "%" {
        return naiveLike(rest, text) || (!text.isEmpty && naiveLike(pattern, text.dropFirst()))
    }
    guard let scalar = text.first else { return false }
    return (first == "_" || first == scalar) && naiveLike(rest, text.dropFirst())
}

@Test("like agrees with a naive twin on small patterns and texts")
func likeTwin() throws {
    var random = SeededRandom(seed: 99)
    for round in 0..<4_000 {
        let pattern = random.word(of: "abé%_%", countMax: 6)
        let text = random.word(of: "abé", countMax: 7)
        var matcher = PatternMatcher(try PatternProgram(like: Text(pattern), escape: nil))
        let expected = naiveLike(
            ArraySlice(Array(pattern.unicodeScalars)), ArraySlice(Array(text.unicodeScalars)))
        let isMatch = matcher.matches(Text(text))
        #expect(isMatch == expected, "round \(round): \(pattern) on \(text)")
    }
}

/// Every place at which a part may end that begins at one; exponential, for small inputs only.
private func ends(_ node: PatternNode, _ text: [Unicode.Scalar], _ start: Int) -> Set<Int> {
    switch node {
    case .set(let set):
        return start < text.count && set.contains(text[start].value) ? [start + 1] : []
    case .sequence(let parts):
        var places: Set<Int> = [start]
        for part in parts {
            places = places.reduce(into: Set()) { $0.formUnion(ends(part, text, $1)) }
        }
        return places
    case .alternatives(let parts):
        return parts.reduce(into: Set()) { $0.formUnion(ends($1, text, start)) }
    case .repeated(let part, let min, let max):
        var all: Set<Int> = min == 0 ? [start] : []
        var places: Set<Int> = [start]
        for count in 1...(max ?? (min + text.count + 1)) where !places.isEmpty && max != 0 {
            places = places.reduce(into: Set()) { $0.formUnion(ends(part, text, $1)) }
            if count >= min { all.formUnion(places) }
        }
        return all
    case .textStart: return start == 0 ? [start] : []
    case .textEnd: return start == text.count ? [start] : []
    }
}

private func randomPattern(_ random: inout SeededRandom, _ depth: Int) -> String {
    guard depth > 0, random.chance(80) else {
        return random.pick(["a", "b", ".", "[ab]", "[^a]", "c", "^", "$", ""])
    }
    switch random.below(4) {
    case 0: return randomPattern(&random, depth - 1) + randomPattern(&random, depth - 1)
    case 1: return "(\(randomPattern(&random, depth - 1))|\(randomPattern(&random, depth - 1)))"
    default:
        return "(\(randomPattern(&random, depth - 1)))"
            + random.pick(["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}"])
    }
}

@Test("patterns agree with a naive twin on small patterns and texts, whole and anywhere")
func patternTwin() throws {
    var random = SeededRandom(seed: 123)
    var read = 0
    for round in 0..<2_000 {
        let pattern = randomPattern(&random, 3)
        // Some repeat ^ or $, which is refused.
        guard let tree = try? patternTree(Text(pattern)) else { continue }
        read += 1
        var whole = PatternMatcher(try PatternProgram(tree, scope: .whole))
        var anywhere = PatternMatcher(try PatternProgram(tree, scope: .anywhere))
        for _ in 0..<4 {
            let text = random.word(of: "abc\n", countMax: 6)
            let scalars = Array(text.unicodeScalars)
            let isWhole = ends(tree, scalars, 0).contains(scalars.count)
            let foundWhole = whole.matches(Text(text))
            #expect(foundWhole == isWhole, "round \(round): \(pattern) on \(text)")
            let isAnywhere = (0...scalars.count).contains { !ends(tree, scalars, $0).isEmpty }
            let foundAnywhere = anywhere.matches(Text(text))
            #expect(foundAnywhere == isAnywhere, "round \(round): \(pattern) in \(text)")
        }
    }
    #expect(read > 1_000)
}
