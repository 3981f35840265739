// The columns of a table, live and hidden, in order; found by id and by name.
// What an operation may do to them is in ResolveColumns.swift.
import TableValue

/// Who last wrote each property of a column.
struct ColumnStamps: Sendable {
    var name: Stamp
    var type: Stamp
    var rules: Stamp
    var place: Stamp
    var presence: Stamp

    init(all stamp: Stamp) {
        name = stamp
        type = stamp
        rules = stamp
        place = stamp
        presence = stamp
    }
}

/// The columns of a table.
///
/// A column has an index, given in order of addition and never reused, under which its cells are
/// stored. Hidden columns keep their place in the order, as anchors for late operations.
struct Schema: Sendable {
    struct Entry: Sendable {
        var column: Column
        /// The name after simple case folding, by which names clash.
        var foldedName: Text
        var isHidden: Bool
        /// What it held before, the last change of type last; few.
        var pastTypes: [PastType] = []
    }

    /// What a column held before a change of its type.
    struct PastType: Sendable {
        var type: ColumnType
        /// Who changed it.
        var end: Stamp
    }

    /// How many changes of type a column remembers: for operations that were under way then.
    static var pastTypesMax: Int { 8 }

    /// By index.
    private(set) var entries: [Entry] = []
    /// By index.
    var stamps: [ColumnStamps] = []
    /// Indexes of all columns, live and hidden, in order.
    private(set) var order: [Int] = []
    /// Indexes of the live columns in order.
    private(set) var liveOrder: [Int] = []
    /// The live columns in order.
    private(set) var liveColumns: [Column] = []
    /// By index.
    private var ids: [ColumnID] = []
    private var indexOfID: [ColumnID: Int] = [:]
    /// Live columns by their exact and by their folded name; the first where two are the same.
    private var indexOfName: [Text: Int] = [:]
    private var indexOfFoldedName: [Text: Int] = [:]
    private var highestCounters: [SessionNumber: UInt32] = [:]
    /// What is said of how the table is shown as a whole.
    var look = TableLook()
    /// Who last said something of how it is shown.
    ///
    /// Never iterated.
    var displayStamps: [Register: Stamp] = [:]

    // MARK: Finding

    func index(of id: ColumnID) -> Int? {
        // Among few, looking at each is quicker than hashing.
        if ids.count <= 16 { return ids.firstIndex(of: id) }
        return indexOfID[id]
    }

    /// The live column of a name.
    func index(named name: Text) -> Int? {
        if liveColumns.count <= 16 {
            for (place, column) in liveColumns.enumerated() where column.name == name {
                return liveOrder[place]
            }
            return indexOfFoldedName[simpleCaseFolded(name)]
        }
        return indexOfName[name] ?? indexOfFoldedName[simpleCaseFolded(name)]
    }

    /// The live column whose folded name is `foldedName`.
    func index(foldedName: Text) -> Int? { indexOfFoldedName[foldedName] }

    func index(of reference: ColumnReference) -> Int? {
        switch reference {
        case .id(let id): index(of: id)
        case .name(let name): index(named: name)
        }
    }

    func highestCounter(of session: SessionNumber) -> UInt32 { highestCounters[session] ?? 0 }

    /// The column right before another in the order of all columns, live and hidden.
    func predecessor(of index: Int) -> Int? {
        guard let place = order.firstIndex(of: index), place > 0 else { return nil }
        return order[place - 1]
    }

    /// How a record names the place right behind a column, which is not `moving`.
    func place(behind index: Int?, moving: Int? = nil) -> ColumnPlace {
        guard let index else { return ColumnPlace(after: nil) }
        let id = entries[index].column.id
        guard entries[index].isHidden, let end = order.firstIndex(of: index) else {
            return ColumnPlace(after: id)
        }
        let live = order[..<end].last { $0 != moving && !entries[$0].isHidden }
        return ColumnPlace(after: live.map { entries[$0].column.id }, slot: id)
    }

    /// The column that a record's place is right behind: the hidden one, where all hidden columns
    /// are known here.
    ///
    /// Nil outside where neither is known, nil inside for the first place.
    func predecessor(at place: ColumnPlace, isComplete: Bool) -> Int?? {
        if isComplete, let slot = place.slot, let index = index(of: slot) { return .some(index) }
        guard let after = place.after else { return .some(nil) }
        return index(of: after).map { .some($0) }
    }

    // MARK: Changing

    /// Adds a column right after another, or first; false where its id is known already.
    mutating func add(_ column: Column, after predecessor: Int?, stamp: Stamp) -> Bool {
        guard indexOfID[column.id] == nil else { return false }
        let index = entries.count
        entries.append(
            Entry(column: column, foldedName: simpleCaseFolded(column.name), isHidden: false))
        stamps.append(ColumnStamps(all: stamp))
        indexOfID[column.id] = index
        ids.append(column.id)
        let highest = highestCounter(of: column.id.session)
        highestCounters[column.id.session] = max(highest, column.id.counter)
        place(index, after: predecessor)
        return true
    }

    mutating func rename(_ index: Int, to name: Text) {
        entries[index].column.name = name
        entries[index].foldedName = simpleCaseFolded(name)
        refresh()
    }

    mutating func setRules(_ index: Int, _ rules: ColumnRules) {
        entries[index].column.rules = rules
        refresh()
    }

    mutating func setDisplay(_ index: Int, _ entry: DisplayEntry) {
        entries[index].column.display[entry.field] = entry.value
        refresh()
    }

    mutating func setType(_ index: Int, _ type: ColumnType, _ rules: ColumnRules, stamp: Stamp) {
        let past = PastType(type: entries[index].column.type, end: stamp)
        entries[index].pastTypes.append(past)
        if entries[index].pastTypes.count > Self.pastTypesMax {
            entries[index].pastTypes.removeFirst()
        }
        entries[index].column.type = type
        entries[index].column.rules = rules
        refresh()
    }

    mutating func move(_ index: Int, after predecessor: Int?) {
        guard index != predecessor else { return }
        order.removeAll { $0 == index }
        place(index, after: predecessor)
    }

    mutating func setHidden(_ index: Int, _ hidden: Bool) {
        entries[index].isHidden = hidden
        refresh()
    }

    private mutating func place(_ index: Int, after predecessor: Int?) {
        let before = predecessor.flatMap { order.firstIndex(of: $0) }
        order.insert(index, at: before.map { $0 + 1 } ?? 0)
        refresh()
    }

    private mutating func refresh() {
        liveOrder = order.filter { !entries[$0].isHidden }
        liveColumns = liveOrder.map { entries[$0].column }
        indexOfName.removeAll(keepingCapacity: true)
        indexOfFoldedName.removeAll(keepingCapacity: true)
        for index in liveOrder.reversed() {
            indexOfName[entries[index].column.name] = index
            indexOfFoldedName[entries[index].foldedName] = index
        }
    }
}
