// What is drawn into a frame is what the frame holds.
import Terminal
import Testing

@Test("text is drawn where it was put and cut with an ellipsis")
func putsText() {
    var frame = CellBuffer(size: Size(width: 6, height: 2))
    #expect(frame.put("roundtable", x: 1, y: 1, widthMax: 4) == 4)
    #expect(frame.text == "\n rou…")
}

@Test("text that begins left of the frame shows its rest")
func putsFromOutside() {
    var frame = CellBuffer(size: Size(width: 4, height: 1))
    #expect(frame.put("roundtable", x: -3, y: 0, cut: false) == 7)
    #expect(frame.text == "ndta")
    #expect(frame.put("x", x: .min, y: 0) == 0)
    #expect(frame.put("x", x: 4, y: 0) == 0)
}

@Test("half of a wide cluster that is drawn over leaves a blank")
func drawsOverHalves() {
    var frame = CellBuffer(size: Size(width: 6, height: 1))
    frame.put("\u{6771}\u{4EAC}\u{90FD}", x: 0, y: 0)
    frame.put("a", x: 1, y: 0)
    frame.put("b", x: 4, y: 0)
    #expect(frame.text == " a\u{4EAC}b")
    frame.put("\u{6771}", x: 2, y: 0)
    #expect(frame.text == " a\u{6771}b")
    frame.put("\u{6771}", x: 1, y: 0)
    #expect(frame.text == " \u{6771} b")
}
