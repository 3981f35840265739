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
    /// True while the cell there is being edited.
    let isEditing: Bool
}

/// Who did something, as far as it is known.
enum Author: Hashable, Sendable {
    case user(Text)
    /// What was done was not followed record by record.
    case somebody
}

/// A question to the server: what users are called.
private struct NameQuestion: Hashable, Sendable {
    let id: RequestID
    let users: [Text]
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
    /// Everybody who was ever seen or asked for, for records of those who are not here.
    ///
    /// Who has no name is called by the id.
    private var names: [Text: String] = [:]
    /// Those whose names are to be asked for, in the order in which they were heard of.
    private var wanted: [Text] = []
    private var question: NameQuestion?
    /// The server does not say; it is asked again on the next connection.
    private var isRefused = false

    static let colorCount = 8
    private static let namesMax = 4_096
    /// Well below what the server answers at once.
    private static let namesPerQuestionMax = 100

    /// The connection is a new one: its number is not known yet.
    mutating func reconnected() {
        ownConnection = nil
        isRefused = false
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
            if names[presence.user] != nil || names.count < People.namesMax {
                names[presence.user] = presence.name.string
            }
            return Person(
                connection: presence.connection, user: presence.user, name: name,
                tag: People.tag(for: presence.name.string, avoiding: &tags),
                color: colors[presence.user] ?? 0, row: presence.row, column: presence.column,
                isEditing: presence.isEditing)
        }
    }

    /// The name of a user, or the id as long as the name was not heard.
    func name(of user: Text) -> String {
        if user == self.user { return "you elsewhere" }
        return names[user] ?? user.string
    }

    /// The name of whoever did something.
    func name(of author: Author) -> String {
        switch author {
        case .user(let user): name(of: user)
        case .somebody: "somebody"
        }
    }

    // MARK: Names of those who are not here

    /// True where there is nothing to ask for about a user.
    func isKnown(_ user: Text) -> Bool { user == self.user || names[user] != nil }

    /// Takes note of a user who has done something.
    mutating func heard(of user: Text) {
        guard !isKnown(user), !wanted.contains(user),
            names.count + wanted.count < People.namesMax
        else { return }
        wanted.append(user)
    }

    /// The users to ask the server about now; empty for none.
    var namesToAskFor: [Text] {
        guard question == nil, !isRefused else { return [] }
        return Array(wanted.prefix(People.namesPerQuestionMax))
    }

    /// The server was asked what users are called.
    mutating func asked(_ users: [Text], as id: RequestID) {
        question = NameQuestion(id: id, users: users)
    }

    /// Takes the answer to the question.
    ///
    /// - Returns: the users whose names are known now.
    mutating func take(_ answer: ServerMessage, to id: RequestID) -> [Text] {
        guard let asked = question, asked.id == id else { return [] }
        question = nil
        guard case .users(let known) = answer else {
            isRefused = true
            return []
        }
        wanted.removeAll { asked.users.contains($0) }
        // Whoever is not named has no name.
        for user in asked.users where names[user] == nil { names[user] = user.string }
        for user in known where asked.users.contains(user.user) {
            names[user.user] = user.name.string
        }
        return asked.users
    }

    /// The colour of a user.
    func color(of user: Text) -> Int { colors[user] ?? People.wantedColor(of: user) }

    /// Who is at a cell: somebody who edits it, before those who only look at it.
    func at(_ row: RowID, _ column: ColumnID) -> Person? {
        var there: Person?
        for person in others where person.row == row && person.column == column {
            if person.isEditing { return person }
            there = there ?? person
        }
        return there
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
