// Which fields of a file are null: the empty ones without quotes, and what the user says.
// Types are no matter here; TypeInference.swift passes over what is null.
package import TableValue

/// The texts that stand for null where they are not quoted.
package struct NullTexts: Sendable {
    /// The texts beside the empty one.
    private let texts: [[UInt8]]
    /// A bit for each byte that a text begins with, those of 64 and more folded into one word.
    private var firstBytes: (low: UInt64, high: UInt64) = (0, 0)

    /// Takes the texts that the user named; the empty field always counts.
    package init(_ texts: [Text] = []) {
        self.texts = texts.filter { !$0.isEmpty }.map { Array($0.string.utf8) }
        for text in self.texts where text[0] < 64 { firstBytes.low |= 1 << UInt64(text[0]) }
        for text in self.texts where text[0] >= 64 { firstBytes.high |= 1 << UInt64(text[0] & 63) }
    }

    /// True where a field that is not quoted is null: empty or one of the texts.
    @inline(__always)
    func contain(_ field: Span<UInt8>) -> Bool {
        field.isEmpty || (!texts.isEmpty && isText(field))
    }

    /// True where bytes, at least one, are one of the texts.
    private func isText(_ bytes: Span<UInt8>) -> Bool {
        let first = bytes[0]
        let bits = first < 64 ? firstBytes.low : firstBytes.high
        guard bits >> UInt64(first & 63) & 1 == 1 else { return false }
        return texts.contains { text in
            guard text.count == bytes.count else { return false }
            for index in text.indices where text[index] != bytes[index] { return false }
            return true
        }
    }
}
