// What values are as another type: the conversions of a change of type.
import TableValue
import Testing

private func decimal(_ text: Text) throws -> Value { try Value(text, as: .decimal) }
private func list(_ text: Text) throws -> Value { try Value(text, as: .list) }
private func json(_ text: Text) throws -> Value { try Value(text, as: .json) }

@Suite("Values as another type")
struct RecastTests {
    @Test("S9 S11: numbers become other numbers only where both types have the number")
    func numbers() throws {
        #expect(Value.double(2).recast(to: .int) == .int(2))
        #expect(Value.double(2.5).recast(to: .int) == nil)
        #expect(Value.double(.nan).recast(to: .int) == nil)
        #expect(Value.double(0x1p63).recast(to: .int) == nil)
        #expect(Value.double(-0x1p63).recast(to: .int) == .int(.min))
        #expect(Value.int(.max).recast(to: .double) == nil)
        #expect(Value.double(0.1).recast(to: .decimal) == (try decimal("0.1")))
        #expect(Value.double(1e21).recast(to: .decimal) == (try decimal("1000000000000000000000")))
        #expect(Value.double(-2.5e-7).recast(to: .decimal) == (try decimal("-0.00000025")))
        #expect(Value.double(1e300).recast(to: .decimal) == nil)
        #expect(Value.double(.leastNonzeroMagnitude).recast(to: .decimal) == nil)
        #expect(try decimal("1.50").recast(to: .double) == .double(1.5))
        #expect(try decimal("0.1000000000000000000000000000001").recast(to: .double) == nil)
        #expect(try decimal("3.00").recast(to: .int) == .int(3))
        #expect(try decimal("3.01").recast(to: .int) == nil)
        #expect(Value.int(7).recast(to: .decimal) == (try decimal("7")))
    }

    @Test("S9: texts are read as the type reads texts, and nothing is guessed")
    func texts() throws {
        #expect(Value.text("12").recast(to: .int) == .int(12))
        #expect(Value.text("soon").recast(to: .int) == nil)
        #expect(Value.text("").recast(to: .int) == nil)
        #expect(Value.text("true").recast(to: .bool) == .bool(true))
        #expect(Value.text("yes").recast(to: .bool) == nil)
        #expect(Value.text("2026-11-30").recast(to: .date) == .date(Day(daysSinceEpoch: 20_787)))
        #expect(Value.int(5).recast(to: .text) == .text("5"))
        #expect(try decimal("1.50").recast(to: .text) == .text("1.50"))
        #expect(Value.text("a").recast(to: .choice) == .choice("a"))
        #expect(Value.choice("a").recast(to: .text) == .text("a"))
        #expect(try json("\"a\"").recast(to: .text) == .text("a"))
        #expect(try json("[1,2]").recast(to: .text) == .text("[1,2]"))
    }

    @Test("S9: bools are 0 and 1")
    func bools() throws {
        #expect(Value.bool(true).recast(to: .int) == .int(1))
        #expect(Value.bool(false).recast(to: .double) == .double(0))
        #expect(Value.int(1).recast(to: .bool) == .bool(true))
        #expect(Value.int(2).recast(to: .bool) == nil)
        #expect(Value.double(0).recast(to: .bool) == .bool(false))
        #expect(try json("true").recast(to: .int) == .int(1))
    }

    @Test("S9: days and moments")
    func dates() throws {
        let moment = try Value("2026-11-30T00:30:00+01:00", as: .datetime)
        let day = try Value("2026-11-30", as: .date)
        #expect(moment.recast(to: .date) == day)
        #expect(day.recast(to: .datetime) == (try Value("2026-11-30T00:00:00Z", as: .datetime)))
        #expect(day.recast(to: .int) == nil)
    }

    @Test("S9: what can stand in a list is a list of it")
    func lists() throws {
        #expect(Value.text("a").recast(to: .list) == (try list("[\"a\"]")))
        #expect(Value.text("[1,2]").recast(to: .list) == (try list("[1,2]")))
        #expect(Value.int(5).recast(to: .list) == (try list("[5]")))
        #expect(try json("{\"a\":1}").recast(to: .list) == nil)
        #expect(try list("[1,\"a\"]").recast(to: .json) == (try json("[1,\"a\"]")))
        #expect(Value.uuid(Identifier128(high: 0, low: 1)).recast(to: .json)?.type == .json)
        #expect(Value.choice("a").recast(to: .json) == (try json("\"a\"")))
        #expect(Value.text("{\"a\":1}").recast(to: .json) == (try json("{\"a\":1}")))
        #expect(Value.text("{").recast(to: .json) == (try json("\"{\"")))
    }

    @Test("every value can be a text, and is the same value when that is read again")
    func thereAndBack() throws {
        let values: [Value] = [
            .int(.min), .double(-0.0), .double(1e300), .bool(true), try decimal("-1.50"),
            try Value("2026-11-30", as: .date),
            try Value("2026-11-30T08:00:00+01:00", as: .datetime),
            .uuid(Identifier128(high: 1, low: 2)), .choice("a"), try list("[1,\"a\"]"),
            try json("{\"a\":[1,null]}"),
        ]
        for value in values {
            let text = try #require(value.recast(to: .text))
            #expect(text.recast(to: try #require(value.type)) == value)
        }
        for type in ColumnType.allCases { #expect(Value.null.recast(to: type) == .null) }
    }
}
