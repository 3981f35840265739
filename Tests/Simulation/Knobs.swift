// The settings of a seeded world: each has a name, and all are printed before a world starts.

/// One setting of a world.
package enum Knob: String, CaseIterable, Sendable {
    /// How many clients with a core of their own.
    case clients
    /// How many steps a plan has.
    case steps
    /// Rows that the first client inserts before the others begin.
    case rowsAtStart = "rows_at_start"
    /// Virtual milliseconds over which the steps are spread.
    case playMilliseconds = "play_ms"
    /// How long bytes are under way.
    case delayMicrosecondsMin = "delay_us_min"
    case delayMicrosecondsMax = "delay_us_max"
    /// In how many pieces at most a write is cut.
    case piecesMax = "pieces_max"
    /// How many bytes fit into one direction of a link before the server has to wait.
    case pipeBytesMax = "pipe_bytes_max"
    /// What the server is asked for at once.
    case takeBytesMax = "take_bytes_max"
    /// How long after an event the server's turn begins at most.
    case turnMicrosecondsMax = "turn_us_max"
    /// How long an append takes, and how long the server then needs to learn of it.
    case storeMicrosecondsMax = "store_us_max"
    case acknowledgeMicrosecondsMax = "acknowledge_us_max"
    /// Limits of the server, small so that falling behind is frequent.
    case ringBytes = "ring_bytes"
    case catchUpBytes = "catch_up_bytes"
    case chunkRows = "chunk_rows"
    /// Operations in flight for one session.
    case window
    /// Of a hundred steps, how many are a fault of each kind.
    case cutPercent = "cut_percent"
    case crashPercent = "crash_percent"
    case offlinePercent = "offline_percent"
    case stallPercent = "stall_percent"
    case botPercent = "bot_percent"
    case forkPercent = "fork_percent"
    case lateClients = "late_clients"
}

/// A value for every setting.
package struct WorldOptions: Hashable, Sendable {
    private var values: [Int64]

    /// A small world with every fault.
    package init() {
        values = Knob.allCases.map(WorldOptions.defaultValue)
    }

    /// The value of a setting.
    package subscript(knob: Knob) -> Int64 {
        get { values[WorldOptions.place(of: knob)] }
        set { values[WorldOptions.place(of: knob)] = newValue }
    }

    /// All settings as `name=value`, those that differ from the defaults only where asked.
    package func description(onlyChanged: Bool = false) -> String {
        Knob.allCases
            .filter { !onlyChanged || self[$0] != WorldOptions.defaultValue($0) }
            .map { "\($0.rawValue)=\(self[$0])" }
            .joined(separator: " ")
    }

    /// Draws the settings that a seed leaves open: each history is in a world of its own.
    package mutating func vary(_ random: inout SeededGenerator) {
        self[.clients] = random.between(3, 5)
        self[.lateClients] = random.between(0, 1)
        self[.rowsAtStart] = random.between(0, 12)
        self[.delayMicrosecondsMax] = random.pick([300, 3_000, 30_000, 250_000]) ?? 3_000
        self[.piecesMax] = random.between(1, 4)
        self[.pipeBytesMax] = random.pick([600, 4_000, 65_536]) ?? 4_000
        self[.takeBytesMax] = random.pick([1, 500, 4_000]) ?? 4_000
        self[.turnMicrosecondsMax] = random.pick([0, 500, 5_000]) ?? 500
        self[.storeMicrosecondsMax] = random.pick([200, 4_000, 100_000]) ?? 4_000
        self[.acknowledgeMicrosecondsMax] = random.pick([0, 2_000, 50_000]) ?? 2_000
        self[.ringBytes] = random.pick([300, 2_000, 1 << 20]) ?? 2_000
        self[.catchUpBytes] = random.pick([200, 2_000]) ?? 2_000
        self[.chunkRows] = random.between(1, 8)
        self[.window] = random.pick([1, 4, 64]) ?? 4
    }

    private static func place(of knob: Knob) -> Int {
        Knob.allCases.firstIndex(of: knob) ?? 0
    }

    private static func defaultValue(_ knob: Knob) -> Int64 {
        switch knob {
        case .clients: 3
        case .steps: 80
        case .rowsAtStart: 6
        case .playMilliseconds: 4_000
        case .delayMicrosecondsMin: 50
        case .delayMicrosecondsMax: 3_000
        case .piecesMax: 3
        case .pipeBytesMax, .takeBytesMax: 4_000
        case .turnMicrosecondsMax: 500
        case .storeMicrosecondsMax: 4_000
        case .acknowledgeMicrosecondsMax: 2_000
        case .ringBytes, .catchUpBytes: 2_000
        case .chunkRows: 4
        case .window: 16
        case .cutPercent: 5
        case .crashPercent: 2
        case .offlinePercent: 3
        case .stallPercent: 2
        case .botPercent: 5
        case .forkPercent: 1
        case .lateClients: 1
        }
    }
}
