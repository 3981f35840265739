// Below, equal or above as a number: what operators of expressions and sorting both ask. Numbers
// compare by their exact worth, nothing is rounded on the way; texts by their bytes.

/// Negative, zero or positive as the left is below, equal to or above the right.
package func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
    left < right ? -1 : left == right ? 0 : 1
}

/// Doubles with a total order but for the sign of zero: NaN equals itself and is above all others.
package func order(of left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN { return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    return order(left, right)
}

/// An int and a double by their exact worth.
package func order(of left: Int64, _ right: Double) -> Int {
    if right.isNaN || right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right.rounded(.towardZero))
    if left != whole { return left < whole ? -1 : 1 }
    let rest = right - right.rounded(.towardZero)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
}

/// Texts by their bytes.
package func order(of left: Text, _ right: Text) -> Int {
    left == right ? 0 : left < right ? -1 : 1
}
