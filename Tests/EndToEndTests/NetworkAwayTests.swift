// Ten seconds without the network, while people on both sides insert rows and type: afterwards
// everything is there once, everybody has the same, and whoever lost a value is told.
import Foundation
import Testing

/// How the network is away from Ben.
enum Absence: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case cut = "connections are cut, and no others can be made"
    case swallowed = "connections stay open, and nothing arrives any more"
    case unanswered = "connections stay open, and answers arrive no more"

    var testDescription: String { rawValue }

    func begin(_ proxy: CuttingProxy) {
        switch self {
        case .cut: proxy.down()
        case .swallowed: proxy.swallow(.everything)
        case .unanswered: proxy.swallow(.answers)
        }
    }
}

/// Ann and Ben in their terminals, of whom only Ben is behind the proxy, and a bot.
private final class Company {
    let stage: Stage
    let ann: Person
    let ben: Person
    let proxy: CuttingProxy
    let left: Screen
    let right: Screen
    let bot: PythonBot

    static let rowCount = 3_000

    init() throws {
        stage = try Stage()
        ann = try stage.person("Ann")
        ben = try stage.person("Ben", role: "editor")
        let path = try Flights.first(Self.rowCount, in: stage.workplace)
        try ann.must("import", path, "flights", "--null", "NA")
        // New rows are edited in their first cell, which shall take words.
        try ann.must("column", "move", "flights", "carrier", "--first")
        proxy = try CuttingProxy(to: UInt16(stage.port), seed: 1, bytesMax: .max)
        proxy.stopCutting()
        try ben.learn(address: "127.0.0.1:\(proxy.port)", like: stage.port)
        let address = "127.0.0.1:\(proxy.port)/flights"
        left = try Screen(in: stage.workplace, home: "Ann", ["open", "flights"], columns: 120)
        right = try Screen(in: stage.workplace, home: "Ben", ["open", address], columns: 120)
        bot = try PythonBot(stage, table: "flights")
        for screen in [left, right] {
            try screen.wait(for: "● live")
            try screen.wait(for: "robin")
        }
        try left.wait(for: "Ben")
        try right.wait(for: "Ann")
    }

    deinit { proxy.close() }

    /// What the table holds that was typed, in the order of its rows.
    func typed() throws -> (rows: Int, texts: [String]) {
        let rows = try ann.must("export", "flights", "-", "--format", "csv")
            .split(separator: "\n").dropFirst()
        let texts = rows.compactMap { row in
            row.split(separator: ",", omittingEmptySubsequences: false).first.map(String.init)
        }
        return (rows.count, texts.filter { typedTexts(in: $0) == [$0] })
    }
}

/// What people and bots type here: whose it is, what it is, and a number.
private func typedTexts(in text: String) -> [String] {
    text.matches(of: #/(?:Ann|Ben|bot)(?:s|n)\d/#).map { String($0.output) }
}

extension Screen {
    /// Types into the cell under the cursor.
    fileprivate func enter(_ text: String) throws {
        try press("Enter")
        try type(text)
        try press("Enter")
        try wait(for: text)
    }

    /// Inserts a row below the cursor, and types into its first cell.
    fileprivate func insert(_ text: String) throws {
        try press("IC")
        try type(text)
        try press("Enter")
        try wait(for: text)
    }

    /// What was typed, as it stands in the rows on the screen from top to bottom.
    fileprivate var typed: [String] {
        get throws { try lines.filter { $0.contains("│") }.flatMap(typedTexts) }
    }
}

@Test(
    "FT24, FC4, FC9: ten seconds without the network: everything arrives once, the loser is told",
    .enabled(if: Flights.areThere, "ROUNDTABLE_SUITES has no real/flights.csv.zip"),
    .timeLimit(.minutes(5)), arguments: Absence.allCases)
func tenSecondsAway(_ absence: Absence) throws {
    let company = try Company()
    let (left, right, proxy) = (company.left, company.right, company.proxy)
    let isAnnLast = absence == .unanswered

    absence.begin(proxy)
    let end = ContinuousClock.now + .seconds(10)
    if absence == .cut { try right.wait(for: "◌ offline") }
    // Ben goes on: two cells, and two rows below them.
    for number in 1...2 {
        try right.press("Down")
        try right.enter("Bens\(number)")
    }
    for number in 1...2 { try right.insert("Benn\(number)") }
    // Ann and the bot too, and Ann in the first of Ben's cells.
    if isAnnLast { try left.wait(for: "Benn2") }
    try left.press("Down")
    try left.enter("Anns1")
    for number in 1...2 { try left.insert("Annn\(number)") }
    _ = try company.bot.order(#"["set", 0, "carrier", "bots1"]"#)
    try left.wait(until: "Ann's are stored, and the bot's is here") {
        $0.contains("saved") && $0.contains("bots1")
    }
    while ContinuousClock.now < end {
        usleep(20_000)  // poll: how long the network is away is what is tried here
    }
    try right.press("Down")
    try right.enter("Bens3")
    let before = try right.text
    #expect(before.contains("queued") || before.contains("unsent"), "\(before)")
    #expect(!before.contains("Annn1"), "\(before)")
    proxy.up()

    // A connection that says nothing is given up after 45 seconds.
    try right.wait(until: "Ben has everything, and all of his is stored", forSeconds: 150) {
        $0.contains("● live") && $0.contains("saved") && $0.contains("Annn2")
    }
    let (winner, loser) = isAnnLast ? ("Ann", right) : ("Ben", left)
    try loser.wait(for: "\(winner) replaced your value")
    try left.wait(for: "Bens3")
    try check(company, isAnnLast ? "Anns1" : "Bens1")
}

/// Everything that was typed is there once, but for the value that was replaced, and everybody has
/// the same.
private func check(_ company: Company, _ winner: String) throws {
    let wanted = ["Annn1", "Annn2", "Benn1", "Benn2", "Bens2", "Bens3", "bots1", winner]
    let table = try company.typed()
    #expect(table.texts.sorted() == wanted.sorted())
    #expect(table.rows == Company.rowCount + 4)
    for screen in [company.left, company.right] {
        try screen.press("Escape", "C-Home")
        try screen.wait(until: "the screen shows what the table holds") { _ in
            try screen.typed == table.texts
        }
    }
    let hash = try company.ann.must("hash", "flights", "--server")
    #expect(try company.ann.must("hash", "flights") == hash)
    #expect(try company.ben.must("hash", "127.0.0.1:\(company.proxy.port)/flights") == hash)
    let words = hash.split(separator: " ")
    let answer = try company.bot.order(#"["hash", \#(words[0])]"#)
    #expect(answer == #"[\#(words[0]), "\#(words[1])"]"#)
}
