// Columns: added, renamed, moved, deleted, for everybody; names and answers come from prompts.
// Nothing is shown before it is submitted; App+Deeds.swift keeps account of what was.
import TableModel
import TableValue

extension App {
    /// Does what a command about columns says.
    mutating func changeColumns(_ command: AppCommand, _ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        let position = grid.columnPosition
        let column = sheet.column(at: position)
        switch command {
        case .retypeColumn: askForType(sheet)
        case .duplicateColumn: duplicateColumn(&turn)
        case .addColumnAfter:
            layer = .prompt(Prompt(kind: .addColumn(after: column?.id, type: .text)))
        case .addColumnBefore:
            let before = sheet.column(at: position - 1)
            layer = .prompt(Prompt(kind: .addColumn(after: before?.id, type: .text)))
        default:
            guard let column else { return refuse("there is no column here") }
            change(column, at: position, command, sheet, &turn)
        }
    }

    private mutating func change(
        _ column: Column, at position: Int, _ command: AppCommand, _ sheet: Sheet,
        _ turn: inout Turn
    ) {
        switch command {
        case .renameColumn:
            var prompt = Prompt(kind: .renameColumn(column))
            prompt.field = TextField(column.name.string, isSelected: true)
            layer = .prompt(prompt)
        case .deleteColumn: layer = .question(Question(kind: .deleteColumn(column)))
        case .moveColumnLeft:
            guard position > 0 else { return refuse("the first column cannot move left") }
            moveColumn(column, after: sheet.column(at: position - 2), &turn)
        case .moveColumnRight:
            guard let next = sheet.column(at: position + 1) else {
                return refuse("the last column cannot move right")
            }
            moveColumn(column, after: next, &turn)
        default: break
        }
    }

    /// Moves a column to stand behind another, or first.
    mutating func moveColumn(_ column: Column, after neighbour: Column?, _ turn: inout Turn) {
        turn.perform(
            .moveColumn(.id(column.id), to: neighbour.map { .after(.id($0.id)) } ?? .first),
            for: .moveColumn(column.name.string))
    }

    /// Deletes a column.
    mutating func delete(_ column: Column, _ turn: inout Turn) {
        guard turn.sheet?.column(column.id) != nil else {
            return refuse("column \(column.name) is gone already")
        }
        turn.perform(.deleteColumn(.id(column.id)), for: .deleteColumn(column.name.string))
    }

    /// Adds a column of a name that was typed; says why not.
    mutating func addColumn(
        _ name: Text, _ type: ColumnType, _ rules: ColumnRules, after neighbour: ColumnID?,
        _ turn: inout Turn
    ) -> String? {
        if let problem = nameProblem(name, turn.sheet, except: nil) { return problem }
        if let problem = rules.problem(for: type, limits: TableLimits()) { return problem }
        let anchor: ColumnAnchor = neighbour.map { .after(.id($0)) } ?? .first
        turn.perform(
            .addColumn(AddColumn(name: name, type: type, rules: rules.tree, anchor: anchor)),
            for: .addColumn(name.string))
        return nil
    }

    /// Renames a column as was typed; says why not.
    mutating func rename(_ column: Column, to name: Text, _ turn: inout Turn) -> String? {
        guard let now = turn.sheet?.column(column.id) else {
            return "the column was deleted meanwhile; Esc closes"
        }
        guard name != now.name else { return nil }
        if let problem = nameProblem(name, turn.sheet, except: column.id) { return problem }
        turn.perform(
            .renameColumn(.id(column.id), name: name, onClash: .reject),
            for: .renameColumn(name.string))
        return nil
    }

    private func nameProblem(_ name: Text, _ sheet: Sheet?, except own: ColumnID?) -> String? {
        if let problem = TableValue.nameProblem(
            name, of: .column, bytesMax: TableLimits().nameBytesMax)
        {
            return problem
        }
        let folded = simpleCaseFolded(name)
        let isTaken = sheet?.allColumns.contains {
            $0.id != own && simpleCaseFolded($0.name) == folded
        }
        return isTaken == true ? "another column has this name" : nil
    }
}
