// When a command gives up on a server.
import Testing

@testable import roundtable

@Suite("Lost connections")
struct LossAccountTests {
    @Test("Patience runs out where nothing new comes, however often the line comes back")
    func runsOut() {
        var account = LossAccount(secondsMax: 10)
        #expect(account.lost(at: 100, retryingAfterSeconds: 1) == .first)
        #expect(account.lost(at: 105, retryingAfterSeconds: 1) == .again)
        #expect(account.lost(at: 109.5, retryingAfterSeconds: 1) == .over)
    }

    @Test("What is new starts patience anew, and is told anew when it ends")
    func progress() {
        var account = LossAccount(secondsMax: 10)
        #expect(account.lost(at: 100, retryingAfterSeconds: 1) == .first)
        account.progressed()
        #expect(account.lost(at: 200, retryingAfterSeconds: 1) == .first)
        #expect(account.lost(at: 211, retryingAfterSeconds: 0) == .over)
    }

    @Test("Rows are new only where there were never as many")
    func rows() {
        var account = LossAccount(secondsMax: 10)
        account.loaded(rowCount: 500)
        #expect(account.lost(at: 0, retryingAfterSeconds: 1) == .first)
        for rowCount in [0, 100, 500] { account.loaded(rowCount: rowCount) }
        #expect(account.lost(at: 5, retryingAfterSeconds: 1) == .again)
        account.loaded(rowCount: 501)
        #expect(account.lost(at: 14, retryingAfterSeconds: 1) == .first)
    }

    @Test("No patience is one attempt")
    func none() {
        var account = LossAccount(secondsMax: 0)
        #expect(account.lost(at: 3, retryingAfterSeconds: 0.1) == .over)
    }
}
