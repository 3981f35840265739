// The choices of a column that is to be a choice column: those that were told, or else the values
// that the file has there. It refuses nothing that no table is made of; ImportScan and JSONScan
// show it each value.
import TableValue

/// Looks at the values of one choice column.
///
/// Memory does not grow with the rows: no more choices are kept than a column may have.
struct ChoiceScan: Sendable {
    private let isTold: Bool
    private let limits: FileLimits
    /// The choices, in the order in which they were told or first came.
    private(set) var choices: [Text]
    /// Why the values cannot be the choices of a new column; nil where they can.
    private(set) var fault: FileError?
    private var known: Set<Text>

    /// Begins with the choices that were told; nil to find them.
    init(_ told: [Text]?, limits: FileLimits) {
        isTold = told != nil
        choices = told ?? []
        known = Set(choices)
        self.limits = limits
    }

    /// Looks at the value of a row.
    ///
    /// - Throws: `FileError` where the value is none of the choices that were told.
    mutating func add(
        _ value: Value, of column: Text, line: Int, field: Int? = nil
    ) throws(FileError) {
        guard fault == nil, case .choice(let text) = value, !known.contains(text) else { return }
        guard !isTold else {
            throw FileError(.noChoice(column: column), line: line, field: field)
        }
        if text.isEmpty || text.byteCount > limits.nameBytesMax {
            fault = FileError(
                .badChoice(column: column, bytesMax: limits.nameBytesMax), line: line,
                field: field)
        } else if choices.count == limits.choicesMax {
            fault = FileError(
                .tooManyChoices(column: column, max: limits.choicesMax), line: line, field: field)
        } else {
            known.insert(text)
            choices.append(text)
        }
    }
}
