// Who there is: users with their roles, the hashes of their tokens, and invites.
// What changes here is a line of log 0; Recovery.swift replays them.
import TableModel
import TableValue

/// A person or a bot.
struct Account {
    /// Its number from 1; `u3` outside memory.
    let number: Int64
    let name: Text
    let role: Role
    let isBot: Bool
    /// `u3`, as records carry it.
    let idText: Text
    var connectionCount = 0
    /// The pace of operations in sessions, which are delayed.
    var sessionPace: TokenBucket
    /// The pace of operations outside sessions, which are refused.
    var loosePace: TokenBucket

    /// Makes an account with full buckets.
    init(
        number: Int64, name: Text, role: Role, isBot: Bool, limits: ServerLimits, at now: Instant
    ) {
        self.number = number
        self.name = name
        self.role = role
        self.isBot = isBot
        idText = Text("u\(number)")
        sessionPace = TokenBucket(
            perSecond: isBot ? limits.botOpsPerSecond : limits.personSessionOpsPerSecond,
            burst: isBot ? limits.botOpsBurst : limits.personSessionOpsBurst, at: now)
        loosePace = TokenBucket(
            perSecond: isBot ? limits.botOpsPerSecond : limits.personOpsPerSecond,
            burst: isBot ? limits.botOpsBurst : limits.personOpsBurst, at: now)
    }
}

/// An invitation that is not used up.
struct Invite {
    let role: Role
    var usesLeft: Int
    /// Milliseconds since 1970; 0 is never.
    let expiresMilliseconds: Int64
}

/// All accounts and secrets.
struct Accounts {
    /// Account N is at position N - 1.
    private var accounts: [Account] = []
    private var tokens: [SecretHash: Int] = [:]
    private var invites: [SecretHash: Invite] = [:]

    /// How many accounts there are.
    var count: Int { accounts.count }

    /// Whether one of them is a person's.
    ///
    /// Complexity: linear in the accounts.
    var hasPeople: Bool { accounts.contains { !$0.isBot } }

    /// How many invites are open.
    var inviteCount: Int { invites.count }

    /// The number of the next account.
    var nextNumber: Int64 { Int64(accounts.count) + 1 }

    /// The account at a position.
    subscript(position: Int) -> Account {
        get { accounts[position] }
        _modify { yield &accounts[position] }
    }

    /// The position of an account, where there is one of that number.
    func position(ofNumber number: Int64) -> Int? {
        number >= 1 && number <= accounts.count ? Int(number) - 1 : nil
    }

    /// Adds an account, whose number is `nextNumber`.
    ///
    /// - Returns: its position.
    mutating func add(_ account: Account) -> Int {
        accounts.append(account)
        return accounts.count - 1
    }

    /// The bot of that name.
    func bot(named name: Text) -> Int? {
        accounts.firstIndex { $0.isBot && $0.name == name }
    }

    /// Adds a secret by which the account at a position logs in.
    mutating func addToken(_ hash: SecretHash, for position: Int) {
        tokens[hash] = position
    }

    /// The account that a token belongs to.
    func account(withToken hash: SecretHash) -> Int? { tokens[hash] }

    /// Adds an invite.
    mutating func addInvite(_ hash: SecretHash, _ invite: Invite) {
        invites[hash] = invite
    }

    /// Uses an invite once.
    ///
    /// - Returns: the role it gives; nil where there is none of that hash or its time is over.
    mutating func useInvite(_ hash: SecretHash, atMilliseconds now: Int64) -> Role? {
        guard var invite = invites[hash] else { return nil }
        if invite.expiresMilliseconds > 0 && invite.expiresMilliseconds <= now {
            invites[hash] = nil
            return nil
        }
        invite.usesLeft -= 1
        invites[hash] = invite.usesLeft > 0 ? invite : nil
        return invite.role
    }

    /// Forgets the invites whose time is over.
    mutating func dropExpiredInvites(atMilliseconds now: Int64) {
        invites = invites.filter {
            $0.value.expiresMilliseconds == 0 || $0.value.expiresMilliseconds > now
        }
    }
}
