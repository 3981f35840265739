import TableExpression
import TableValue
import Testing

@Test(
    "a datetime's fields are those of the offset it was given with",
    arguments: [
        ("year(due)", "2026"), ("month(due)", "11"), ("day(due)", "30"), ("quarter(due)", "4"),
        ("weekday(due)", "1"), ("week(due)", "49"), ("day_of_year(due)", "334"),
        ("week(date '2027-01-01')", "53"), ("week(date '2024-12-30')", "1"),
        ("weekday(date '1970-01-01')", "4"), ("weekday(date '1969-12-28')", "7"),
        ("week(date '9999-12-31')", "52"), ("week(date '0001-01-01')", "1"),
        ("hour(seen)", "23"), ("minute(seen)", "30"), ("second(seen)", "0"), ("day(seen)", "30"),
        ("microsecond(datetime '1969-12-31T23:59:59.25Z')", "250000"),
        ("second(datetime '1969-12-31T23:59:59.25Z')", "59"), ("offset_minutes(seen)", "120"),
        ("at_offset(seen, 180)", "2026-12-01T00:30:00+03:00"), ("day(at_offset(seen, 180))", "1"),
        ("at_offset(seen, 1440)", "error argument_out_of_range"),
        ("cast(seen as date)", "2026-11-30"), ("cast(due as datetime)", "2026-11-30T00:00:00Z"),
        ("hour(due)", "error wrong_type"),
    ])
func dateFields(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "dates move by days, months and years, and stay within their years",
    arguments: [
        ("make_date(2024, 2, 29)", "2024-02-29"),
        ("make_date(2023, 2, 29)", "error date_out_of_range"),
        ("make_date(10000, 1, 1)", "error date_out_of_range"),
        ("make_date(9223372036854775807, 1, 1)", "error date_out_of_range"),
        ("add_days(due, 2)", "2026-12-02"), ("add_days(seen, 1)", "2026-12-01T23:30:00+02:00"),
        ("add_months(date '2026-01-31', 1)", "2026-02-28"),
        ("add_months(date '2024-03-31', -1)", "2024-02-29"),
        ("add_years(date '2024-02-29', 1)", "2025-02-28"),
        ("add_months(seen, 3)", "2027-02-28T23:30:00+02:00"),
        ("add_months(due, 9223372036854775807)", "error date_out_of_range"),
        ("add_years(due, 9223372036854775807)", "error date_out_of_range"),
        ("add_years(due, 9000)", "error date_out_of_range"),
        ("add_hours(seen, 1)", "2026-12-01T00:30:00+02:00"),
        ("add_minutes(seen, -31)", "2026-11-30T22:59:00+02:00"),
        ("add_seconds(seen, 9223372036854775807)", "error date_out_of_range"),
        ("add_hours(datetime '9999-12-31T23:30:00Z', 1)", "error date_out_of_range"),
        ("days_between('2026-11-01', due)", "29"), ("days_between(due, '2026-11-01')", "-29"),
        ("months_between('2026-01-31', '2026-02-28')", "1"),
        ("months_between('2026-01-30', '2026-03-29')", "1"),
        ("months_between('2026-03-29', '2026-01-30')", "-1"),
        ("seconds_between(seen, '2026-11-30T21:30:01.9Z')", "1"),
        ("seconds_between('2026-11-30T21:30:01.9Z', seen)", "-1"),
        ("start_of_month(due)", "2026-11-01"), ("end_of_month(date '2024-02-10')", "2024-02-29"),
        ("end_of_month(date '9999-12-01')", "9999-12-31"),
        ("start_of_month(date '0001-01-31')", "0001-01-01"),
        ("today()", "2024-10-04"), ("now()", "2024-10-04T00:00:00Z"), ("due > today()", "true"),
    ])
func dateMoves(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test("without a time from outside, today and now are errors of the row")
func noTime() throws {
    for text in ["today()", "now()"] {
        let expression = try Expression(Text(text), schema: sampleSchema, for: .value)
        #expect(expression.usesTime)
        var evaluator = Evaluator(expression)
        do throws(EvaluationError) {
            _ = try evaluator.evaluate { _ in .null }
            Issue.record("\(text) has a value")
        } catch {
            #expect(error.fault == .noTimeGiven)
        }
    }
}

@Test("fields and moves agree with a calendar walked day by day")
func walkedCalendar() throws {
    var days = 0
    var weekday = 1
    // 2001-01-01 was a Monday and the first day of a week's year.
    for year in 2001...2013 {
        for month in 1...12 {
            let isLeap = year % 4 == 0
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            for day in 1...length {
                let text = "add_days(date '2001-01-01', \(days))"
                if days % 13 == 0 || day == length {
                    #expect(outcome("year(\(text))") == String(year))
                    #expect(outcome("month(\(text))") == String(month))
                    #expect(outcome("day(\(text))") == String(day))
                    #expect(outcome("weekday(\(text))") == String(weekday))
                    #expect(outcome("day(end_of_month(\(text)))") == String(length))
                }
                days += 1
                weekday = weekday % 7 + 1
            }
        }
    }
}
