// How a table is shown, written a second time: a dictionary of what was said, each at its place.
// Of TableModel only the names of fields and the forms of values are used, none of its judgement.
import TableModel
import TableValue

/// What is said of how a table is shown as a whole.
struct ReferenceLook: Hashable, CustomStringConvertible {
    /// One thing of which something can be said.
    enum Place: Hashable {
        case column(ColumnID, Text)
        case table(Text)
        case style(Text)
    }

    /// What is said of it, as JSON spells it.
    typealias Said = JSONTree

    var fields: [Text: Said] = [:]
    var styles: [Text: Said] = [:]

    init() {}

    /// What a table says, to be compared.
    init(_ look: TableLook) {
        for entry in look.settings.entries {
            fields[Text(entry.field.rawValue)] = entry.value?.tree
        }
        for style in look.styles { styles[style.name] = style.tree }
    }

    /// The highest rank of a style.
    var lastRank: Int64 { styles.values.compactMap { rank(of: $0) }.max() ?? 0 }

    func rank(of style: Said) -> Int64? {
        guard case .object(let members) = style,
            case .int(let rank)? = members.first(where: { $0.key == "rank" })?.value
        else { return nil }
        return rank
    }

    var description: String {
        let said = fields.map { "\($0) \($1)" }.sorted() + styles.map { "\($0) \($1)" }.sorted()
        return said.joined(separator: ", ")
    }
}

extension ReferenceTable {
    /// The places that a change speaks of.
    func places(of change: DisplayOutcome) -> [ReferenceLook.Place] {
        switch change {
        case .column(let id, let entries):
            entries.map { .column(id, Text($0.field.rawValue)) }
        case .table(let entries): entries.map { .table(Text($0.field.rawValue)) }
        case .style(let name, _): [.style(name)]
        }
    }

    /// What is said at a place.
    func said(_ place: ReferenceLook.Place) -> ReferenceLook.Said? {
        switch place {
        case .column(let id, let name):
            guard let place = columnPlace(id), let field = DisplayField(rawValue: name.string)
            else { return nil }
            return columns[place].column.display[field]?.tree
        case .table(let name): return look.fields[name]
        case .style(let name): return look.styles[name]
        }
    }

    mutating func say(_ said: ReferenceLook.Said?, at place: ReferenceLook.Place) {
        switch place {
        case .column(let id, let name):
            guard let place = columnPlace(id), let field = DisplayField(rawValue: name.string)
            else { return }
            columns[place].column.display[field] = said.flatMap { field.value($0) }
        case .table(let name): look.fields[name] = said
        case .style(let name): look.styles[name] = said
        }
    }

    mutating func applyDisplay(_ change: DisplayOutcome) throws(ReferenceFault) {
        switch change {
        case .column(let id, let entries):
            guard columnPlace(id) != nil else {
                throw ReferenceFault(reason: "column \(id) is unknown")
            }
            for entry in entries {
                say(entry.value?.tree, at: .column(id, Text(entry.field.rawValue)))
            }
        case .table(let entries):
            for entry in entries { say(entry.value?.tree, at: .table(Text(entry.field.rawValue))) }
        case .style(let name, let style): say(style?.tree, at: .style(name))
        }
    }
}

extension ReferenceResolver {
    /// S19 to S22.
    mutating func performDisplay(_ change: DisplayChange) {
        switch change {
        case .column(let reference, .object(let members)):
            guard let column = column(reference),
                members.allSatisfy({ suits($0, column.column.type) })
            else {
                refused += 1
                return
            }
            if column.isHidden { hidden += 1 } else { applied += 1 }
            for member in members {
                say(member.value, at: .column(column.column.id, member.key))
            }
        case .table(.object(let members)):
            guard members.allSatisfy({ suits($0, nil) }) else {
                refused += 1
                return
            }
            applied += 1
            for member in members { say(member.value, at: .table(member.key)) }
        case .style(let name, .object(let members)?):
            guard let style = style(name, members) else {
                refused += 1
                return
            }
            applied += 1
            say(style, at: .style(name))
        case .style(let name, nil):
            applied += 1
            say(.null, at: .style(name))
        default: refused += 1
        }
    }

    /// U16.
    mutating func performDisplay(_ place: ReferenceLook.Place, _ old: ReferenceLook.Said?) {
        if case .column(let id, _) = place, column(.id(id))?.isHidden == true {
            hidden += 1
        } else {
            applied += 1
        }
        say(old ?? .null, at: place)
    }

    private mutating func say(_ said: ReferenceLook.Said, at place: ReferenceLook.Place) {
        let new = said == .null ? nil : said
        guard table.said(place) != new else { return }
        table.say(new, at: place)
        hasChanged = true
    }

    /// True for what OpMaker+Display.swift draws of what can be said.
    private func suits(_ member: JSONMember, _ type: ColumnType?) -> Bool {
        let isNumber = type.map { [.int, .double, .decimal].contains($0) } ?? false
        switch (member.key, member.value) {
        case ("frozen", .null), ("styles", .null), ("styles", .bool): return type == nil
        case ("frozen", .int(let number)): return type == nil && number >= 0
        case (_, .null) where type != nil && member.key != "frozen": return true
        case ("width", .int(let number)): return type != nil && number >= 1
        case ("width", .text), ("width_max", .int), ("hidden", .bool): return type != nil
        case ("align", .text(let word)): return type != nil && word != "red"
        case ("decimals", .int), ("thousands", .bool): return isNumber
        case ("date", .text): return type == .date || type == .datetime
        default: return false
        }
    }

    /// The style as it is kept; nil where it is refused.
    private func style(_ name: Text, _ members: [JSONMember]) -> ReferenceLook.Said? {
        func member(_ key: Text) -> JSONTree? { members.first { $0.key == key }?.value }
        guard let condition = ReferenceExpression(member("when"), in: table), !condition.isSum,
            condition.columns.allSatisfy({ id in
                column(.id(id)).map {
                    !$0.isHidden && [.int, .double, .decimal].contains($0.column.type)
                } ?? false
            }), member("color") != .text("purple"), members.count > (member("rank") == nil ? 1 : 2)
        else { return nil }
        guard member("rank") == nil else {
            return .object(members.sorted { $0.key < $1.key })
        }
        let rank = table.look.styles[name].flatMap { table.look.rank(of: $0) }
        let kept = members + [JSONMember(key: "rank", value: .int(rank ?? table.look.lastRank + 1))]
        return .object(kept.sorted { $0.key < $1.key })
    }
}
