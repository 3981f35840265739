import TableValue
import TestSupport
import Testing

/// One value of each type, none of which fits another type as it stands.
private let samples: [Value] = [
    .null, .bool(true), .int(5), .double(2.5), .text("five"), .date(Day(daysSinceEpoch: 3)),
    .datetime(Moment(microsecondsSinceEpoch: 7, offsetMinutes: 60)),
    .uuid(Identifier128(high: 1, low: 2)), .decimal(ExactDecimal(5)), .choice("five"),
    .list(CanonicalJSON(.list([.int(5)]))), .json(CanonicalJSON(.object([]))),
]

/// What the samples become in columns of other types.
private let conversions: [Value: [ColumnType: Value]] = [
    .int(5): [
        .double: .double(5), .decimal: .decimal(ExactDecimal(5)),
        .json: .json(CanonicalJSON(.int(5))),
    ],
    .bool(true): [.json: .json(CanonicalJSON(.bool(true)))],
    .double(2.5): [.json: .json(CanonicalJSON(.double(2.5)))],
    .text("five"): [.choice: .choice("five"), .json: .json(CanonicalJSON(.text("five")))],
    .list(CanonicalJSON(.list([.int(5)]))): [.json: .json(CanonicalJSON(.list([.int(5)])))],
]

@Test("a value fits the column of its own type, null fits every column, nothing else fits")
func conversionTable() throws {
    for value in samples {
        for type in ColumnType.allCases {
            if value.isNull || value.type == type {
                #expect(try value.converted(to: type) == value)
            } else if let expected = conversions[value]?[type] {
                #expect(try value.converted(to: type) == expected)
            } else {
                #expect(throws: ValueError.self, "\(value) as \(type)") {
                    try value.converted(to: type)
                }
            }
        }
    }
}

@Test("an int fits a double column only where it is exact")
func integersAsDoubles() throws {
    let exact: Int64 = 1 << 53
    #expect(try Value.int(exact).converted(to: .double) == .double(9_007_199_254_740_992))
    #expect(try Value.int(exact + 2).converted(to: .double) == .double(9_007_199_254_740_994))
    #expect(try Value.int(.min).converted(to: .double) == .double(-0x1p63))
    for value in [exact + 1, -exact - 1, .max] {
        #expect(throws: ValueError.self) { try Value.int(value).converted(to: .double) }
    }
}

@Test("a double never fits an int column, even where it is a whole number")
func doublesAsIntegers() {
    #expect(throws: ValueError.self) { try Value.double(5).converted(to: .int) }
}

@Test("text is read for every type but bool, and only text fits a text column")
func textConversions() throws {
    func converted(_ text: Text, _ type: ColumnType) -> Value? {
        try? Value.text(text).converted(to: type)
    }
    #expect(converted("9223372036854775807", .int) == .int(.max))
    #expect(converted("-Infinity", .double) == .double(-.infinity))
    #expect(converted("1970-01-04", .date) == .date(Day(daysSinceEpoch: 3)))
    #expect(
        converted("1970-01-01T00:00:00Z", .datetime)
            == .datetime(Moment(microsecondsSinceEpoch: 0, offsetMinutes: 0)))
    #expect(converted("00000000-0000-0001-0000-000000000002", .uuid) == samples[7])
    #expect(converted("true", .bool) == nil)
    #expect(converted("", .int) == nil)
    #expect(converted("", .text) == .text(""))
}

@Test("all NaN become one")
func canonicalNaN() throws {
    let odd = Double(nan: 5, signaling: false)
    #expect(Value.double(odd) != .double(.nan))
    #expect(try Value.double(odd).converted(to: .double) == .double(.nan))
}

@Test("bools are the words true and false")
func bools() {
    #expect(read("true", as: .bool) == .bool(true))
    #expect(read("false", as: .bool) == .bool(false))
    for text in ["", "True", "TRUE", "t", "1", "0", "yes", "true ", " true", "tru", "truee"] {
        #expect(read(text, as: .bool) == nil)
    }
    #expect(written(.bool(true)) == "true")
    #expect(written(.bool(false)) == "false")
}

@Test("text is any text, byte for byte")
func texts() {
    for text in ["", "\u{0}", "\u{FEFF}x", "a\r\n\u{301}b", "e\u{301}", "é", "👌🏽"] {
        #expect(read(text, as: .text) == .text(Text(text)))
        #expect(Array(written(.text(Text(text))).utf8) == Array(text.utf8))
    }
    let broken: [UInt8] = [0x61, 0xFF]
    #expect(throws: ValueError.self) { try Value(utf8: broken.span, as: .text) }
    #expect(throws: ValueError.self) { try Value(utf8: broken.span, as: .uuid) }
}

@Test("null writes nothing")
func nullWritesNothing() {
    #expect(written(.null) == "")
}

@Test("no error repeats what was in the cell")
func errorsKeepCellsSecret() {
    let secret = "tOp-s3cret"
    for type in ColumnType.allCases where type != .text && type != .choice {
        do {
            _ = try Value(Text(secret), as: type)
            Issue.record("\(type) took it")
        } catch {
            #expect(error.type == type)
            #expect(!error.reason.isEmpty && !error.reason.contains(secret))
        }
    }
}

@Test("hostile text is refused or comes back in its canonical form, which is a fixed point")
func hostileText() {
    for seed in UInt64(1)...30 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let text = generator.word(of: "0123456789-+.:eETZaAfFnN tru\u{0}\u{301}é", countMax: 37)
            for type in ColumnType.allCases {
                guard let value = read(text, as: type) else { continue }
                let canonical = written(value)
                #expect(read(canonical, as: type) == value, "seed \(seed): \(text) as \(type)")
                #expect(value.type == type, "seed \(seed)")
            }
        }
    }
}
