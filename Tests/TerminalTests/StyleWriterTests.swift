// Whatever style was before, the bytes lead to the style after.
import Testing

@testable import Terminal

@Test("Every change of style ends in the style, by the shorter of two ways")
func styleChanges() {
    var random = Random(seed: 3)
    let colors: [Color] = [.standard, .palette(1), .palette(12), .palette(99), .rgb(1, 20, 255)]
    func style(_ random: inout Random) -> Style {
        Style(
            foreground: random.pick(colors), background: random.pick(colors),
            attributes: Attributes(rawValue: UInt8(random.below(64))))
    }
    var screen = VirtualScreen(size: Size(width: 1, height: 1), personality: .modern)
    var before: Style?
    for _ in 0..<2_000 {
        let after = random.below(6) == 0 ? .plain : style(&random)
        var bytes: [UInt8] = []
        writeStyle(from: before, to: after, into: &bytes)
        var anew: [UInt8] = []
        writeStyle(from: nil, to: after, into: &anew)
        #expect(bytes.count <= anew.count)
        screen.apply(bytes + Array("\u{1B}[Hx".utf8))
        #expect(screen[0, 0].style == after)
        before = after
    }
}
