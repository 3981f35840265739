// How the terminal client is set up, and where its connection stands.
// Plain values; nothing is read from the surroundings here.
import TableClient

/// A set of keys.
package enum KeyPreset: String, Hashable, Sendable, CaseIterable {
    /// Spreadsheet keys: a letter begins to type into the cell.
    case standard = "default"
    /// Letters are commands, as in vim.
    case vim
}

/// Which colours are used.
package enum ThemeChoice: String, Hashable, Sendable, CaseIterable {
    /// Light or dark, as the terminal says its background is; careful until it does.
    case automatic = "auto"
    case light, dark
    /// Attributes alone.
    case none
}

/// How the terminal client is set up.
package struct AppOptions: Hashable, Sendable {
    /// Refuse to change anything.
    package var isReadOnly = false
    /// Which set of keys is in use.
    package var keys = KeyPreset.standard
    /// Which colours are used.
    package var theme = ThemeChoice.automatic

    /// The defaults.
    package init() {}
}

/// Where the connection stands, as the user is told.
enum ConnectionState: Hashable, Sendable {
    /// Not connected yet.
    case connecting
    /// Connected; the table is on its way.
    case loading
    case live
    /// Connected, but what was sent is not answered, since then.
    case unanswered(since: ClientInstant)
    /// Lost; tried again later.
    case reconnecting(since: ClientInstant, reason: String)
    /// Given up for good.
    case failed(String)
}

extension ClientInstant {
    /// The point that many milliseconds later.
    func later(byMilliseconds milliseconds: Int64) -> ClientInstant {
        ClientInstant(microseconds: microseconds &+ milliseconds &* 1_000)
    }

    /// Whole seconds from an earlier point to this one.
    func seconds(since earlier: ClientInstant) -> Int64 {
        max(0, microseconds &- earlier.microseconds) / 1_000_000
    }
}
