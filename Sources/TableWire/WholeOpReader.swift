// Reads the intents that concern a whole table, and undo. OpReader.swift asks for them.
// docs/protocol.md, "Operations", is the table of what stands here.
import TableModel
import TableValue

private enum UndoKey: String, JSONKeySet {
    case seq, cseq, of, force
    static let lookup = JSONKeyTable<UndoKey>()
}

/// Whose last operation an undo means.
private enum UndoScope: String {
    case session, user
}

private enum SortKeyName: String, JSONKeySet {
    case by, rows
    static let lookup = JSONKeyTable<SortKeyName>()
}

private enum Direction: String {
    case up, down
}

private enum TransformKey: String, JSONKeySet {
    case column, value
    case condition = "where"
    static let lookup = JSONKeyTable<TransformKey>()
}

extension JSONReader {
    /// Reads `{"by":[["c0.1","up"],…],"rows":[…]}`.
    mutating func readSort() throws(WireError) -> SortRows {
        var sort = SortRows(by: [])
        var hasKeys = false
        var object = try beginObject(SortKeyName.self)
        while let key = try object.next(&self) {
            switch key {
            case .by:
                var list = try beginArray()
                while try list.next(&self) {
                    var pair = try beginArray()
                    try pair.expectNext(&self)
                    let column = try readColumnReference()
                    try pair.expectNext(&self)
                    let direction = try readCase(Direction.self, "\"up\" or \"down\"")
                    try pair.expectEnd(&self)
                    sort.keys.append(.init(column, isDescending: direction == .down))
                }
                hasKeys = true
            case .rows: sort.rows = try readRows()
            }
        }
        guard hasKeys else { throw missing("by") }
        return sort
    }

    /// Reads `{"column":"c0.1","value":"qty + 1","where":"qty > 3"}`.
    mutating func readTransform() throws(WireError) -> TransformColumn {
        var column: ColumnReference?
        var value: Text?
        var condition: Text?
        var object = try beginObject(TransformKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .value: value = try readText()
            case .condition: condition = try readText()
            }
        }
        guard let column else { throw missing("column") }
        guard let value else { throw missing("value") }
        return TransformColumn(column: column, value: value, condition: condition)
    }

    /// Reads `true`, which an intent without fields has.
    mutating func readFlag(_ intent: Intent) throws(WireError) -> Intent {
        let place = offset
        guard try readBool() else { throw malformed("expected true", at: place) }
        return intent
    }

    /// Reads what an undo or redo takes back.
    mutating func readUndo(isRedo: Bool) throws(WireError) -> UndoRequest {
        var target: UndoRequest.Target?
        var isForced = false
        let place = offset
        var object = try beginObject(UndoKey.self)
        while let key = try object.next(&self) {
            let other = target
            switch key {
            case .seq: target = .sequence(try readSequence())
            case .cseq: target = .clientNumber(try readClientNumber())
            case .of:
                let scope = try readCase(UndoScope.self, "\"session\" or \"user\"")
                target =
                    isRedo ? .lastUndone(ofUser: scope == .user) : .last(ofUser: scope == .user)
            case .force: isForced = try readBool()
            }
            guard other == nil || key == .force else {
                throw malformed("one of seq, cseq and of says which operation", at: place)
            }
        }
        return UndoRequest(
            target ?? (isRedo ? .lastUndone(ofUser: false) : .last(ofUser: false)),
            isForced: isForced)
    }
}
