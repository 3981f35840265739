// An order of rows by expressions: `priority desc, due`. How two values compare for sorting is
// handed in, since people sort texts otherwise than operators compare them.
package import TableValue

/// One key of an order.
package struct SortKey: Sendable {
    /// What is compared.
    package let expression: Expression
    /// True where the largest come first; null comes last either way.
    package let isDescending: Bool
}

/// An order of rows by one key after another.
package struct SortKeys: Sendable {
    /// The keys, the one that counts most first.
    package let keys: [SortKey]

    /// Reads expressions with commas between them, each followed by `asc`, `desc` or neither.
    ///
    /// - Throws: `ExpressionError` with the place in `source`.
    package init(
        _ source: Text, schema: ExpressionSchema, allowsTime: Bool = false,
        limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionError) {
        var parser = Parser(tokens: try tokens(of: source, limits: limits), limits: limits)
        var keys: [SortKey] = []
        for (syntax, isDescending) in try parser.readSortKeys() {
            let expression = try Expression(
                syntax, source: source, schema: schema,
                for: ExpressionPurpose(type: nil, allowsTime: allowsTime))
            guard expression.type.isOrdered else {
                throw ExpressionError(
                    .wrongType, at: syntax.place,
                    "\(expression.type.withArticle) has no order to sort by")
            }
            keys.append(SortKey(expression: expression, isDescending: isDescending))
        }
        self.keys = keys
    }

    /// Negative, zero or positive as a row comes before, with or behind another.
    ///
    /// Both rows are given by their values of all keys; `compare` says how two values of one key
    /// compare, neither of them null.
    package func compare(
        _ left: [ExpressionValue], _ right: [ExpressionValue],
        by compare: (ExpressionValue, ExpressionValue) -> Int
    ) -> Int {
        for (index, key) in keys.enumerated() where index < min(left.count, right.count) {
            switch (left[index].isNull, right[index].isNull) {
            case (true, true): continue
            case (true, false): return 1
            case (false, true): return -1
            case (false, false):
                let found = compare(left[index], right[index])
                if found != 0 { return (found < 0) != key.isDescending ? -1 : 1 }
            }
        }
        return 0
    }
}

extension Parser {
    /// Reads expressions with `asc` or `desc` behind them and commas between.
    mutating func readSortKeys() throws(ExpressionError) -> [(Syntax, isDescending: Bool)] {
        var keys: [(Syntax, isDescending: Bool)] = []
        repeat {
            let syntax = try read(.any)
            var isDescending = false
            if case .word(let word) = token.kind {
                let direction = word.byteCount <= 4 ? simpleCaseFolded(word) : ""
                guard direction == "asc" || direction == "desc" else { break }
                isDescending = direction == "desc"
                advance()
            }
            keys.append((syntax, isDescending))
        } while take(.comma)
        guard token.kind == .end else { throw wanted("asc, desc, \",\" or the end") }
        return keys
    }
}
