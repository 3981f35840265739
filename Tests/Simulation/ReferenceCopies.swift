// Changes of type and copies, written a second time: S9 to S12, U11, FD8, FD10. What a value is as
// another type is asked of Value.recast, which has tests of its own.
import TableModel
import TableValue

extension ReferenceResolver {
    // MARK: Types

    /// S11, S12.
    mutating func performRetype(_ retyping: RetypeColumn) {
        guard let old = column(retyping.column) else {
            refused += 1
            return
        }
        guard old.column.type != retyping.type else {
            return performChangeRules(retyping.column, retyping.rules)
        }
        var new = old.column
        new.type = retyping.type
        guard let rules = try? carried(old.column, to: new.type).changed(by: retyping.rules) else {
            refused += 1
            return
        }
        new.rules = rules
        if new.type == .choice, ReferenceRules(new).choices.isEmpty {
            var choices: [JSONTree] = []
            for row in table.liveRows {
                guard case .choice(let text)? = table.value(row, new.id).recast(to: .choice),
                    !choices.contains(.text(text)), (1...128).contains(text.string.utf8.count),
                    !text.string.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
                else { continue }
                choices.append(.text(text))
            }
            let patch = JSONTree.object([JSONMember(key: "choices", value: .list(choices))])
            new.rules = (try? new.rules.changed(by: patch)) ?? new.rules
        }
        let asked = ReferenceRules(new)
        let check = ReferenceRules(old.column)["check"]
        let values = recast(new)
        let isLost = table.liveRows.contains { values[$0] == .some(nil) }
        guard asked.areSensible, asked["computed"] == nil,
            asked["check"] == nil || asked["check"] != check, !isReadByAny(new.id),
            retyping.unconvertible == .empty || !isLost
        else {
            refused += 1
            return
        }
        replaceType(of: old, by: new, values.mapValues { $0 ?? .null })
    }

    /// What the cells of a column are as another type; nil inside where it can hold none such.
    private func recast(_ column: Column) -> [RowID: Value?] {
        var values: [RowID: Value?] = [:]
        for (place, cell) in table.cells where place.column == column.id {
            values[place.row] = .some(recast(cell.value, column))
        }
        return values
    }

    private func recast(_ value: Value, _ column: Column) -> Value? {
        guard let recast = value.recast(to: column.type) else { return nil }
        if case .choice(let text) = recast,
            !ReferenceRules(column).choices.contains(.text(text))
        {
            return nil
        }
        return recast
    }

    private mutating func replaceType(
        of old: ReferenceTable.NamedColumn, by new: Column, _ values: [RowID: Value]
    ) {
        guard let place = table.columnPlace(new.id) else { return }
        let before = table
        table.columns[place].column = new
        for (row, value) in values { put(row, new.id, value) }
        table.noteSequence(new)
        do {
            guard old.isHidden || table.isKept(new), table.hasRightExpressions(new, isNew: true)
            else { throw ReferenceRefusal() }
            try admitRows(new, after: ColumnRules())
        } catch {
            table = before
            refused += 1
            return
        }
        if old.isHidden { hidden += 1 } else { applied += 1 }
        hasChanged = true
    }

    private func isReadByAny(_ id: ColumnID) -> Bool {
        (table.expressions("check", hidden: true) + table.expressions("computed", hidden: true))
            .contains { $0.owner != id && $0.expression.columns.contains(id) }
    }

    /// S9: a value that its author meant for a type which the column had when they last looked.
    func stale(_ value: Value, for column: Column) -> Value? {
        let news = table.past.operations.values.filter { operation in
            operation.record.sequence > base && operation.record.session != session
                && operation.record.changes.contains {
                    if case .columnRetyped(column.id, _, _) = $0 { true } else { false }
                }
        }.min { $0.record.sequence < $1.record.sequence }
        guard base > 0, let news,
            let type = news.before.columns.first(where: { $0.column.id == column.id })?.column.type,
            let meant = try? value.converted(to: type)
        else { return nil }
        return recast(meant, column)
    }

    /// True where a rule of a deleted column reads it.
    func isReadByHidden(_ id: ColumnID) -> Bool {
        (table.expressions("check", hidden: true) + table.expressions("computed", hidden: true))
            .contains { expression in
                expression.owner != id && expression.expression.columns.contains(id)
                    && table.columns.contains {
                        $0.column.id == expression.owner && $0.isHidden
                    }
            }
    }

    /// The rules with the values that they name as another type has them.
    private func carried(_ column: Column, to type: ColumnType) -> ColumnRules {
        let rules = ReferenceRules(column)
        var patch: [JSONMember] = []
        for key in ["min", "max", "default"] as [Text] {
            guard let tree = rules[key], let value = rules.value(tree)?.recast(to: type) else {
                continue
            }
            patch.append(JSONMember(key: key, value: tree == .null ? .null : spelled(value)))
        }
        if type != .choice, rules["choices"] != nil {
            patch.append(JSONMember(key: "choices", value: .null))
        }
        return (try? column.rules.changed(by: .object(patch))) ?? column.rules
    }

    /// A value as JSON has it in rules.
    private func spelled(_ value: Value) -> JSONTree {
        switch value {
        case .bool(let flag): return .bool(flag)
        case .int(let number) where number.magnitude <= 1 << 53: return .int(number)
        case .double(let number) where number.isFinite: return JSONTree(number)
        case .list(let json), .json(let json): return json.tree
        default:
            var bytes: [UInt8] = []
            value.writeText(to: &bytes)
            return .text(Text(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// U11.
    mutating func takeBackType(
        _ id: ColumnID, _ operation: ReferencePast.Operation, _ isForced: Bool
    ) {
        guard owns(.type(id), operation, isForced) else { return keep() }
        guard let old = operation.before.columns.first(where: { $0.column.id == id })?.column,
            let present = column(.id(id))
        else { return }
        var column = present.column
        column.type = old.type
        if owns(.rules(id), operation, isForced) {
            column.rules = old.rules
        } else {
            column.rules = carried(present.column, to: old.type)
            guard ReferenceRules(present.column)["check"] == nil else {
                refused += 1
                return
            }
        }
        guard ReferenceRules(column).areSensible, !isReadByAny(id) else {
            refused += 1
            return
        }
        var values: [RowID: Value] = [:]
        let midway = operation.table(beforeTypeOf: id)
        for row in table.rows.map(\.id) {
            let place = ReferenceTable.Place(row: row, column: id)
            guard table.cells[place] != nil || midway.cells[place] != nil else { continue }
            // A row that the operation made itself keeps what it had been given before.
            let isOwn = table.created[row] == operation.record.sequence
            let isNewer =
                (table.created[row] ?? 0) > operation.record.sequence
                || (isOwn && midway.cells[place] == nil)
            if !isNewer, owns(.cell(place), operation, isForced) {
                values[row] = (isOwn ? midway : operation.before).value(row, id)
            } else {
                values[row] = recast(table.value(row, id), column) ?? .null
            }
        }
        replaceType(of: present, by: column, values)
    }

    // MARK: Copies

    /// FD10.
    mutating func performDuplicateRows(_ duplication: DuplicateRows) {
        var sources: [RowID] = []
        var ids: [RowID] = []
        for (index, row) in duplication.rows.enumerated() {
            guard let place = table.rowPlace(row) else {
                gone += 1
                continue
            }
            guard !table.rows[place].isHidden else {
                hidden += 1
                continue
            }
            sources.append(row)
            if !duplication.ids.isEmpty { ids.append(duplication.ids[index]) }
        }
        guard !sources.isEmpty else { return }
        let columns = table.liveColumns.filter {
            let rules = ReferenceRules($0)
            return rules["computed"] == nil && rules["default_by"] == nil
        }
        let last = duplication.rows.last.map { RowAnchor.after($0) } ?? .last
        performInsert(
            InsertRows(
                ids: ids, rowCount: sources.count, anchor: duplication.anchor ?? last,
                columns: columns.map { .id($0.id) },
                cells: sources.flatMap { row in columns.map { table.value(row, $0.id) } }))
    }

    /// FD8: a copy of a column, next to it.
    mutating func performDuplicateColumn(_ duplication: DuplicateColumn) {
        guard let old = column(duplication.column), !old.isHidden,
            let name = freeName(
                duplication.name ?? old.column.name,
                duplication.name == nil ? .suffix : duplication.onClash, except: nil),
            let id = duplication.id ?? givenColumns.popFirst(), table.columnPlace(id) == nil,
            duplication.id == nil || id.session == session
        else {
            refused += 1
            return
        }
        let patch = JSONTree.object([JSONMember(key: "check", value: .null)])
        var copy = old.column
        copy = Column(
            id: id, name: name, type: copy.type, rules: copy.rules, display: copy.display)
        copy.rules = (try? copy.rules.changed(by: patch)) ?? copy.rules
        let before = table
        let anchor = duplication.anchor ?? .after(.id(old.column.id))
        table.columns.insert(.init(column: copy), at: columnPlace(anchor))
        table.noteSequence(copy)
        if ReferenceRules(copy)["computed"] == nil {
            for row in table.rows.map(\.id) {
                let value = table.value(row, old.column.id)
                if value != .null { put(row, id, value) }
            }
        }
        do {
            guard table.hasRightExpressions(copy, isNew: true) else { throw ReferenceRefusal() }
            try admitRows(copy, after: ColumnRules())
        } catch {
            table = before
            refused += 1
            return
        }
        applied += 1
        hasChanged = true
    }

    /// FD5, FD8: the values of rows in order, and new rows for the rest.
    mutating func performSetColumn(_ setting: SetColumn, _ base: SequenceNumber) {
        guard let target = column(setting.column), !target.isHidden else {
            refused += max(1, setting.values.count)
            return
        }
        let rows =
            setting.rows
            ?? Array(
                table.liveRows.filter { row in
                    let created = table.created[row] ?? 0
                    return base == 0 || created <= base || table.past.session(created) == session
                }.prefix(setting.values.count))
        let extra = setting.values.count - rows.count
        guard extra >= 0, setting.newRows.isEmpty || setting.newRows.count >= extra else {
            refused += max(1, setting.values.count)
            return
        }
        performSet(
            zip(rows, setting.values).map {
                CellEdit(row: $0, column: .id(target.column.id), value: $1)
            })
        guard extra > 0 else { return }
        performInsert(
            InsertRows(
                ids: Array(setting.newRows.prefix(extra)), rowCount: extra,
                columns: [.id(target.column.id)], cells: Array(setting.values.suffix(extra))))
    }
}

extension ReferencePast.Operation {
    /// The table when the operation came to change the type of a column.
    func table(beforeTypeOf id: ColumnID) -> ReferenceTable {
        var table = before
        for change in record.changes {
            if case .columnRetyped(id, _, _) = change { break }
            try? table.apply(change, record.sequence)
        }
        return table
    }
}
