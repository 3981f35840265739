// Bytes become events, the same however they are cut into reads; and what is no event leaks
// nothing.
import Testing

@testable import Terminal

/// The events of bytes that come in one read.
private func events(_ text: String, isPatient: Bool = true, alt: Bool = false) -> [InputEvent] {
    events(Array(text.utf8), isPatient: isPatient, alt: alt)
}

private func events(
    _ bytes: [UInt8], isPatient: Bool = true, alt: Bool = false
) -> [InputEvent] {
    var decoder = InputDecoder(pasteBytesMax: 64)
    decoder.readsAltFromEscape = alt
    var events: [InputEvent] = []
    decoder.take(bytes, into: &events)
    if !isPatient { decoder.timedOut(into: &events) }
    return events
}

private func key(_ key: Key, _ modifiers: Modifiers = []) -> InputEvent {
    .key(KeyPress(key, modifiers))
}

private func typed(_ text: String) -> [InputEvent] {
    text.unicodeScalars.map { key(.character($0)) }
}

/// Sequences of every kind that terminals send.
private let samples: [String] = [
    "abc", "\u{E9}\u{6771}\u{1F468}\u{200D}", "\r\t\n\u{7F}\u{1}\u{0}", "\u{1B}[A", "\u{1B}OB",
    "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[15;2~", "\u{1B}[Z", "\u{1B}[<0;20;5M", "\u{1B}[<0;20;5m",
    "\u{1B}[<65;1;1M", "\u{1B}[I", "\u{1B}[O", "\u{1B}[200~dd\rqq\u{1B}[20x\u{1B}[201~",
    "\u{1B}]11;rgb:ffff/0000/8080\u{1B}\\", "\u{1B}]11;rgb:ff/00/80\u{7}", "\u{1B}[?62;4c",
    "\u{1B}P>|term 1.0\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[4;7R", "\u{1B}[97;5u",
    "\u{1B}[27;5;106~", "\u{1B}[[A", "\u{1B}[M !!", "\u{1B}j", "\u{1B}\u{1B}[B", "\u{1B}[?1;2$y",
]

@Suite("Input decoder")
struct InputDecoderTests {
    @Test("Every cut of the bytes gives the same events")
    func splits() {
        var random = Random(seed: 5)
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<(1 + random.below(4)) {
                switch random.below(6) {
                case 0: bytes += (0..<random.below(9)).map { _ in UInt8(random.below(256)) }
                case 1: bytes += random.pick(samples).utf8.dropLast(random.below(3))
                case 2: bytes += [0x1B, random.pick([0x5B, 0x4F, 0x5D, 0x50, 0x1B])]
                default: bytes += random.pick(samples).utf8
                }
            }
            let whole = events(bytes)
            for cut in 0...bytes.count {
                var decoder = InputDecoder(pasteBytesMax: 64)
                var found: [InputEvent] = []
                decoder.take(bytes[..<cut], into: &found)
                decoder.take(bytes[cut...], into: &found)
                #expect(found == whole, "round \(round), cut at \(cut): \(bytes)")
            }
        }
    }

    @Test("Keys, with what is held down")
    func keys() {
        #expect(events("aZ \u{E9}") == typed("aZ \u{E9}"))
        #expect(
            events("\r\t\u{7F}\n\u{1}\u{0}\u{1F}") == [
                key(.enter), key(.tab), key(.backspace), key(.character("j"), .control),
                key(.character("a"), .control), key(.character(" "), .control),
                key(.character("_"), .control),
            ])
        let expected: [(String, InputEvent)] = [
            ("\u{1B}[A", key(.up)), ("\u{1B}OD", key(.left)), ("\u{1B}[1;5H", key(.home, .control)),
            ("\u{1B}[1;2F", key(.end, .shift)), ("\u{1B}[1;3D", key(.left, .alt)),
            ("\u{1B}[5~", key(.pageUp)), ("\u{1B}[3;5~", key(.delete, .control)),
            ("\u{1B}OP", key(.function(1))), ("\u{1B}[1;2R", key(.function(3), .shift)),
            ("\u{1B}[24~", key(.function(12))), ("\u{1B}[29~", key(.function(16))),
            ("\u{1B}[[E", key(.function(5))), ("\u{1B}[Z", key(.tab, .shift)),
            ("\u{1B}[13;2u", key(.enter, .shift)), ("\u{1B}[27u", key(.escape)),
            ("\u{1B}[106;3u", key(.character("j"), .alt)),
            ("\u{1B}[97;6u", key(.character("a"), [.control, .shift])),
            ("\u{1B}[27;6;65~", key(.character("a"), [.control, .shift])),
            ("\u{1B}[97:65;2u", key(.character("A"))), ("\u{1B}[32;2u", key(.character(" "))),
            ("\u{1B}[57399u", key(.character("0"))), ("\u{1B}Op", key(.character("0"))),
            ("\u{1B}[1;1:1A", key(.up)), ("\u{1B}[57414u", key(.enter)),
        ]
        for (bytes, event) in expected { #expect(events(bytes) == [event], "\(bytes.utf8)") }
        // Let go, held with another program's key, or a key that types nothing.
        for bytes in ["\u{1B}[97;1:3u", "\u{1B}[1;1:3A", "\u{1B}[97;9u", "\u{1B}[57441u"] {
            #expect(events(bytes).isEmpty)
        }
    }

    @Test("Esc and a key in one read are Esc and the key; Alt only on demand")
    func escape() {
        #expect(events("\u{1B}j") == [key(.escape), key(.character("j"))])
        #expect(events("\u{1B}\r") == [key(.escape), key(.enter)])
        #expect(events("\u{1B}j", alt: true) == [key(.character("j"), .alt)])
        #expect(events("\u{1B}\r", alt: true) == [key(.enter, .alt)])
        var editing = InputDecoder()
        editing.readsAltEnterFromEscape = true
        var found: [InputEvent] = []
        editing.take("\u{1B}\r\u{1B}j".utf8, into: &found)
        #expect(found == [key(.enter, .alt), key(.escape), key(.character("j"))])
        #expect(events("\u{1B}\u{1B}[B") == [key(.escape), key(.down)])
    }

    @Test("A lone Esc is decided by time")
    func timeout() {
        var decoder = InputDecoder()
        var found: [InputEvent] = []
        decoder.take([0x1B], into: &found)
        #expect(found.isEmpty && decoder.isWaiting && decoder.waitMilliseconds == 25)
        decoder.timedOut(into: &found)
        #expect(found == [key(.escape)] && !decoder.isWaiting)
        #expect(events("\u{1B}[", isPatient: false) == [key(.escape), key(.character("["))])
        #expect(events("\u{1B}O", isPatient: false) == [key(.escape), key(.character("O"))])
        #expect(events("\u{1B}P", isPatient: false) == [key(.escape), key(.character("P"))])
        // The beginning of something longer never becomes text.
        for bytes in ["\u{1B}[1;", "\u{1B}]11;rgb", "\u{1B}[<0;1", "\u{1B}[M!", "\u{1B}P>|"] {
            #expect(events(bytes, isPatient: false).isEmpty, "\(bytes.utf8)")
        }
        #expect(events([0xE6, 0x9D], isPatient: false) == typed("\u{FFFD}"))
    }

    @Test("The mouse, its wheels and what is held down")
    func mouse() {
        let expected: [(String, MouseEvent)] = [
            ("0;20;5M", MouseEvent(.pressed(.left), at: Point(x: 19, y: 4))),
            ("0;20;5m", MouseEvent(.released, at: Point(x: 19, y: 4))),
            ("2;1;1M", MouseEvent(.pressed(.right), at: Point(x: 0, y: 0))),
            ("32;3;3M", MouseEvent(.dragged(.left), at: Point(x: 2, y: 2))),
            ("35;3;3M", MouseEvent(.moved, at: Point(x: 2, y: 2))),
            ("64;1;2M", MouseEvent(.wheelUp, at: Point(x: 0, y: 1))),
            ("69;1;2M", MouseEvent(.wheelDown, at: Point(x: 0, y: 1), .shift)),
            ("66;1;2M", MouseEvent(.wheelLeft, at: Point(x: 0, y: 1))),
            ("24;1;2M", MouseEvent(.pressed(.left), at: Point(x: 0, y: 1), [.alt, .control])),
        ]
        for (bytes, event) in expected {
            #expect(events("\u{1B}[<" + bytes) == [.mouse(event)], "\(bytes)")
        }
        for bytes in ["0;0;1M", "0;1M", "0;99999999999999999999;1M", "128;1;1M", "64;1;1m"] {
            #expect(events("\u{1B}[<" + bytes).isEmpty, "\(bytes)")
        }
    }

    @Test("A paste is one event, never keys, and has a limit")
    func paste() {
        let start = "\u{1B}[200~"
        let end = "\u{1B}[201~"
        #expect(
            events(start + "dd\rqq\u{1B}[A" + end + "x")
                == [.pasted(Array("dd\rqq\u{1B}[A".utf8), isCut: false)] + typed("x"))
        let long = String(repeating: "y", count: 65)
        #expect(
            events(start + long + end) == [.pasted(Array(long.utf8.dropLast()), isCut: true)])
        #expect(events(start + "a\u{1B}\u{1B}[201~")[0] == .pasted([0x61, 0x1B], isCut: false))
        // Never given up, never taken for keys.
        #expect(events(start + "dd", isPatient: false).isEmpty)
        #expect(events(end).isEmpty)
    }

    @Test("Answers are told, and never typed")
    func replies() {
        let expected: [(String, TerminalReply)] = [
            ("[5;12R", .cursor(Point(x: 11, y: 4))), ("[?62;4c", .attributes([62, 4])),
            ("[?1u", .keyboard(1)), ("]11;rgb:ffff/0000/8080\u{7}", .background(255, 0, 128)),
            ("]11;rgba:1e/1e/1e/ff\u{1B}\\", .background(30, 30, 30)),
            ("]11;#102030\u{7}", .background(16, 32, 48)), ("]11;rgb:\u{7}", .other),
            ("]10;rgb:0/0/0\u{7}", .other), ("P1$r0m\u{1B}\\", .other), ("_Gx\u{1B}\\", .other),
            ("[>1;2;3c", .other), ("[?2026;2$y", .other), ("[4;600;800t", .other),
        ]
        for (bytes, reply) in expected {
            #expect(events("\u{1B}" + bytes + "x") == [.replied(reply)] + typed("x"), "\(bytes)")
        }
        #expect(events("\u{1B}[Ix\u{1B}[O") == [.focusGained] + typed("x") + [.focusLost])
    }

    @Test("What nobody knows is swallowed to its end")
    func unknown() {
        for bytes in [
            "\u{1B}[5;6;7z", "\u{1B}[!p", "\u{1B}[ 5q", "\u{1B}[=1;2x", "\u{1B}[M ab",
            "\u{1B}[" + String(repeating: "1;", count: 300) + "A", "\u{1B}[\u{18}",
        ] { #expect(events(bytes + "x") == typed("x"), "\(bytes.utf8)") }
        let long = "\u{1B}]52;c;" + String(repeating: "QUJD", count: 50_000) + "\u{1B}\\"
        #expect(events(long + "x") == [.replied(.other)] + typed("x"))
        // A string that an Esc ends has not eaten the key.
        #expect(events("\u{1B}]0;half\u{1B}[A") == [key(.up)])
        #expect(events("\u{1B}[12\rx") == [key(.enter)] + typed("x"))
    }

    @Test("Invalid text is a sign for each fault")
    func invalidText() {
        #expect(events([0xFF, 0x61]) == typed("\u{FFFD}a"))
        #expect(events([0xE6, 0x61]) == typed("\u{FFFD}a"))
        #expect(events([0xC0, 0x80]) == typed("\u{FFFD}\u{FFFD}"))
        #expect(events([0xED, 0xA0, 0x80]) == typed("\u{FFFD}\u{FFFD}\u{FFFD}"))
        // Control characters in two bytes.
        #expect(events([0xC2, 0x9B, 0x41]) == typed("A"))
    }
}
