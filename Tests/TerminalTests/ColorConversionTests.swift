// Colours of a palette that come nearest to what was asked for.
import Testing

@testable import Terminal

@Test("FT2: a colour of the palette stays, others become the nearest")
func nearestColors() {
    #expect(Color.rgb(255, 255, 255).shown(at: .sixteen) == .palette(15))
    #expect(Color.rgb(0, 0, 0).shown(at: .palette256) == .palette(16))
    #expect(Color.rgb(95, 135, 175).shown(at: .palette256) == .palette(67))
    #expect(Color.rgb(128, 128, 128).shown(at: .palette256) == .palette(244))
    #expect(Color.palette(9).shown(at: .sixteen) == .palette(9))
    #expect(Color.palette(196).shown(at: .sixteen) == .palette(9))
    #expect(Color.palette(196).shown(at: .palette256) == .palette(196))
    #expect(Color.standard.shown(at: .sixteen) == .standard)
    for value in 0...255 as ClosedRange<UInt8> {
        #expect(Color.palette(value).shown(at: .none) == .standard)
        if case .palette(let index) = Color.rgb(value, value, value).shown(at: .palette256) {
            #expect(index >= 16)
        }
    }
}
