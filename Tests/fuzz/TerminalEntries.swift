// The entry for what comes from a terminal: keys, mouse, pastes, answers.
import Terminal

/// Events do not depend on how the bytes are cut into reads; the first byte chooses the size of the
/// pieces, and whether Alt is read from Esc.
///
/// Nothing that is no character is typed.
func takeTerminalInput(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let whole = events(of: stream, pieceByteCount: max(1, stream.count), choice)
    let pieces = events(of: stream, pieceByteCount: Int(choice & 7) + 1, choice)
    if whole != pieces { fail("events depend on how the bytes are cut") }
    if whole.count > 2 * stream.count { fail("more events than bytes") }
    for event in whole {
        switch event {
        case .key(let press):
            guard case .character(let scalar) = press.key else { continue }
            if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                fail("a control character is typed")
            }
        case .pasted(let pasted, _):
            if pasted.count > 32 { fail("a paste is longer than its limit") }
        case .mouse(let mouse):
            if mouse.place.x < 0 || mouse.place.y < 0 { fail("a mouse is off the screen") }
        default: break
        }
    }
    // However long the wait, what is given up leaves the decoder fit for a key.
    var decoder = InputDecoder(pasteBytesMax: 32)
    var found: [InputEvent] = []
    decoder.take(stream, into: &found)
    decoder.timedOut(into: &found)
    decoder.take("\u{1B}[201~x".utf8, into: &found)
    guard found.last == .key(KeyPress(.character("x"))) else {
        fail("a key is lost behind what was given up")
    }
}

private func events(of stream: [UInt8], pieceByteCount: Int, _ choice: UInt8) -> [InputEvent] {
    var decoder = InputDecoder(pasteBytesMax: 32)
    decoder.readsAltFromEscape = choice & 8 != 0
    decoder.readsAltEnterFromEscape = choice & 16 != 0
    var events: [InputEvent] = []
    for start in stride(from: 0, to: stream.count, by: pieceByteCount) {
        let end = min(start + pieceByteCount, stream.count)
        decoder.take(stream[start..<end], into: &events)
    }
    return events
}

/// What is shown of a text has no control character, fits, and is never wider than it says.
func takeShownText(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    var widths = WidthRules()
    for kind in DoubtfulKind.allCases {
        widths.measured(kind, cells: Int(choice >> UInt8(kind.rawValue % 6)) & 3)
    }
    let widthMax = Int(choice & 31)
    let fitted = widths.fit(text, widthMax: widthMax)
    if fitted.width > widthMax { fail("text is wider than its place") }
    if fitted.width != fitted.clusters.reduce(0, { $0 + $1.width }) { fail("widths do not add up") }
    for cluster in fitted.clusters {
        guard (1...2).contains(cluster.width) else { fail("a cluster of \(cluster.width) cells") }
        for scalar in cluster.text.unicodeScalars {
            let code = scalar.value
            let isActive =
                code < 0x20 || (0x7F..<0xA0).contains(code) || (0x202A...0x202E).contains(code)
                || (0x2066...0x2069).contains(code) || code == 0x2028 || code == 0x2029
            if isActive { fail("a character that acts is shown") }
        }
    }
}
