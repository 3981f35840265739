// Changes of a cell that are made of what it holds by then, besides adding a number: the least and
// the largest value, text that is appended, items of a list. What they come to for one value is
// here, for client and server alike; performing them is in ResolveCombine.swift.
package import TableValue

/// How a value that is offered for a cell is joined with what the cell holds.
package enum CellCombination: Hashable, Sendable {
    /// The smaller of the two; an empty cell takes what is offered.
    case minimum
    /// The larger of the two; an empty cell takes what is offered.
    case maximum
    /// The text goes behind what is there.
    case appendText
    /// The item goes to the end of the list, `isOnce` only where it is not there yet.
    case addToList(isOnce: Bool)
    /// The item leaves the list, wherever it stands in it.
    case removeFromList
}

/// One cell with what shall be joined to it.
package struct CombineCell: Hashable, Sendable {
    /// How.
    package var combination: CellCombination
    /// The cell with the value that is offered.
    package var edit: CellEdit

    /// Names the way, the cell and the value.
    package init(_ combination: CellCombination, _ edit: CellEdit) {
        self.combination = combination
        self.edit = edit
    }
}

extension Column {
    /// What joining a value with what a cell of the column holds comes to, or why it cannot be.
    ///
    /// Rules of the column are not asked: whoever writes the result asks them.
    package func combined(
        _ current: Value, _ combination: CellCombination, _ offered: Value
    ) -> Result<Value, Rejection> {
        switch combination {
        case .minimum, .maximum:
            guard isOrdered, let offered = fitted(offered, to: type), !offered.isNull else {
                return .failure(
                    misfit(
                        "an int, double, decimal, date or datetime column takes minimum and "
                            + "maximum, of a value of its type"))
            }
            if current.isNull { return .success(offered) }
            let isBetter =
                combination == .minimum ? isBelow(offered, current) : isBelow(current, offered)
            return .success(isBetter ? offered : current)
        case .appendText:
            guard type == .text, case .text(let more) = offered else {
                return .failure(misfit("text is appended to text columns"))
            }
            guard case .text(let present) = current else { return .success(.text(more)) }
            return .success(.text(Text(present.string + more.string)))
        case .addToList(let isOnce):
            return changedList(current, offered) { items, item in
                if !isOnce || !items.contains(item) { items.append(item) }
            }
        case .removeFromList:
            if current.isNull, type == .list, offered.listItem != nil { return .success(.null) }
            return changedList(current, offered) { items, item in
                items.removeAll { $0 == item }
            }
        }
    }

    private var isOrdered: Bool {
        switch type {
        case .int, .double, .decimal, .date, .datetime: true
        case .text, .bool, .uuid, .choice, .list, .json: false
        }
    }

    private func changedList(
        _ current: Value, _ offered: Value, _ change: (inout [JSONTree], JSONTree) -> Void
    ) -> Result<Value, Rejection> {
        guard type == .list, let item = offered.listItem else {
            return .failure(misfit("a list column takes items: texts, numbers and bools"))
        }
        var items: [JSONTree] = []
        if case .list(let json) = current, case .list(let present) = json.tree { items = present }
        change(&items, item)
        return .success(.list(CanonicalJSON(.list(items))))
    }

    private func misfit(_ rule: String) -> Rejection {
        Rejection(.wrongType, "The column holds \(type.rawValue); \(rule).", column: id)
    }
}

extension Value {
    /// The value as an item of a list; nil where it can be none.
    fileprivate var listItem: JSONTree? {
        switch self {
        case .text(let text): .text(text)
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .double(let number) where number.isFinite: JSONTree(number)
        default: nil
        }
    }
}
