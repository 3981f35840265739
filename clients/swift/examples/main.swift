// The examples of the Swift library as one program: `bot-examples NAME ARGUMENT…`.
// Each is in a file of its own; nothing is in here but the choice.
import RoundtableBot

let words = CommandLine.arguments.dropFirst()
let credentials = words.dropFirst().first ?? "bot.json"
let rest = Array(words.dropFirst(2))

switch words.first {
case "ten-lines": try await tenLines()
case "count": try await count(credentials, times: rest.first.flatMap { Int($0) } ?? 1)
case "work": try await work(credentials, workers: rest.first.flatMap { Int($0) } ?? 8)
case "watch":
    try await watch(
        credentials, table: rest.first ?? "stock",
        quietSeconds: rest.dropFirst().first.flatMap { Double($0) })
default: print("bot-examples ten-lines | count | work | watch")
}
