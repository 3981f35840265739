// Lines for `apply`: names become ids where rows stand and nowhere else, and a faulty line costs
// no id.
import TableModel
import TableValue
import TableWire
import Testing

@testable import roundtable

private func row(_ counter: UInt32) -> RowID {
    RowID(session: SessionNumber(truncating: 12), counter: counter)
}

/// Reads lines as one run does; ids are `s12.1`, `s12.2` and so on.
private struct Run {
    var names: [Text: RowID] = [:]
    var counter: UInt32 = 0

    mutating func read(_ text: String) throws(ApplyLineError) -> ApplyLine.Operation {
        var line = ApplyLine()
        try line.read(Array(text.utf8), limits: WireLimits())
        var counter = counter
        let operation = try line.operation(known: names, limits: WireLimits()) { count in
            (0..<count).map { _ in
                counter += 1
                return row(counter)
            }
        }
        self.counter = counter
        names.merge(operation.names) { $1 }
        return operation
    }
}

@Test("decision 17: a name stands for the row that an earlier insert gave it")
func namesAcrossLines() throws {
    var run = Run()
    let first = try run.read(#"{"body":[{"append":{"name":"a","qty":1},"as":"x"}]}"#)
    #expect(first.rows == [row(1)])
    #expect(
        first.op.body == [
            .insertRows(
                InsertRows(
                    ids: [row(1)], rowCount: 1, columns: [.name("name"), .name("qty")],
                    cells: [.text("a"), .int(1)]))
        ])
    let second = try run.read(
        #"{"body":[{"set":[["$x","name","$x"]]},{"add":["$x","qty",1]},{"delete":["$x"]},"#
            + #"{"move":{"rows":["$x"],"at":{"after":"$x"}}}],"mode":"strict","#
            + #""pre":[{"row_live":"$x"},{"cell_value":["$x","name","$x"]}]}"#)
    #expect(second.rows.isEmpty)
    #expect(second.op.mode == .strict)
    #expect(
        second.op.body == [
            .setCells([CellEdit(row: row(1), column: .name("name"), value: .text("$x"))]),
            .addNumber(row: row(1), column: .name("qty"), amount: .int(1)),
            .deleteRows([row(1)]),
            .moveRows([row(1)], to: .after(row(1))),
        ])
    #expect(
        second.op.preconditions == [
            .rowLive(row(1)),
            .cellValue(row: row(1), column: .name("name"), value: .text("$x")),
        ])
}

@Test("several rows take several names, and later parts of one line know them")
func namesWithinALine() throws {
    var run = Run()
    let operation = try run.read(
        #"{"body":[{"insert":{"as":["x","y"],"columns":["c"],"cells":[[1],[2],[3]]}},"#
            + #"{"insert":{"count":2,"at":{"after":"$y"}},"as":"z"},{"delete":["$z","s3.4-5"]}]}"#)
    #expect(operation.rows == (1...5).map(row))
    #expect(operation.names == ["x": row(1), "y": row(2), "z": row(4)])
    guard case .insertRows(let insert) = operation.op.body[1] else {
        Issue.record("no insert")
        return
    }
    #expect(insert.anchor == .after(row(2)))
    #expect(insert.ids == [row(4), row(5)])
}

@Test("rows with ids of their own keep them, and may have names")
func ownRows() throws {
    var run = Run()
    let operation = try run.read(#"{"body":[{"insert":{"rows":["s12.9"]},"as":"x"}]}"#)
    #expect(operation.rows.isEmpty)
    #expect(operation.names == ["x": row(9)])
    #expect(run.counter == 0)
}

@Test("a column may be called `as`")
func columnCalledAs() throws {
    var run = Run()
    let operation = try run.read(#"{"body":[{"append":{"as":"v"}}]}"#)
    #expect(operation.names.isEmpty)
    guard case .insertRows(let insert) = operation.op.body[0] else {
        Issue.record("no insert")
        return
    }
    #expect(insert.columns == [.name("as")])
}

@Test("a name given again means the newer row")
func newerName() throws {
    var run = Run()
    _ = try run.read(#"{"body":[{"append":{},"as":"x"}]}"#)
    _ = try run.read(#"{"body":[{"append":{},"as":"x"}]}"#)
    #expect(run.names["x"] == row(2))
}

@Test(
    "a faulty line has a code, and makes no row",
    arguments: [
        ("", "malformed"), ("nonsense", "malformed"), ("{}", "malformed"),
        (#"{"body":[]}"#, "malformed"), (#"{"body":{}}"#, "malformed"),
        (#"{"body":[1]}"#, "malformed"), (#"{"body":[{}]}"#, "malformed"),
        (#"{"body":[{"paint":1}]}"#, "malformed"),
        (#"{"body":[{"append":{}}],"x":1}"#, "malformed"),
        (#"{"body":[{"append":{},"as":7}]}"#, "malformed"),
        (#"{"body":[{"append":{},"as":["a","b"]}]}"#, "malformed"),
        (#"{"body":[{"delete":["s1.1"],"as":"a"}]}"#, "malformed"),
        (#"{"body":[{"append":{}},{"delete":["$x"]}]}"#, "unknown_row"),
        (#"{"body":[{"append":{},"as":"y"},{"set":[["$x","c",1]]}]}"#, "unknown_row"),
        (#"{"body":[{"append":{}},{"set":[["s1.1","c"]]}]}"#, "malformed"),
        (#"{"body":[{"insert":{"count":50001}}]}"#, "too_many_parts"),
        (#"{"body":[{"insert":{"count":9000000000000000000}}]}"#, "too_many_parts"),
        (#"{"body":[{"insert":{"count":-1}}]}"#, "malformed"),
        (#"{"body":[{"append":{}}],"pre":[{"row_live":"$x"}]}"#, "unknown_row"),
        (#"{"body":[{"append":{}}],"pre":7}"#, "malformed"),
        (String(repeating: "[", count: 10_000), "malformed"),
        (#"{"tag":"# + String(repeating: "[", count: 10_000), "too_deep"),
    ])
func faultyLine(text: String, code: String) {
    var run = Run()
    let error = #expect(throws: ApplyLineError.self) { try run.read(text) }
    #expect(error?.code == code, "\(error?.message ?? "")")
    #expect(run.counter == 0)
    #expect(run.names.isEmpty)
}

@Test("the tag comes back as it was written, also from a faulty line")
func tags() {
    var line = ApplyLine()
    _ = try? line.read(
        Array(#"{"tag": {"n": 12345678901234567, "e":1e5} ,"body":7}"#.utf8),
        limits: WireLimits())
    #expect(
        line.tag.map { String(decoding: $0, as: UTF8.self) }
            == #"{"n": 12345678901234567, "e":1e5}"#)
}
