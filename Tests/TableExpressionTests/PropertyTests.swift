import TableExpression
import TableValue
import TestSupport
import Testing

@Test("every random expression ends, for every random row, with a value of its type or an error")
func evaluationIsTotal() throws {
    var evaluated = 0
    var values = 0
    for seed in 1...1_500 {
        var maker = ExpressionMaker(seed: UInt64(seed))
        let type = maker.random.pick(ScalarType.allCases)
        let text = Text(maker.text(of: type, depth: 1 + maker.random.below(5)))
        var limits = ExpressionLimits()
        limits.stepsMax = 20_000
        limits.textBytesMax = 100_000
        guard
            let expression = try? Expression(
                text, schema: sampleSchema, for: .value, limits: limits)
        else { continue }
        var evaluator = Evaluator(expression, time: sampleTime, limits: limits)
        for _ in 0..<4 {
            let row = randomRow(&maker.random)
            evaluated += 1
            let before = evaluator.stepsSpent
            do throws(EvaluationError) {
                let value = try evaluator.evaluate { row[expression.columns[$0]] ?? .null }
                #expect(value.fits(expression.type), "seed \(seed): \(text)")
                values += 1
            } catch {
                #expect(error.fault != .wrongCellType, "seed \(seed): \(text)")
                #expect(Int(error.place.end) <= text.byteCount, "seed \(seed)")
            }
            #expect(evaluator.stepsSpent - before <= limits.stepsMax, "seed \(seed)")
        }
    }
    // The maker must get somewhere, or the test shows nothing.
    #expect(evaluated > 4_000)
    #expect(values > evaluated / 4)
}

/// A row whose cells are those of the sample, edges of their types, or null.
private func randomRow(_ random: inout SeededRandom) -> [ColumnKey: ExpressionValue] {
    var row = sampleRow
    for (index, column) in sampleColumns.enumerated() where random.chance(60) {
        let value: ExpressionValue
        switch column.type {
        case .int: value = .int(random.pick([0, 1, -1, 7, .max, .min]))
        case .double:
            value = .double(
                random.pick([0, -0.0, 1e308, .nan, .infinity, -.infinity, .leastNonzeroMagnitude]))
        case .text: value = .text(Text(random.word(of: "aB%_ é😀\n'", countMax: 12)))
        case .bool: value = .bool(random.chance(50))
        case .date:
            value = .date(Day(daysSinceEpoch: random.pick([-719_162, 2_932_896, 0, .min, .max])))
        case .datetime:
            value = .datetime(
                Moment(
                    microsecondsSinceEpoch: random.pick([0, .min, .max, -62_135_596_800_000_000]),
                    offsetMinutes: random.pick([0, 1_439, -1_439])))
        default: value = random.chance(50) ? .null : sampleValue(index)
        }
        row[key(index + 1)] = random.chance(15) ? .null : value
    }
    return row
}

@Test("the result for a row does not depend on the rows before it")
func rowsAreIndependent() throws {
    for seed in 1...200 {
        var maker = ExpressionMaker(seed: UInt64(seed) &* 7_919)
        let text = Text(maker.text(of: .bool, depth: 4))
        var limits = ExpressionLimits()
        limits.stepsMax = 20_000
        guard let expression = try? Expression(text, schema: sampleSchema, for: .filter) else {
            continue
        }
        var kept = Evaluator(expression, time: sampleTime, limits: limits)
        for _ in 0..<6 {
            let row = randomRow(&maker.random)
            var fresh = Evaluator(expression, time: sampleTime, limits: limits)
            let first = try? kept.evaluate { row[expression.columns[$0]] ?? .null }
            let second = try? fresh.evaluate { row[expression.columns[$0]] ?? .null }
            // Patterns that are made ready once cost less later, so only values are compared.
            if let first, let second { #expect(first == second, "seed \(seed): \(text)") }
        }
    }
}

@Test("random bytes are read or refused at a place within them")
func randomBytes() {
    var random = SeededRandom(seed: 77)
    let pieces = [
        "a", "qty", "'", "\"", "(", ")", ",", "+", "-", "*", "/", "%", "||", "=", "<", ">", " and ",
        " or ", "not ",
        " in ", " is ", "null", " between ", " like ", "case ", " when ", " then ", " end", "cast(",
        " as int", "1", ".", "e",
        "é", "\u{A0}", "\u{0}", " ", "matches(name, '", "[", "]", "{3}", "\\", "length(", "date '",
        "\"c1.2\"",
    ]
    for round in 0..<5_000 {
        var bytes: [UInt8] = []
        for _ in 0..<random.below(12) { bytes += Array(random.pick(pieces).utf8) }
        if random.chance(20), !bytes.isEmpty {
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        do throws(ExpressionError) {
            let text = try expressionText(bytes.span)
            _ = try Expression(text, schema: sampleSchema, for: .value)
        } catch {
            #expect(error.place.start <= error.place.end, "round \(round)")
            #expect(Int(error.place.end) <= bytes.count + 1, "round \(round)")
            if let text = try? expressionText(bytes.span) {
                #expect(error.rendered(source: text).contains("^"), "round \(round)")
            }
        }
    }
}
