// clients/conformance/errors.jsonl: the codes are those of the wire, and the client core gives up
// exactly where the lines say so. What each setting comes to is played by the Python tests.
import TableModel
import TableWire
import Testing

@testable import TableClient

@Test("errors: the lines name every code, and no other")
func everyCodeHasALine() throws {
    let lines = ConformanceLine.all("errors")
    let asOutcome = lines.filter { $0.members["as"] as? String == "outcome" }.map(\.name)
    let asError = lines.filter { $0.members["as"] as? String != "outcome" }.map(\.name)
    // A client that submits only in open sessions never meets it.
    let needless: Set<String> = ["no_session"]
    let invented: Set<String> = ["brand_new"]
    #expect(
        Set(asError).union(needless) == Set(WireCode.allCases.map(\.rawValue)).union(invented))
    #expect(Set(asOutcome) == Set(Rejection.Code.allCases.map(\.rawValue)).union(invented))
}

@Test("errors: a `bye` that is final is given up", arguments: ConformanceLine.all("errors"))
func finalCodes(_ line: ConformanceLine) throws {
    guard line.members["as"] as? String == "bye", let code = WireCode(rawValue: line.name) else {
        return
    }
    let isFinal = line.members["then"] as? String != "reconnect"
    #expect(code.isFinal == isFinal)
}
