// Rules C19 and C20: leases are renewed, given back, finished by who holds them, and end by time.
// A claim is taken back as by an undo: cells that were written since stay. Rule U2.
import TableValue

extension Table {
    /// Renews a lease, or ends it.
    mutating func performLeaseChange(
        _ change: LeaseChange, _ progress: inout Progress
    ) throws(Rejection) {
        guard keepsUndo else {
            throw Rejection(.malformed, "Who has a lease, the server knows alone.")
        }
        guard let slot = rows.slot(of: change.row) else { return try progress.miss(change.row) }
        let lease = try lease(on: slot, change, progress.author)
        switch change.kind {
        case .renew(let seconds):
            var renewed = lease
            renewed.untilMilliseconds = try endOfLease(after: seconds, progress)
            setLease(slot, renewed)
            progress.changes.append(
                .leaseSet(change.row, untilMilliseconds: renewed.untilMilliseconds))
        case .giveBack:
            try giveBack(lease, &progress)
            endLease(slot, &progress)
        case .finish: endLease(slot, &progress)
        }
        progress.applied += 1
    }

    /// The lease on a row, where it is the author's: of the same user, by the number of its claim
    /// or by the session.
    private func lease(
        on slot: UInt32, _ change: LeaseChange, _ author: OpAuthor
    ) throws(Rejection) -> Lease {
        guard let lease = leases[slot] else {
            throw Rejection(
                .notLeased, "There is no lease on the row: it has ended, and the claim with it.",
                row: change.row)
        }
        let isOurs =
            change.claim.map { $0 == lease.claim } ?? (lease.author.session == author.session)
        guard isOurs, lease.author.user == author.user else {
            throw Rejection(
                .leasedToOther, "The lease on the row is another's, of record \(lease.claim).",
                row: change.row)
        }
        return lease
    }

    /// Ends the lease that is over the longest: what its claim set goes back where nobody has gone
    /// on from it.
    ///
    /// - Returns: what the record of that number holds, and whose claim it takes back; nil where no
    ///   lease has ended by then.
    package mutating func expireLease(
        by milliseconds: Int64, as sequence: SequenceNumber, in circumstances: Circumstances
    ) -> (resolution: Resolution, author: OpAuthor)? {
        guard let next = leases.next, next.untilMilliseconds <= milliseconds,
            let lease = leases[next.slot]
        else { return nil }
        ruleBook.stepsLeft = limits.ruleStepsMax
        let author = OpAuthor(session: .server, user: lease.author.user)
        var progress = Progress(
            Op(body: []), author: author, sequence: sequence, circumstances: circumstances)
        beginJournal()
        // What cannot be taken back is left; the lease ends all the same.
        try? attempt(&progress) { (table, progress) throws(Rejection) in
            try table.giveBack(lease, &progress)
        }
        endLease(next.slot, &progress)
        progress.applied += 1
        progress.undid = lease.claim
        guard let resolution = try? progress.resolution() else { return nil }
        head = sequence
        keepUndo(by: author, target: lease.claim)
        return (resolution, author)
    }

    private mutating func giveBack(
        _ lease: Lease, _ progress: inout Progress
    ) throws(Rejection) {
        var undoing = Undoing(
            target: Stamp(sequence: lease.claim, session: lease.author.session.rawValue),
            own: progress.stamp, isForced: false)
        let entry = UndoEntry(author: lease.author, target: nil, steps: lease.steps)
        try takeBack(entry, &undoing, &progress)
    }

    /// Ends a lease, whatever becomes of the cells.
    mutating func endLease(_ slot: UInt32, _ progress: inout Progress) {
        setLease(slot, nil)
        progress.changes.append(.leaseEnded(rows.ids[slot]))
    }
}
