// What the environment asks of the tests.
import Foundation

enum Environment {
    /// `ROUNDTABLE_LONG=1` asks for the long runs.
    static let isLong = ProcessInfo.processInfo.environment["ROUNDTABLE_LONG"] == "1"
}
