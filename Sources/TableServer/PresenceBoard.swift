// Who is at a table and where; never in the log. Each connection has one entry, its newest;
// what everybody is sent is the whole list, encoded once, some times a second at most.
import TableModel
import TableValue
import TableWire

/// The entries of one table.
struct PresenceBoard {
    private struct Entry {
        let connection: ConnectionID
        var presence: Presence
        /// False while nothing has been heard of the connection for too long.
        var isShown = true
    }

    private var entries: [Entry] = []
    private var isChanged = false
    private var sentAt: Instant?
    /// The list as it was last encoded.
    private(set) var line: [UInt8] = []
    /// Grows with each new `line`; 0 before the first.
    private(set) var version: Int64 = 0

    /// Those who are there now, in the order in which they came.
    func shown(max count: Int) -> [Presence] {
        Array(entries.lazy.filter(\.isShown).map(\.presence).prefix(count))
    }

    /// Adds a connection, or moves its cursor, or shows it again.
    mutating func place(_ presence: Presence, of connection: ConnectionID) {
        guard let index = entries.firstIndex(where: { $0.connection == connection }) else {
            entries.append(Entry(connection: connection, presence: presence))
            isChanged = true
            return
        }
        if entries[index].presence != presence || !entries[index].isShown { isChanged = true }
        entries[index].presence = presence
        entries[index].isShown = true
    }

    /// Shows or hides a connection that has, or has not, been heard of.
    mutating func show(_ isShown: Bool, _ connection: ConnectionID) {
        guard let index = entries.firstIndex(where: { $0.connection == connection }),
            entries[index].isShown != isShown
        else { return }
        entries[index].isShown = isShown
        isChanged = true
    }

    /// Removes a connection.
    mutating func remove(_ connection: ConnectionID) {
        guard let index = entries.firstIndex(where: { $0.connection == connection }) else { return }
        if entries[index].isShown { isChanged = true }
        entries.remove(at: index)
    }

    /// When the list is to be encoded and sent next; nil where nothing has changed.
    ///
    /// It is sent `presencePerSecond` times a second at most, and less often where all copies of
    /// it together would pass `presenceBytesPerSecondMax`.
    func dueAt(followerCount: Int, limits: ServerLimits) -> Instant? {
        guard isChanged else { return nil }
        guard let sentAt else { return Instant(microseconds: .min) }
        let shortest = 1_000_000 / Int64(max(limits.presencePerSecond, 1))
        let bytes = Int64(line.count) * Int64(followerCount)
        let affordable = bytes * 1_000_000 / Int64(max(limits.presenceBytesPerSecondMax, 1))
        return sentAt.adding(microseconds: max(shortest, affordable))
    }

    /// Encodes the list anew.
    mutating func encode(table: TableID, at now: Instant, limits: ServerLimits) {
        line.removeAll(keepingCapacity: true)
        let message = ServerMessage.presence(
            table, shown(max: limits.presenceEntriesMax))
        write(ServerLine(message: message), to: &line)
        version += 1
        sentAt = now
        isChanged = false
    }
}
