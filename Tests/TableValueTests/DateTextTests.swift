import TableValue
import TestSupport
import Testing

@Test("every day of years 1 to 9999 is one more than the day before it, and comes back")
func everyDay() {
    var expected: Int32?
    var output: [UInt8] = []
    for year in 1...9999 {
        for month in 1...12 {
            for day in 1...31 {
                guard let found = Day(year: year, month: month, day: day) else { continue }
                if let expected, found.daysSinceEpoch != expected {
                    Issue.record("\(year)-\(month)-\(day) is \(found.daysSinceEpoch)")
                    return
                }
                expected = found.daysSinceEpoch + 1
                let fields = found.calendarDate
                if fields.year != year || fields.month != month || fields.day != day {
                    Issue.record("\(year)-\(month)-\(day) came back as \(fields)")
                    return
                }
            }
        }
        output.removeAll(keepingCapacity: true)
    }
    #expect(read("0001-01-01", as: .date) == .date(Day(daysSinceEpoch: -719_162)))
    #expect(read("1970-01-01", as: .date) == .date(Day(daysSinceEpoch: 0)))
    #expect(read("2000-03-01", as: .date) == .date(Day(daysSinceEpoch: 11_017)))
    #expect(read("9999-12-31", as: .date) == .date(Day(daysSinceEpoch: 2_932_896)))
}

@Test(
    "leap days exist in leap years alone",
    arguments: [
        ("2000-02-29", true), ("1900-02-29", false), ("2024-02-29", true), ("2023-02-29", false),
        ("0004-02-29", true), ("0100-02-29", false), ("0400-02-29", true), ("2100-02-29", false),
    ])
func leapDays(_ text: String, _ exists: Bool) {
    #expect((read(text, as: .date) != nil) == exists)
}

@Test(
    "what is no date is refused",
    arguments: [
        "", "2026", "2026-11", "2026-11-31", "2026-13-01", "2026-00-01", "2026-01-00", "26-11-30",
        "0000-01-01", "10000-01-01", "-2026-11-30", "+2026-11-30", "2026/11/30", "20261130",
        "2026-1-1", "2026-11-3O", "2026-11-30 ", " 2026-11-30", "2026-11-30T00:00:00Z",
        "２０２６-11-30", "2026-11-30\u{0}", "----------", "2026-W48-1",
    ])
func dateMalformed(_ text: String) {
    #expect(read(text, as: .date) == nil)
}

@Test(
    "moments keep their offset and have one spelling",
    arguments: [
        ("2026-11-30T08:00:00+01:00", "2026-11-30T08:00:00+01:00"),
        ("2026-11-30T08:00:00+00:00", "2026-11-30T08:00:00Z"),
        ("2026-11-30T08:00:00-00:00", "2026-11-30T08:00:00Z"),
        ("2026-11-30T08:00:00.250Z", "2026-11-30T08:00:00.25Z"),
        ("2026-11-30T08:00:00.000000Z", "2026-11-30T08:00:00Z"),
        ("2026-11-30T08:00:00.000001-09:30", "2026-11-30T08:00:00.000001-09:30"),
        ("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z"),
        ("0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00+23:59"),
        ("9999-12-31T23:59:59.999999-23:59", "9999-12-31T23:59:59.999999-23:59"),
    ])
func momentSpelling(_ text: String, _ canonical: String) throws {
    let value = try #require(read(text, as: .datetime))
    #expect(written(value) == canonical)
    #expect(read(canonical, as: .datetime) == value)
}

@Test("an offset moves the instant, not the text")
func momentInstants() {
    func instant(_ text: String) -> Int64? {
        guard case .datetime(let moment)? = read(text, as: .datetime) else { return nil }
        return moment.microsecondsSinceEpoch
    }
    #expect(instant("1970-01-01T00:00:00Z") == 0)
    #expect(instant("1970-01-01T00:00:00.000001Z") == 1)
    #expect(instant("1969-12-31T23:59:59.999999Z") == -1)
    #expect(instant("1970-01-01T01:00:00+01:00") == 0)
    #expect(instant("1969-12-31T15:00:00-09:00") == 0)
    #expect(instant("2013-01-01T10:00:00Z") == 1_357_034_400_000_000)
}

@Test(
    "what is no moment is refused",
    arguments: [
        "", "2026-11-30", "2026-11-30T08:00:00", "2026-11-30 08:00:00Z", "2026-11-30t08:00:00Z",
        "2026-11-30T08:00:00z", "2026-11-30T08:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T08:60:00Z", "2016-12-31T23:59:60Z", "2026-11-30T08:00:00.Z",
        "2026-11-30T08:00:00.1234567Z", "2026-11-30T08:00:00,5Z", "2026-11-30T08:00:00+1:00",
        "2026-11-30T08:00:00+0100", "2026-11-30T08:00:00+24:00", "2026-11-30T08:00:00+01:60",
        "2026-11-30T08:00:00+01:00 ", "2026-11-30T08:00:00ZZ", "2026-02-30T08:00:00Z",
        "2026-11-30T08:00:00.5", "2026-11-30T08:00:00+", "2026-11-30T-8:00:00Z",
        "0000-12-31T23:59:59Z",
    ])
func momentMalformed(_ text: String) {
    #expect(read(text, as: .datetime) == nil)
}

@Test("moments of every instant and offset come back")
func momentRoundTrip() throws {
    for seed in UInt64(1)...20 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let days = Int64(generator.below(2_932_896 + 719_162 - 4)) - 719_160
            var time = Int64(generator.below(86_400)) * 1_000_000
            if generator.below(2) == 0 { time += Int64(generator.below(1_000_000)) }
            let moment = Moment(
                microsecondsSinceEpoch: days * 86_400_000_000 + time,
                offsetMinutes: Int16(generator.below(2_879) - 1_439))
            let text = written(.datetime(moment))
            #expect(read(text, as: .datetime) == .datetime(moment), "seed \(seed): \(text)")
        }
    }
}

@Test("days and moments that no text gives are written without a trap")
func extremesAreWritten() {
    for days in [Int32.min, .max] {
        #expect(!written(.date(Day(daysSinceEpoch: days))).isEmpty)
    }
    for instant in [Int64.min, .max] {
        for offset in [Int16.min, -1, 0, 1, .max] {
            let moment = Moment(microsecondsSinceEpoch: instant, offsetMinutes: offset)
            #expect(!written(.datetime(moment)).isEmpty)
        }
    }
}
