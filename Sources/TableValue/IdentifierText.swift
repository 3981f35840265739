// UUIDs as text (RFC 9562): eight, four, four, four and twelve hexadecimal digits.
// Read in either case, written in lower case; versions and variants are not judged.

/// Bytes of a UUID's text.
private let identifierBytes = 36

/// The value of a hexadecimal digit of either case; nil for any other byte.
private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    if let digit = decimalDigit(byte) { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
}

/// True at the places where a UUID's text has a dash.
private func isDashPlace(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
}

/// Reads the text of a UUID; nil for anything else, such as braces or a missing dash.
package func readIdentifier(_ bytes: Span<UInt8>) -> Identifier128? {
    guard bytes.count == identifierBytes else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for index in 0..<identifierBytes {
        if isDashPlace(index) {
            guard bytes[index] == Ascii.minus else { return nil }
            continue
        }
        guard let digit = hexadecimalDigit(bytes[index]) else { return nil }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
    }
    return Identifier128(high: high, low: low)
}

/// Appends a UUID's text in lower case.
package func appendIdentifier(_ identifier: Identifier128, to output: inout [UInt8]) {
    var shift = 64
    var half = identifier.high
    for index in 0..<identifierBytes {
        if isDashPlace(index) {
            output.append(Ascii.minus)
            continue
        }
        if shift == 0 {
            shift = 64
            half = identifier.low
        }
        shift -= 4
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 0xF
        output.append(digit < 10 ? Ascii.zero + digit : UInt8(ascii: "a") + digit - 10)
    }
}
