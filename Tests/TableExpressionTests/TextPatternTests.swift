import TableExpression
import TableValue
import Testing

@Test("the pattern of a rule wants the whole text")
func rulePattern() throws {
    let pattern = try TextPattern("[A-Z]{2}\\d+")
    var matcher = pattern.matcher()
    let isWhole = matcher.matches("AB12")
    let isPart = matcher.matches("xAB12")
    #expect(isWhole)
    #expect(!isPart)
    #expect(pattern.source == "[A-Z]{2}\\d+")
    #expect(throws: PatternError.self) { try TextPattern("(") }
}
