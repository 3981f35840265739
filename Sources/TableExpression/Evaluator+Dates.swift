// What the functions of dates and datetimes do. A datetime's fields are those of the offset it was
// given with; its order and differences are those of the instant. No time zones, no clock.
import TableValue

/// 0001-01-01 and 9999-12-31, in days since 1970-01-01.
private let days: ClosedRange<Int64> = -719_162...2_932_896
private let offsetMinutesMax: Int64 = 1_439

extension Evaluator {
    mutating func callDate(
        _ function: Function, _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .today, .now:
            guard let time else { throw .noTimeGiven }
            return function == .today ? .date(time.today) : .datetime(time.now)
        case .makeDate:
            let year = try int(base)
            let month = try int(base + 1)
            let day = try int(base + 2)
            let made = Day(
                year: Int(clamping: year), month: Int(clamping: month), day: Int(clamping: day))
            guard let made else { throw .dateOutOfRange }
            return .date(made)
        case .daysBetween: return .int(difference(try day(base), try day(base + 1)))
        case .monthsBetween: return .int(try months(try day(base), try day(base + 1)))
        case .startOfMonth, .endOfMonth:
            return .date(try monthEnd(try day(base), function == .startOfMonth))
        default:
            if case .date(let day) = stack[base] { return try callDay(function, day, base) }
            return try callMoment(function, try moment(base), base)
        }
    }

    private func day(_ index: Int) throws(EvaluationFault) -> Day {
        guard index < stack.count, case .date(let day) = stack[index] else { throw .wrongCellType }
        return day
    }

    private func moment(_ index: Int) throws(EvaluationFault) -> Moment {
        guard index < stack.count, case .datetime(let moment) = stack[index] else {
            throw .wrongCellType
        }
        return moment
    }

    // MARK: Dates

    private func difference(_ from: Day, _ to: Day) -> Int64 {
        Int64(to.daysSinceEpoch) - Int64(from.daysSinceEpoch)
    }

    /// The day so many days later.
    func moved(_ day: Day, _ count: Int64) throws(EvaluationFault) -> Day {
        let (sum, overflow) = Int64(day.daysSinceEpoch).addingReportingOverflow(count)
        guard !overflow, days.contains(sum) else { throw .dateOutOfRange }
        return Day(daysSinceEpoch: Int32(truncatingIfNeeded: sum))
    }

    /// The same day of the month so many months later, or the last one there is.
    private func moved(_ day: Day, months count: Int64) throws(EvaluationFault) -> Day {
        let date = day.calendarDate
        let month = Int64(date.year) * 12 + Int64(date.month - 1)
        let (sum, overflow) = month.addingReportingOverflow(count)
        guard !overflow, (12..<120_000).contains(sum) else { throw .dateOutOfRange }
        for last in stride(from: date.day, through: max(1, date.day - 3), by: -1) {
            if let made = Day(year: Int(sum / 12), month: Int(sum % 12) + 1, day: last) {
                return made
            }
        }
        throw .dateOutOfRange
    }

    private func months(_ from: Day, _ to: Day) throws(EvaluationFault) -> Int64 {
        if to < from { return 0 - (try months(to, from)) }
        let first = from.calendarDate
        let last = to.calendarDate
        let count = Int64((last.year - first.year) * 12 + last.month - first.month)
        return try moved(from, months: count) > to ? count - 1 : count
    }

    private func monthEnd(_ day: Day, _ isStart: Bool) throws(EvaluationFault) -> Day {
        let first = try moved(day, Int64(1 - day.calendarDate.day))
        if isStart { return first }
        for length in stride(from: 30, through: 27, by: -1) {
            let last = Int64(first.daysSinceEpoch) + Int64(length)
            guard days.contains(last) else { continue }
            let made = Day(daysSinceEpoch: Int32(truncatingIfNeeded: last))
            if made.calendarDate.month == day.calendarDate.month { return made }
        }
        throw .dateOutOfRange
    }

    private func years(_ count: Int64) throws(EvaluationFault) -> Int64 {
        let (months, overflow) = count.multipliedReportingOverflow(by: 12)
        if overflow { throw .dateOutOfRange }
        return months
    }

    private func callDay(
        _ function: Function, _ day: Day, _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        switch function {
        case .addDays: return .date(try moved(day, try int(base + 1)))
        case .addMonths: return .date(try moved(day, months: try int(base + 1)))
        case .addYears: return .date(try moved(day, months: try years(try int(base + 1))))
        default: return .int(try field(function, of: day))
        }
    }

    private func field(_ function: Function, of day: Day) throws(EvaluationFault) -> Int64 {
        let date = day.calendarDate
        // 1970-01-01 was a Thursday, the fourth day of the week.
        let number = Int64(day.daysSinceEpoch)
        let weekday = number + 3 - floorDivide(number + 3, 7) * 7 + 1
        switch function {
        case .year: return Int64(date.year)
        case .quarter: return Int64((date.month + 2) / 3)
        case .month: return Int64(date.month)
        case .day: return Int64(date.day)
        case .weekday: return weekday
        case .dayOfYear: return dayOfYear(number, date.year)
        case .week:
            // The week belongs to the year of its Thursday.
            let thursday = Day(daysSinceEpoch: Int32(clamping: number + 4 - weekday))
            let year = thursday.calendarDate.year
            return (dayOfYear(Int64(thursday.daysSinceEpoch), year) - 1) / 7 + 1
        default: throw .wrongCellType
        }
    }

    private func dayOfYear(_ number: Int64, _ year: Int) -> Int64 {
        guard let first = Day(year: year, month: 1, day: 1) else { return 1 }
        return number - Int64(first.daysSinceEpoch) + 1
    }

    // MARK: Datetimes

    /// The day on the calendar of the moment's offset.
    func localDay(_ moment: Moment) throws(EvaluationFault) -> Day {
        let day = moment.local.day
        guard days.contains(day) else { throw .dateOutOfRange }
        return Day(daysSinceEpoch: Int32(truncatingIfNeeded: day))
    }

    private func made(_ instant: Int64, offset: Int64) throws(EvaluationFault) -> Moment {
        let moment = Moment(
            microsecondsSinceEpoch: instant, offsetMinutes: Int16(truncatingIfNeeded: offset))
        // Far from both ends of 64 bits, whatever the offset.
        guard instant.magnitude < Int64.max.magnitude / 2 else { throw .dateOutOfRange }
        _ = try localDay(moment)
        return moment
    }

    private func moved(
        _ moment: Moment, _ count: Int64, of unit: Int64
    ) throws(EvaluationFault) -> Moment {
        let (distance, overflow) = count.multipliedReportingOverflow(by: unit)
        let (sum, carry) = moment.microsecondsSinceEpoch.addingReportingOverflow(distance)
        if overflow || carry { throw .dateOutOfRange }
        return try made(sum, offset: Int64(moment.offsetMinutes))
    }

    /// The same time of the day in the same offset, so many months later.
    private func moved(_ moment: Moment, months count: Int64) throws(EvaluationFault) -> Moment {
        let before = try localDay(moment)
        return try moved(
            moment, difference(before, try moved(before, months: count)), of: microsecondsOfDay)
    }

    private func callMoment(
        _ function: Function, _ moment: Moment, _ base: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        let time = moment.local.microseconds
        switch function {
        case .addDays: return .datetime(try moved(moment, try int(base + 1), of: microsecondsOfDay))
        case .addHours:
            return .datetime(try moved(moment, try int(base + 1), of: 60 * microsecondsOfMinute))
        case .addMinutes:
            return .datetime(try moved(moment, try int(base + 1), of: microsecondsOfMinute))
        case .addSeconds:
            return .datetime(try moved(moment, try int(base + 1), of: microsecondsOfSecond))
        case .addMonths: return .datetime(try moved(moment, months: try int(base + 1)))
        case .addYears:
            return .datetime(try moved(moment, months: try years(try int(base + 1))))
        case .secondsBetween:
            let (micro, overflow) = try self.moment(base + 1).microsecondsSinceEpoch
                .subtractingReportingOverflow(moment.microsecondsSinceEpoch)
            if overflow { throw .dateOutOfRange }
            return .int(micro / microsecondsOfSecond)
        case .atOffset:
            let minutes = try int(base + 1)
            guard minutes.magnitude <= offsetMinutesMax.magnitude else {
                throw .argumentOutOfRange
            }
            return .datetime(try made(moment.microsecondsSinceEpoch, offset: minutes))
        case .hour: return .int(time / (60 * microsecondsOfMinute))
        case .minute: return .int(time / microsecondsOfMinute % 60)
        case .second: return .int(time / microsecondsOfSecond % 60)
        case .microsecond: return .int(time % microsecondsOfSecond)
        case .offsetMinutes: return .int(Int64(moment.offsetMinutes))
        default: return .int(try field(function, of: try localDay(moment)))
        }
    }
}
