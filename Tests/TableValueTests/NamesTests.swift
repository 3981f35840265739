import TableValue
import Testing

private let kinds: [NameKind] = [.table, .column, .user]

@Test(
    "ordinary names are names",
    arguments: [
        "a", "Due", "Due 2", "größe", "数量", "👌", "c", "s", "c12", "c12.", "c.3", "c12.3x", "t",
        "t3a",
        "T3", "x1.2", "s1", "s1.2-", "c1.2.3", "a\u{301}", "1", "-", ".", "null", "❤\u{FE0F}",
        "t-3", "u 4", "ct3", "می\u{200C}خواهم", "👩\u{200D}🔧", "❤\u{FE0F}\u{200D}🔥", "葛\u{E0100}城",
        "a⠀b",
        "क\u{94D}\u{200D}ष",
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

@Test(
    "what is not seen is no part of a name, and the words say which character it is",
    arguments: [
        ("\u{200B}", "U+200B"), ("\u{3164}", "U+3164"), ("a\u{200B}b", "U+200B"),
        ("\u{FEFF}a", "U+FEFF"), ("a\u{AD}b", "U+00AD"), ("a\u{2060}", "U+2060"),
        ("a\u{2028}b", "U+2028"), ("\u{115F}\u{1160}", "U+115F"), ("a\u{FFA0}", "U+FFA0"),
        ("a\u{E0041}", "U+E0041"), ("a\u{34F}", "U+034F"), ("a\u{200D}b", "U+200D"),
        ("a\u{FE0F}", "U+FE0F"), ("\u{200D}", "U+200D"), ("é\u{200D}", "U+200D"),
        ("é\u{200D}\u{200D}é", "U+200D"), ("é\u{FE0F}\u{FE0E}", "U+FE0E"),
        ("\u{3000}\u{200D}é", "U+200D"), ("a\u{206A}", "U+206A"), ("a\u{FFF9}b", "U+FFF9"),
        ("⠀", "can be seen"), ("⠀ ⠀", "can be seen"), ("a\u{200F}b", "direction"),
        ("\u{61C}a", "direction"), ("\u{202E}", "direction"), ("a\u{1B}b", "control"),
    ])
func unseenNames(name: String, words: String) {
    for kind in kinds {
        let problem = nameProblem(Text(name), of: kind, bytesMax: 128)
        #expect(problem?.contains(words) == true, "\(problem ?? "allowed")")
    }
}
