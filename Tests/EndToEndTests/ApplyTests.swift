// apply: outcome lines in the order of the lines, also for lines that are no operation.
import Testing

@Test("apply answers every line in order, and goes on after a line that is no operation")
func faultyLines() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "stock", "--columns", "name:text,qty:int")
    let input = #"""
        {"tag":1,"body":[{"insert":{"columns":["qty"],"cells":[[1],[2]],"as":["a","b"]}}]}
        nonsense

        {"tag":"two","body":[{"set":[["$b","qty",5]]}]}
        {"tag":3,"body":[{"set":[["$b","qty","many"]]}],"mode":"strict"}
        {"tag":4,"body":[{"add":["$c","qty",1]}]}
        {"tag":5,"body":[{"add":["$a","qty",10]}],"pre":[{"cell_value":["$b","qty",5]}]}
        """#
    let finished = try ann.run("apply", "stock", input: input)
    #expect(finished.code == 1)
    let lines = finished.lines
    #expect(lines.count == 6)
    let expected: [Regex<Substring>] = [
        /\{"tag":1,"outcome":\{"status":"ok".*"seq":[0-9]+,"rows":\["s[0-9]+\.1-2"\]\}/,
        /\{"outcome":\{"status":"rejected","error":\{"code":"malformed".*"line":2\}/,
        /\{"tag":"two","outcome":\{"status":"ok".*"seq":[0-9]+\}/,
        /\{"tag":3,"outcome":\{"status":"rejected".*"wrong_type".*\}/,
        /\{"tag":4,"outcome":\{"status":"rejected","error":\{"code":"unknown_row".*"line":6\}/,
        /\{"tag":5,"outcome":\{"status":"ok".*"seq":[0-9]+\}/,
    ]
    for (line, pattern) in zip(lines, expected) {
        #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
    }
    #expect(try ann.must("get", "stock", "#1", "qty") == "11")
}

@Test("apply answers while its input is still open")
func livePipe() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "stock", "--columns", "name:text")
    let input = #"{"body":[{"append":{"name":"a"}}]}"# + "\n"
    let fifo = stage.workplace.file("fifo")
    let writer = try NamedPipe(fifo)
    let apply = try ann.start(["apply", "stock", fifo])
    try writer.write(input)
    try wait(until: "the first outcome is printed") { apply.output.contains("\"ok\"") }
    try writer.write(input)
    try wait(until: "the second outcome is printed") {
        apply.output.split(separator: "\n").count == 2
    }
    writer.close()
    #expect(apply.finish().code == 0)
}
