import TableValue
import TestSupport
import Testing

@Test("a uuid is read in either case and written in lower case")
func identifierSpelling() {
    let value = Value.uuid(
        Identifier128(high: 0x0190_F5FE_7C2B_7D1E, low: 0x8D4E_3A4B_B4C6_B1A2))
    #expect(read("0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2", as: .uuid) == value)
    #expect(read("0190F5FE-7C2B-7D1E-8D4E-3A4BB4C6B1A2", as: .uuid) == value)
    #expect(written(value) == "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2")
}

@Test(
    "what is no uuid is refused",
    arguments: [
        "", "0190f5fe7c2b7d1e8d4e3a4bb4c6b1a2", "{0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2}",
        "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a", "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a22",
        "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1ag", "0190f5fe_7c2b_7d1e_8d4e_3a4bb4c6b1a2",
        "-190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2", "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a@",
        "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1 a", "0190f5fe-7c2b7-d1e-8d4e-3a4bb4c6b1a2",
    ])
func identifierMalformed(_ text: String) {
    #expect(read(text, as: .uuid) == nil)
}

@Test("all 128 bits come back")
func identifierRoundTrip() {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<1000 {
        let value = Value.uuid(Identifier128(high: generator.next(), low: generator.next()))
        #expect(read(written(value), as: .uuid) == value)
    }
    for bit in 0..<64 {
        for value in [Identifier128(high: 1 << bit, low: 0), Identifier128(high: 0, low: 1 << bit)]
        {
            #expect(read(written(.uuid(value)), as: .uuid) == .uuid(value))
        }
    }
}
