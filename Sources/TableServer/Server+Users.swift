// What users are called: records name them by id, this tells the names, also of who is not there.
// It changes nothing, and needs no waiting: an account that a record names is stored before it.
import TableModel
import TableValue
import TableWire

extension Server {
    /// Answers what users are called: those that there are, in the order in which they were
    /// asked for, up to a limit.
    mutating func listUsers(_ ids: [Text], for slot: Int, id: RequestID?) {
        let known = ids.prefix(limits.userNamesMax).compactMap { (user) -> UserName? in
            guard let position = position(ofUser: user) else { return nil }
            return UserName(user: user, name: accounts[position].name)
        }
        answer(slot, .users(known), id: id)
    }

    /// The position of the account that an id such as `u3` names.
    private func position(ofUser id: Text) -> Int? {
        guard id.string.utf8.first == UInt8(ascii: "u"),
            let number = Int64(id.string.dropFirst()),
            let position = accounts.position(ofNumber: number), accounts[position].idText == id
        else { return nil }
        return position
    }
}
