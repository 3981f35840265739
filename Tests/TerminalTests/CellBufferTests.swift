// What is drawn into a frame is what the frame holds.
import Terminal
import Testing

@Test("text is drawn where it was put and cut with an ellipsis")
func putsText() {
    var frame = CellBuffer(size: Size(width: 6, height: 2))
    #expect(frame.put("roundtable", x: 1, y: 1, widthMax: 4) == 4)
    #expect(frame.text == "\n rou…")
}
