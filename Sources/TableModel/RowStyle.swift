// How rows are shown of which a condition is true, and what is said of a table as a whole.
// A style is known by its name and changed as a whole, so that two people who add styles both do.
// Whether a style can be is decided in ResolveDisplay.swift, which row has it in RowStyler.swift.
package import TableValue

/// The colours of row styles; which shade that is, the client says.
package enum StyleColor: String, Hashable, Sendable, CaseIterable {
    case red, green, yellow, blue, magenta, cyan, gray
}

/// How rows are shown of which a condition is true.
package struct RowStyle: Hashable, Sendable {
    /// What it is known by.
    package var name: Text
    /// Styles are asked in the order of their ranks, then of their names by bytes.
    package var rank: Int
    /// A bool expression of the row, columns by their ids.
    package var condition: Text
    /// The colour of the text; nil for the usual one.
    package var color: StyleColor?
    /// The colour behind the text; nil for the usual one.
    package var background: StyleColor?
    /// Thicker letters.
    package var isBold = false
    /// Fainter letters.
    package var isDim = false
    /// One printable ASCII character beside the row; nil for none.
    package var mark: Text?

    /// Makes a style that shows nothing yet.
    package init(name: Text, rank: Int = 0, condition: Text) {
        self.name = name
        self.rank = rank
        self.condition = condition
    }

    /// The ranks that there are.
    package static var ranks: ClosedRange<Int> { -1_000_000...1_000_000 }

    /// True where it changes how a row is shown.
    package var showsSomething: Bool {
        color != nil || background != nil || isBold || isDim || mark != nil
    }

    /// The JSON object that stands for it, without the name.
    package var tree: JSONTree {
        var members = [
            JSONMember(key: "when", value: .text(condition)),
            JSONMember(key: "rank", value: .int(Int64(rank))),
        ]
        if let color {
            members.append(JSONMember(key: "color", value: .text(Text(color.rawValue))))
        }
        if let background {
            members.append(JSONMember(key: "background", value: .text(Text(background.rawValue))))
        }
        if isBold { members.append(JSONMember(key: "bold", value: .bool(true))) }
        if isDim { members.append(JSONMember(key: "dim", value: .bool(true))) }
        if let mark { members.append(JSONMember(key: "mark", value: .text(mark))) }
        return .object(members.sorted { $0.key < $1.key })
    }

    /// Reads the object of a record, which names all.
    ///
    /// - Throws: `DisplayFault` where a member is not known or has no such value.
    package init(name: Text, reading tree: JSONTree) throws(DisplayFault) {
        try self.init(name: name, members: tree, rank: 0)
    }

    /// Reads what somebody wants.
    ///
    /// - Parameters:
    ///   - name: what it is known by.
    ///   - tree: the object, with `when` and at least one thing to show.
    ///   - rank: its rank where the object names none.
    /// - Throws: `DisplayFault` where a member is not known or has no such value.
    package init(name: Text, wanted tree: JSONTree, rank: Int) throws(DisplayFault) {
        try self.init(name: name, members: tree, rank: rank)
        guard showsSomething else {
            throw DisplayFault(
                "A row style shows something: color, background, bold, dim or mark.")
        }
    }

    private init(name: Text, members tree: JSONTree, rank: Int) throws(DisplayFault) {
        guard case .object(let members) = tree else {
            throw DisplayFault("A row style is an object.")
        }
        self.init(name: name, rank: rank, condition: "")
        for member in members where member.value != .null {
            guard take(member) else {
                throw DisplayFault(
                    "A row style has when (a text), rank, color and background (\(Self.colors)), "
                        + "bold, dim (true, false), mark (one printable ASCII character).")
            }
        }
        guard case .text? = members.value(of: "when") else {
            throw DisplayFault("A row style needs when: a condition on the row.")
        }
    }

    private static var colors: String {
        StyleColor.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Takes one member; false where there is none such.
    private mutating func take(_ member: JSONMember) -> Bool {
        switch (member.key, member.value) {
        case ("when", .text(let text)): condition = text
        case ("rank", .int(let number)):
            guard let number = Int(exactly: number), Self.ranks.contains(number) else {
                return false
            }
            rank = number
        case ("color", .text(let text)):
            guard let found = StyleColor(rawValue: text.string) else { return false }
            color = found
        case ("background", .text(let text)):
            guard let found = StyleColor(rawValue: text.string) else { return false }
            background = found
        case ("bold", .bool(let flag)): isBold = flag
        case ("dim", .bool(let flag)): isDim = flag
        case ("mark", .text(let text)):
            let bytes = Array(text.string.utf8)
            guard bytes.count == 1, (0x21...0x7E).contains(bytes[0]) else { return false }
            mark = text
        default: return false
        }
        return true
    }
}

/// What a table says of how it is shown as a whole.
package struct TableLook: Hashable, Sendable {
    /// The fields of the table.
    package internal(set) var settings = DisplaySettings()
    /// In the order in which they are asked.
    package private(set) var styles: [RowStyle] = []

    /// Nothing is said.
    package init() {}

    /// Reads the JSON object.
    ///
    /// - Throws: `DisplayFault` where a member is not known or has no such value.
    package init(reading tree: JSONTree) throws(DisplayFault) {
        guard case .object(let members) = tree else {
            throw DisplayFault("How a table is shown is an object.")
        }
        let fields = members.filter { $0.key != "row_styles" }
        settings = try DisplaySettings(reading: .object(fields), ofTable: true)
        guard let listed = members.value(of: "row_styles") else { return }
        guard case .list(let items) = listed else { throw DisplayFault("row_styles is a list.") }
        for item in items {
            guard case .object(let parts) = item, case .text(let name)? = parts.value(of: "name")
            else { throw DisplayFault("A row style has a name.") }
            set(try RowStyle(name: name, reading: .object(parts.filter { $0.key != "name" })))
        }
    }

    /// True where nothing is said.
    package var isEmpty: Bool { settings.isEmpty && styles.isEmpty }

    /// The JSON object that stands for it.
    package var tree: JSONTree {
        guard case .object(var members) = settings.tree else { return .object([]) }
        if !styles.isEmpty {
            let items = styles.map { style -> JSONTree in
                guard case .object(let parts) = style.tree else { return .null }
                let name = JSONMember(key: "name", value: .text(style.name))
                return .object((parts + [name]).sorted { $0.key < $1.key })
            }
            members.append(JSONMember(key: "row_styles", value: .list(items)))
        }
        return .object(members.sorted { $0.key < $1.key })
    }

    /// The style of a name.
    package func style(_ name: Text) -> RowStyle? { styles.first { $0.name == name } }

    /// Puts a style where its rank is, in place of one of the same name.
    mutating func set(_ style: RowStyle) {
        remove(style.name)
        let place = styles.firstIndex {
            $0.rank > style.rank || ($0.rank == style.rank && style.name < $0.name)
        }
        styles.insert(style, at: place ?? styles.count)
    }

    mutating func remove(_ name: Text) { styles.removeAll { $0.name == name } }
}

extension [JSONMember] {
    /// The value of the first member of a name.
    func value(of key: Text) -> JSONTree? { first { $0.key == key }?.value }
}
