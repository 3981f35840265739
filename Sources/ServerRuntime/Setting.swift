// One setting of a server: its name in a configuration file, its meaning, what it may be. The
// list of all is in SettingList.swift, the file's reader in SettingsReader.swift.

/// A number that an operator can choose.
package struct Setting: Sendable {
    /// Its name, which stays the same in later versions: words joined by `_`, the unit last.
    package let name: String
    /// What it limits, for the list of settings.
    package let meaning: String
    /// What it may be.
    package let range: ClosedRange<Int>
    private let get: @Sendable (ServerConfiguration) -> Int
    private let set: @Sendable (inout ServerConfiguration, Int) -> Void

    /// A setting that is one number of the configuration, or several that are always equal.
    init<Number: FixedWidthInteger & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<ServerConfiguration, Number> & Sendable,
        _ others: any WritableKeyPath<ServerConfiguration, Number> & Sendable...,
        range: ClosedRange<Int>, _ meaning: String
    ) {
        self.name = name
        self.meaning = meaning
        self.range = range
        get = { Int(clamping: $0[keyPath: path]) }
        set = { configuration, number in
            configuration[keyPath: path] = Number(clamping: number)
            for other in others { configuration[keyPath: other] = Number(clamping: number) }
        }
    }

    /// What it is in a configuration.
    package func value(in configuration: ServerConfiguration) -> Int { get(configuration) }

    /// Chooses it; the number must be in `range`.
    package func choose(_ number: Int, in configuration: inout ServerConfiguration) {
        set(&configuration, number)
    }
}
