// The front door: a text, a table's columns and a purpose go in, a checked expression comes out,
// which survives the renaming of columns. Evaluator.swift gives its value for a row.
package import TableValue

/// What an expression is for: the type it must have, and whether it may ask for the time.
package struct ExpressionPurpose: Hashable, Sendable {
    /// The type that the result must have; nil where any will do.
    package let type: ExpressionType?
    /// False where the result must not change by itself.
    package let allowsTime: Bool

    /// Names the type and whether the time may be asked for.
    package init(type: ExpressionType?, allowsTime: Bool) {
        self.type = type
        self.allowsTime = allowsTime
    }

    /// Chooses rows: a bool.
    package static let filter = ExpressionPurpose(type: .bool, allowsTime: true)
    /// A rule that every row must keep: a bool that does not depend on the time.
    package static let rule = ExpressionPurpose(type: .bool, allowsTime: false)
    /// Any value, for showing.
    package static let value = ExpressionPurpose(type: nil, allowsTime: true)

    /// New cells for a column of a type.
    package static func transform(into type: ExpressionType) -> ExpressionPurpose {
        ExpressionPurpose(type: type, allowsTime: true)
    }

    /// A column of a type that follows from other columns.
    package static func computedColumn(of type: ExpressionType) -> ExpressionPurpose {
        ExpressionPurpose(type: type, allowsTime: false)
    }
}

/// An expression that was read and checked against a table's columns.
///
/// It names columns by their numbers, so that renaming one changes nothing; where a column's type
/// changes or a column goes, make it anew of `storedText`.
package struct Expression: Sendable {
    /// The text it was made from, which the places of errors refer to.
    package let source: Text
    /// The tree, with all columns by number.
    package let syntax: Syntax
    /// The type of the result; any value may be null besides.
    package let type: ExpressionType
    /// The columns whose cells it may ask for, each once, in the order of their first use.
    package let columns: [ColumnKey]
    /// True where it asks for the day or the time.
    package let usesTime: Bool
    let program: Program

    /// Reads and checks a text.
    ///
    /// Complexity: linear in the bytes.
    ///
    /// - Parameters:
    ///   - source: what somebody wrote, or `storedText` of another.
    ///   - schema: the columns it may use.
    ///   - purpose: what it is for.
    ///   - limits: how long and deep it may be.
    /// - Throws: `ExpressionError` with the place in `source`.
    package init(
        _ source: Text, schema: ExpressionSchema, for purpose: ExpressionPurpose,
        limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionError) {
        try self.init(
            try Syntax(parsing: source, limits: limits), source: source, schema: schema,
            for: purpose)
    }

    /// Checks a tree whose places refer to `source`.
    ///
    /// - Throws: `ExpressionError` with the place in `source`.
    package init(
        _ syntax: Syntax, source: Text, schema: ExpressionSchema, for purpose: ExpressionPurpose
    ) throws(ExpressionError) {
        var checker = Checker(schema: schema, allowsTime: purpose.allowsTime)
        var tree = try checker.check(syntax)
        if let type = purpose.type {
            tree = try checker.needed(tree, type, "this place")
        }
        self.source = source
        self.syntax = syntax.namingColumnsByKey(in: schema)
        type = purpose.type ?? tree.type
        columns = checker.columns
        usesTime = checker.usesTime
        program = Program(tree)
    }

    /// The canonical text with the columns' current names.
    package func printed(in schema: ExpressionSchema) -> Text { syntax.printed(in: schema) }

    /// The canonical text with columns by their ids in quotes (`"c12.3" > 5`), for storing.
    package var storedText: Text { syntax.printed() }
}

extension Syntax {
    /// The same tree with columns by number, as far as the schema knows their names.
    func namingColumnsByKey(in schema: ExpressionSchema) -> Syntax {
        let name: (Syntax) -> Syntax = { $0.namingColumnsByKey(in: schema) }
        let renamed: SyntaxForm
        switch form {
        case .null, .bool, .int, .decimal, .double, .text, .typed: return self
        case .column(.name(let word)):
            guard let column = schema.column(named: word) else { return self }
            renamed = .column(.key(column.key))
        case .column(.key): return self
        case .negate(let part): renamed = .negate(name(part))
        case .not(let part): renamed = .not(name(part))
        case .arithmetic(let found, let left, let right):
            renamed = .arithmetic(found, name(left), name(right))
        case .compare(let comparison, let left, let right):
            renamed = .compare(comparison, name(left), name(right))
        case .join(let parts): renamed = .join(parts.map(name))
        case .all(let parts): renamed = .all(parts.map(name))
        case .any(let parts): renamed = .any(parts.map(name))
        case .isNull(let part, let isNegated): renamed = .isNull(name(part), isNegated: isNegated)
        case .isBool(let part, let flag, let isNegated):
            renamed = .isBool(name(part), flag, isNegated: isNegated)
        case .isDistinct(let left, let right, let isNegated):
            renamed = .isDistinct(name(left), name(right), isNegated: isNegated)
        case .oneOf(let part, let parts, let isNegated):
            renamed = .oneOf(name(part), parts.map(name), isNegated: isNegated)
        case .between(let part, let low, let high, let isNegated):
            renamed = .between(name(part), name(low), name(high), isNegated: isNegated)
        case .like(let part, let pattern, let escape, let isNegated):
            renamed = .like(
                name(part), name(pattern), escape: escape.map(name), isNegated: isNegated)
        case .choose(let subject, let branches, let otherwise):
            let named = branches.map {
                CaseBranch(condition: name($0.condition), result: name($0.result))
            }
            renamed = .choose(subject: subject.map(name), named, otherwise: otherwise.map(name))
        case .cast(let part, let type, let isTrying):
            renamed = .cast(name(part), type, isTrying: isTrying)
        case .call(let function, let parts): renamed = .call(function, parts.map(name))
        }
        return Syntax(renamed, at: place)
    }
}
