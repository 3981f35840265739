// What a text would have to look like to be a value of its column: always with an example, since
// the reason alone leaves people guessing. Nothing of the text itself is repeated.
import TableValue

extension ValueError {
    /// What is wanted in place of a text that was refused, with an example.
    func wanted(for text: String) -> String {
        switch type {
        case .int:
            return WantedForm.isWhole(text)
                ? "an int lies between -9,223,372,036,854,775,808 and 9,223,372,036,854,775,807"
                : "an int is a whole number like 42 or -7"
        case .double:
            let example = "a double is a number like -1.5 or 2e10"
            return reason.hasPrefix("a double is") ? example : "\(reason); \(example)"
        case .date:
            let example = "a date is written like 2026-11-30"
            return WantedForm.isDayShaped(text) ? "there is no such day; \(example)" : example
        case .datetime:
            return "a datetime is written like 2026-11-30T08:00:00Z or 2026-11-30T08:00:00+01:00"
        case .uuid: return "a uuid is written like 123e4567-e89b-12d3-a456-426614174000"
        case .bool: return "a bool is true or false"
        case .decimal:
            let example = "a decimal is a number like -12.50"
            return reason.hasPrefix("a decimal is") ? example : "\(reason); \(example)"
        case .list: return "a list is written like [\"a\", 2, true]"
        case .json: return "a json value is written like {\"a\": [1, null]}"
        case .text, .choice: return reason
        }
    }
}

private enum WantedForm {
    /// True for digits with or without a sign.
    static func isWhole(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// True for four digits, two, and two, with dashes between them.
    static func isDayShaped(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
