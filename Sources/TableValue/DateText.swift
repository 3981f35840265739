// Dates and moments as text: RFC 3339 with years 1 to 9999, over bytes.
// No clock, no time zone data: a moment keeps the offset it was written with.

/// Calendar fields of the proleptic Gregorian calendar.
package struct CalendarDate: Hashable, Sendable {
    /// The year, 1 to 9999 in every text.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int
}

/// Four hundred years of the Gregorian calendar, after which it repeats.
private let daysOfEra = 146_097
/// Days from 0000-03-01, where the arithmetic starts, to 1970-01-01.
private let daysBeforeEpoch = 719_468

extension Day {
    /// The day of a calendar date; nil where there is no such date between years 1 and 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= daysOfMonth(month, year: year)
        else { return nil }
        // Years begin in March here, so that the leap day is the last day of a year.
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = shiftedYear / 400 * daysOfEra + dayOfEra - daysBeforeEpoch
        self.init(daysSinceEpoch: Int32(truncatingIfNeeded: days))
    }

    /// The calendar fields of the day.
    package var calendarDate: CalendarDate { dateFields(Int(daysSinceEpoch)) }
}

/// The calendar fields of a day counted from 1970-01-01.
private func dateFields(_ daysSinceEpoch: Int) -> CalendarDate {
    let days = daysSinceEpoch + daysBeforeEpoch
    let era = Int(floorDivide(Int64(days), Int64(daysOfEra)))
    let dayOfEra = days - era * daysOfEra
    let yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return CalendarDate(
        year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
        day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

private func daysOfMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// The quotient rounded down, for a positive divisor.
package func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}

/// Reads `2026-11-30`, years 0001 to 9999; nil for anything else.
package func readDay(_ bytes: Span<UInt8>) -> Day? {
    bytes.count == 10 ? readDayPrefix(bytes) : nil
}

/// Reads the ten bytes of a date at the start of `bytes`.
private func readDayPrefix(_ bytes: Span<UInt8>) -> Day? {
    guard bytes.count >= 10, bytes[4] == Ascii.minus, bytes[7] == Ascii.minus,
        let year = readDigits(bytes, at: 0, count: 4),
        let month = readDigits(bytes, at: 5, count: 2),
        let day = readDigits(bytes, at: 8, count: 2)
    else { return nil }
    return Day(year: year, month: month, day: day)
}

/// Reads exactly `count` decimal digits; the caller has checked that the bytes are there.
private func readDigits(_ bytes: Span<UInt8>, at start: Int, count: Int) -> Int? {
    var value = 0
    for index in start..<start + count {
        guard let digit = decimalDigit(bytes[index]) else { return nil }
        value = value * 10 + Int(digit)
    }
    return value
}

/// The microseconds of a second.
package let microsecondsOfSecond: Int64 = 1_000_000
/// The microseconds of a minute; none has a leap second.
package let microsecondsOfMinute: Int64 = 60_000_000
/// The microseconds of a day.
package let microsecondsOfDay: Int64 = 86_400_000_000
/// Digits of a second that a moment keeps.
private let fractionDigitsMax = 6

/// Reads `2026-11-30T08:00:00.25+01:00` or with `Z`; nil for anything else.
///
/// `T` and `Z` are upper case, a fraction has one to six digits, hours go to 23, minutes and
/// seconds to 59 (a leap second has no number here), and `-00:00` counts as `Z`.
package func readMoment(_ bytes: Span<UInt8>) -> Moment? {
    let count = bytes.count
    // The shortest: date, T, eight bytes of time, Z.
    guard count >= 20, let day = readDayPrefix(bytes), bytes[10] == UInt8(ascii: "T"),
        bytes[13] == Ascii.colon, bytes[16] == Ascii.colon,
        let hour = readDigits(bytes, at: 11, count: 2), hour <= 23,
        let minute = readDigits(bytes, at: 14, count: 2), minute <= 59,
        let second = readDigits(bytes, at: 17, count: 2), second <= 59
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if bytes[index] == Ascii.point {
        index += 1
        let start = index
        var unit = microsecondsOfSecond
        while index < count, let digit = decimalDigit(bytes[index]) {
            guard index - start < fractionDigitsMax else { return nil }
            unit /= 10
            fraction += Int64(digit) * unit
            index += 1
        }
        guard index > start else { return nil }
    }
    guard let offset = readOffset(bytes, at: index) else { return nil }
    let minutes = Int64(hour * 60 + minute - offset)
    let instant =
        Int64(day.daysSinceEpoch) * microsecondsOfDay + minutes * microsecondsOfMinute
        + Int64(second) * microsecondsOfSecond + fraction
    return Moment(microsecondsSinceEpoch: instant, offsetMinutes: Int16(offset))
}

/// Reads `Z`, `+01:00` or `-09:30` as the rest of the bytes, in minutes.
private func readOffset(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let sign = bytes[start]
    if sign == UInt8(ascii: "Z") { return bytes.count == start + 1 ? 0 : nil }
    guard sign == Ascii.plus || sign == Ascii.minus, bytes.count == start + 6,
        bytes[start + 3] == Ascii.colon,
        let hours = readDigits(bytes, at: start + 1, count: 2), hours <= 23,
        let minutes = readDigits(bytes, at: start + 4, count: 2), minutes <= 59
    else { return nil }
    let offset = hours * 60 + minutes
    return sign == Ascii.minus ? -offset : offset
}

/// Appends a date as `2026-11-30`.
package func appendDay(_ day: Day, to output: inout [UInt8]) {
    append(dateFields(Int(day.daysSinceEpoch)), to: &output)
}

private func append(_ date: CalendarDate, to output: inout [UInt8]) {
    appendPadded(date.year, digits: 4, to: &output)
    output.append(Ascii.minus)
    appendPadded(date.month, digits: 2, to: &output)
    output.append(Ascii.minus)
    appendPadded(date.day, digits: 2, to: &output)
}

extension Moment {
    /// What calendar and clock say in the moment's offset: days since 1970-01-01, and microseconds
    /// of that day.
    ///
    /// Wrapping, for moments that no text gives.
    package var local: (day: Int64, microseconds: Int64) {
        let local = microsecondsSinceEpoch &+ Int64(offsetMinutes) &* microsecondsOfMinute
        let day = floorDivide(local, microsecondsOfDay)
        return (day, local &- day &* microsecondsOfDay)
    }
}

/// Appends a moment as RFC 3339 in its own offset: `Z` where that is zero, the fraction of the
/// second without trailing zeros and left out where it is zero.
package func appendMoment(_ moment: Moment, to output: inout [UInt8]) {
    let offset = Int(moment.offsetMinutes)
    let (day, microseconds) = moment.local
    let time = Int(microseconds)
    let second = time / Int(microsecondsOfSecond)
    append(dateFields(Int(day)), to: &output)
    output.append(UInt8(ascii: "T"))
    appendPadded(second / 3600, digits: 2, to: &output)
    output.append(Ascii.colon)
    appendPadded(second / 60 % 60, digits: 2, to: &output)
    output.append(Ascii.colon)
    appendPadded(second % 60, digits: 2, to: &output)
    let fraction = time % Int(microsecondsOfSecond)
    if fraction != 0 {
        output.append(Ascii.point)
        appendPadded(fraction, digits: fractionDigitsMax, to: &output)
        while output.last == Ascii.zero { output.removeLast() }
    }
    guard offset != 0 else {
        output.append(UInt8(ascii: "Z"))
        return
    }
    output.append(offset < 0 ? Ascii.minus : Ascii.plus)
    appendPadded(abs(offset) / 60, digits: 2, to: &output)
    output.append(Ascii.colon)
    appendPadded(abs(offset) % 60, digits: 2, to: &output)
}
