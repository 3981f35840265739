// Questions and answers: what is learned, and that half an answer teaches nothing.
import Testing

@testable import Terminal

private let size = Size(width: 80, height: 24)

@Suite("Terminal probe")
struct TerminalProbeTests {
    @Test("A whole set of answers gives every kind its width")
    func measured() {
        var probe = TerminalProbe(size: size)
        for _ in DoubtfulKind.allCases { probe.take(.cursor(Point(x: 1, y: 1))) }
        probe.take(.keyboard(0))
        probe.take(.background(250, 250, 240))
        #expect(!probe.isFinished)
        let isLast = probe.take(.attributes([62]))
        #expect(isLast)
        #expect(probe.isFinished && probe.hasKittyKeyboard && probe.background == .light)
        for kind in DoubtfulKind.allCases { #expect(probe.widths.cells(kind) == 1) }
        // What comes later changes nothing.
        let isLastAgain = probe.take(.cursor(Point(x: 7, y: 1)))
        #expect(!isLastAgain)
    }

    @Test("Where an answer is missing, none counts")
    func missing() {
        var probe = TerminalProbe(size: size)
        for _ in DoubtfulKind.allCases.dropLast() { probe.take(.cursor(Point(x: 7, y: 1))) }
        #expect(probe.widths == WidthRules())
        probe.take(.attributes([]))
        #expect(probe.widths == WidthRules())
        #expect(!probe.hasKittyKeyboard && probe.background == nil)
    }

    @Test("A tiny terminal is not asked about widths")
    func tiny() {
        var probe = TerminalProbe(size: Size(width: 3, height: 1))
        #expect(!String(decoding: probe.question, as: UTF8.self).contains("[6n"))
        probe.take(.attributes([]))
        #expect(probe.widths == WidthRules())
    }

    @Test("The question leaves nothing on the screen, and every kind is asked for")
    func question() {
        for personality in Personality.named {
            var screen = VirtualScreen(size: size, personality: personality)
            let probe = TerminalProbe(size: size)
            screen.apply(probe.question)
            #expect(screen.text.allSatisfy { $0 == "\n" })
            let answers = String(decoding: screen.takeAnswers(), as: UTF8.self)
            #expect(answers.split(separator: "R").count - 1 == DoubtfulKind.allCases.count)
            #expect(answers.hasSuffix("c"))
        }
    }

    @Test("Black is dark and white is light")
    func background() {
        #expect(Background(red: 0, green: 0, blue: 0) == .dark)
        #expect(Background(red: 30, green: 30, blue: 60) == .dark)
        #expect(Background(red: 253, green: 246, blue: 227) == .light)
    }
}
