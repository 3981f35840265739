// A watcher: prints every change of a table as it happens, and after a restart goes on where it
// stopped, by a cursor that it keeps in a file. Run by main.swift.
import RoundtableBot

func watch(_ credentials: String, table: String, quietSeconds: Double?) async throws {
    let bot = try Bot.load(credentials)
    let cursor = try Cursor(named: "watcher", in: ".")
    let records = try await bot.watch(table, cursor: cursor, quietSeconds: quietSeconds)
    for try await record in records {
        for change in record.changes { print(record.sequence, record.user, change.json) }
    }
}
