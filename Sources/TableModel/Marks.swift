// What the content hash must look at again: every change leaves its marks here.
// ContentHash.swift reads them.

extension Table {
    /// The row's content or its being there changed.
    mutating func markRow(_ slot: UInt32) {}

    /// Rows were put next to each other as one block.
    mutating func markBlock(_ slots: Range<UInt32>) {}

    /// What stands before the row after `slot` is about to change or has changed.
    mutating func markSuccessor(of slot: UInt32) {}

    /// Every row's bytes changed.
    mutating func markAll() {}
}
