// Bytes into lines, lines into messages, in order and in fair turns. What is not served now
// stays with its connection, from which nothing more is read until it is.
import TableModel
import TableWire

extension Server {
    /// Whether the next line of a connection may be served.
    enum Readiness {
        case ready
        /// The turn has done enough; another one comes at once.
        case turnIsFull
        /// Something else must happen first.
        case blocked
    }

    /// Takes bytes of a connection: serves the lines that may be served, keeps the rest.
    mutating func take(_ bytes: borrowing RawSpan, from slot: Int) {
        guard connections[slot].phase != .leaving else { return }
        heard(slot)
        if connections[slot].hasBacklog || readiness(of: slot) != .ready {
            unsafe bytes.withUnsafeBytes { unsafe connections[slot].held.append(contentsOf: $0) }
            connections[slot].hasBacklog = !connections[slot].held.isEmpty
        } else {
            serveLines(of: slot, adding: bytes)
        }
        if connections[slot].hasBacklog { addToBacklog(slot) }
    }

    /// Notes a sign of life.
    private mutating func heard(_ slot: Int) {
        connections[slot].heardAt = now.instant
        guard connections[slot].isAbsent else { return }
        connections[slot].isAbsent = false
        showPresence(true, of: slot)
    }

    private mutating func addToBacklog(_ slot: Int) {
        guard !connections[slot].isInBacklog else { return }
        connections[slot].isInBacklog = true
        backlog.append(connections[slot].id)
    }

    /// Asks whether the next line of a connection may be served.
    mutating func readiness(of slot: Int) -> Readiness {
        guard isRunning, connections[slot].phase != .leaving else { return .blocked }
        if connections[slot].phase == .open {
            let mustWait =
                connections[slot].stalledUntilBatch > durableBatch
                || connections[slot].closingCount > 0
                || connections[slot].isHashing || connections[slot].isLookingBack
                || connections[slot].isWindowFull(limits: limits)
                || connections[slot].answers.byteCount > limits.answerBytesMax
                || pendingBytes > limits.pendingBytesMax
            if mustWait || isTooFast(slot) { return .blocked }
        }
        let isTurnFull =
            turnOps >= limits.turnOpsMax || turnBytes >= limits.turnBytesMax
            || turnParts >= limits.turnPartsMax
        if isTurnFull { return .turnIsFull }
        return .ready
    }

    /// True where the user's operations in sessions must wait; notes until when.
    private mutating func isTooFast(_ slot: Int) -> Bool {
        let account = connections[slot].account
        guard accounts[account].sessionPace.isLimited,
            let until = accounts[account].sessionPace.wait(at: now.instant)
        else { return false }
        throttledUntil = min(throttledUntil ?? until, until)
        return true
    }

    /// Serves lines of a connection, at most its part of a turn.
    private mutating func serveLines(of slot: Int, adding bytes: borrowing RawSpan) {
        // The splitter is taken out, so that serving a line may change the connection.
        var splitter = LineSplitter(lineBytesMax: 0)
        swap(&splitter, &connections[slot].splitter)
        var left = limits.linesPerTurnPart
        var isStopped = serve(slot, with: &splitter, adding: bytes, &left)
        while isStopped, left > 0, connections[slot].phase != .leaving,
            readiness(of: slot) == .ready
        {
            // Stopped only because another length of line holds from here on.
            isStopped = serve(slot, with: &splitter, adding: RawSpan(), &left)
        }
        if connections[slot].phase == .leaving { return }
        connections[slot].splitter = splitter
        connections[slot].hasBacklog = isStopped
    }

    /// Serves lines until none is left, or one is the last for now.
    ///
    /// - Returns: true where lines may be left.
    private mutating func serve(
        _ slot: Int, with splitter: inout LineSplitter, adding bytes: borrowing RawSpan,
        _ left: inout Int
    ) -> Bool {
        let wasOpen = connections[slot].phase == .open
        splitter.lineBytesMax =
            wasOpen ? limits.wire.lineBytesMax : limits.wire.lineBytesBeforeLoginMax
        var isStopped = false
        do {
            try splitter.append(bytes) { line in
                serve(line, of: slot)
                left -= 1
                isStopped =
                    left <= 0 || (connections[slot].phase == .open) != wasOpen
                    || readiness(of: slot) != .ready
                return !isStopped
            }
        } catch {
            dismissForMistake(
                slot, ErrorMessage(error.code, error.reason, offset: error.offset))
            return false
        }
        return isStopped
    }

    /// Serves one line.
    private mutating func serve(_ line: borrowing RawSpan, of slot: Int) {
        turnBytes += line.byteCount
        do {
            let read = try readClientLine(line, limits: limits.wire)
            guard connections[slot].phase == .open else { return serve(read, of: slot) }
            let id = read.id
            let message = read.message
            switch consume message {
            case .op(let submitted):
                let hash = submitted.clientNumber > 0 ? hash64(line) : 0
                operationCame(
                    submitted, id: id, byteCount: line.byteCount, hash: hash, from: slot)
            case let message:
                serve(ClientLine(id: id, message: message), of: slot)
            }
        } catch {
            dismissForMistake(
                slot, ErrorMessage(error.code, error.reason, offset: error.offset))
        }
    }

    /// Serves a message that is not an operation of a connection that has logged in.
    private mutating func serve(_ line: ClientLine, of slot: Int) {
        switch connections[slot].phase {
        case .hello, .login: serveBeforeLogin(line, of: slot)
        case .open: serveRequest(line, of: slot)
        case .leaving, .vacant: break
        }
    }

    // MARK: Turns

    /// Serves what waits, one part of a turn for each connection after the other, until nothing
    /// may be served any more or the turn has done enough.
    mutating func serveBacklog() {
        guard !backlog.isEmpty else { return }
        var waiting: [ConnectionID] = []
        swap(&waiting, &backlog)
        var hasServed = true
        while hasServed {
            hasServed = false
            for id in waiting {
                guard let slot = slots[id], connections[slot].hasBacklog,
                    readiness(of: slot) == .ready
                else { continue }
                var held: [UInt8] = []
                swap(&held, &connections[slot].held)
                serveLines(of: slot, adding: unsafe held.span.bytes)
                hasServed = true
            }
        }
        for id in waiting { keepOrRelease(id) }
        // Whoever was first this time is last the next time.
        if backlog.count > 1 { backlog.append(backlog.removeFirst()) }
    }

    /// Keeps a connection in the backlog, or lets it be read again.
    private mutating func keepOrRelease(_ id: ConnectionID) {
        guard let slot = slots[id] else { return }
        if connections[slot].phase == .leaving {
            connections[slot].isInBacklog = false
        } else if connections[slot].hasBacklog {
            backlog.append(id)
            if readiness(of: slot) != .blocked { isTurnDue = true }
            if !connections[slot].isReadingStopped {
                connections[slot].isReadingStopped = true
                emit(.stopReading(id))
            }
        } else {
            connections[slot].isInBacklog = false
            if connections[slot].isReadingStopped {
                connections[slot].isReadingStopped = false
                emit(.resumeReading(id))
            }
        }
    }
}
