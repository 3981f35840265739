// Whether lines and wrong implementations leave any rule of docs/semantics.md out.
import Testing

@Test("Every rule of docs/semantics.md has a line and a wrong implementation, or a reason")
func everyRuleIsTried() throws {
    let documented = try Rules.documented()
    let wanted = documented.subtracting(try Rules.withoutLines().keys)
    #expect(documented.count > 40)
    let groups = ["apply", "resolve", "resume"]
    let cited = groups.reduce(into: Set<String>()) { $0.formUnion(Rules.cited(by: $1)) }
    #expect(wanted.subtracting(cited).sorted() == [], "no line is about them")
    #expect(cited.subtracting(documented).sorted() == [], "docs/semantics.md has them not")
    let bent = [
        bentTables.flatMap(\.rules), bentRecords.flatMap(\.rules), bentDialogues.flatMap(\.rules),
    ]
    #expect(wanted.subtracting(bent.joined()).sorted() == [], "nobody tries them wrongly")
    for (group, bent) in zip(["resolve", "apply", "resume"], bent) {
        let untried = Rules.cited(by: group).subtracting(bent)
        #expect(untried.sorted() == [], "\(group): nobody tries them wrongly")
    }
}

@Test("What has no line is a rule, has a reason, and really has no line")
func exceptionsAreFew() throws {
    let exceptions = try Rules.withoutLines()
    #expect(Set(exceptions.keys).subtracting(try Rules.documented()).sorted() == [])
    #expect(exceptions.values.allSatisfy { $0.count > 20 })
    for group in ["wire", "apply", "resolve", "resume", "errors"] {
        let needless = Rules.cited(by: group).intersection(exceptions.keys)
        #expect(needless.sorted() == [], "\(group): take them off the list of exceptions")
    }
}
