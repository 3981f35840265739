// Choice columns of files: their choices are told, or the values that stand in the file.
import TableFiles
import TableValue
import Testing

/// The columns of a table with a column `state`, as delimited text and as lines of JSON.
private func plans(_ states: [String], _ types: Text) throws(FileError) -> [ImportPlan] {
    var options = ImportOptions()
    options.types = try typedColumns(parsing: types)
    let file = "state,n\n" + states.map { "\"\($0)\",1\n" }.joined() + ",2\n"
    let plan = try imported(file, options).plan
    options.shape = .ndjson
    let lines = states.map { "{\"state\":\"\($0)\",\"n\":1}\n" }.joined() + "{\"n\":2}\n"
    return [plan, try imported(lines, options).plan]
}

@Test("the values of a choice column are its choices, in the order in which they first come")
func choicesOfValues() throws {
    for plan in try plans(["open", "done", "open", "late"], "state:choice") {
        #expect(plan.columns[0].type == .choice)
        #expect(plan.columns[0].choices == ["open", "done", "late"])
        #expect(plan.columns[0].choicesFault == nil)
        #expect(plan.columns[1].choices.isEmpty)
    }
    var options = ImportOptions()
    options.types = [TypedColumn(name: "state", type: .choice)]
    let column = try #require(try imported("state,n\n", options).plan.columns.first)
    #expect(column.choices.isEmpty && column.choicesFault == nil)
}

@Test("choices that were told stay as they are; a value that is none of them is refused")
func toldChoices() throws {
    for plan in try plans(["done"], "state:choice(open|done)") {
        #expect(plan.columns[0].choices == ["open", "done"])
    }
    let error = #expect(throws: FileError.self) {
        try plans(["done", "late"], "state:choice(open|done)")
    }
    #expect(error == FileError(.noChoice(column: "state"), line: 3, field: 1))
    #expect(error?.description.contains("late") == false)
}

@Test("at most 1,000 values of 1 to 128 bytes can be choices; the first that cannot is named")
func unfitChoices() throws {
    let many = (1...1_000).map { "state \($0)" }
    for plan in try plans(many + many, "state:choice") {
        #expect(plan.columns[0].choices.count == 1_000)
        #expect(plan.columns[0].choicesFault == nil)
    }
    let long = String(repeating: "x", count: 128)
    for plan in try plans([long], "state:choice") { #expect(plan.columns[0].choices.count == 1) }
    for plan in try plans(many + ["more"], "state:choice") {
        let fault = plan.columns[0].choicesFault
        #expect(fault?.problem == .tooManyChoices(column: "state", max: 1_000))
        #expect(fault?.line == (fault?.field == nil ? 1_001 : 1_002))
    }
    for word in [long + "x", ""] {
        for plan in try plans(["open", word, "done"], "state:choice") {
            let fault = plan.columns[0].choicesFault
            #expect(fault?.problem == .badChoice(column: "state", bytesMax: 128))
            #expect(fault?.line == (fault?.field == nil ? 2 : 3))
        }
    }
}
