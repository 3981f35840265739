// Stepping a value under edit: dates by days and weeks, numbers by one and ten. A cell without a
// value starts at today, at the present minute, or at 0; what time it is comes from the shell.
import TableModel
import TableValue
import Terminal

extension CellEditor {
    /// Does what a key means for a value that can be stepped; false where it means nothing there.
    ///
    /// `clock` is the time of day where the user is; nil where the shell has not told.
    mutating func step(_ press: KeyPress, clock: Moment?) -> Bool {
        guard let step = Stepper.step(press, column.type) else { return false }
        guard case .success(let value) = value() else {
            problem = Stepper.wanted(column.type)
            return true
        }
        guard let stepped = Stepper.stepped(value, by: step, column.type, clock) else {
            problem = "\(column.type.nounWithArticle) cannot be stepped any further"
            if value.isNull { problem = Stepper.wanted(column.type) }
            return true
        }
        problem = nil
        field.set(stepped.canonicalText, isSelected: true)
        isNull = false
        return true
    }
}

private enum Stepper {
    /// How far a key steps, in days or in ones; nil for another key or another type.
    static func step(_ press: KeyPress, _ type: ColumnType) -> Int64? {
        let many: Int64
        switch type {
        case .date, .datetime: many = 7
        case .int, .double, .decimal: many = 10
        case .text, .bool, .choice, .uuid, .list, .json: return nil
        }
        guard press.modifiers.isEmpty else { return nil }
        switch press.key {
        case .up: return 1
        case .down: return -1
        case .pageUp: return many
        case .pageDown: return -many
        default: return nil
        }
    }

    static func wanted(_ type: ColumnType) -> String {
        let form = ValueError(type: type, reason: "").wanted(for: "")
        return "only \(type.nounWithArticle) can be stepped; \(form)"
    }

    /// The value that comes of a step; nil where there is none.
    static func stepped(
        _ value: Value, by step: Int64, _ type: ColumnType, _ clock: Moment?
    ) -> Value? {
        switch value {
        case .null: return start(type, clock)
        case .int(let number):
            let (sum, isTooFar) = number.addingReportingOverflow(step)
            return isTooFar ? nil : .int(sum)
        case .double(let number):
            let sum = number + Double(step)
            return sum.isFinite && sum != number ? .double(sum) : nil
        case .date(let day):
            let (sum, isTooFar) = day.daysSinceEpoch.addingReportingOverflow(Int32(step))
            return isTooFar ? nil : checked(.date(Day(daysSinceEpoch: sum)))
        case .datetime(let moment):
            let (sum, isTooFar) = moment.microsecondsSinceEpoch.addingReportingOverflow(
                step * microsecondsOfDay)
            return isTooFar
                ? nil
                : checked(
                    .datetime(
                        Moment(microsecondsSinceEpoch: sum, offsetMinutes: moment.offsetMinutes)))
        case .decimal(let number):
            return number.adding(ExactDecimal(step)).map { .decimal($0) }
        case .bool, .text, .choice, .uuid, .list, .json: return nil
        }
    }

    private static func start(_ type: ColumnType, _ clock: Moment?) -> Value? {
        switch type {
        case .int: return .int(0)
        case .decimal: return .decimal(ExactDecimal(0))
        case .double: return .double(0)
        case .date: return clock.map { .date(Day(daysSinceEpoch: Int32(clamping: $0.local.day))) }
        case .datetime:
            return clock.map { clock in
                let past = clock.microsecondsSinceEpoch % microsecondsOfMinute
                return .datetime(
                    Moment(
                        microsecondsSinceEpoch: clock.microsecondsSinceEpoch - past,
                        offsetMinutes: clock.offsetMinutes))
            }
        case .text, .bool, .choice, .uuid, .list, .json: return nil
        }
    }

    /// The value, where it can be written and read.
    private static func checked(_ value: Value) -> Value? {
        guard let type = value.type else { return nil }
        return try? Value(Text(value.canonicalText), as: type)
    }
}
