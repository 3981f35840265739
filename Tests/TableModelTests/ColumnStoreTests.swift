// The cells of one column: every type's values come back as they went in, texts included.
import TableValue
import Testing

@testable import TableModel

/// The numbers that are stored as zero, which otherwise means an empty cell.
private let odd = UInt64(0xFFF4_9E37_79B9_7F4B)
private let oddDay = Day(daysSinceEpoch: Int32(bitPattern: 0x9E37_79B9))

private func moment(_ microseconds: Int64, _ minutes: Int16) -> Value {
    .datetime(Moment(microsecondsSinceEpoch: microseconds, offsetMinutes: minutes))
}

private func decimal(_ text: String) -> Value {
    (try? Value(Text(text), as: .decimal)) ?? .null
}

private func json(_ text: String) -> CanonicalJSON {
    (try? CanonicalJSON(reading: text.utf8.span)) ?? CanonicalJSON(.null)
}

extension CanonicalJSON {
    fileprivate var list: Value { .list(self) }
}

private let long = Text(String(repeating: "x", count: 9_000))

private let samples: [(type: ColumnType, values: [Value])] = [
    (.text, [.text(""), .text("a"), .text("é\u{0}漢字"), .text(long)]),
    (.int, [.int(0), .int(-1), .int(.max), .int(.min), .int(Int64(bitPattern: odd))]),
    (
        .double,
        [
            .double(0), .double(-0.0), .double(.nan), .double(.infinity), .double(1.5),
            .double(Double(bitPattern: odd)),
        ]
    ),
    (.bool, [.bool(true), .bool(false)]),
    (
        .date,
        [
            .date(Day(daysSinceEpoch: 0)), .date(Day(daysSinceEpoch: -719_162)), .date(oddDay),
            .date(Day(daysSinceEpoch: .max)), .date(Day(daysSinceEpoch: .min)),
        ]
    ),
    (
        .datetime,
        [
            moment(.min, -1_439), moment(.max, 1_439), moment(0, 0),
            moment(Int64(bitPattern: odd), 0), moment(Int64(bitPattern: odd), 60),
        ]
    ),
    (
        .uuid,
        [
            .uuid(Identifier128(high: .max, low: 1)), .uuid(Identifier128(high: 0, low: 0)),
            .uuid(Identifier128(high: odd, low: 0)), .uuid(Identifier128(high: odd, low: 9)),
        ]
    ),
    (
        .decimal,
        [
            .decimal(ExactDecimal(0)), .decimal(ExactDecimal(-1)), decimal("-0.50"),
            decimal(String(repeating: "9", count: 38)),
            decimal("-0." + String(repeating: "9", count: 38)),
            .decimal(ExactDecimal(Int64(bitPattern: odd))),
        ]
    ),
    (.choice, [.choice("red"), .choice("é"), .choice(long)]),
    (.list, [json("[]").list, json(#"["a",1,true]"#).list]),
    (.json, [.json(json("{}")), .json(json(#"{"a":[1,2.5,null]}"#)), .json(json("0"))]),
]

@Suite("Cells of a column")
struct ColumnStoreTests {
    @Test("what is set is what is there, beside whatever neighbours", arguments: samples.indices)
    func everyType(index: Int) {
        let (type, values) = samples[index]
        let slots: [UInt32] = [0, 1, 2, 63, 64, 1_023, 1_024, 5_000]
        var store = ColumnStore(type: type)
        for slot in slots { #expect(store.value(slot) == .null) }
        for round in values.indices {
            for (place, slot) in slots.enumerated() {
                let value = values[(round + place) % values.count]
                #expect(store.equals(slot, value) == (store.value(slot) == value))
                let stored = store.set(slot, value)
                #expect(stored)
                #expect(store.value(slot) == value)
                #expect(store.equals(slot, value) && !store.equals(slot, .null))
            }
            for (place, slot) in slots.enumerated() {
                #expect(store.value(slot) == values[(round + place) % values.count])
            }
        }
        for value in values {
            store.set(64, value)
            store.set(64, .null)
            #expect(store.value(64) == .null && store.equals(64, .null))
        }
        #expect(!store.exceptions[64])
        #expect(store.value(63) != .null && store.value(3) == .null)
    }

    @Test("a value of another type is not stored", arguments: ColumnType.allCases)
    func otherType(type: ColumnType) {
        var store = ColumnStore(type: type)
        for sample in samples where sample.type != type {
            let stored = store.set(7, sample.values[0])
            #expect(!stored)
            #expect(store.value(7) == .null)
        }
    }

    @Test("the hash reads what a reader reads", arguments: samples.indices)
    func canonicalBytes(index: Int) {
        var store = ColumnStore(type: samples[index].type)
        for value in samples[index].values + [.null] {
            store.set(70, value)
            var direct = CanonicalBytes()
            store.write(70, to: &direct)
            var expected = CanonicalBytes()
            expected.append(value)
            #expect(direct.bytes == expected.bytes)
        }
    }

    @Test("texts by chance agree with a dictionary, and dead bytes do not pile up")
    func texts() {
        var generator = Seeded(seed: 3)
        var store = ColumnStore(type: .text)
        var plain: [UInt32: Text] = [:]
        for _ in 0..<6_000 {
            let slot = UInt32(generator.below(1_500))
            if generator.chance(20) {
                store.set(slot, .null)
                plain[slot] = nil
            } else {
                let text = Text(String(repeating: "ab", count: generator.below(60)))
                store.set(slot, .text(text))
                plain[slot] = text
            }
        }
        for slot in 0..<1_500 as Range<UInt32> {
            #expect(store.value(slot) == (plain[slot].map { .text($0) } ?? .null))
        }
        let live = plain.values.reduce(0) { $0 + $1.byteCount }
        #expect(store.textBytesHeld <= 2 * live + 2 * 8_192)
    }
}
