// What users are called, for commands that name who did something: asked for once each.
// It keeps names for the length of a command, and prints nothing.
import ClientRuntime
import TableValue
import TableWire

/// The names of users, as far as they were needed.
struct UserNames {
    private let conversation: Conversation
    private var names: [Text: Text] = [:]

    init(_ conversation: Conversation) {
        self.conversation = conversation
    }

    /// What a user is called; the id where the server does not say.
    mutating func name(of user: Text) throws(CommandFailure) -> Text {
        if let known = names[user] { return known }
        var name = user
        if case .users(let users) = try conversation.ask(.users([user])),
            let found = users.first(where: { $0.user == user })
        {
            name = found.name
        }
        names[user] = name
        return name
    }
}
