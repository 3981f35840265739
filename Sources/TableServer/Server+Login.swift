// From the first line to a user: hello, then login by token or invite. Before that nothing else
// is understood, by one path for all.
import TableModel
import TableValue
import TableWire

extension Server {
    /// Serves a line of a connection that has not logged in.
    mutating func serveBeforeLogin(_ line: ClientLine, of slot: Int) {
        switch (line.message, connections[slot].phase) {
        case (.hello(let versions, _, _), .hello): greet(slot, versions: versions, id: line.id)
        case (.login(let credential), .login): logIn(slot, with: credential, id: line.id)
        case (.ping, _): answer(slot, .pong, id: line.id)
        case (.bye, _): dismiss(slot, ErrorMessage(.goingAway, "as you wish"), answering: nil)
        default:
            dismissForMistake(
                slot,
                ErrorMessage(.notAuthenticated, "send hello, then login, before anything else"),
                id: line.id)
        }
    }

    private mutating func greet(_ slot: Int, versions: [Int], id: RequestID?) {
        guard versions.isEmpty || versions.contains(1) else {
            return dismissForMistake(
                slot, ErrorMessage(.noCommonVersion, "this server speaks version 1"), id: id)
        }
        var welcome = Welcome()
        welcome.lineBytesMax = limits.wire.lineBytesMax
        welcome.partsMax = limits.table.partsMax
        welcome.window = limits.windowOps
        welcome.heartbeatSeconds = limits.heartbeatSeconds
        connections[slot].phase = .login
        answer(slot, .welcome(welcome), id: id)
    }

    private mutating func logIn(_ slot: Int, with credential: Credential, id: RequestID?) {
        switch credential {
        case .token(let token):
            guard let hash = environment.hash(of: token),
                let account = accounts.account(withToken: hash)
            else { return refuseLogin(slot, id: id) }
            admit(slot, account, token: nil, gate: AnswerGate(), id: id)
        case .invite(let invite, let name):
            redeem(invite, name: name, for: slot, id: id)
        }
    }

    /// The same words for every cause, so that nobody learns which secrets exist.
    private mutating func refuseLogin(_ slot: Int, id: RequestID?) {
        dismissForMistake(
            slot, ErrorMessage(.loginFailed, "the token or invite is not valid (any more)"),
            id: id)
    }

    /// Makes a user out of an invite.
    ///
    /// It counts as used here and now; whoever comes later in the same turn finds it used.
    private mutating func redeem(_ invite: Text, name: Text, for slot: Int, id: RequestID?) {
        if let problem = nameProblem(name, of: .user, bytesMax: limits.table.nameBytesMax) {
            return dismissForMistake(slot, ErrorMessage(.badName, problem), id: id)
        }
        guard accounts.count < limits.usersMax, let hash = environment.hash(of: invite),
            let role = accounts.useInvite(
                hash, atMilliseconds: max(steadyMilliseconds, now.wallMilliseconds))
        else { return refuseLogin(slot, id: id) }
        log(.inviteUsed(hash: hash))
        let account = addAccount(name: name, role: role, isBot: false)
        guard let token = addToken(prefix: "rt1d_", for: account) else {
            return refuseLogin(slot, id: id)
        }
        connections[slot].stalledUntilBatch = batch
        admit(slot, account, token: token, gate: AnswerGate(batch: batch), id: id)
    }

    /// Lets a connection in as a user.
    private mutating func admit(
        _ slot: Int, _ account: Int, token: Text?, gate: AnswerGate, id: RequestID?
    ) {
        let most =
            accounts[account].isBot ? limits.connectionsPerBotMax : limits.connectionsPerUserMax
        guard accounts[account].connectionCount < most else {
            return dismissForMistake(
                slot,
                ErrorMessage(
                    .tooManyConnections, "you have \(most) connections already; close one",
                    retrySeconds: retrySeconds()), id: id)
        }
        accounts[account].connectionCount += 1
        connections[slot].account = account
        connections[slot].phase = .open
        let user = accounts[account]
        answer(
            slot,
            .loggedIn(
                user: user.idText, name: user.name, role: Text(user.role.rawValue), token: token),
            id: id, gate: gate)
    }

    // MARK: Accounts

    /// Makes an account and logs it.
    ///
    /// - Returns: its position.
    mutating func addAccount(name: Text, role: Role, isBot: Bool) -> Int {
        let number = accounts.nextNumber
        log(.user(id: number, name: name, role: role, isBot: isBot))
        return accounts.add(
            Account(
                number: number, name: name, role: role, isBot: isBot, limits: limits,
                at: now.instant))
    }

    /// Makes a secret for an account and logs its hash.
    mutating func addToken(prefix: String, for account: Int) -> Text? {
        let token = environment.secret(prefix: prefix, randomByteCount: 32)
        guard let hash = environment.hash(of: token) else { return nil }
        log(.token(user: accounts[account].number, hash: hash))
        accounts.addToken(hash, for: account)
        return token
    }

    // MARK: Administrators

    /// Serves an administrator; the answer comes once what it needs is durable.
    mutating func administratorAsked(_ ticket: Int64, _ request: AdministratorRequest) {
        guard isRunning else {
            return emit(
                .answerAdministrator(ticket: ticket, .refused("the server is stopping")))
        }
        let answer: AdministratorAnswer =
            switch request {
            case .invite(let role, let uses, let seconds):
                makeInvite(role: role, uses: uses, expiresAfterSeconds: seconds)
            case .token(let bot, let role): makeBotToken(name: Text(bot), role: role)
            }
        if case .refused = answer {
            emit(.answerAdministrator(ticket: ticket, answer))
        } else {
            administratorAnswers.append((batch, ticket, answer))
        }
    }

    private mutating func makeInvite(
        role: String, uses: Int, expiresAfterSeconds seconds: Int64
    ) -> AdministratorAnswer {
        guard let role = Role(rawValue: role) else { return .refused(rolesText) }
        guard (1...10_000).contains(uses) else {
            return .refused("an invite can be used 1 to 10000 times")
        }
        guard (0...Int64(36_500 * 86_400)).contains(seconds) else {
            return .refused("an invite can live for a hundred years at most")
        }
        accounts.dropExpiredInvites(atMilliseconds: steadyMilliseconds)
        guard accounts.inviteCount < limits.invitesMax else {
            return .refused("there are \(limits.invitesMax) open invites already")
        }
        let secret = environment.randomBytes(InviteText.secretByteCount)
        guard let hash = environment.hash(of: Text(base32(secret))) else {
            return .refused("no randomness")
        }
        let expires = seconds == 0 ? 0 : steadyMilliseconds + seconds * 1_000
        log(.invite(hash: hash, role: role, uses: uses, expires: expires))
        accounts.addInvite(
            hash, Invite(role: role, usesLeft: uses, expiresMilliseconds: expires))
        return .invite(secret: secret)
    }

    private mutating func makeBotToken(name: Text, role: String) -> AdministratorAnswer {
        guard let role = Role(rawValue: role) else { return .refused(rolesText) }
        if let problem = nameProblem(name, of: .user, bytesMax: limits.table.nameBytesMax) {
            return .refused(problem)
        }
        let known = accounts.bot(named: name)
        if let known, accounts[known].role != role {
            return .refused("the bot of that name has the role \(accounts[known].role.rawValue)")
        }
        guard known != nil || accounts.count < limits.usersMax else {
            return .refused("there are \(limits.usersMax) users already")
        }
        let account = known ?? addAccount(name: name, role: role, isBot: true)
        guard let token = addToken(prefix: "rt1b_", for: account) else {
            return .refused("no randomness")
        }
        return .token(token.string)
    }

    private var rolesText: String {
        "the roles are \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
