// A counter: adds to a number in a shared table, however many others do the same, without reading
// it first and without a lock. Run by main.swift.
import RoundtableBot

func count(_ credentials: String, times: Int) async throws {
    let bot = try Bot.load(credentials)
    do {
        try await bot.create("counters", columns: ["name": "text", "value": "int"])
    } catch let error as BotError where error.code == "table_exists" {
        // Another counter was here first.
    }
    let counters = try await bot.open("counters")
    let demo = try await counters.first(where: "name", is: "demo")?.id
    let row =
        if let demo { demo } else { try await counters.append(["name": "demo", "value": 0]) }
    var sum = Value.null
    for _ in 0..<times {
        sum = try await counters.add(row, "value", 1)
    }
    print("the counter stands at", sum)
}
