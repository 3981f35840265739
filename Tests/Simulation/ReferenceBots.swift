// What bots do, written a second time: cells joined with what they hold, and upserts. As in
// ReferenceResolver.swift, nothing of TableModel's resolve is used.
import TableModel
import TableValue

extension ReferenceResolver {
    /// C15, C16: what is written is made of what is there.
    mutating func performCombine(_ combine: CombineCell) {
        let edit = combine.edit
        guard table.rowPlace(edit.row) != nil else {
            gone += 1
            return
        }
        guard let column = column(edit.column)?.column,
            let made = joined(table.value(edit.row, column.id), combine, column.type)
        else {
            refused += 1
            return
        }
        performSet([CellEdit(row: edit.row, column: edit.column, value: made)])
    }

    private func joined(_ old: Value, _ combine: CombineCell, _ type: ColumnType) -> Value? {
        switch (combine.combination, type) {
        case (.minimum, .int), (.minimum, .double), (.minimum, .decimal), (.minimum, .date),
            (.minimum, .datetime):
            guard let offered = typed(combine.edit.value, type) else { return nil }
            return old == .null || referenceIsLess(offered, old) ? offered : old
        case (.maximum, .int), (.maximum, .double), (.maximum, .decimal), (.maximum, .date),
            (.maximum, .datetime):
            guard let offered = typed(combine.edit.value, type) else { return nil }
            return old == .null || referenceIsLess(old, offered) ? offered : old
        case (.appendText, .text):
            guard case .text(let more) = combine.edit.value else { return nil }
            guard case .text(let present) = old else { return .text(more) }
            return .text(Text(present.string + more.string))
        case (.addToList(let isOnce), .list):
            guard let item = item(combine.edit.value) else { return nil }
            let present = items(old)
            let isThere = isOnce && present.contains(item)
            return .list(CanonicalJSON(.list(present + (isThere ? [] : [item]))))
        case (.removeFromList, .list):
            guard let item = item(combine.edit.value) else { return nil }
            if old == .null { return old }
            return .list(CanonicalJSON(.list(items(old).filter { $0 != item })))
        default: return nil
        }
    }

    private func typed(_ value: Value, _ type: ColumnType) -> Value? {
        guard let typed = try? value.converted(to: type), typed != .null else { return nil }
        return typed
    }

    private func items(_ value: Value) -> [JSONTree] {
        if case .list(let json) = value, case .list(let items) = json.tree { items } else { [] }
    }

    private func item(_ value: Value) -> JSONTree? {
        switch value {
        case .text(let text): .text(text)
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        default: nil
        }
    }

    /// C17: the first live row with the key, or a new one.
    mutating func performUpsert(_ upsert: UpsertRow) {
        let parts = 1 + upsert.cells.count + upsert.cellsOfNew.count
        let others = upsert.cells + upsert.cellsOfNew
        let named = ([upsert.key] + others).compactMap { column($0.column)?.column.id }
        guard let keyed = column(upsert.key.column), !keyed.isHidden,
            ReferenceRules(keyed.column).isUnique,
            let key = typed(upsert.key.value, keyed.column.type),
            ReferenceRules(keyed.column).keep(key),
            Set(named).count == named.count
        else {
            refused += parts
            return
        }
        let holder = table.liveRows.first {
            let value = table.value($0, keyed.column.id)
            return value != .null && referenceWorth(value) == referenceWorth(key)
        }
        if let holder {
            givenRows = givenRows.dropFirst()
            performSet(
                upsert.cells.map { CellEdit(row: holder, column: $0.column, value: $0.value) })
            return
        }
        // Of one that is refused nobody knows which id it would have had.
        if givenRows.isEmpty { givenRows = [RowID(session: .server, counter: .max)] }
        performInsert(
            InsertRows(
                rowCount: 1, columns: [upsert.key.column] + others.map(\.column),
                cells: [upsert.key.value] + others.map(\.value)))
    }
}
