import Foundation
import TableFiles
import TableValue
import TestSupport
import Testing

@Test("an array of objects, and one object a line")
func jsonShapes() {
    let list = columns("name:text,qty:int")
    let rows: [[Value]] = [[.text("a"), .int(1)], [.null]]
    #expect(
        written(.json, list, rows)
            == "[\n{\"name\":\"a\",\"qty\":1},\n{\"name\":null,\"qty\":null}\n]\n")
    #expect(
        written(.ndjson, list, rows)
            == "{\"name\":\"a\",\"qty\":1}\n{\"name\":null,\"qty\":null}\n")
    #expect(written(.json, list, []) == "[]\n")
    #expect(written(.ndjson, list, []) == "")
    #expect(written(.json, [], [[]]) == "[\n{}\n]\n")
}

@Test("values are spelled as on the wire")
func jsonValues() {
    let list = columns("a:int,b:int,c:double,d:double,e:bool,f:date,g:text")
    let row: [Value] = [
        .int(1 << 53), .int(1 << 53 + 1), .double(.nan), .double(-0.0), .bool(false),
        .date(Day(daysSinceEpoch: 0)), .text("\"\\\n\u{1}\u{7F}\u{85}\u{202E}é👌"),
    ]
    #expect(
        written(.ndjson, list, [row])
            == "{\"a\":9007199254740992,\"b\":\"9007199254740993\",\"c\":\"NaN\",\"d\":-0.0,"
            + "\"e\":false,\"f\":\"1970-01-01\","
            + "\"g\":\"\\\"\\\\\\n\\u0001\\u007f\\u0085\\u202eé👌\"}\n")
}

@Test("any table is JSON that another reader understands")
func jsonIsJSON() throws {
    for seed in UInt64(1)...60 {
        var generator = SeededRandom(seed: seed)
        let list = ColumnType.allCases.enumerated().map { index, type in
            TypedColumn(name: Text("n\(index)\"\\é\(generator.below(9))"), type: type)
        }
        let rows = (0..<generator.below(6)).map { _ in list.map { generator.value($0.type) } }
        let parsed = try JSONSerialization.jsonObject(
            with: Data(written(.json, list, rows).utf8))
        let objects = try #require(parsed as? [[String: Any]], "seed \(seed)")
        #expect(objects.count == rows.count)
        for (object, row) in zip(objects, rows) {
            for (column, value) in zip(list, row) {
                let found = try #require(object[column.name.string], "seed \(seed)")
                switch value {
                case .null: #expect(found is NSNull)
                case .text(let text):
                    #expect(Text(try #require(found as? String)) == text, "seed \(seed)")
                case .double(let number) where number.isFinite:
                    // That reader does not round the last digit as it should.
                    let other = try #require(found as? Double, "seed \(seed)")
                    #expect(abs(other - number) <= number.magnitude * 1e-12, "seed \(seed)")
                default: break
                }
            }
        }
    }
}
