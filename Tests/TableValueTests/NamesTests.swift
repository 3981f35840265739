import TableValue
import Testing

private let kinds: [NameKind] = [.table, .column, .user]

@Test(
    "ordinary names are names",
    arguments: [
        "a", "Due", "Due 2", "größe", "数量", "👌", "c", "s", "c12", "c12.", "c.3", "c12.3x", "t",
        "t3a",
        "T3", "x1.2", "s1", "s1.2-", "c1.2.3", "a\u{301}", "1", "-", ".", "null", "\u{FEFF}a",
        "t-3", "u 4", "ct3",
    ])
func goodNames(_ name: String) {
    for kind in kinds { #expect(nameProblem(Text(name), of: kind, bytesMax: 128) == nil) }
}

@Test(
    "what would deceive or confuse is no name",
    arguments: [
        "", "a\u{0}", "a\nb", "\tb", "a\u{7F}", "a\u{85}b", "a\u{9F}b", "a\u{202E}b", "\u{202A}",
        "a\u{2066}b", "a\u{2069}b", " a", "a ", "\u{A0}a", "a\u{3000}", "a\u{2029}", " ",
    ])
func badNames(_ name: String) {
    for kind in kinds {
        let problem = nameProblem(Text(name), of: kind, bytesMax: 128)
        #expect(problem != nil)
        #expect(name.count < 2 || problem?.contains("\"\(name)\"") == false)
    }
}

@Test("a name may look like any id but one of its own kind")
func idShapes() {
    let shapes: [(name: Text, kind: NameKind?)] = [
        ("t3", .table), ("t00", .table), ("c12.3", .column), ("c0.0", .column), ("u4", .user),
        ("u99999999999999999999", .user), ("s1.2", nil), ("s12.1-256", nil), ("c1.2-9", nil),
    ]
    for (name, shape) in shapes {
        for kind in kinds {
            let problem = nameProblem(name, of: kind, bytesMax: 128)
            #expect((problem != nil) == (kind == shape), "\(name) as a \(kind)")
        }
    }
}

@Test("a name is measured in bytes")
func nameLength() {
    #expect(nameProblem("éé", of: .table, bytesMax: 4) == nil)
    #expect(nameProblem("ééé", of: .table, bytesMax: 4) == "a name may have at most 4 bytes")
}
