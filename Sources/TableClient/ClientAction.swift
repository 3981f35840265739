// The client core's shape: the events it takes are methods of `Client`, the actions it answers
// with are these. Plain data; nothing here acts. The next step of the walk is Client.swift.
package import TableModel
package import TableValue
package import TableWire

/// A point on the monotonic clock of whoever runs the core, in microseconds.
package struct ClientInstant: Hashable, Comparable, Sendable {
    /// Microseconds since a moment that whoever runs the core chose.
    package var microseconds: Int64

    /// Wraps a count.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The point that many seconds later; seconds are held between zero and one day.
    func after(seconds: Double) -> ClientInstant {
        let held = seconds.isNaN ? 0 : min(max(seconds, 0), 86_400)
        return ClientInstant(microseconds: microseconds &+ Int64(held * 1_000_000))
    }

    package static func < (left: ClientInstant, right: ClientInstant) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// Something for whoever runs the core to do, or to know.
package enum ClientAction: Hashable, Sendable {
    /// Open a connection; answer with `connected` or `disconnected`.
    case connect
    /// Send bytes (whole lines) on the connection.
    case send([UInt8])
    /// Close the connection once what was sent has left; nothing more is reported of it.
    case disconnect
    /// Something the user of the client may want to know.
    case notify(ClientNotice)
}

/// What a client tells its user.
package enum ClientNotice: Hashable, Sendable {
    case loggedIn(user: Text, name: Text, role: Text, token: Text?)
    /// A table is open, again after each reconnect; its replica is loaded unless it follows from
    /// its head or does not follow.
    case opened(Opened)
    /// The replica has caught up with the server as of that number.
    case live(TableID, sequence: SequenceNumber)
    /// A record was applied; `isMine` where it acknowledges an operation of this client. Where no
    /// replica is kept, its values are as the wire spells them.
    case applied(TableID, Record, isMine: Bool)
    /// An operation of this client is decided. `sequence` is nil where it made no record. Told
    /// once for each operation, in the order of their numbers; number 0 where the operation
    /// was too large to be given one.
    case decided(
        TableID, clientNumber: ClientNumber, sequence: SequenceNumber?, outcome: Outcome)
    /// What became of an operation of this client is no longer known to the server: it was
    /// decided once, and is not sent again. Told in the place of `decided`.
    case doubted(TableID, clientNumber: ClientNumber)
    /// A record of somebody else replaced, emptied or deleted what this client had written.
    /// Rules C1, S11. Told before the record is.
    case lost(TableID, Losses)
    case presence(TableID, [Presence])
    /// How a table is shown to the user alone was changed on another connection of hers; at first
    /// `opened` says it.
    case display(TableID, mine: PersonalDisplay)
    /// An open table has another name.
    case renamed(TableID, name: Text)
    /// An answer to a request made with `request`.
    case answered(RequestID, ServerMessage)
    /// Something that was sent has had no answer since then, and a ping neither: the line, or the
    /// server, may be gone, which only shows after `silenceSeconds`.
    case unanswered(since: ClientInstant)
    /// An answer came after `unanswered`.
    case answering
    /// The connection is lost; it is tried again after the delay.
    case reconnecting(afterSeconds: Double, reason: String)
    /// The table's history is another one: pending operations are set aside for review.
    case lineageChanged(TableID, setAside: [Op])
    /// Nothing more will come: the reason is final (`login_failed`, `session_forked`, …). Where
    /// `table` is named, or the answer to an `open` was meant, only that table is given up.
    case failed(ErrorMessage)
}

/// How a client behaves, each with its default.
package struct ClientConfiguration: Sendable {
    /// How it logs in: a token, or an invite with a name.
    package var credential: Credential
    /// What it calls itself in `hello`.
    package var clientName: Text = "roundtable"
    /// Reconnect delays: full jitter between zero and a bound that doubles up to the most.
    package var backoffFirstSeconds = 0.25
    /// The most that the bound becomes.
    package var backoffMaxSeconds = 30.0
    /// The longest delay that a server may ask for.
    package var retryMaxSeconds = 3_600.0
    /// A connection on which nothing came for this long is given up.
    package var silenceSeconds = 45.0
    /// Operations in flight in one table, where the server grants as many.
    package var window = 64
    /// Bytes in flight in one table; one operation alone may be longer.
    package var windowBytes = 256 << 10
    /// Operations of one table that may wait, in flight or not.
    package var pendingOpsMax = 100_000
    /// Requests that may wait for their answer.
    package var requestsMax = 1_024
    /// The shortest time between two places of the cursor that are told to others.
    package var cursorIntervalSeconds = 0.1
    /// People at one table that are told of; more are cut off.
    package var presenceMax = 1_024
    /// Columns of one table; a server that sends more is not believed.
    package var columnsMax = 4_096
    /// How often a table is loaded anew, or its operations are sent anew, without progress.
    package var faultsMax = 3
    /// What is read from the server.
    ///
    /// A record may be longer than the operation it came from.
    package var wire = ClientConfiguration.serverLimits
    /// Where jitter comes from; seeded in the simulation.
    package var random: any RandomNumberGenerator & Sendable

    /// The defaults, for one credential.
    package init(credential: Credential, random: any RandomNumberGenerator & Sendable) {
        self.credential = credential
        self.random = random
    }

    private static var serverLimits: WireLimits {
        var limits = WireLimits()
        limits.lineBytesMax = 8 << 20
        return limits
    }
}
