// What operators read: one event, one line on standard error. Control characters are escaped, so
// that nothing from outside can forge a line or reach a terminal.
import Glibc
package import TableServer

/// Writes report lines.
package struct Reporter: Sendable {
    /// The least level that is written.
    package var level: ReportLevel

    /// A reporter for that level and above.
    package init(level: ReportLevel = .info) {
        self.level = level
    }

    /// Writes one line: time (UTC), level, text.
    package func report(_ level: ReportLevel, _ text: String) {
        guard rank(level) >= rank(self.level) else { return }
        var line = Array("\(timestamp()) \(level.rawValue) ".utf8)
        escape(text, into: &line)
        line.append(UInt8(ascii: "\n"))
        unsafe line.withUnsafeBytes { bytes in
            _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }

    private func rank(_ level: ReportLevel) -> Int {
        switch level {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }

    private func timestamp() -> String {
        var seconds = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let date = [
            unsafe Int(parts.tm_year) + 1_900, unsafe Int(parts.tm_mon) + 1,
            unsafe Int(parts.tm_mday),
        ]
        let clock = [unsafe Int(parts.tm_hour), unsafe Int(parts.tm_min), unsafe Int(parts.tm_sec)]
        return date.map(twoDigits).joined(separator: "-") + "T"
            + clock.map(twoDigits).joined(separator: ":") + "Z"
    }

    private func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// Appends text with each control character (C0, DEL, C1) and separator of lines as `\u{…}`.
func escape(_ text: String, into output: inout [UInt8]) {
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
            output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
        default:
            output.append(contentsOf: String(scalar).utf8)
        }
    }
}
