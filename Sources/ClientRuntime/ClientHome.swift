// Where this person's identity is kept. It only names the folder; KnownServers.swift fills it.
// It makes and reads nothing there.
import Glibc

/// The folder of a client's own files.
package enum ClientHome {
    /// `$ROUNDTABLE_HOME`, else `$XDG_CONFIG_HOME/roundtable`, else `~/.config/roundtable`.
    ///
    /// Errors: none of the three is set.
    package static func folder() throws(LocalFileError) -> String {
        if let home = environment("ROUNDTABLE_HOME") { return home }
        if let configuration = environment("XDG_CONFIG_HOME") {
            return configuration + "/roundtable"
        }
        if let home = environment("HOME") { return home + "/.config/roundtable" }
        throw LocalFileError("no folder for this person's files: set ROUNDTABLE_HOME or HOME")
    }

    /// An environment variable's value where it is set and not empty.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
