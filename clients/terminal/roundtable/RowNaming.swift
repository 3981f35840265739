// Names for rows within one run of `roundtable apply`: which rows an insert names, and where in
// an operation `"$name"` stands for a row (and where it is just text).
import TableModel
import TableValue
import TableWire

/// One intent of a line, with the names it gives taken out of it.
struct NamedIntent: Sendable {
    /// The intent without `as`, and with ids for the rows it makes.
    private(set) var tree: MessageTree
    /// The names for the rows it makes, first to last.
    let names: [Text]
    private let part: Int

    init(_ tree: MessageTree, part: Int) throws(ApplyLineError) {
        guard case .object(var members) = tree else {
            throw .malformed("part \(part) of the body is not an object")
        }
        var given = try Self.takeNames(from: &members, part: part)
        if let index = members.firstIndex(where: { $0.key == "insert" }),
            case .object(var inner) = members[index].value
        {
            given += try Self.takeNames(from: &inner, part: part)
            members[index].value = .object(inner)
        }
        if !given.isEmpty, !members.contains(where: { $0.key == "insert" || $0.key == "append" }) {
            throw .malformed("part \(part) names rows but inserts none")
        }
        self.tree = .object(members)
        self.part = part
        names = given
    }

    /// Takes `"as": "name"` or `"as": ["name", …]` out of an object.
    private static func takeNames(
        from members: inout [MessageMember], part: Int
    ) throws(ApplyLineError) -> [Text] {
        guard let index = members.firstIndex(where: { $0.key == "as" }) else { return [] }
        let value = members.remove(at: index).value
        let list: [MessageTree]
        if case .array(let elements) = value { list = elements } else { list = [value] }
        let names = list.compactMap(\.text).filter { !$0.isEmpty }
        guard names.count == list.count, !names.isEmpty else {
            throw .malformed("`as` in part \(part) is not a name or a list of names")
        }
        return names
    }

    private var insert: [MessageMember]? {
        guard case .object(let members) = tree,
            case .object(let inner)? = members.first(where: { $0.key == "insert" })?.value
        else { return nil }
        return inner
    }

    private var isAppend: Bool {
        guard case .object(let members) = tree else { return false }
        return members.contains { $0.key == "append" }
    }

    /// How many rows need ids: those of an insert that names none, and the one of an append.
    var newRowCount: Int {
        if isAppend { return 1 }
        guard let insert, !insert.contains(where: { $0.key == "rows" }) else { return 0 }
        if case .value(.int(let count))? = insert.first(where: { $0.key == "count" })?.value {
            return Int(clamping: max(0, count))
        }
        if case .array(let cells)? = insert.first(where: { $0.key == "cells" })?.value {
            return cells.count
        }
        return 0
    }

    /// The first rows that the insert names itself, as many as have names; runs are not unfolded.
    var ownRows: [RowID] {
        guard case .array(let rows)? = insert?.first(where: { $0.key == "rows" })?.value else {
            return []
        }
        return rows.compactMap { $0.text.flatMap { RowID($0) } }
    }

    /// Gives ids to the rows that it makes; an append becomes an insert of one row.
    mutating func give(_ rows: [RowID]) {
        guard !rows.isEmpty, case .object(var members) = tree else { return }
        let ids = MessageMember(
            key: "rows", value: .array(rows.map { .value(.text(Text($0.description))) }))
        if let index = members.firstIndex(where: { $0.key == "insert" }),
            case .object(let inner) = members[index].value
        {
            members[index].value = .object(inner + [ids])
        } else if let index = members.firstIndex(where: { $0.key == "append" }),
            case .object(let cells) = members[index].value
        {
            members[index] = MessageMember(
                key: "insert",
                value: .object([
                    ids,
                    MessageMember(
                        key: "columns", value: .array(cells.map { .value(.text($0.key)) })),
                    MessageMember(key: "cells", value: .array([.array(cells.map(\.value))])),
                ]))
        }
        tree = .object(members)
    }
}

/// The rows that go by a name, and the places where names may stand.
struct RowNaming: Sendable {
    /// The names that earlier lines gave; never changed here, so that it is never copied.
    private let known: [Text: RowID]
    /// The names that this line gave.
    private(set) var learned: [Text: RowID] = [:]

    init(known: [Text: RowID]) {
        self.known = known
    }

    /// Notes names for the first of `rows`.
    ///
    /// A name given again means the newer row.
    mutating func learn(
        _ given: [Text], for rows: [RowID], part: Int
    ) throws(ApplyLineError) {
        guard given.count <= rows.count else {
            throw .malformed("part \(part) names more rows than it inserts")
        }
        for (name, row) in zip(given, rows) {
            learned[name] = row
        }
    }

    /// Replaces the names in one intent.
    func replaceNames(in intent: MessageTree, part: Int) throws(ApplyLineError) -> MessageTree {
        guard case .object(var members) = intent else { return intent }
        for index in members.indices {
            let value = members[index].value
            switch members[index].key {
            case "set": members[index].value = try replaceInTriples(value, part: part)
            case "add", "minimum", "maximum", "append_text", "list_remove":
                members[index].value = try replaceFirst(value, part: part)
            case "list_add", "renew", "release", "comment":
                members[index].value = try replaceRow(value, part: part)
            case "delete": members[index].value = try replaceAll(value, part: part)
            case "move", "insert": members[index].value = try replaceInPlace(value, part: part)
            default: break
            }
        }
        return .object(members)
    }

    /// Replaces the names in a list of preconditions.
    func replacePreconditionNames(in list: MessageTree) throws(ApplyLineError) -> MessageTree {
        guard case .array(let conditions) = list else { return list }
        var replaced: [MessageTree] = []
        for condition in conditions {
            guard case .object(var members) = condition else {
                replaced.append(condition)
                continue
            }
            for index in members.indices {
                let value = members[index].value
                switch members[index].key {
                case "row_live": members[index].value = try replace(value, part: nil)
                // It begins with a column.
                case "row_absent": break
                default: members[index].value = try replaceFirst(value, part: nil)
                }
            }
            replaced.append(.object(members))
        }
        return .array(replaced)
    }

    /// The row where a row's name stands.
    private func replace(_ tree: MessageTree, part: Int?) throws(ApplyLineError) -> MessageTree {
        guard let text = tree.text, text.string.utf8.first == UInt8(ascii: "$") else { return tree }
        let name = Text(String(text.string.dropFirst()))
        guard let row = learned[name] ?? known[name] else {
            let place = part.map { "part \($0)" } ?? "a precondition"
            throw ApplyLineError(
                code: Rejection.Code.unknownRow.rawValue,
                message: "\(place) speaks of \(text), but no earlier insert has that name")
        }
        return .value(.text(Text(row.description)))
    }

    private func replaceAll(_ tree: MessageTree, part: Int) throws(ApplyLineError) -> MessageTree {
        guard case .array(let elements) = tree else { return tree }
        var replaced: [MessageTree] = []
        for element in elements { replaced.append(try replace(element, part: part)) }
        return .array(replaced)
    }

    private func replaceFirst(_ tree: MessageTree, part: Int?) throws(ApplyLineError) -> MessageTree
    {
        guard case .array(var elements) = tree, let first = elements.first else { return tree }
        elements[0] = try replace(first, part: part)
        return .array(elements)
    }

    /// Replaces a name in `row`.
    private func replaceRow(_ tree: MessageTree, part: Int) throws(ApplyLineError) -> MessageTree {
        guard case .object(var members) = tree else { return tree }
        for index in members.indices where members[index].key == "row" {
            members[index].value = try replace(members[index].value, part: part)
        }
        return .object(members)
    }

    private func replaceInTriples(_ tree: MessageTree, part: Int) throws(ApplyLineError)
        -> MessageTree
    {
        guard case .array(let triples) = tree else { return tree }
        var replaced: [MessageTree] = []
        for triple in triples { replaced.append(try replaceFirst(triple, part: part)) }
        return .array(replaced)
    }

    /// Replaces names in `rows` and in `at.after`.
    private func replaceInPlace(_ tree: MessageTree, part: Int) throws(ApplyLineError)
        -> MessageTree
    {
        guard case .object(var members) = tree else { return tree }
        for index in members.indices {
            switch members[index].key {
            case "rows":
                members[index].value = try replaceAll(members[index].value, part: part)
            case "at":
                guard case .object(var anchor) = members[index].value else { continue }
                for place in anchor.indices where anchor[place].key == "after" {
                    anchor[place].value = try replace(anchor[place].value, part: part)
                }
                members[index].value = .object(anchor)
            default: break
            }
        }
        return .object(members)
    }
}
