// A small set of slots: moves of one row are the rule, moves of thousands must not be quadratic.
// It has no order that could reach a result. ResolveRows.swift is its user.

/// The slots of the rows of one move.
struct SlotSet {
    private static var fewMax: Int { 8 }

    private var few: [UInt32] = []
    private var many: Set<UInt32> = []

    func contains(_ slot: UInt32) -> Bool {
        many.isEmpty ? few.contains(slot) : many.contains(slot)
    }

    /// Adds a slot; false where it was there.
    mutating func insert(_ slot: UInt32) -> Bool {
        guard many.isEmpty else { return many.insert(slot).inserted }
        guard !few.contains(slot) else { return false }
        few.append(slot)
        if few.count > Self.fewMax { many = Set(few) }
        return true
    }
}
