// Rules S19 to S22 and U16: how a table is shown, changed by operations of their own. Each field
// of each column is a register for itself, and so is each style: the last to write it wins.
// The storage is the schema's; nothing here touches cells, and no content hash changes.
import TableExpression
package import TableValue

/// What somebody wants to change of how a table is shown.
package enum DisplayChange: Hashable, Sendable {
    /// Fields of a column, null where one shall say nothing any more.
    case column(ColumnReference, JSONTree)
    /// Fields of the table.
    case table(JSONTree)
    /// A style, which takes the place of the one of that name; nil takes it away.
    case style(Text, JSONTree?)
}

/// What was changed of how a table is shown.
package enum DisplayOutcome: Hashable, Sendable {
    case column(ColumnID, [DisplayEntry])
    case table([DisplayEntry])
    case style(Text, RowStyle?)
}

/// One register of how a table is shown, with what it said before.
enum PastDisplay: Hashable, Sendable {
    case column(Int, DisplayField, was: DisplayValue?)
    case table(DisplayField, was: DisplayValue?)
    indirect case style(Text, was: RowStyle?)

    var register: Register {
        switch self {
        case .column(let index, let field, _): .columnDisplay(index, field)
        case .table(let field, _): .tableDisplay(field)
        case .style(let name, _): .rowStyle(name)
        }
    }
}

extension Table {
    /// What is said of how the table is shown as a whole.
    package var look: TableLook { schema.look }

    /// Takes what a snapshot says of how the table is shown as a whole.
    package mutating func load(look: TableLook) { schema.look = look }

    // MARK: Deciding

    mutating func performDisplay(
        _ change: DisplayChange, _ progress: inout Progress
    ) throws(Rejection) {
        switch change {
        case .column(let reference, let tree):
            guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
            let column = schema.entries[index].column
            let entries: [DisplayEntry]
            do {
                entries = try displayEntries(wanted: tree, for: column.type)
            } catch {
                throw Rejection(error, column: column.id)
            }
            try countColumn(index, &progress)
            setDisplay(index, entries, &progress)
        case .table(let tree):
            let entries: [DisplayEntry]
            do {
                entries = try displayEntries(wanted: tree, for: nil)
            } catch {
                throw Rejection(error)
            }
            progress.applied += 1
            setDisplay(nil, entries, &progress)
        case .style(let name, let tree):
            let style = try tree.map { (tree) throws(Rejection) in try makeStyle(name, tree) }
            progress.applied += 1
            setStyle(name, style, &progress)
        }
    }

    private func makeStyle(_ name: Text, _ tree: JSONTree) throws(Rejection) -> RowStyle {
        if let problem = nameProblem(name, of: .column, bytesMax: limits.nameBytesMax) {
            throw Rejection(.badName, problem)
        }
        let last = schema.look.styles.last?.rank ?? 0
        let rank = schema.look.style(name)?.rank ?? min(last + 1, RowStyle.ranks.upperBound)
        var style: RowStyle
        do {
            style = try RowStyle(name: name, wanted: tree, rank: rank)
        } catch {
            throw Rejection(error)
        }
        try checkRoom(for: name)
        style.condition = try spelledCondition(style.condition)
        return style
    }

    private func checkRoom(for name: Text) throws(Rejection) {
        let look = schema.look
        guard look.style(name) != nil || look.styles.count < limits.stylesMax else {
            throw Rejection(
                .tooManyStyles,
                "A table may have \(limits.stylesMax) row styles; take one away first.")
        }
    }

    /// A condition with the ids of its columns, which are there.
    private func spelledCondition(_ text: Text) throws(Rejection) -> Text {
        var bounds = ExpressionLimits()
        bounds.textBytesMax = limits.styleBytesMax
        let expression: Expression
        do {
            expression = try Expression(
                text, schema: expressionSchema(with: nil), for: .filter, limits: bounds)
        } catch {
            let place = error.place.lineAndColumn(in: text)
            throw Rejection(
                .badExpression,
                "when, line \(place.line), column \(place.column): \(error.message)")
        }
        for key in expression.columns {
            guard let index = schema.index(of: ColumnID(key)), !schema.entries[index].isHidden
            else { throw Rejection(.badExpression, "when reads a column that has been deleted.") }
        }
        let stored = expression.storedText
        guard stored.byteCount <= 2 * limits.styleBytesMax else {
            throw Rejection(.badExpression, "when is too long with the ids of its columns.")
        }
        return stored
    }

    // MARK: Changing

    /// Says something of a column, or of the table, as far as it is not said yet.
    private mutating func setDisplay(
        _ index: Int?, _ entries: [DisplayEntry], _ progress: inout Progress
    ) {
        let changed = store(index, entries, stamp: progress.stamp)
        guard !changed.isEmpty else { return }
        if let index {
            progress.changes.append(
                .displaySet(.column(schema.entries[index].column.id, changed)))
        } else {
            progress.changes.append(.displaySet(.table(changed)))
        }
    }

    private mutating func setStyle(
        _ name: Text, _ style: RowStyle?, _ progress: inout Progress
    ) {
        guard schema.look.style(name) != style else { return }
        store(name, style, stamp: progress.stamp)
        progress.changes.append(.displaySet(.style(name, style)))
    }

    /// Stores fields; gives those that said something else before.
    @discardableResult
    private mutating func store(
        _ index: Int?, _ entries: [DisplayEntry], stamp: Stamp
    ) -> [DisplayEntry] {
        var changed: [DisplayEntry] = []
        for entry in entries {
            let old: DisplayValue?
            let past: PastDisplay
            if let index {
                old = schema.entries[index].column.display[entry.field]
                past = .column(index, entry.field, was: old)
            } else {
                old = schema.look.settings[entry.field]
                past = .table(entry.field, was: old)
            }
            guard old != entry.value else { continue }
            note(past)
            if let index {
                schema.setDisplay(index, entry)
            } else {
                schema.look.settings[entry.field] = entry.value
            }
            schema.displayStamps[past.register] = stamp
            changed.append(entry)
        }
        return changed
    }

    private mutating func store(_ name: Text, _ style: RowStyle?, stamp: Stamp) {
        let past = PastDisplay.style(name, was: schema.look.style(name))
        note(past)
        if let style { schema.look.set(style) } else { schema.look.remove(name) }
        schema.displayStamps[past.register] = stamp
    }

    private mutating func note(_ past: PastDisplay) {
        guard journal.isActive else { return }
        noteSchema()
        journal.steps.append(.display(past, stamp: displayStamp(past.register)))
    }

    func displayStamp(_ register: Register) -> Stamp {
        schema.displayStamps[register] ?? Stamp(sequence: 0, session: 0)
    }

    // MARK: Records

    /// Applies what a record says; what it says of an unknown column is passed over.
    mutating func applyDisplay(_ change: DisplayOutcome, stamp: Stamp) {
        switch change {
        case .column(let id, let entries):
            if let index = schema.index(of: id) { store(index, entries, stamp: stamp) }
        case .table(let entries): store(nil, entries, stamp: stamp)
        case .style(let name, let style):
            if schema.look.style(name) != style { store(name, style, stamp: stamp) }
        }
    }

    // MARK: Taking back

    /// Lets one register say again what it said, where nobody has said something else since.
    mutating func takeBackDisplay(
        _ past: PastDisplay, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        let register = past.register
        guard
            try takesBack(
                register, writtenBy: displayStamp(register), &undoing, &progress)
        else { return }
        switch past {
        case .column(let index, let field, let was):
            try countColumn(index, &progress)
            setDisplay(index, [DisplayEntry(field, was)], &progress)
        case .table(let field, let was):
            progress.applied += 1
            setDisplay(nil, [DisplayEntry(field, was)], &progress)
        case .style(let name, let was):
            if was != nil { try checkRoom(for: name) }
            progress.applied += 1
            setStyle(name, was, &progress)
        }
    }
}

extension Rejection {
    fileprivate init(_ fault: DisplayFault, column: ColumnID? = nil) {
        self.init(
            .badDisplay, fault.reason, column: column, rule: fault.field.map { Text($0.rawValue) })
    }
}
