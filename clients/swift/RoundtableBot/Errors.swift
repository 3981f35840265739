// What can go wrong, as one error whose kind says what to do, with the protocol's stable code.
// Its text never holds what is in cells; `current` does. Where it comes from: Bot.swift.
import TableModel
import TableWire

/// Why a call did not do what was asked.
public struct BotError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, and so what to do; more kinds may come.
    public struct Kind: Hashable, Sendable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The server decided against the operation, for good: decide anew.
        public static let rejected = Kind("rejected")
        /// The same, since a precondition did not hold; `current` is the cell as it is.
        public static let preconditionFailed = Kind("preconditionFailed")
        /// The server answered a request with an error; see `code`.
        public static let requestFailed = Kind("requestFailed")
        /// Nobody knows whether it was done: look at the table.
        public static let inDoubt = Kind("inDoubt")
        /// The table's session cannot go on, and what was pending is in doubt.
        public static let sessionLost = Kind("sessionLost")
        /// No connection within the time; what is pending stays so.
        public static let unreachable = Kind("unreachable")
        /// No answer within the time; what is pending stays so.
        public static let outOfTime = Kind("outOfTime")
        /// The server's key is another one than the pin says; nothing was sent.
        public static let notTrusted = Kind("notTrusted")
        /// An invite, a pin, an id or a file that cannot be right: mend the call.
        public static let invalidText = Kind("invalidText")
    }

    /// A cell as it is, where a precondition on it did not hold.
    public struct Current: Hashable, Sendable {
        /// What it holds.
        public let value: Value
        /// The number of the record that wrote it last.
        public let version: Int64
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// The stable code of docs/protocol.md, such as `wrong_type`.
    public let code: String
    /// What happened and what to do next, for a person.
    public let message: String
    /// What became of the operation, where the server decided.
    public internal(set) var outcome: Outcome?
    /// How long the server asks to wait before trying again.
    public internal(set) var retrySeconds: Double?

    init(_ kind: Kind, _ code: String, _ message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    init(_ error: ErrorMessage, kind: Kind = .requestFailed) {
        self.init(kind, error.code.rawValue, error.message)
        retrySeconds = error.retrySeconds
    }

    init(rejected outcome: Outcome) {
        let rejection = outcome.rejection
        let code = rejection?.code ?? "malformed"
        let kind = code == "precondition_failed" ? Kind.preconditionFailed : .rejected
        self.init(kind, code, rejection?.message ?? "the operation was refused")
        self.outcome = outcome
    }

    /// The cell as it is, where a precondition on it did not hold.
    public var current: Current? { outcome?.rejection?.current }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    static let closed = BotError(.unreachable, "going_away", "the bot is closed")
}
