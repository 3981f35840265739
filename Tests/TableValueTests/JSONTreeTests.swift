import Foundation
import TableValue
import TestSupport
import Testing

private func canonical(_ json: String) -> String? {
    (try? CanonicalJSON(reading: json.utf8.span)).map(\.text.string)
}

@Test(
    "equal values have one text",
    arguments: [
        (#" { "b" : 1 , "a" : [ ] } "#, #"{"a":[],"b":1}"#),
        (#"{"é":1,"z":2,"a":3}"#, #"{"a":3,"z":2,"é":1}"#),
        (#""\u0041\/\u00e9\ud83d\ude00""#, #""A/é😀""#),
        (#""\b\f\n\r\t\u0000\"\\""#, #""\u0008\u000c\n\r\t\u0000\"\\""#),
        ("[1,1.0,1e0,-0,-0.0,0]", "[1,1,1,0,0,0]"),
        ("[0.10,1E2,1e22,12345678901234567890]", "[0.1,100,1e+22,1.2345678901234567e+19]"),
        (
            "[9223372036854775807,-9223372036854775808]",
            "[9223372036854775807,-9223372036854775808]"
        ),
        ("[true,false,null]", "[true,false,null]"), ("\t5\r\n", "5"), ("\"\"", "\"\""),
    ])
func canonicalForm(_ json: String, _ expected: String) {
    #expect(canonical(json) == expected)
    #expect(canonical(expected) == expected, "the canonical text reads as itself")
}

@Test(
    "what is no JSON is refused",
    arguments: [
        "", " ", "nul", "tru", "True", "01", "-", "1.", ".5", "1e", "1e+", "+1", "[1,]", "[,1]",
        "[1 2]", "[", "{", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "\"", "\"\n\"", "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 2", "[]]", "'a'",
        "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "1e400", "1e-400", "NaN", "Infinity",
        "\u{FEFF}1", "[1]x", "--1", "1.5.5",
    ])
func refusedJSON(_ json: String) {
    #expect(canonical(json) == nil)
    #expect(read(json, as: .json) == nil)
}

@Test("bytes that are not UTF-8 are refused")
func refusedBytes() {
    for bytes: [UInt8] in [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    ] {
        #expect(throws: JSONFault.self) { try readJSONTree(bytes.span) }
    }
}

@Test("nesting ends where the limit is, and ten thousand brackets are refused at it")
func nestingLimit() {
    func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(canonical(nested(jsonDepthMax)) != nil)
    #expect(canonical(nested(jsonDepthMax + 1)) == nil)
    let many = String(repeating: "[", count: 10_000)
    let fault = #expect(throws: JSONFault.self) { try readJSONTree(many.utf8.span) }
    #expect(fault?.isTooDeep == true && fault?.offset == jsonDepthMax)
}

@Test("keys and numbers end where those of a line do")
func keysAndNumbers() {
    let key = String(repeating: "k", count: 128)
    #expect(canonical("{\"\(key)\":1}") != nil && canonical("{\"\(key)k\":1}") == nil)
    let number = "0." + String(repeating: "1", count: 1_022)
    #expect(canonical(number) != nil && canonical(number + "1") == nil)
    #expect(canonical("[-9223372036854775808.0,9223372036854775807.5]") != nil)
    #expect(canonical("-9223372036854775808.0") == "-9223372036854775808")
}

@Test("a value that begins within a text ends where it ends")
func valueWithin() throws {
    let line = #"["x",{"a":[1,2]},7]"#
    let (tree, end) = try readJSONTree(line.utf8.span, at: 5)
    #expect(tree == .object([JSONMember(key: "a", value: .list([.int(1), .int(2)]))]))
    #expect(Array(line.utf8)[end] == UInt8(ascii: ","))
}

@Test("random values read back as they were written")
func randomTrees() throws {
    for seed in UInt64(1)...300 {
        var generator = SeededRandom(seed: seed)
        let tree = randomTree(&generator, depth: 0)
        let json = CanonicalJSON(tree)
        #expect(json.tree == tree, "seed \(seed)")
        #expect(try CanonicalJSON(reading: json.text.string.utf8.span) == json, "seed \(seed)")
    }
}

private func randomTree(_ generator: inout SeededRandom, depth: Int) -> JSONTree {
    switch generator.below(depth < 6 ? 8 : 5) {
    case 0: return .null
    case 1: return .bool(generator.below(2) == 0)
    case 2: return .int(Int64(bitPattern: generator.next()))
    case 3:
        let number = Double(bitPattern: generator.next())
        return number.isFinite ? JSONTree(number) : .double(0.5)
    case 4: return .text(Text(generator.word(of: "aé\"\\\n\u{0}😀", countMax: 6)))
    case 5, 6:
        return .list((0..<generator.below(4)).map { _ in randomTree(&generator, depth: depth + 1) })
    default:
        let keys = Set((0..<generator.below(4)).map { _ in generator.word(of: "abé", countMax: 3) })
        return .object(
            keys.map { Text($0) }.sorted().map {
                JSONMember(key: $0, value: randomTree(&generator, depth: depth + 1))
            })
    }
}

/// The folder with the suite: in ROUNDTABLE_SUITES, or beside the package.
private let suiteFolder: String = {
    let suites =
        ProcessInfo.processInfo.environment["ROUNDTABLE_SUITES"]
        ?? URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized.path
    return suites + "/json-test-suite/test_parsing"
}()

@Test(
    "every file of the JSON suite gets the answer that the file's name demands",
    .enabled(
        if: FileManager.default.fileExists(atPath: suiteFolder),
        "the suites are absent: set ROUNDTABLE_SUITES"))
func jsonSuite() throws {
    let folder = suiteFolder
    var seen = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        guard name.hasSuffix(".json"), let first = name.first, "yn".contains(first) else {
            continue
        }
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
        let isRead = (try? readJSONTree(bytes.span)) != nil
        seen += 1
        if name.hasPrefix("y_object_duplicated_key") {
            #expect(!isRead, "\(name): duplicate keys are refused")
        } else {
            #expect(isRead == (first == "y"), "\(name)")
        }
    }
    #expect(seen > 200)
}

@Test("a list holds texts, numbers and bools, and nothing else")
func listsOfScalars() {
    #expect(read(#"["a", 2, true, 0.5]"#, as: .list).map(written) == #"["a",2,true,0.5]"#)
    #expect(read("[]", as: .list).map(written) == "[]")
    #expect(read("null", as: .json) == .null)
    for text in ["[null]", "[[1]]", "[{}]", "{}", "1", "\"a\"", "a,b", "[1", ""] {
        #expect(read(text, as: .list) == nil, "\(text)")
    }
}
