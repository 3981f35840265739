// Leases: which rows are given to somebody for a time, and what their claims replaced. Kept at the
// one who gives the numbers, and made again out of the records when a log is replayed.
// Claims are performed in ResolveClaim.swift, leases end in ResolveLease.swift.
package import TableValue

/// A row that is given to somebody until a time.
struct Lease: Sendable {
    /// The record of the claim.
    let claim: SequenceNumber
    /// Who claimed it.
    let author: OpAuthor
    /// When it ends, by the clock that `Circumstances.leaseMilliseconds` tells.
    var untilMilliseconds: Int64
    /// What the claim did to the cells of the row.
    var steps: [Journal.Step] = []
}

/// The leases of a table.
struct LeaseBook: Sendable {
    private struct End: Sendable {
        var untilMilliseconds: Int64
        var slot: UInt32

        func isBefore(_ other: End) -> Bool {
            (untilMilliseconds, slot) < (other.untilMilliseconds, other.slot)
        }
    }

    private var leases: [UInt32: Lease] = [:]
    /// A heap with the next to end first; some are of leases that have been renewed or are over.
    private var ends: [End] = []
    /// Rows that were claimed in the operation that is being performed.
    private(set) var fresh: [UInt32] = []
    /// Whose record is being applied.
    var applying = OpAuthor(session: .server)

    var count: Int { leases.count }

    subscript(slot: UInt32) -> Lease? { leases[slot] }

    /// The lease that ends next, and when.
    var next: (slot: UInt32, untilMilliseconds: Int64)? {
        ends.first.map { ($0.slot, $0.untilMilliseconds) }
    }

    mutating func set(_ lease: Lease?, _ slot: UInt32) {
        if let lease {
            if leases[slot] == nil { fresh.append(slot) }
            leases[slot] = lease
            push(End(untilMilliseconds: lease.untilMilliseconds, slot: slot))
        } else {
            leases[slot] = nil
        }
        dropStaleEnds()
    }

    /// Gives the leases of rows that were just claimed what their claims replaced.
    mutating func takeSteps(_ steps: [Journal.Step]) {
        for slot in fresh {
            leases[slot]?.steps = steps.filter {
                if case .cell(slot, _, _, _) = $0 { true } else { false }
            }
        }
        fresh = []
    }

    mutating func forgetFresh() { fresh = [] }

    // MARK: The heap

    private mutating func push(_ end: End) {
        ends.append(end)
        var child = ends.count - 1
        while child > 0, ends[child].isBefore(ends[(child - 1) / 2]) {
            ends.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func dropStaleEnds() {
        while let first = ends.first,
            leases[first.slot]?.untilMilliseconds != first.untilMilliseconds
        {
            pop()
        }
        guard ends.count > leases.count * 2 + 64 else { return }
        let kept = ends.filter { leases[$0.slot]?.untilMilliseconds == $0.untilMilliseconds }
        ends = []
        var seen: Set<UInt32> = []
        for end in kept where seen.insert(end.slot).inserted { push(end) }
    }

    private mutating func pop() {
        let last = ends.removeLast()
        guard !ends.isEmpty else { return }
        ends[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [parent * 2 + 1, parent * 2 + 2] where child < ends.count {
                if ends[child].isBefore(ends[least]) { least = child }
            }
            if least == parent { return }
            ends.swapAt(parent, least)
            parent = least
        }
    }
}

/// A lease as those see it who ask a table.
package struct LeaseState: Hashable, Sendable {
    /// The record of the claim.
    package let claim: SequenceNumber
    /// Who claimed the row.
    package let user: Text
    /// When it ends, in milliseconds since 1970.
    package let untilMilliseconds: Int64
}

extension Table {
    /// The lease on a row; nil where there is none.
    package func lease(of row: RowID) -> LeaseState? {
        rows.slot(of: row).flatMap { leases[$0] }.map {
            LeaseState(
                claim: $0.claim, user: $0.author.user, untilMilliseconds: $0.untilMilliseconds)
        }
    }

    /// When the next lease ends, in milliseconds since 1970; nil where there is none.
    package var nextLeaseEnd: Int64? { leases.next?.untilMilliseconds }

    /// Gives a row, or takes it back.
    mutating func setLease(_ slot: UInt32, _ lease: Lease?) {
        if journal.isActive { journal.steps.append(.lease(slot: slot, was: leases[slot])) }
        leases.set(lease, slot)
        claims.touch(slot)
    }

    /// Applies that a row was given to somebody, or for longer.
    mutating func applyLease(_ row: RowID, until milliseconds: Int64, stamp: Stamp) -> Bool {
        guard keepsUndo, let slot = rows.slot(of: row) else { return true }
        var lease =
            leases[slot]
            ?? Lease(
                claim: stamp.sequence, author: leases.applying, untilMilliseconds: milliseconds)
        lease.untilMilliseconds = milliseconds
        setLease(slot, lease)
        return true
    }

    /// Applies that a lease is over.
    mutating func applyLeaseEnd(_ row: RowID) -> Bool {
        guard keepsUndo, let slot = rows.slot(of: row), leases[slot] != nil else { return true }
        setLease(slot, nil)
        return true
    }
}
