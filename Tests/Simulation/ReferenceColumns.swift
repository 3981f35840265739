// The rules of columns written a second time: S1 to S8, S13 and S15. Rows and cells are in
// ReferenceResolver.swift; nothing of TableModel's resolve is used here either.
import TableModel
import TableValue

extension ReferenceResolver {
    /// S1, S2.
    mutating func performAddColumn(_ add: AddColumn) {
        if add.ifAbsent, let taken = live(named: add.name) {
            if taken.column.type == add.type { applied += 1 } else { refused += 1 }
            return
        }
        guard let name = freeName(add.name, add.onClash, except: nil) else {
            refused += 1
            return
        }
        guard let id = add.id ?? givenColumns.popFirst(), table.columnPlace(id) == nil,
            add.id == nil || id.session == session
        else {
            refused += 1
            return
        }
        guard let rules = rules(ColumnRules(), add.rules, add.type) else {
            refused += 1
            return
        }
        let column = Column(id: id, name: name, type: add.type, rules: rules)
        let before = table
        table.columns.insert(.init(column: column), at: columnPlace(add.anchor))
        table.noteSequence(column)
        do {
            guard table.hasRightExpressions(column, isNew: true) else { throw ReferenceRefusal() }
            try fillColumn(column)
            try admitRows(column, after: ColumnRules())
        } catch {
            table = before
            refused += 1
            return
        }
        applied += 1
        hasChanged = true
    }

    /// S15: refused where a live cell would break them.
    mutating func performChangeRules(_ reference: ColumnReference, _ patch: JSONTree) {
        guard let old = column(reference),
            let rules = rules(old.column.rules, patch, old.column.type)
        else {
            refused += 1
            return
        }
        replaceRules(reference, rules)
    }

    mutating func replaceRules(_ reference: ColumnReference, _ rules: ColumnRules) {
        guard let old = column(reference), let place = table.columnPlace(old.column.id)
        else {
            refused += 1
            return
        }
        var column = old.column
        column.rules = rules
        let asksMore = ReferenceRules(column).asksMore(than: ReferenceRules(old.column))
        guard table.hasRightExpressions(column), !asksMore || table.isKept(column) else {
            refused += 1
            return
        }
        guard old.column.rules != rules else {
            if old.isHidden { hidden += 1 } else { applied += 1 }
            return
        }
        let before = table
        table.columns[place].column.rules = rules
        table.noteSequence(column)
        do {
            try admitRows(column, after: old.column.rules)
        } catch {
            table = before
            refused += 1
            return
        }
        if old.isHidden { hidden += 1 } else { applied += 1 }
        hasChanged = true
    }

    private func rules(
        _ present: ColumnRules, _ patch: JSONTree, _ type: ColumnType
    ) -> ColumnRules? {
        guard let rules = try? present.changed(by: patch) else { return nil }
        let column = Column(
            id: ColumnID(session: .server, counter: 0), name: "", type: type, rules: rules)
        return ReferenceRules(column).areSensible ? rules : nil
    }

    /// S3, S4, S7.
    mutating func performRename(
        _ reference: ColumnReference, _ wanted: Text, _ onClash: NameClash
    ) {
        guard let old = column(reference), let place = table.columnPlace(old.column.id) else {
            refused += 1
            return
        }
        // A hidden column's name clashes with nothing.
        let free = old.isHidden ? wanted : freeName(wanted, onClash, except: old.column.id)
        guard let name = free else {
            refused += 1
            return
        }
        if old.isHidden { hidden += 1 } else { applied += 1 }
        guard old.column.name != name else { return }
        table.columns[place].column.name = name
        hasChanged = true
    }

    /// S7, S13, S14.
    mutating func performMoveColumn(_ reference: ColumnReference, _ anchor: ColumnAnchor) {
        guard let moved = column(reference) else {
            refused += 1
            return
        }
        if moved.isHidden { hidden += 1 } else { applied += 1 }
        let before = table.columns
        var place = columnPlace(anchor)
        if let old = table.columnPlace(moved.column.id) {
            if place > old { place -= 1 }
            table.columns.remove(at: old)
        }
        table.columns.insert(moved, at: place)
        hasChanged = hasChanged || table.columns != before
    }

    /// S6, S8.
    mutating func performDeleteColumn(_ reference: ColumnReference) {
        guard let old = column(reference), let place = table.columnPlace(old.column.id),
            !isRead(old.column.id)
        else {
            refused += 1
            return
        }
        applied += 1
        guard !old.isHidden else { return }
        table.columns[place].isHidden = true
        hasChanged = true
    }

    /// As for rows: at the end where the anchor is unknown.
    func columnPlace(_ anchor: ColumnAnchor) -> Int {
        switch anchor {
        case .first: return 0
        case .last: return table.columns.count
        case .after(let reference):
            let found = column(reference).flatMap { table.columnPlace($0.column.id) }
            return found.map { $0 + 1 } ?? table.columns.count
        }
    }

    private func live(named name: Text) -> ReferenceTable.NamedColumn? {
        table.columns.first { !$0.isHidden && folded($0) == fold(name) }
    }

    func freeName(_ name: Text, _ onClash: NameClash, except id: ColumnID?) -> Text? {
        func isFree(_ name: Text) -> Bool {
            live(named: name).map { $0.column.id == id } ?? true
        }
        if isFree(name) { return name }
        guard onClash == .suffix else { return nil }
        var suffix = 2
        while !isFree(Text("\(name) \(suffix)")) { suffix += 1 }
        return Text("\(name) \(suffix)")
    }

    func folded(_ column: ReferenceTable.NamedColumn) -> String {
        fold(column.column.name)
    }

    /// Simple case folding as far as the names of OpMaker.swift need it.
    func fold(_ name: Text) -> String { name.string.lowercased() }
}
