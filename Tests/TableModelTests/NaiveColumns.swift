// The columns of the naive table.
import TableValue

@testable import TableModel

extension NaiveTable {
    private func free(_ name: Text, _ onClash: NameClash, not own: Int?) throws(Refused) -> Text {
        if isFree(name, own) { return name }
        if onClash == .reject { throw Refused() }
        var number = 2
        while !isFree(Text("\(name.string) \(number)"), own) { number += 1 }
        return Text("\(name.string) \(number)")
    }

    private func isFree(_ name: Text, _ own: Int?) -> Bool {
        let holder = holder(of: name)
        return holder == nil || holder == own
    }

    /// The column, live or hidden, after which to put one.
    private mutating func predecessor(_ anchor: ColumnAnchor, moving: Int?) -> Int? {
        var place: Int
        switch anchor {
        case .first:
            return nil
        case .last:
            place = fields.count - 1
        case .after(let reference):
            if let found = field(reference) {
                place = found
                if found != moving, fields[found].isHidden { sum.notes.insert(.anchorHidden) }
            } else {
                place = fields.count - 1
                sum.notes.insert(.anchorGone)
            }
        }
        if place == moving { place -= 1 }
        return place < 0 ? nil : place
    }

    mutating func addColumn(_ addition: AddColumn) throws(Refused) {
        if addition.name.isEmpty { throw Refused() }
        if addition.ifAbsent, let present = holder(of: addition.name) {
            guard fields[present].column.type == addition.type else { throw Refused() }
            sum.applied += 1
            return
        }
        let name = try free(addition.name, addition.onClash, not: nil)
        let top = fields.filter { $0.column.id.session == .server }.map(\.column.id.counter).max()
        let id = addition.id ?? column((top ?? 0) + 1, 0)
        if addition.id != nil {
            guard author > 0, id.session.rawValue == author, id.counter > 0,
                field(.id(id)) == nil
            else { throw Refused() }
        }
        _ = try rules(ColumnRules(), addition.rules, addition.type)
        let after = predecessor(addition.anchor, moving: nil)
        if name != addition.name { sum.notes.insert(.renamed(name)) }
        let column = Column(
            id: id, name: name, type: addition.type,
            rules: try rules(ColumnRules(), addition.rules, addition.type))
        fields.insert(Field(column: column), at: after.map { $0 + 1 } ?? 0)
        sum.applied += 1
        changed()
    }

    private mutating func changed() {
        sum.changed = true
        schemaSequence = sequence + 1
    }

    mutating func rename(
        _ reference: ColumnReference, _ wanted: Text, _ onClash: NameClash
    ) throws(Refused) {
        guard !wanted.isEmpty, let own = field(reference) else { throw Refused() }
        let name = fields[own].isHidden ? wanted : try free(wanted, onClash, not: own)
        try count(hidden: fields[own].isHidden)
        if name != wanted { sum.notes.insert(.renamed(name)) }
        if fields[own].column.name != name { changed() }
        fields[own].column.name = name
    }

    mutating func moveColumn(
        _ reference: ColumnReference, _ anchor: ColumnAnchor
    ) throws(Refused) {
        guard let own = field(reference) else { throw Refused() }
        try count(hidden: fields[own].isHidden)
        let after = predecessor(anchor, moving: own)
        guard after != (own > 0 ? own - 1 : nil) else { return }
        let afterID = after.map { fields[$0].column.id }
        let field = fields.remove(at: own)
        let place = fields.firstIndex { $0.column.id == afterID }
        fields.insert(field, at: place.map { $0 + 1 } ?? 0)
        changed()
    }

    private func rules(
        _ present: ColumnRules, _ patch: JSONTree, _ type: ColumnType
    ) throws(Refused) -> ColumnRules {
        guard let rules = try? present.changed(by: patch), type == .choice || rules.isEmpty,
            Set(rules.choices).count == rules.choices.count, !rules.choices.contains("")
        else { throw Refused() }
        return rules
    }

    mutating func changeRules(
        _ reference: ColumnReference, _ patch: JSONTree
    ) throws(Refused) {
        guard let own = field(reference) else { throw Refused() }
        var column = fields[own].column
        column.rules = try rules(column.rules, patch, column.type)
        for row in rows where !row.isHidden {
            if fitting(row.cells[column.id]?.value ?? .null, column) == nil { throw Refused() }
        }
        try count(hidden: fields[own].isHidden)
        if fields[own].column.rules != column.rules { sum.changed = true }
        fields[own].column = column
    }

    mutating func deleteColumn(_ reference: ColumnReference) throws(Refused) {
        guard let own = field(reference) else { throw Refused() }
        sum.applied += 1
        if !fields[own].isHidden { changed() }
        fields[own].isHidden = true
    }
}
