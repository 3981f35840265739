// A work queue: eight workers take rows that are open, each row exactly once, and mark them done.
// A row is taken by compare-and-set: of two workers that want it, one is refused.
// Run by main.swift.
import RoundtableBot

func work(_ credentials: String, workers: Int) async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 1...max(1, workers) {
            group.addTask { try await workOff(credentials, as: "worker \(worker)") }
        }
        var done = 0
        for try await count in group { done += count }
        print("done:", done)
    }
}

/// Takes open rows until none is left; returns how many it took.
private func workOff(_ credentials: String, as name: String) async throws -> Int {
    let jobs = try await Bot.load(credentials).open("jobs")
    var done = 0
    while let row = try await jobs.first(where: "state", is: "open") {
        do {
            try await jobs.commit { edits in
                edits.requireValue(row.id, "state", "open")
                edits.set(row.id, ["state": "taken", "by": .text(name)])
            }
        } catch let error as BotError where error.kind == .preconditionFailed {
            // Somebody was faster. The refusal may come before the record that tells so.
            continue
        }
        try await jobs.commit { edits in
            edits.set(row.id, "state", "done")
            edits.add(row.id, "times", 1)
        }
        done += 1
    }
    return done
}
