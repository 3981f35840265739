// The server core's shape: the events it takes are methods of `Server`, the actions it answers
// with are these. It reads no clock, does no I/O and rolls no dice.
package import TableLog
package import TableModel

/// A connection, as whoever runs the core numbers it.
///
/// Never reused in one run.
package struct ConnectionID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    package let rawValue: Int64

    /// Wraps a number.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A point on the monotonic clock of whoever runs the core, in microseconds.
package struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since a moment that whoever runs the core chose.
    package var microseconds: Int64

    /// Wraps a count.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant that much later; the last one there is where it would be beyond.
    func adding(microseconds count: Int64) -> Instant {
        let (sum, overflow) = microseconds.addingReportingOverflow(count)
        return Instant(microseconds: overflow ? .max : sum)
    }

    /// The instant that many seconds later.
    func adding(seconds: Int) -> Instant {
        adding(microseconds: Int64(seconds) * 1_000_000)
    }
}

/// What the clocks say as an event comes in.
package struct Now: Hashable, Sendable {
    /// For deadlines.
    package var instant: Instant
    /// For labels: milliseconds since 1970 by the wall clock.
    package var wallMilliseconds: Int64

    /// Joins the two.
    package init(instant: Instant, wallMilliseconds: Int64) {
        self.instant = instant
        self.wallMilliseconds = wallMilliseconds
    }
}

/// Something for the outside to do.
package enum ServerAction: Hashable, Sendable {
    /// Output waits for this connection: call `takeOutput` when its socket can take bytes.
    case wake(ConnectionID)
    /// Read no more from this connection until `resumeReading`.
    case stopReading(ConnectionID)
    case resumeReading(ConnectionID)
    /// Close at once, or after output: take output until nothing comes, let it leave, close.
    case close(ConnectionID, afterOutput: Bool)
    /// Store these in one transaction, then call `appended(ticket)`; at most one is under way.
    case append(ticket: Int64, [LogBatch])
    /// Read a log, then call `logRead(ticket)`.
    case readLog(ticket: Int64, log: LogID, after: SequenceNumber, byteCountMax: Int)
    /// Write a line to the server's own log for operators; never holds cell text or secrets.
    case report(ReportLevel, String)
    /// Answer an administrator's request.
    case answerAdministrator(ticket: Int64, AdministratorAnswer)
    /// The orderly stop is complete: everything is stored and every connection is closed.
    case stopped
}

/// How much a reported line matters.
package enum ReportLevel: String, Hashable, Sendable {
    case info, warning, error
}

/// What the command line of the server asks of a running one.
package enum AdministratorRequest: Hashable, Sendable {
    /// Make an invite of that role; expires after that many seconds (0: never).
    case invite(role: String, uses: Int, expiresAfterSeconds: Int64)
    /// Make a bot's token.
    case token(bot: String, role: String)
}

/// The answer to an administrator.
package enum AdministratorAnswer: Hashable, Sendable {
    /// The secret of an invite, 20 bytes, for `InviteText`; `login` carries their base32.
    case invite(secret: [UInt8])
    /// A bot's whole token.
    case token(String)
    case refused(String)
}
