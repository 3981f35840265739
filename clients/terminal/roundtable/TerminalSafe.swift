// Makes bytes safe to show on a terminal: what could steer it is shown as a mark instead.
// Only output to a terminal passes here; files and pipes get their bytes unchanged.

/// Replaces control characters, direction marks and invisible characters by visible marks, over a
/// stream of UTF-8 that may be cut anywhere.
///
/// Line ends and tabs pass.
struct TerminalSafe: Sendable {
    /// The start of a character whose rest has not come yet; at most three bytes.
    private var unfinished: [UInt8] = []

    /// Appends the safe form of `bytes` to `output`.
    mutating func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        let input = unfinished + bytes
        unfinished.removeAll(keepingCapacity: true)
        var index = 0
        while index < input.count {
            let byte = input[index]
            if byte < 0x80 {
                Self.appendASCII(byte, to: &output)
                index += 1
                continue
            }
            let length = Self.length(ofCharacterFrom: byte)
            if length > 1, index + length > input.count,
                input[(index + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 })
            {
                unfinished = Array(input[index...])
                return
            }
            let end = min(index + length, input.count)
            if let scalar = Self.scalar(input[index..<end]) {
                Self.append(scalar, to: &output)
                index = end
            } else {
                output += "\u{FFFD}".utf8
                index += 1
            }
        }
    }

    /// The safe form of a whole text on one line: line ends become marks too.
    static func line(_ text: String) -> String {
        var output: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" {
                append(controlPicture(UInt8(scalar.value)), to: &output)
            } else {
                append(scalar, to: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func length(ofCharacterFrom byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// The one character that the bytes are; nil where they are not valid UTF-8.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    private static func appendASCII(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case 0x09, 0x0A, 0x20..<0x7F: output.append(byte)
        default: append(controlPicture(byte), to: &output)
        }
    }

    /// The picture of a control character, such as `␛`.
    private static func controlPicture(_ byte: UInt8) -> Unicode.Scalar {
        let value = byte == 0x7F ? 0x2421 : 0x2400 + UInt32(byte)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || scalar.value == 0x7F {
            append(controlPicture(UInt8(scalar.value)), to: &output)
        } else if isTreacherous(scalar) {
            output += "<U+\(String(scalar.value, radix: 16, uppercase: true))>".utf8
        } else {
            output += UTF8.encode(scalar).map(Array.init) ?? []
        }
    }

    /// True for characters that steer a terminal, turn text around, or are not seen at all.
    private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F: true
        case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
        case 0x200B, 0x200E, 0x200F, 0x2800, 0x3164, 0xFEFF, 0xFFA0: true
        case 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
