// Words of a command line as rows, cells and tables.
import TableModel
import TableValue
import TableWire
import Testing
import Transport

@testable import roundtable

private let column = ColumnID(session: .server, counter: 1)

private func value(_ word: String, _ type: ColumnType) throws -> Value {
    try CellWord(word).value(for: Column(id: column, name: "c", type: type))
}

@Test("a value is read by the column's type")
func typed() throws {
    #expect(try value("c=5", .int) == .int(5))
    #expect(try value("c=5", .text) == .text("5"))
    #expect(try value("c=a=b", .text) == .text("a=b"))
    #expect(try value("c=2026-11-30", .date).type == .date)
}

@Test("FD1: the empty text, the empty cell, and no value are three things")
func empty() throws {
    #expect(try value("c=", .text) == .text(""))
    #expect(try value("c:=null", .text) == .null)
    #expect(try value("c:=null", .int) == .null)
    let failure = #expect(throws: CommandFailure.self) { try value("c=", .int) }
    #expect(failure?.exitCode == 1)
    #expect(failure?.text?.contains("c:=null") == true)
}

@Test("a value may be given as JSON")
func json() throws {
    #expect(try value("c:=\"x\"", .text) == .text("x"))
    #expect(try value("c:=true", .bool) == .bool(true))
    #expect(try value("c:=7", .double) == .double(7))
    #expect(throws: CommandFailure.self) { try value("c:=7", .text) }
    #expect(try value("c:=[1]", .list) == (try Value("[1]", as: .list)))
    #expect(try value("c:={\"a\":null}", .json) == (try Value("{\"a\":null}", as: .json)))
    #expect(throws: CommandFailure.self) { try CellWord("c:=[1") }
    #expect(throws: CommandFailure.self) { try CellWord("c:=") }
}

@Test("words that are no cell end with exit code 2", arguments: ["", "c", "=5", ":"])
func noCell(word: String) {
    let failure = #expect(throws: CommandFailure.self) { try CellWord(word) }
    #expect(failure?.exitCode == 2)
}

@Test("a wrong type is told by its code and without the value")
func wrongType() {
    let failure = #expect(throws: CommandFailure.self) { try value("c=secret", .int) }
    #expect(failure?.text?.hasPrefix("wrong_type: ") == true)
    #expect(failure?.text?.contains("secret") == false)
}

@Test("a row is an id or a position from 1")
func rows() throws {
    #expect(try RowWord("#1") == .position(0))
    #expect(try RowWord("s12.4071").isID)
    for word in ["#0", "#", "#x", "12", "s1", "c1.2", ""] {
        #expect(throws: CommandFailure.self, "\(word)") { try RowWord(word) }
    }
}

extension RowWord {
    fileprivate var isID: Bool {
        if case .id = self { true } else { false }
    }
}

@Test("a column is found by name, by folded name, and by id")
func columns() throws {
    let other = ColumnID(session: .server, counter: 2)
    let columns = [
        Column(id: column, name: "Due", type: .date), Column(id: other, name: "due 2", type: .date),
    ]
    #expect(try columns.column("Due").id == column)
    #expect(try columns.column("DUE 2").id == other)
    #expect(try columns.column("c0.2").id == other)
    let failure = #expect(throws: CommandFailure.self) { try columns.column("when") }
    #expect(failure?.text?.contains("Due, due 2") == true)
}

@Test("a table is a name, an id, or either on another server")
func tables() throws {
    #expect(try TableTarget("stock").table == .name("stock"))
    #expect(try TableTarget("t3").table == .id(TableID(rawValue: 3)))
    let remote = try TableTarget("[::1]:7466/a/b")
    #expect(remote.server?.description == "[::1]:7466")
    #expect(remote.table == .name("a/b"))
    #expect(try TableTarget("and/or").server == nil)
    #expect(throws: CommandFailure.self) { try TableTarget("h:1/") }
}
