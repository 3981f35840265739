// How bytes and endings travel: what is sent arrives later and in other pieces, and each end of
// a link learns by itself that the link is gone.
import TableClient
import TableModel
import TableServer
import TableWire

extension World {
    /// How long bytes are under way: short once the world is calm.
    var delay: (low: Int64, high: Int64) {
        let low = options[.delayMicrosecondsMin]
        let high = options[.delayMicrosecondsMax]
        return isCalm ? (low, min(high, 2_000)) : (low, high)
    }

    /// True once no more faults happen.
    var isCalm: Bool { phase != .playing }

    /// A new connection, of which the server learns at once.
    ///
    /// - Returns: its link's number.
    mutating func makeLink(_ owner: LinkOwner) -> Int {
        let link = links.count
        let connection = ConnectionID(rawValue: Int64(link) + 1)
        links.append(Link(owner: owner, connection: connection, boot: server.boot))
        receive(.opened(connection))
        return link
    }

    /// The link of a connection.
    func link(of connection: ConnectionID) -> Int { Int(connection.rawValue) - 1 }

    // MARK: Sending

    /// Puts bytes on their way to the server.
    mutating func sendToServer(_ bytes: [UInt8], on link: Int) {
        let bytes = mischief.clientSent(bytes, on: link)
        unsafe trace.update(bytes.span.bytes)
        note("link \(link) > \(printable(bytes))")
        links[link].monitor.clientSent(bytes)
        let dues = links[link].toServer.send(
            bytes, at: now, delay: delay, pieceCountMax: Int(options[.piecesMax]),
            random: &random)
        for due in dues { queue.schedule(.arrived(link: link, atServer: true), at: due) }
    }

    /// Puts bytes on their way to whoever is at the other end.
    mutating func sendToClient(_ bytes: [UInt8], on link: Int) {
        unsafe trace.update(bytes.span.bytes)
        note("link \(link) < \(printable(bytes))")
        let dues = links[link].toClient.send(
            bytes, at: now, delay: delay, pieceCountMax: Int(options[.piecesMax]),
            random: &random)
        for due in dues { queue.schedule(.arrived(link: link, atServer: false), at: due) }
    }

    private func printable(_ bytes: [UInt8]) -> String {
        guard tell != nil else { return "" }
        return String(decoding: bytes, as: UTF8.self).replacing("\n", with: " ⏎ ")
    }

    // MARK: Arriving

    /// What is due at the server's end goes into its inbox.
    mutating func arriveAtServer(_ link: Int) {
        guard links[link].isOpenAtServer, links[link].boot == server.boot, server.core != nil
        else { return }
        let bytes = links[link].toServer.take(at: now)
        guard !bytes.isEmpty else { return }
        receive(.received(links[link].connection, bytes))
    }

    /// What is due at the other end is read; there may be room for output again.
    mutating func arriveAtClient(_ link: Int) throws(Violation) {
        guard links[link].isOpenAtClient else { return }
        let bytes = links[link].toClient.take(at: now)
        guard !bytes.isEmpty else { return }
        if links[link].wantsOutput { scheduleTurn() }
        switch links[link].owner {
        case .bot(let bot):
            bots[bot].received(bytes)
            if bots[bot].isDone { closeAtClient(link) }
        case .client(let client):
            guard clients[client].link == link else { return }
            unsafe clients[client].core.received(
                bytes.span.bytes, at: clientNow, into: &clientActions)
            try performClientActions(client)
        }
    }

    /// A client that read nothing for a while reads again.
    mutating func readAgain(_ client: Int) {
        guard let link = clients[client].link, links[link].toClient.isPaused else { return }
        links[link].toClient.isPaused = false
        queue.schedule(.arrived(link: link, atServer: false), at: now)
    }

    // MARK: Ending

    /// The client's end closes; what it had sent still arrives.
    mutating func closeAtClient(_ link: Int) {
        guard links[link].isOpenAtClient else { return }
        links[link].isOpenAtClient = false
        guard !links[link].toServer.isEnding else { return }
        links[link].toServer.close()
        let time = max(now, links[link].toServer.lastByteDue) + random.between(1, delay.high)
        queue.schedule(.ended(link: link, atServer: true), at: time)
    }

    /// The server's end closes; what it had sent still arrives.
    mutating func closeAtServer(_ link: Int) {
        guard links[link].isOpenAtServer else { return }
        links[link].isOpenAtServer = false
        receive(.closed(links[link].connection))
        guard !links[link].toClient.isEnding else { return }
        links[link].toClient.close()
        let time = max(now, links[link].toClient.lastByteDue) + random.between(1, delay.high)
        queue.schedule(.ended(link: link, atServer: false), at: time)
    }

    /// The server learns that a link is gone.
    mutating func endAtServer(_ link: Int) {
        guard links[link].isOpenAtServer, links[link].boot == server.boot, server.core != nil
        else { return }
        links[link].toServer.isPaused = false
        arriveAtServer(link)
        links[link].isOpenAtServer = false
        receive(.closed(links[link].connection))
    }

    /// A client or bot learns that its link is gone.
    mutating func endAtClient(_ link: Int) throws(Violation) {
        guard links[link].isOpenAtClient else { return }
        links[link].toClient.isPaused = false
        try arriveAtClient(link)
        guard links[link].isOpenAtClient else { return }
        links[link].isOpenAtClient = false
        switch links[link].owner {
        case .bot(let bot): bots[bot].disconnected()
        case .client(let client):
            guard clients[client].link == link else { return }
            try lostLink(client, "connection lost")
        }
    }

    /// A client's link breaks at some byte in each direction.
    ///
    /// Mostly both ends learn of it soon; sometimes one of them learns nothing for minutes.
    mutating func cut(_ client: Int, _ generator: SeededGenerator) {
        guard isPresent(client), let link = clients[client].link, links[link].isOpenAtClient
        else { return }
        var generator = generator
        verdict.cuts += 1
        let toServer = links[link].toServer.byteCount
        let toClient = links[link].toClient.byteCount
        links[link].toServer.cut(keeping: generator.below(toServer + 1))
        links[link].toClient.cut(keeping: generator.below(toClient + 1))
        for atServer in [true, false] {
            let last =
                atServer ? links[link].toServer.lastByteDue : links[link].toClient.lastByteDue
            let wait = generator.chance(12) ? 120_000_000 : generator.between(1, 50_000)
            queue.schedule(.ended(link: link, atServer: atServer), at: max(now, last) + wait)
        }
        note("link \(link) is cut")
    }
}
