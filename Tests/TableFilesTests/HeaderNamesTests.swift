import TableFiles
import TableValue
import TestSupport
import Testing

@Test(
    "FD3: names are unique, allowed, and as near as can be to the header",
    arguments: [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a 2", "a 3"]),
        (["a", "A", "á"], ["a", "A 2", "á"]),
        (["a", "a", "a 2"], ["a", "a 3", "a 2"]),
        (["a 2", "a", "a"], ["a 2", "a", "a 3"]),
        (["", "b", ""], ["column_1", "b", "column_3"]),
        (["", "column_1"], ["column_1 2", "column_1"]),
        ([" a ", "a"], ["a 2", "a"]),
        (["\ta\r\nb\u{0}"], ["a b"]),
        (["a  b", "a\u{A0}b"], ["a  b", "a\u{A0}b"]),
        (["\u{202E}evil", "\u{7}"], ["evil", "column_2"]),
        (["a\u{200B}b\u{FEFF}", "\u{3164}", "⠀"], ["ab", "column_2", "column_3"]),
        (["a\u{200D}", "é\u{200D}", "👩\u{200D}🔧"], ["a", "é", "👩\u{200D}🔧"]),
        (
            ["c12.3", "t3", "s1.2", "u4"],
            ["column c12.3", "t3", "s1.2", "u4"]
        ),
        (["STRASSE", "straße", "strasse"], ["STRASSE", "straße", "strasse 2"]),
    ] as [([Text], [Text])])
func names(_ header: [Text], _ names: [Text]) {
    #expect(columnNames(fromHeader: header) == names)
}

@Test("a long name is cut at a whole character, a number still fits behind it")
func longNames() {
    let long = Text(String(repeating: "é", count: 40))
    let names = columnNames(fromHeader: [long, long], bytesMax: 33)
    #expect(
        names == [
            Text(String(repeating: "é", count: 16)), Text(String(repeating: "é", count: 15) + " 2"),
        ])
}

@Test("any header gives as many names, each allowed and none clashing")
func anyHeader() {
    for seed in UInt64(1)...100 {
        var generator = SeededRandom(seed: seed)
        let header = (0..<generator.below(40)).map { _ in
            Text(
                generator.word(
                    of: "aA 2\u{0}\n\u{202E}é\u{3000}t1.c_\u{200B}\u{2800}\u{1F469}\u{FE0F}",
                    countMax: 4))
        }
        let names = columnNames(fromHeader: header, bytesMax: 32)
        #expect(names.count == header.count)
        #expect(Set(names.map(simpleCaseFolded)).count == names.count, "seed \(seed): \(names)")
        for name in names {
            #expect(nameProblem(name, of: .column, bytesMax: 32) == nil, "seed \(seed): \(name)")
        }
        #expect(columnNames(fromHeader: names, bytesMax: 32) == names, "seed \(seed)")
    }
}
