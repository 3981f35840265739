// Moments of a table's past as people write and read them, on the command line and in the
// terminal client. Whether there was such a moment the server says.
package import TableModel
import TableValue

extension PastMoment {
    /// Reads the number of a record, a day (its beginning in UTC) or a time with its offset; nil
    /// where the word is none of these.
    package init?(word: some StringProtocol) {
        if let sequence = SequenceNumber(word) {
            self = .sequence(sequence)
            return
        }
        let bytes = Array(word.utf8)
        if let moment = readMoment(bytes.span) {
            self = .time(floorDivide(moment.microsecondsSinceEpoch, 1_000))
        } else if let day = readDay(bytes.span) {
            self = .time(Int64(day.daysSinceEpoch) * 86_400_000)
        } else {
            return nil
        }
    }
}

/// The time of a record for people, to the second: `2026-11-30T08:00:00Z`.
package func timeText(_ milliseconds: Int64) -> String {
    let seconds = floorDivide(milliseconds, 1_000)
    let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    var bytes: [UInt8] = []
    appendMoment(
        Moment(microsecondsSinceEpoch: overflow ? 0 : microseconds, offsetMinutes: 0), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}
