// Bugs put into the world on purpose: each is a layer between the real cores and their
// surroundings, and each must be caught. The cores know nothing of them.

/// A bug that a run of the simulation must find, or the simulation is worth nothing.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The server is told that an append is done before the disk has it.
    case broadcastBeforeDurable = "broadcast_before_durable"
    /// An operation that is sent again is done again.
    case noDuplicateCheck = "no_duplicate_check"
    /// A record is stored and that its operation is decided is not: after a restart the server
    /// does not know the last operation of each session.
    case forgottenDecision = "forgotten_decision"
    /// The same for refusals and other answers without a record.
    case lostRefusal = "lost_refusal"
    /// The disk says that it has stored something and loses it in a crash.
    case lyingDisk = "lying_disk"
    /// After a reconnect one record is left out of what the client is sent.
    case skippedRecord = "skipped_record"
    /// Rule R1 bent: rows inserted after a row stand behind the row that follows it.
    case bentInsert = "bent_insert"
    /// Rule R15 bent: rows moved together arrive in the opposite order.
    case bentMove = "bent_move"
    /// Rules C4 and C5 bent: adding sets the cell to what the author saw plus the amount.
    case bentAdd = "bent_add"
    /// Rule C8 bent: an edit of a deleted row brings it back, in the log and for everybody.
    case resurrection
    /// Rules U2, U4, U7 bent: an undo takes back what others have gone on from.
    case bentUndo = "bent_undo"
    /// Rule C18 bent: a claim gives a row that somebody has a lease on.
    case bentClaim = "bent_claim"
}
