// swift-tools-version:6.2
// The first page of the architecture: every target, and every arrow between them.
// docs/architecture.md says what each target is for.
import PackageDescription

/// `FUZZ=1` builds the parsers with coverage and adds the fuzz entries (Tests/fuzz).
let isFuzzing = Context.environment["FUZZ"] == "1"

/// One list of settings for every Swift target: language mode 6, every strictness the
/// compiler has, and no warning left standing.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The settings of a target that parses bytes from outside.
let strictParser: [SwiftSetting] =
    isFuzzing ? strict + [.unsafeFlags(["-sanitize=fuzzer,address"])] : strict

/// A library target under `Sources/NAME`.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strictParser)
}

/// A test target under `Tests/NAMETests` for the room of that name.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
        swiftSettings: strict)
}

let package = Package(
    name: "roundtable",
    products: [
        .executable(name: "roundtabled", targets: ["roundtabled"]),
        .executable(name: "roundtable", targets: ["roundtable"]),
        .executable(name: "simulate", targets: ["simulate"]),
        .executable(name: "roundtable-bench", targets: ["roundtable-bench"]),
        .library(name: "RoundtableBot", targets: ["RoundtableBot"]),
    ],
    targets: [
        // Floor 1: C doors and values.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CTerminal", path: "Sources/CTerminal"),
        room("TableValue"),
        room("TableExpression", ["TableValue"]),
        room("CharacterWidth"),
        // Floor 2.
        room("TableModel", ["TableExpression", "TableValue"]),
        room("Transport", ["CLibevent", "COpenSSL"]),
        .target(
            name: "Terminal", dependencies: ["CTerminal", "CharacterWidth"],
            path: "clients/terminal/Terminal", swiftSettings: strictParser),
        // Floor 3.
        room("TableWire", ["TableModel", "TableValue"]),
        room("TableLog", ["TableModel"]),
        // Floor 4.
        room("TableFiles", ["CharacterWidth", "TableModel", "TableValue", "TableWire"]),
        room("TableServer", ["TableModel", "TableValue", "TableWire", "TableLog"]),
        room("TableClient", ["TableModel", "TableValue", "TableWire"]),
        room("SQLiteStore", ["TableLog", "TableModel", "CSQLite"]),
        // Floor 5.
        room("ServerRuntime", ["TableServer", "TableLog", "TableModel", "TableWire", "Transport"]),
        room(
            "ClientRuntime", ["TableClient", "TableModel", "TableValue", "TableWire", "Transport"]),
        .target(
            name: "TerminalApp",
            dependencies: [
                "TableClient", "TableFiles", "TableModel", "TableValue", "TableWire", "Terminal",
            ],
            path: "clients/terminal/TerminalApp", swiftSettings: strict),
        // Floor 6.
        .executableTarget(
            name: "roundtabled",
            dependencies: [
                "ServerRuntime", "SQLiteStore", "TableLog", "TableServer", "TableWire", "Transport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "roundtable",
            dependencies: [
                "ClientRuntime", "TableClient", "TableFiles", "TableModel", "TableValue",
                "TableWire", "Terminal", "TerminalApp", "Transport",
            ],
            path: "clients/terminal/roundtable", swiftSettings: strict),
        .target(
            name: "RoundtableBot",
            dependencies: [
                "ClientRuntime", "TableClient", "TableModel", "TableValue", "TableWire",
                "Transport",
            ],
            path: "clients/swift/RoundtableBot", swiftSettings: strict),
        .executableTarget(
            name: "bot-examples", dependencies: ["RoundtableBot"], path: "clients/swift/examples",
            swiftSettings: strict),
        // The seeded world, its program, and the benchmarks.
        .target(
            name: "Simulation",
            dependencies: [
                "TableClient", "TableLog", "TableModel", "TableServer", "TableValue", "TableWire",
            ],
            path: "Tests/Simulation", swiftSettings: strict),
        .executableTarget(
            name: "simulate", dependencies: ["Simulation"], path: "Tests/simulate-program",
            swiftSettings: strict),
        .executableTarget(
            name: "roundtable-bench",
            dependencies: ["TableModel", "TableValue", "TableWire", "Transport"],
            path: "Tests/bench", swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        tests("TableValue", ["TableValue", "TestSupport"]),
        tests("TableExpression", ["TableExpression", "TableValue", "TestSupport"]),
        tests("CharacterWidth", ["CharacterWidth"]),
        tests("TableModel", ["TableModel", "TableValue"]),
        tests("TableWire", ["TableWire", "TableModel", "TableValue"]),
        tests("TableFiles", ["TableFiles", "TableModel", "TableValue", "TestSupport"]),
        tests("Store", ["TableLog", "SQLiteStore", "TableModel"]),
        tests("TableServer", ["TableServer", "TableWire", "TableModel", "TableValue", "TableLog"]),
        tests(
            "TableClient",
            [
                "TableClient", "TableLog", "TableModel", "TableServer", "TableValue", "TableWire",
                "TestSupport",
            ]),
        tests("Transport", ["Transport", "CLibevent"]),
        tests("Terminal", ["Terminal", "CharacterWidth", "CTerminal", "terminal-guest"]),
        .executableTarget(
            name: "terminal-guest", dependencies: ["Terminal"], path: "Tests/terminal-guest",
            swiftSettings: strict),
        tests(
            "TerminalApp",
            [
                "TerminalApp", "TableClient", "TableLog", "TableModel", "TableServer",
                "TableValue", "TableWire", "Terminal", "TestSupport",
            ]),
        tests(
            "ServerRuntime",
            [
                "ServerRuntime", "TableLog", "TableModel", "TableServer", "TableWire", "Transport",
                "roundtabled",
            ]),
        tests("Simulation", ["Simulation", "TableLog", "TableModel", "TableValue"]),
        tests(
            "ClientRuntime",
            ["ClientRuntime", "TableClient", "TableValue", "TableWire", "Transport"]),
        tests(
            "CommandLine",
            ["roundtable", "ClientRuntime", "TableModel", "TableValue", "TableWire", "Transport"]),
        tests(
            "Conformance",
            ["ClientRuntime", "TableClient", "TableModel", "TableValue", "TableWire"]),
        tests("EndToEnd", ["RoundtableBot", "TestSupport", "Transport"]),
        tests("Tidy"),
    ]
)

if isFuzzing {
    // One program with an entry for each parser; Tests/fuzz/run builds and runs it.
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "TableExpression", "TableFiles", "TableModel", "TableValue", "TableWire",
                "Terminal",
            ],
            path: "Tests/fuzz", exclude: ["corpus", "run"],
            swiftSettings: strictParser + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
}
