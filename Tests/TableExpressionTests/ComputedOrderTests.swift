import TableExpression
import TestSupport
import Testing

private func order(_ columns: [(Int, [Int])]) -> Result<[ColumnKey], ComputedCycle> {
    Result { () throws(ComputedCycle) in
        try evaluationOrder(of: columns.map { ComputedColumn(key: key($0.0), uses: $0.1.map(key)) })
    }
}

@Test("computed columns stand behind all that they use, else as they were given")
func computedOrder() throws {
    #expect(try order([(1, [2]), (2, [3]), (3, [9]), (4, [])]).get() == [3, 2, 1, 4].map(key))
    #expect(try order([]).get() == [])
    #expect(try order([(1, [2, 2, 3]), (3, [2]), (2, [])]).get() == [2, 3, 1].map(key))
    // A long chain needs no deep recursion.
    let chain = (0..<100_000).map { ($0, [$0 + 1]) }
    #expect(try order(chain).get().first == key(99_999))
}

@Test("a circle is refused and named")
func circles() {
    #expect(order([(1, [1])]) == .failure(ComputedCycle(columns: [key(1)])))
    #expect(
        order([(9, [1]), (1, [2]), (2, [3]), (3, [1])])
            == .failure(ComputedCycle(columns: [1, 2, 3].map(key))))
}

@Test("a random order is right wherever there is one")
func randomOrders() throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<300 {
        let count = 1 + random.below(8)
        let columns = (0..<count).map { index in
            (index, (0..<random.below(3)).map { _ in random.below(count + 2) })
        }
        switch order(columns) {
        case .success(let keys):
            #expect(Set(keys).count == count)
            for (index, uses) in columns {
                for used in uses where used < count {
                    #expect(
                        (keys.firstIndex(of: key(used)) ?? 0)
                            < (keys.firstIndex(of: key(index)) ?? 0))
                }
            }
        case .failure(let cycle):
            for (place, column) in cycle.columns.enumerated() {
                let next = cycle.columns[(place + 1) % cycle.columns.count]
                #expect(columns.contains { key($0.0) == column && $0.1.map(key).contains(next) })
            }
        }
    }
}
