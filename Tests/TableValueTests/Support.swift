// What the tests of values share: the text of a value, and the value of a text.
import TableValue

/// The canonical text of a value.
func written(_ value: Value) -> String {
    var bytes: [UInt8] = []
    value.writeText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// The value that a text is read as; nil where it is refused.
func read(_ text: String, as type: ColumnType) -> Value? {
    try? Value(Text(text), as: type)
}
