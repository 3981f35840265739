// A work queue: eight workers claim rows that are open, each row exactly once, and mark them done.
// Where a worker dies its lease ends, and the row is open again.
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
    let jobs = try await Bot.load(credentials).open("jobs", follow: false)
    var done = 0
    while let claim = try await jobs.claim(
        where: "state = 'open'", set: ["state": "taken", "by": .text(name)], leaseSeconds: 60)
    {
        // Here the work is done. What it came to is written as the lease ends, or not at all.
        try await claim.finish(["state": "done", "times": .int((claim["times"].int ?? 0) + 1)])
        done += 1
    }
    return done
}
