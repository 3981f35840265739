// Why a command did not do what it was asked, and the exit code that says so.
// It never holds what is in a cell. Program.swift prints it and ends with its code.

/// The end of a command that did not do what it was asked.
enum CommandFailure: Error, Hashable, Sendable {
    /// The server refused, with the stable code of docs/protocol.md.
    case refused(code: String, message: String)
    /// Something on this machine stood in the way, such as a full disk.
    case local(String)
    /// The words of the command are wrong.
    case words(String)
    /// The server cannot be reached, or is not the one that was joined.
    case unreachable(String)
    /// What went wrong has been said already; only the exit code is left.
    case alreadyTold

    /// What the program exits with.
    var exitCode: Int32 {
        switch self {
        case .refused, .local, .alreadyTold: 1
        case .words: 2
        case .unreachable: 3
        }
    }

    /// What is said on standard error; nil where nothing is left to say.
    var text: String? {
        switch self {
        case .refused(code: "unknown_table", message: _):
            "unknown_table: there is no such table; `roundtable ls` lists the tables"
        case .refused(let code, let message): "\(code): \(message)"
        case .local(let message), .words(let message), .unreachable(let message): message
        case .alreadyTold: nil
        }
    }
}
