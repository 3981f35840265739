// What the readers of all messages share: finding the type first, wherever it stands in the
// line, names of enums, lists of cells. Next: ClientReader.swift and ServerReader.swift.
import TableModel
import TableValue

extension JSONReader {
    /// Reads the `type` of the message, wherever it stands, and goes back to the beginning.
    mutating func findType<Type: JSONKeySet>(_: Type.Type) throws(WireError) -> Type {
        try enter(UInt8(ascii: "{"), "expected an object")
        var isFirst = true
        // Nearly always it stands first; then nothing is read twice.
        guard try nextMember(isFirst: &isFirst, closing: UInt8(ascii: "}")) else {
            throw missing("type")
        }
        skipSpace()
        let (words, length) = try readKeyWords()
        if length == 4, words == typeKeyWords {
            try passColon()
        } else {
            try searchType()
        }
        let place = offset
        let (name, nameLength) = try readStringWords()
        guard let (_, type) = Type.lookup.find(name, length: nameLength) else {
            throw malformed("an unknown type of message", at: place)
        }
        offset = 0
        depth = 0
        return type
    }

    /// Goes to the value of `type`, past other fields.
    private mutating func searchType() throws(WireError) {
        offset = 0
        depth = 0
        var object = try beginFreeObject()
        while let key = try object.next(&self) {
            if key == "type" { return }
            try skipValue()
        }
        throw missing("type")
    }

    /// Passes over the `type` that `findType` has read.
    mutating func skipType() throws(WireError) {
        _ = try scanString()
    }

    /// Reads a short string as words; zeros and its length where it has more than 24 bytes.
    mutating func readStringWords() throws(WireError) -> (KeyWords, length: Int) {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw malformed("expected a string") }
        return try readKeyWords()
    }

    /// Reads a string that is one of the names of an enum.
    package mutating func readCase<Name: RawRepresentable<String>>(
        _: Name.Type, _ expected: StaticString
    ) throws(WireError) -> Name {
        skipSpace()
        let place = offset
        let text = try readText()
        // Comparing Swift strings is cheap for so short ones only.
        guard text.byteCount <= KeyWords.byteCountMax, let name = Name(rawValue: text.string) else {
            throw malformed("expected \(expected)", at: place)
        }
        return name
    }

    /// Reads a list of lists of values, all of one width.
    mutating func readCells() throws(WireError) -> Cells {
        var cells = Cells()
        var rows = try beginArray()
        while try rows.next(&self) {
            let place = offset
            let start = cells.values.count
            var row = try beginArray()
            while try row.next(&self) { cells.values.append(try readValue()) }
            let width = cells.values.count &- start
            if cells.rowCount == 0 { cells.width = width }
            guard width == cells.width else {
                throw malformed("the rows have different numbers of cells", at: place)
            }
            cells.rowCount &+= 1
        }
        return cells
    }

    /// Reads a list of names.
    mutating func readNames() throws(WireError) -> [Text] {
        var names: [Text] = []
        var list = try beginArray()
        while try list.next(&self) { names.append(try readName()) }
        return names
    }

    /// Reads the number of a record, 0 for "before any".
    mutating func readSequence() throws(WireError) -> SequenceNumber {
        try readInteger(in: 0...Int64.max)
    }

    /// Reads a client number, from 1.
    mutating func readClientNumber() throws(WireError) -> ClientNumber {
        try readInteger(in: 1...Int64.max)
    }
}

/// The words of `type`.
private let typeKeyWords = KeyWords(Array("type".utf8))

/// Cells as they were listed, row after row.
struct Cells {
    var values: [Value] = []
    var rowCount = 0
    var width = 0
}
