// What is shown of a text, and how many cells it takes.
import Testing

@testable import Terminal

private func shown(_ text: String, _ width: Int = 80, _ rules: WidthRules = .init()) -> String {
    rules.fit(text, widthMax: width).clusters.map(\.text).joined()
}

private func rules(_ personality: Personality) -> WidthRules {
    var screen = VirtualScreen(size: Size(width: 40, height: 4), personality: personality)
    return probedWidths(&screen)
}

@Suite("Width rules")
struct WidthRulesTests {
    @Test("Characters without ink, or that act, are shown as signs of one cell")
    func signs() {
        #expect(shown("a\tb\nc\r\nd") == "a\u{2192}b\u{23CE}c\u{240D}\u{23CE}d")
        #expect(shown("\u{0}\u{1B}\u{7F}\u{9B}") == "\u{2400}\u{241B}\u{2421}\u{B7}")
        #expect(shown("a\u{202E}b\u{2066}\u{200B}") == "a\u{2426}b\u{2426}\u{2426}")
        #expect(shown("\u{2028}\u{2029}") == "\u{2424}\u{2424}")
        #expect(shown("\u{FFFE}\u{378}\u{10FFFF}") == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(shown("\u{301}x") == "\u{25CC}\u{301}x")
        #expect(shown("x\u{FE0F}\u{3164}").unicodeScalars.last == "\u{2426}")
    }

    @Test("No cluster that is shown holds a control, whatever the text")
    func nothingActs() {
        var random = Random(seed: 7)
        for _ in 0..<3_000 {
            var text = ""
            for _ in 0..<8 {
                let code = random.bool() ? random.below(0x3000) : random.below(0x11_0000)
                if let scalar = Unicode.Scalar(UInt32(code)) { text.unicodeScalars.append(scalar) }
                if random.below(3) == 0 { text += random.pick(nastyClusters) }
            }
            for cluster in WidthRules().fit(text, widthMax: 30).clusters {
                #expect((1...2).contains(cluster.width) && !cluster.text.isEmpty)
                for (index, scalar) in cluster.text.unicodeScalars.enumerated() {
                    let mayFollow = index > 0 && scalar.properties.generalCategory != .control
                    #expect(sign(for: scalar) == nil || mayFollow || cluster.text.count == 1)
                    #expect(!(0x202A...0x202E).contains(scalar.value))
                    #expect(!(0x2066...0x2069).contains(scalar.value))
                    #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
                }
            }
        }
    }

    @Test("Text that is too long ends in an ellipsis, and no cluster is cut")
    func cutting() {
        #expect(shown("roundtable", 10) == "roundtable")
        #expect(shown("roundtable", 4) == "rou\u{2026}")
        // A wide glyph that does not fit gives its place to the ellipsis.
        #expect(shown("123456789\u{3067}", 10) == "123456789\u{2026}")
        #expect(shown("12345678\u{3067}\u{3067}", 10) == "12345678\u{2026}")
        #expect(WidthRules().fit("12345678\u{3067}\u{3067}", widthMax: 10).width == 9)
        #expect(shown("\u{6771}\u{4EAC}", 1) == "\u{2026}")
        #expect(shown("ab", 0) == "")
        #expect(shown("a\u{301}g\u{306}\u{131}", 2) == "a\u{301}\u{2026}")
        // Shown in parts, kept or cut together.
        let family = nastyClusters[10]
        let summing = rules(.summing)
        #expect(summing.width(of: family) == 8)
        #expect(shown("ab" + family + "c", 9, summing) == "ab\u{2026}")
        #expect(shown(family, 8, summing).unicodeScalars.count == 4)
    }

    @Test("Clusters take what the terminal said they take")
    func measured() {
        let heart = "\u{2764}\u{FE0F}"
        #expect(rules(.modern).width(of: heart) == 2)
        #expect(rules(.tmux33).width(of: heart) == 1)
        // A tone that would be drawn beside the hand is left out.
        #expect(shown("\u{1F44D}\u{1F3FD}", 9, rules(.tmux33)) == "\u{1F44D}")
        // What would vanish is shown as unknown.
        #expect(shown("\u{1FAE8}", 9, rules(.tmux33)) == "\u{FFFD}")
        #expect(shown("\u{1F1E9}\u{1F1EA}", 9, rules(.eastAsian)) == "\u{1F1E9}\u{1F1EA}")
        var letters = Personality.eastAsian
        letters.flagsJoin = false
        #expect(shown("\u{1F1E9}\u{1F1EA}", 9, rules(letters)) == "DE")
        #expect(rules(.eastAsian).ellipsis == "~")
        // A sign that has no room beside two joined letters stays with its own.
        let joined = rules(.tmux33).fit("\u{0915}\u{094D}\u{0937}\u{093F}", widthMax: 9)
        #expect(joined.clusters.map(\.text) == ["\u{0915}\u{094D}", "\u{0937}\u{093F}"])
        #expect(shown("\u{1112}\u{1161}\u{11AB}") == "\u{D55C}")
        #expect(WidthRules().width(of: "\u{FF76}\u{FF9E}") == 2)
        #expect(WidthRules().width(of: "\u{0E19}\u{0E33}") == 2)
    }

    @Test("Where a cluster would take more than two cells, it is shown in a plainer form")
    func plainer() {
        let expected: [(DoubtfulKind, String, String)] = [
            (.tagged, nastyClusters[35], "\u{1F3F4}"), (.keycap, "1\u{FE0F}\u{20E3}", "1"),
            (.emojiStyle, "\u{2764}\u{FE0F}", "\u{2764}"),
            (.modified, "\u{1F44D}\u{1F3FD}", "\u{1F44D}"),
            (.flag, "\u{1F1E9}\u{1F1EA}", "DE"), (.oldHangul, "\u{1100}\u{119E}", "\u{FFFD}"),
            (.privateUse, "\u{E0B0}", "\u{FFFD}"), (.unicode15, "\u{1FAE8}", "\u{FFFD}"),
            (.textStyle, "\u{2614}\u{FE0E}", "\u{2614}"), (.indicator, "\u{1F1E9}", "\u{FFFD}"),
        ]
        for (kind, text, plain) in expected {
            for cells in [0, 3, 8] {
                var rules = WidthRules()
                rules.measured(kind, cells: cells)
                #expect(shown(text, 9, rules) == plain, "\(kind)")
            }
        }
    }

    @Test("A hundred thousand marks neither hang nor flood")
    func endlessCluster() {
        let text = "a" + String(repeating: "\u{301}", count: 100_000)
        let fitted = WidthRules().fit(text, widthMax: 20)
        #expect(fitted.width == 20 && fitted.isCut)
        let bytes = fitted.clusters.reduce(0) { $0 + $1.text.utf8.count }
        #expect(bytes <= 20 * 4 * ClusterCutter.scalarsMax)
        #expect(shown("z" + String(repeating: "\u{335}", count: 15)).unicodeScalars.count == 16)
    }

    @Test("Only what is shown of a text is read")
    func reading() {
        // The cutter must not have gone further than one character behind what fits.
        var cutter = ClusterCutter("ab\u{301}c")
        var clusters: [[Unicode.Scalar]] = []
        while cutter.advance() { clusters.append(cutter.scalars) }
        #expect(clusters == [["a"], ["b", "\u{301}"], ["c"]])
        #expect(WidthRules().width(of: String(repeating: "x", count: 10_000), upTo: 50) == 50)
    }

    @Test("Cutting agrees with the standard library, but for CR LF and the bound")
    func agreement() {
        var random = Random(seed: 11)
        for _ in 0..<2_000 {
            let text = (0..<6).map { _ in random.bool() ? random.pick(nastyClusters) : "x" }
                .joined()
            guard !text.contains("\r\n"), text.allSatisfy({ $0.unicodeScalars.count <= 16 }) else {
                continue
            }
            var cutter = ClusterCutter(text[...])
            var clusters: [[Unicode.Scalar]] = []
            while cutter.advance() { clusters.append(cutter.scalars) }
            #expect(clusters == text.map { Array($0.unicodeScalars) })
        }
    }
}
