// One line for `roundtable apply`: an operation in which rows may go by names that earlier
// inserts gave them. This file turns names into ids; ApplyCommand.swift sends what comes of it.
import TableModel
import TableValue
import TableWire

/// Why a line could not become an operation.
struct ApplyLineError: Error, Hashable, Sendable {
    let code: String
    /// What is wrong, without any cell's content.
    let message: String
    /// The byte of the line where reading stopped, where that says something.
    var offset: Int?

    static func malformed(_ message: String, offset: Int? = nil) -> ApplyLineError {
        ApplyLineError(code: WireCode.malformed.rawValue, message: message, offset: offset)
    }
}

/// A line as it was read: still with names, and not yet with the ids of new rows.
struct ApplyLine: Sendable {
    /// The tag as it stood in the line, to be handed back; nil where there was none.
    private(set) var tag: [UInt8]?
    private var intents: [MessageTree] = []
    private var preconditions: MessageTree?
    private var mode = OpMode.best

    /// What a line came to.
    struct Operation: Sendable {
        var op: Op
        /// The ids that were made for the rows it inserts, in order.
        var rows: [RowID] = []
        /// The names that it gives, and to which rows.
        var names: [Text: RowID] = [:]
    }

    /// Reads the line's outer shape.
    ///
    /// The tag is kept as soon as it is found, so that also the answer to a faulty line has it:
    /// where this throws, `self.tag` is what was read until then.
    mutating func read(_ bytes: [UInt8], limits: WireLimits) throws(ApplyLineError) {
        var copy = self
        defer { self = copy }
        do {
            try unsafe withJSONReader(bytes.span.bytes, limits: limits) {
                (reader) throws(WireError) in
                try copy.read(from: &reader, of: bytes)
            }
        } catch {
            throw ApplyLineError(
                code: error.code.rawValue, message: error.reason, offset: error.offset)
        }
        guard !copy.intents.isEmpty else { throw .malformed("the body is missing or empty") }
    }

    private enum LineKey: String, JSONKeySet {
        case body, mode, pre, tag
        static let lookup = JSONKeyTable<LineKey>()
    }

    private mutating func read(
        from reader: inout JSONReader, of bytes: [UInt8]
    ) throws(WireError) {
        var object = try reader.beginObject(LineKey.self)
        while let key = try object.next(&reader) {
            switch key {
            case .tag:
                let start = firstOffset(in: bytes, from: reader.offset)
                _ = try MessageTree(from: &reader, of: bytes)
                tag = Array(bytes[start..<reader.offset])
            case .mode:
                mode = try reader.readCase(OpMode.self, "\"best\" or \"strict\"")
            case .pre:
                preconditions = try MessageTree(from: &reader, of: bytes)
            case .body:
                let place = reader.offset
                guard case .array(let list) = try MessageTree(from: &reader, of: bytes) else {
                    throw reader.malformed("the body is not a list", at: place)
                }
                intents = list
            }
        }
    }

    /// Makes the operation.
    ///
    /// - Parameters:
    ///   - known: the names that earlier lines gave.
    ///   - limits: what one operation may hold.
    ///   - makeRows: makes ids for that many new rows; it is only called for a line without fault.
    /// - Returns: the operation with the ids and names that it brings.
    /// - Throws: `ApplyLineError`; no id has been made then.
    func operation(
        known: [Text: RowID], limits: WireLimits, makeRows: (Int) -> [RowID]
    ) throws(ApplyLineError) -> Operation {
        var stand = StandIns()
        let trial = try assemble(known: known, limits: limits) { stand.make($0) }
        guard !trial.rows.isEmpty else { return trial }
        var rows = makeRows(trial.rows.count)[...]
        guard rows.count == trial.rows.count else {
            throw ApplyLineError(
                code: WireCode.noSession.rawValue, message: "no ids for new rows could be made")
        }
        return try assemble(known: known, limits: limits) { count in
            let taken = rows.prefix(count)
            rows = rows.dropFirst(count)
            return Array(taken)
        }
    }

    /// Ids that stand for rows while a line is tried out.
    private struct StandIns {
        var counter: UInt32 = 0

        mutating func make(_ count: Int) -> [RowID] {
            (0..<count).map { _ in
                counter &+= 1
                return RowID(session: .server, counter: counter)
            }
        }
    }

    private func assemble(
        known: [Text: RowID], limits: WireLimits, makeRows: (Int) -> [RowID]
    ) throws(ApplyLineError) -> Operation {
        var result = Operation(op: Op(mode: mode, body: []))
        var naming = RowNaming(known: known)
        var trees: [MessageTree] = []
        for (index, tree) in intents.enumerated() {
            var intent = try NamedIntent(tree, part: index)
            let count = intent.newRowCount
            guard count <= limits.partsMax - result.rows.count else {
                throw ApplyLineError(
                    code: Rejection.Code.tooManyParts.rawValue,
                    message: "the operation makes more than \(limits.partsMax) rows")
            }
            let rows = count > 0 ? makeRows(count) : []
            intent.give(rows)
            trees.append(try naming.replaceNames(in: intent.tree, part: index))
            // Names of this very insert are known from the next intent on.
            try naming.learn(intent.names, for: rows.isEmpty ? intent.ownRows : rows, part: index)
            result.rows += rows
        }
        result.names = naming.learned
        result.op.body = try readIntents(.array(trees), limits: limits)
        if let preconditions {
            let replaced = try naming.replacePreconditionNames(in: preconditions)
            result.op.preconditions = try readConditions(replaced, limits: limits)
        }
        return result
    }
}

/// Reads intents from a tree without names.
private func readIntents(
    _ tree: MessageTree, limits: WireLimits
) throws(ApplyLineError) -> [Intent] {
    do {
        return try unsafe withJSONReader(tree.bytes.span.bytes, limits: limits) {
            (reader) throws(WireError) -> [Intent] in
            try reader.readBody()
        }
    } catch {
        // The tree's bytes are not the line's, so the offset would mislead.
        throw ApplyLineError(code: error.code.rawValue, message: error.reason)
    }
}

/// Reads preconditions from a tree without names.
private func readConditions(
    _ tree: MessageTree, limits: WireLimits
) throws(ApplyLineError) -> [Precondition] {
    do {
        return try unsafe withJSONReader(tree.bytes.span.bytes, limits: limits) {
            (reader) throws(WireError) -> [Precondition] in
            try reader.readPreconditions()
        }
    } catch {
        throw ApplyLineError(code: error.code.rawValue, message: error.reason)
    }
}
