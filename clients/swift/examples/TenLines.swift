// The bot that clients/swift/README.md shows: it makes a table, edits it, and prints what is there.
// README.md has its body word for word; a test compares them. Run by main.swift.
import RoundtableBot

func tenLines() async throws {
    let bot = try Bot.load("bot.json")
    try await bot.create("stock", columns: ["item": "text", "qty": "int"])
    let stock = try await bot.open("stock")
    let bolt = try await stock.append(["item": "bolt", "qty": 5])
    try await stock.set(bolt, "qty", to: 6, expecting: 5)  // only if it still is 5
    try await stock.add(bolt, "qty", 10)  // whatever it is by now
    for row in try await stock.snapshot() {
        print(row.id, row["item"], row["qty"])
    }
}
