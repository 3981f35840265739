// Lines as people and other programs write them: defaults, any order, and clear refusals.
import TableModel
import TableValue
import Testing

@testable import TableWire

/// The beginning of an operation's line.
private let op = #"{"type":"op","table":"t1","body":["#

@Suite struct ClientReaderTests {
    @Test("Fields may stand in any order, also the type, with white space between")
    func order() throws {
        let expected = ClientLine(
            id: 3, message: .presence(.name("t"), row: row(1, 2), column: nil))
        for line in [
            #"{"type":"presence","id":3,"table":"t","row":"s1.2","column":null}"#,
            #"{"row":"s1.2","table":"t","column":null,"type":"presence","id":3}"#,
            #" { "id" : 3 , "table" : "t" , "row" : "s1.2" , "type" : "presence" } "#,
            #"{"t\u0079pe":"pre\u0073ence","id":3,"table":"\u0074","row":"s1\u002e2"}"# + "\r",
        ] {
            #expect(try readClient(line) == expected, "\(line)")
        }
    }

    @Test("What is left out has its default")
    func defaults() throws {
        #expect(
            try readClient(#"{"type":"hello"}"#).message
                == .hello(versions: [1], features: [], client: ""))
        #expect(
            try readClient(#"{"type":"open","table":"t9"}"#).message
                == .open(OpenRequest(table: .id(TableID(rawValue: 9)))))
        #expect(
            try readClient(#"{"type":"read","table":"t9","count":5}"#).message
                == .read(
                    ReadRequest(
                        table: .id(TableID(rawValue: 9)), range: .positions(from: 0, count: 5))))
        #expect(
            try readClient(#"{"type":"create","table":"parts"}"#).message
                == .create(name: "parts", columns: []))
        let append = try readClient(
            op + #"{"append":{"name":"a","c1.2":1}},{"append":{}}]}"#
        )
        #expect(
            append.message
                == .op(
                    SubmittedOp(
                        table: .id(TableID(rawValue: 1)), clientNumber: 0,
                        op: Op(body: [
                            .insertRows(
                                InsertRows(
                                    rowCount: 1, columns: [.name("name"), .id(column(1, 2))],
                                    cells: [.text("a"), .int(1)])),
                            .insertRows(InsertRows(rowCount: 1)),
                        ]))))
    }

    @Test("Runs unfold, also to the last counter there is")
    func runs() throws {
        let line =
            #"{"type":"read","table":"t1","rows":["s1.1-3","s2.7","s0.4294967294-4294967295"]}"#
        guard case .read(let request) = try readClient(line).message else { return }
        #expect(
            request.range
                == .rows(
                    rows(1, 1...3) + [
                        row(2, 7), row(0, 4_294_967_294), row(0, 4_294_967_295),
                    ]))
        #expect(lineText(ClientLine(message: .read(request))) == line)
    }

    @Test("Consecutive ids become runs, and nothing else does")
    func compression() {
        let ids = [
            row(1, 1), row(1, 2), row(1, 4), row(1, 3), row(2, 4), row(1, .max), row(2, 1),
            row(2, 2), row(2, 3), row(2, 3),
        ]
        let request = ReadRequest(table: .name("t"), range: .rows(ids))
        #expect(
            lineText(ClientLine(message: .read(request))).contains(
                #"["s1.1-2","s1.4","s1.3","s2.4","s1.4294967295","s2.1-3","s2.3"]"#))
    }

    @Test(
        "What is no id is refused, and no name may look like one",
        arguments: [
            "s1", "s1.", "s.1", "s1.0", "s01.1", "s1.01", "s2147483648.1", "s1.4294967296",
            "s1.3-2", "s1.1-", "s1.1-2-3", "s1.1 ", " s1.1", "S1.1", "s-1.1", "s1.1-4294967296",
            "s1.1-02", "", "c1.1", "s1.1\\u0000", "s99999999999999999999.1",
        ])
    func badRows(text: String) {
        #expect(throws: WireError.self) {
            try readClient(#"{"type":"read","table":"t1","rows":["\#(text)"]}"#)
        }
    }

    @Test(
        "A column's name that looks like an id but is none is refused, others are names",
        arguments: [
            ("c1.2", ColumnReference.id(column(1, 2))), ("c1", .name("c1")),
            ("c1.2x", .name("c1.2x")), ("C1.2", .name("C1.2")), ("s1.2", .name("s1.2")),
            ("", .name("")), ("c.", .name("c.")), ("c01.2", nil), ("c1.0", nil),
            ("c99999999999.1", nil),
        ] as [(String, ColumnReference?)])
    func columns(text: String, expected: ColumnReference?) throws {
        let line = #"{"type":"read","table":"t1","count":1,"columns":["\#(text)"]}"#
        guard let expected else {
            #expect(throws: WireError.self) { try readClient(line) }
            return
        }
        guard case .read(let request) = try readClient(line).message else { return }
        #expect(request.columns == [expected])
    }

    @Test("GP3: NUL is refused in every name, but not in a cell")
    func nul() throws {
        for line in [
            #"{"type":"hello","client":"a\u0000"}"#, #"{"type":"login","token":"\u0000"}"#,
            #"{"type":"create","table":"a\u0000b"}"#, #"{"type":"who","table":"a\u0000b"}"#,
            #"{"type":"create","table":"a","columns":[{"name":"\u0000","type":"int"}]}"#,
            #"{"type":"op","table":"t1","body":[{"append":{"a\u0000":1}}]}"#,
            #"{"type":"op","table":"t1","body":[{"set":[["s1.1","a\u0000",1]]}]}"#,
        ] {
            #expect(throws: WireError.self, "\(line)") { try readClient(line) }
        }
        _ = try readClient(#"{"type":"op","table":"t1","body":[{"append":{"a":"\u0000"}}]}"#)
    }

    @Test(
        "GP1: what a message may not hold is refused at its byte",
        arguments: [
            (#"{"type":"ping","x":1}"#, 15), (#"{"type":"ping","type":"ping"}"#, 15),
            (#"{"type":"pong"}"#, 8), (#"{"type":7}"#, 8), (#"{}"#, 2), (#"[]"#, 0),
            (#"{"type":"ping"} x"#, 16), (#"{"id":1}"#, 8), (#"{"type":"ping","id":"1"}"#, 20),
            (#"{"type":"ping","id":1.5}"#, 20), (#"{"type":"who"}"#, 14),
            (#"{"type":"login","token":"a","name":"b"}"#, 39),
            (#"{"type":"login","invite":"a"}"#, 29),
            (#"{"type":"open","table":"t","window":-1}"#, 36),
            (#"{"type":"open","table":"t","start":"end"}"#, 35),
            (#"{"type":"create","table":"t","columns":[{"name":"a","type":"float"}]}"#, 59),
            (#"{"type":"op","table":"t1","cseq":0,"body":[]}"#, 33),
            (#"{"type":"op","table":"t1"}"#, 26), (#"{"type":"op","body":[]}"#, 23),
            (op + #"{}]}"#, 35),
            (op + #"{"set":[],"add":[]}]}"#, 43),
            (op + #"{"set":[["s1.1","a"]]}]}"#, 54),
            (op + #"{"set":[["s1.1","a",1,2]]}]}"#, 56),
            (op + #"{"insert":{}}]}"#, 44),
            (op + #"{"insert":{"count":0}}]}"#, 44),
            (op + #"{"insert":{"columns":["a"],"cells":[[1],[]]}}]}"#, 74),
            (op + #"{"insert":{"columns":["a"],"cells":[[1,2]]}}]}"#, 44),
            (op + #"{"insert":{"rows":["s1.1-2"],"cells":[[]]}}]}"#, 44),
            (op + #"{"insert":{"count":2,"rows":["s1.1"]}}]}"#, 44),
            (op + #"{"move":{"rows":["s1.1"]}}]}"#, 59),
            (op + #"{"append":{"a":1,"a":2}}]}"#, 51),
            (#"{"type":"read","table":"t1"}"#, 28),
            (#"{"type":"read","table":"t1","rows":[],"count":1}"#, 48),
        ])
    func malformed(line: String, offset: Int) {
        do throws(WireError) {
            _ = try readClient(line)
            Issue.record("\(line) was accepted")
        } catch {
            #expect(error.code == .malformed)
            #expect(error.offset == offset, "\(line): \(error)")
        }
    }

    @Test("An error never repeats what stands in the line")
    func noContent() {
        for line in [
            #"{"type":"SECRET"}"#, #"{"type":"ping","SECRET":1}"#,
            #"{"type":"ping","id":"SECRET"}"#,
            #"{"type":"read","table":"t1","rows":["SECRET"]}"#, #"{"type":"ping"}SECRET"#,
            #"{"type":"open","table":"t","start":"SECRET"}"#, #"SECRET"#,
        ] {
            do throws(WireError) {
                _ = try readClient(line)
                Issue.record("\(line) was accepted")
            } catch {
                #expect(!error.reason.contains("SECRET"))
            }
        }
    }
}
