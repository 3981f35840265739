// Who else is at the table, where, and in which colour. Everybody sees the same colour for the
// same person, because it follows from who is there; a letter says it without colour.
import TableModel
import TableValue
import TableWire

/// Somebody else at the table, on one connection.
struct Person: Hashable, Sendable {
    let connection: Int64
    let user: Text
    let name: String
    /// One or two letters of the name, or a number where these are taken.
    let tag: String
    /// Which of the colours for people.
    let color: Int
    let row: RowID?
    let column: ColumnID?
}

/// Everybody at the table.
struct People: Hashable, Sendable {
    /// The others, in the order in which they came.
    private(set) var others: [Person] = []
    /// This client's user, once it is known.
    var user: Text?
    var userName = ""
    private var ownConnection: Int64?
    private var colors: [Text: Int] = [:]
    /// Everybody who was ever seen, for records that come after they have left.
    private var names: [Text: String] = [:]

    static let colorCount = 8
    private static let namesMax = 4_096

    /// The connection is a new one: its number is not known yet.
    mutating func reconnected() {
        ownConnection = nil
    }

    /// Takes the list of who is there.
    mutating func take(_ list: [Presence]) {
        // Connections are numbered as they come, so that the newest of this user is this one
        // when the first list after a connection comes in.
        let own = list.filter { $0.user == user }.map(\.connection)
        if ownConnection.map({ !own.contains($0) }) ?? true { ownConnection = own.max() }
        giveColors(to: list)
        var tags: Set<String> = []
        others = list.filter { $0.connection != ownConnection }.map { presence in
            let name = presence.user == user ? "\(presence.name) (you)" : presence.name.string
            if names.count < People.namesMax { names[presence.user] = presence.name.string }
            return Person(
                connection: presence.connection, user: presence.user, name: name,
                tag: People.tag(for: presence.name.string, avoiding: &tags),
                color: colors[presence.user] ?? 0, row: presence.row, column: presence.column)
        }
    }

    /// The name of a user, or the id where it was never heard.
    func name(of user: Text) -> String {
        if user == self.user { return "you elsewhere" }
        return names[user] ?? user.string
    }

    /// The colour of a user.
    func color(of user: Text) -> Int { colors[user] ?? People.wantedColor(of: user) }

    /// Those who are at a cell.
    func at(_ row: RowID, _ column: ColumnID) -> Person? {
        others.first { $0.row == row && $0.column == column }
    }

    /// Each in the order of the ids takes the colour that follows from the id, or the next free.
    private mutating func giveColors(to list: [Presence]) {
        colors = [:]
        var isTaken = [Bool](repeating: false, count: People.colorCount)
        for user in Set(list.map(\.user)).sorted() {
            let wanted = People.wantedColor(of: user)
            let free = (0..<People.colorCount).map { (wanted + $0) % People.colorCount }
                .first { !isTaken[$0] }
            colors[user] = free ?? wanted
            isTaken[free ?? wanted] = true
        }
    }

    private static func wantedColor(of user: Text) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in user.string.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash % UInt32(colorCount))
    }

    private static func tag(for name: String, avoiding taken: inout Set<String>) -> String {
        let letters = name.uppercased().filter { $0.isLetter && $0.utf8.count <= 4 }
        let first = letters.first.map(String.init) ?? "?"
        var wanted = [first]
        wanted += letters.dropFirst().map { first + String($0).lowercased() }
        wanted += (2...99).map { first + String($0) }
        let tag = wanted.first { !taken.contains($0) } ?? first
        taken.insert(tag)
        return tag
    }
}
