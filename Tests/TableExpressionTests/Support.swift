// A small table, one row of it, and expressions evaluated for that row and shown as text.
import TableExpression
import TableValue

/// The sample row: name, type and value as text, as docs/expressions.md shows it too.
let sampleColumns: [(name: String, type: ExpressionType, value: String)] = [
    ("name", .text, "Ada"), ("note", .text, "50% off"), ("qty", .int, "42"),
    ("price", .decimal, "19.90"), ("ratio", .double, "0.5"), ("done", .bool, "false"),
    ("due", .date, "2026-11-30"), ("seen", .datetime, "2026-11-30T23:30:00+02:00"),
    ("id", .uuid, "00000000-0000-0001-0000-000000000002"), ("missing", .int, ""),
    ("unsaid", .text, ""), ("unknown", .bool, ""), ("Order No", .int, "7"),
    ("tags", .list(.json), #"["red",2,true]"#), ("data", .json, #"{"a":[1,2.5],"b":"x"}"#),
]

func key(_ counter: Int) -> ColumnKey {
    ColumnKey(rawValue: 3 << 32 | Int64(counter))
}

let sampleSchema = ExpressionSchema(
    sampleColumns.enumerated().map { index, column in
        SchemaColumn(key: key(index + 1), name: Text(column.name), type: column.type)
    })

/// The value of a column in the sample row.
func sampleValue(_ index: Int) -> ExpressionValue {
    let column = sampleColumns[index]
    if column.value.isEmpty { return .null }
    let quoted = column.value.replacing("'", with: "''")
    let text: String
    switch column.type {
    case .null: return .null
    case .scalar(let type): text = "\(type.rawValue) '\(quoted)'"
    case .list(let type): text = "cast(json '\(quoted)' as list(\(type.rawValue)))"
    }
    let value = try? evaluate(text, schema: ExpressionSchema([])) { _ in .null }
    return value ?? .null
}

let sampleRow: [ColumnKey: ExpressionValue] = Dictionary(
    uniqueKeysWithValues: sampleColumns.indices.map { (key($0 + 1), sampleValue($0)) })

let sampleTime = EvaluationTime(
    today: Day(daysSinceEpoch: 20_000),
    now: Moment(microsecondsSinceEpoch: 20_000 * 86_400_000_000, offsetMinutes: 0))

func evaluate(
    _ text: String, schema: ExpressionSchema = sampleSchema,
    limits: ExpressionLimits = ExpressionLimits(), cell: (ColumnKey) -> ExpressionValue
) throws -> ExpressionValue {
    let expression = try Expression(Text(text), schema: schema, for: .value, limits: limits)
    var evaluator = Evaluator(expression, time: sampleTime, limits: limits)
    return try evaluator.evaluate { cell(expression.columns[$0]) }
}

/// The value of an expression for the sample row.
func value(_ text: String) throws -> ExpressionValue {
    try evaluate(text) { sampleRow[$0] ?? .null }
}

/// The value as people read it: texts in single quotes, lists in brackets.
func shown(_ value: ExpressionValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let flag): return String(flag)
    case .int(let number): return String(number)
    case .text(let text): return "'" + text.string.replacing("'", with: "''") + "'"
    case .json(let json): return json.text.string
    case .list(let elements): return "[" + elements.map(shown).joined(separator: ", ") + "]"
    case .double(let number): return written { appendDouble(number, to: &$0) }
    case .decimal(let number): return written { appendExactDecimal(number, to: &$0) }
    case .date(let day): return written { appendDay(day, to: &$0) }
    case .datetime(let moment): return written { appendMoment(moment, to: &$0) }
    case .uuid(let identifier): return written { appendIdentifier(identifier, to: &$0) }
    }
}

private func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// The value of an expression for the sample row as text, or "error" and its code.
func outcome(_ text: String) -> String {
    do {
        return shown(try value(text))
    } catch let error as ExpressionError {
        return "error \(error.code.rawValue)"
    } catch let error as EvaluationError {
        return "error \(error.fault.rawValue)"
    } catch {
        return "another error"
    }
}

/// The error that reading and checking an expression ends with; nil where it has none.
func checkError(
    _ text: String, for purpose: ExpressionPurpose = .value
) -> ExpressionError? {
    do throws(ExpressionError) {
        _ = try Expression(Text(text), schema: sampleSchema, for: purpose)
        return nil
    } catch {
        return error
    }
}

/// The stretch of a text that an error points at.
func pointed(_ error: ExpressionError?, in text: String) -> String? {
    guard let place = error?.place else { return nil }
    let bytes = Array(text.utf8)[Int(place.start)..<Int(place.end)]
    return String(decoding: bytes, as: UTF8.self)
}
