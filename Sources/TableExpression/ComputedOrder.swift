// In which order computed columns are evaluated, so that each finds what it uses; or the circle
// that forbids it. What the expressions are is not asked here, only which columns they use.

/// Computed columns that use one another in a circle.
package struct ComputedCycle: Error, Hashable, Sendable {
    /// The columns of the circle: each uses the next one, the last one the first.
    package let columns: [ColumnKey]

    /// Names the columns of a circle.
    package init(columns: [ColumnKey]) {
        self.columns = columns
    }
}

/// A computed column and the columns that its expression uses.
package struct ComputedColumn: Sendable {
    /// The column itself.
    package let key: ColumnKey
    /// What `Expression.columns` of it says.
    package let uses: [ColumnKey]

    /// Joins a column and what it uses.
    package init(key: ColumnKey, uses: [ColumnKey]) {
        self.key = key
        self.uses = uses
    }
}

/// The computed columns so that each stands behind all that it uses; where nothing decides, in the
/// order in which they were given.
///
/// Complexity: linear in the columns and in what they use.
///
/// - Throws: `ComputedCycle` with one of the circles.
package func evaluationOrder(
    of columns: [ComputedColumn]
) throws(ComputedCycle) -> [ColumnKey] {
    var indexOfKey: [ColumnKey: Int] = [:]
    for (index, column) in columns.enumerated().reversed() { indexOfKey[column.key] = index }
    var order: [ColumnKey] = []
    var isPlaced = Array(repeating: false, count: columns.count)
    var isOpen = isPlaced
    for start in columns.indices where !isPlaced[start] {
        // The way from a column through what it uses, each with how much of that is looked at.
        var path: [(index: Int, next: Int)] = [(start, 0)]
        isOpen[start] = true
        while let last = path.last {
            let uses = columns[last.index].uses
            guard last.next < uses.count else {
                isOpen[last.index] = false
                isPlaced[last.index] = true
                order.append(columns[last.index].key)
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            guard let used = indexOfKey[uses[last.next]], !isPlaced[used] else { continue }
            if isOpen[used] {
                let circle = path.drop { $0.index != used }.map { columns[$0.index].key }
                throw ComputedCycle(columns: circle)
            }
            isOpen[used] = true
            path.append((used, 0))
        }
    }
    return order
}
