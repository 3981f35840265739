// Draws changes of how a table is shown: few columns, fields and styles, so that people meet, and
// now and then what has to be refused. What comes of them is in ReferenceDisplay.swift.
import TableClient
import TableModel
import TableValue

extension OpMaker {
    mutating func changeDisplay() -> Intent {
        switch random.below(10) {
        case ..<5:
            let column = someColumn()
            var members = [columnField()]
            if random.chance(30) {
                let other = columnField()
                if other.key != members[0].key { members.append(other) }
            }
            return .changeDisplay(.column(reference(column), .object(members)))
        case 5: return .changeDisplay(.table(.object([tableField()])))
        default: return .changeDisplay(style())
        }
    }

    private mutating func columnField() -> JSONMember {
        let fields: [(Text, JSONTree)] = [
            ("width", .int(random.between(0, 4))), ("width", .text("auto")),
            ("align", .text("right")), ("align", .text("left")), ("align", .text("red")),
            ("decimals", .int(random.between(0, 3))), ("thousands", .bool(random.chance(50))),
            ("date", .text("words")), ("hidden", .bool(random.chance(50))),
            ("frozen", .int(1)), ("width_max", .int(9)),
        ]
        let (key, value) = random.pick(fields) ?? ("width", .null)
        return JSONMember(key: key, value: random.chance(20) ? .null : value)
    }

    private mutating func tableField() -> JSONMember {
        let fields: [(Text, JSONTree)] = [
            ("frozen", .int(random.between(0, 3))), ("styles", .bool(random.chance(50))),
            ("width", .int(3)), ("frozen", .int(-1)),
        ]
        let (key, value) = random.pick(fields) ?? ("frozen", .null)
        return JSONMember(key: key, value: random.chance(20) ? .null : value)
    }

    /// A condition in the one form that ReferenceExpressions.swift knows.
    private mutating func style() -> DisplayChange {
        let names: [Text] = ["late", "Late", "paid"]
        let name = random.pick(names) ?? "late"
        if random.chance(25) { return .style(name, nil) }
        let numbers = replica.columns.filter { $0.type == .int }
        let column =
            random.chance(80) ? random.pick(numbers)?.id : random.pick(columnPool)
        let id = column ?? ColumnID(session: .server, counter: 4_000)
        var members = [
            JSONMember(key: "when", value: .text(Text("\"\(id)\" <= \(random.between(0, 9))")))
        ]
        if random.chance(40) {
            members.append(JSONMember(key: "rank", value: .int(random.between(-2, 2))))
        }
        let looks: [JSONMember] = [
            JSONMember(key: "color", value: .text("red")),
            JSONMember(key: "bold", value: .bool(true)),
            JSONMember(key: "mark", value: .text("!")),
            JSONMember(key: "color", value: .text("purple")),
        ]
        if random.chance(95), let look = random.pick(looks) { members.append(look) }
        return .style(name, .object(members))
    }
}
