// Entries for what comes over the wire: lines, values, the stream itself, secrets as text.
// Each demands more than "no crash": two ways that must agree.
import TableModel
import TableValue
import TableWire

/// A line that is read, written and read again is written the same; and what is a message is JSON.
func takeClientLine(_ bytes: [UInt8]) {
    let limits = WireLimits()
    let line = unsafe bytes.span.bytes
    guard let message = try? readClientLine(line, limits: limits) else { return }
    demandJSON(line)
    if case .op(let submitted) = message.message, submitted.refusal != nil { return }
    var first: [UInt8] = []
    write(message, to: &first)
    guard let again = try? unsafe readClientLine(first.span.bytes, limits: limits) else {
        fail("a client's line as we write it is refused")
    }
    var second: [UInt8] = []
    write(again, to: &second)
    if first != second { fail("a client's line changes when it is written again") }
}

/// As `takeClientLine`, for what a server sends.
func takeServerLine(_ bytes: [UInt8]) {
    let limits = WireLimits()
    let line = unsafe bytes.span.bytes
    guard let message = try? readServerLine(line, limits: limits) else { return }
    demandJSON(line)
    var first: [UInt8] = []
    write(message, to: &first)
    guard let again = try? unsafe readServerLine(first.span.bytes, limits: limits) else {
        fail("a server's line as we write it is refused")
    }
    var second: [UInt8] = []
    write(again, to: &second)
    if first != second { fail("a server's line changes when it is written again") }
}

/// The value reader must accept whatever the message readers accept.
private func demandJSON(_ line: borrowing RawSpan) {
    var limits = WireLimits()
    limits.textBytesMax = .max
    do throws(WireError) {
        try validateJSON(line, limits: limits)
    } catch {
        fail("a message is no JSON: \(error)")
    }
}

/// White space around a value changes nothing but the offset.
func takeJSON(_ bytes: [UInt8]) {
    let plain = fault(of: bytes)
    if let plain, plain.offset < 0 || plain.offset > bytes.count {
        fail("an offset lies outside of the text")
    }
    let spaced = fault(of: [0x20] + bytes + [0x0A])
    if (plain == nil) != (spaced == nil) { fail("white space around a value matters") }
}

private func fault(of bytes: [UInt8]) -> WireError? {
    do throws(WireError) {
        try unsafe validateJSON(bytes.span.bytes)
        return nil
    } catch {
        return error
    }
}

/// The lines are those between the newlines, however the bytes are cut; the first byte chooses
/// the cut, the second the limit.
func takeStream(_ bytes: [UInt8]) {
    guard bytes.count > 2 else { return }
    let step = Int(bytes[0] & 15) + 1
    let limit = Int(bytes[1])
    let stops = bytes[0] & 16 != 0
    let stream = Array(bytes.dropFirst(2))
    var splitter = LineSplitter(lineBytesMax: limit)
    var lines: [[UInt8]] = []
    var isTooLong = false
    var start = 0
    while start < stream.count, !isTooLong {
        let piece = Array(stream[start..<min(start + step, stream.count)])
        start += step
        var next = piece
        repeat {
            let before = lines.count
            do throws(WireError) {
                try unsafe splitter.append(next.span.bytes) { line in
                    lines.append(unsafe line.withUnsafeBytes { unsafe Array($0) })
                    return !stops
                }
            } catch {
                isTooLong = true
            }
            next = []
            if lines.count == before { break }
        } while stops && !isTooLong
        if splitter.bufferedByteCount > limit + step { fail("the splitter holds too much") }
    }
    let parts = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let whole = parts.dropLast().prefix { $0.count <= limit }
    let expectsTooLong = parts.contains { $0.count > limit }
    if lines != Array(whole) { fail("the splitter gives other lines") }
    if isTooLong != expectsTooLong { fail("the splitter misjudges a line's length") }
}

/// Secrets have one spelling.
func takeSecretText(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    func digest(_ bytes: [UInt8]) -> [UInt8] {
        let hash = unsafe hash64(bytes.span.bytes)
        return (0..<32).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 % 8 * 8)) }
    }
    if let invite = try? InviteText(text, sha256: digest) {
        guard let again = try? InviteText(invite.text(sha256: digest), sha256: digest),
            again == invite
        else { fail("an invite changes when it is written again") }
    }
    if let token = try? TokenText(text), (try? TokenText(token.text)) != token {
        fail("a token changes when it is written again")
    }
    if let plain = try? TableWire.bytes(base32: bytes),
        Array(base32(plain).utf8) != bytes
    {
        fail("base32 has two spellings")
    }
}
