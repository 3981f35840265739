// Which rows a table's styles are drawn on: conditions made ready, asked row by row for what is
// drawn. A condition that cannot be asked any more, because its column has gone or holds something
// else, rests and says so; one that takes too many steps, or has no value, is not true.
package import TableExpression
package import TableValue

/// How one row is drawn, of all styles whose conditions are true of it.
package struct RowLook: Hashable, Sendable {
    /// The colour of the text; nil for the usual one.
    package var color: StyleColor?
    /// The colour behind the text; nil for the usual one.
    package var background: StyleColor?
    /// Thicker letters.
    package var isBold = false
    /// Fainter letters.
    package var isDim = false
    /// The character beside the row; nil for none.
    package var mark: Text?

    /// A row like any other.
    package init() {}

    /// Takes what a style says and no earlier one has said.
    fileprivate mutating func take(_ style: RowStyle) {
        color = color ?? style.color
        background = background ?? style.background
        mark = mark ?? style.mark
        isBold = isBold || style.isBold
        isDim = isDim || style.isDim
    }
}

/// The styles of a table made ready for its columns.
package struct RowStyler: Sendable {
    private struct Ready: Sendable {
        let style: RowStyle
        let columns: [ColumnID]
        var evaluator: Evaluator
    }

    private var ready: [Ready] = []
    /// Why styles rest, by their names, in their order.
    package private(set) var resting: [(name: Text, reason: String)] = []
    /// True where a row may be drawn in another way.
    package var isNeeded: Bool { !ready.isEmpty }
    /// True where what is drawn may depend on the time.
    package private(set) var usesTime = false

    /// Steps that one condition may take for one row; many rows are drawn at once.
    package static var stepsMax: Int { 2_000 }

    /// No styles.
    package init() {}

    /// Makes styles ready for the columns that there are.
    package init(_ styles: [RowStyle], columns: [Column], time: EvaluationTime?) {
        let schema = ExpressionSchema(columns.map(\.asKnown))
        var limits = ExpressionLimits()
        limits.stepsMax = Self.stepsMax
        for style in styles {
            do {
                let expression = try Expression(
                    style.condition, schema: schema, for: .filter, limits: limits)
                usesTime = usesTime || expression.usesTime
                ready.append(
                    Ready(
                        style: style, columns: expression.columns.map { ColumnID($0) },
                        evaluator: Evaluator(expression, time: time, limits: limits)))
            } catch {
                resting.append((style.name, error.message))
            }
        }
    }

    /// How a row is drawn.
    ///
    /// Complexity: at most `stepsMax` for each style.
    package mutating func look(_ cell: (ColumnID) -> Value) -> RowLook {
        var look = RowLook()
        for place in ready.indices {
            let columns = ready[place].columns
            let isTrue = try? ready[place].evaluator.keeps {
                ExpressionValue(cell(columns[$0]))
            }
            if isTrue == true { look.take(ready[place].style) }
        }
        return look
    }
}

extension RowStyle {
    /// The condition as a person reads it, with the names that its columns have.
    ///
    /// Where it cannot be read for these columns, it stays as it is stored.
    package func printedCondition(for columns: [Column]) -> Text {
        let schema = ExpressionSchema(columns.map(\.asKnown))
        let expression = try? Expression(condition, schema: schema, for: .filter)
        return expression?.printed(in: schema) ?? condition
    }
}

extension Column {
    fileprivate var asKnown: SchemaColumn {
        SchemaColumn(
            key: ColumnKey(rawValue: id.rawValue), name: name, type: ExpressionType(type))
    }
}
