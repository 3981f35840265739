import TableExpression
import TableValue
import Testing

private func compare(_ left: ExpressionValue, _ right: ExpressionValue) -> Int {
    guard case .int(let left) = left, case .int(let right) = right else { return 0 }
    return left < right ? -1 : left == right ? 0 : 1
}

@Test("an order has keys, each up or down, and null last either way")
func orders() throws {
    let order = try SortKeys("qty % 10 DESC, qty asc, length(name)", schema: sampleSchema)
    #expect(order.keys.map(\.isDescending) == [true, false, false])
    #expect(order.keys[0].expression.columns == [key(3)])
    let rows: [[ExpressionValue]] = [
        [.int(9), .int(19), .int(1)], [.int(5), .int(5), .int(1)], [.int(5), .int(15), .int(1)],
        [.int(5), .int(15), .null], [.null, .int(1), .int(1)],
    ]
    for (first, left) in rows.enumerated() {
        for (second, right) in rows.enumerated() {
            let found = order.compare(left, right, by: compare)
            #expect(found.signum() == (first - second).signum(), "\(first), \(second)")
        }
    }
}

@Test("an order that cannot be read is refused at its place")
func badOrders() {
    for (text, place) in [
        ("qty up", "up"), ("qty,", ""), ("", ""), ("qty asc desc", "desc"), ("data", "data"),
        ("now()", "now()"),
    ] {
        do throws(ExpressionError) {
            _ = try SortKeys(Text(text), schema: sampleSchema)
            Issue.record("\(text) is read")
        } catch {
            #expect(pointed(error, in: text) == place, "\(text)")
        }
    }
    #expect((try? SortKeys("now()", schema: sampleSchema, allowsTime: true)) != nil)
}
