import TableFiles
import TableValue
import Testing

@Test("a list of columns and types is read, also with awkward names")
func lists() throws {
    #expect(try typedColumns(parsing: "") == [])
    #expect(
        try typedColumns(parsing: "name:text,qty:int")
            == [TypedColumn(name: "name", type: .text), TypedColumn(name: "qty", type: .int)])
    #expect(
        try typedColumns(parsing: "\"last, first:text\",a:b:uuid, x :bool")
            == [
                TypedColumn(name: "last, first", type: .text),
                TypedColumn(name: "a:b", type: .uuid),
                TypedColumn(name: " x ", type: .bool),
            ])
    #expect(
        try typedColumns(parsing: "s:choice(a:b|c d),t:choice,\"u:choice(x,y|:choice(z)|)\"")
            == [
                TypedColumn(name: "s", type: .choice, choices: ["a:b", "c d"]),
                TypedColumn(name: "t", type: .choice),
                TypedColumn(name: "u", type: .choice, choices: ["x,y", ":choice(z)"]),
            ])
    #expect(try typedColumns(parsing: "数量:double").map(\.name) == ["数量"])
}

@Test(
    "what is no such list is refused",
    arguments: [
        "name", "name:", ":int", "name:integer", "name:INT", "name:text,", ",name:text",
        "name:text\nqty:int", "\"name:text", "na\"me:text", "name: text", "a:choice()",
        "a:choice(|)", "a:choice(x|x)", "a:choice(x", "a:text(x)", ":choice(x)", "choice(x)",
    ])
func badLists(_ list: String) {
    #expect {
        try typedColumns(parsing: Text(list))
    } throws: { error in
        if case .badTypeList? = (error as? FileError)?.problem { true } else { false }
    }
}

@Test("a column named twice is refused")
func namedTwice() {
    #expect(throws: FileError(.columnGivenTwice("QTY"))) {
        try typedColumns(parsing: "qty:int,QTY:text")
    }
}
