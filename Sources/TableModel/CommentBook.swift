// Where the comments of a table are kept: in the order in which they were made, and by row. A copy
// of a table shares what is not written. Comments.swift tells what a comment is.
import TableValue

/// The comments of a table.
struct CommentBook: Sendable {
    private struct Entry: Sendable {
        var comment: TableComment
        var stamp: Stamp
    }

    /// In the order in which they were made, which is that of their ids.
    private var entries = PagedArray<Entry>()
    /// Where the comments of each row stand, in order; in parts, so that a write copies one.
    private var byRow = [[RowID: [Int]]](repeating: [:], count: partCount)
    private static let partCount = 256
    /// The bytes of all texts, those of deleted comments among them.
    private(set) var byteCount = 0
    /// How many are not deleted.
    private(set) var liveCount = 0
    /// How many of those are not resolved.
    private(set) var openCount = 0

    /// How many there are, deleted ones among them.
    var count: Int { entries.count }

    /// The id of the newest; nil where there is none.
    var last: CommentID? {
        entries.count > 0 ? entries[entries.count - 1].comment.id : nil
    }

    /// A comment, also a deleted one; nil where there is none of that id.
    subscript(id: CommentID) -> TableComment? { place(of: id).map { entries[$0].comment } }

    /// Who last changed a comment.
    func stamp(of id: CommentID) -> Stamp? { place(of: id).map { entries[$0].stamp } }

    // MARK: Looking for some

    func comments(_ filter: CommentFilter, limit: Int) -> [TableComment] {
        var found: [TableComment] = []
        let first = filter.after.map { firstPlace(after: $0) } ?? 0
        if let row = filter.row {
            for place in places(of: row) where place >= first && found.count < limit {
                if filter.keeps(entries[place].comment) { found.append(entries[place].comment) }
            }
            return found
        }
        var place = first
        while place < entries.count, found.count < limit {
            if filter.keeps(entries[place].comment) { found.append(entries[place].comment) }
            place += 1
        }
        return found
    }

    func openCount(of row: RowID) -> Int {
        places(of: row).reduce(0) { $0 + (entries[$1].comment.isOpen ? 1 : 0) }
    }

    func hasOpen(_ row: RowID, _ column: ColumnID) -> Bool {
        places(of: row).contains {
            entries[$0].comment.column == column && entries[$0].comment.isOpen
        }
    }

    // MARK: Writing

    /// Puts a comment in the place of the one of its id, or behind all others.
    ///
    /// - Returns: false, with nothing done, for one that is new and has no new id, or that is
    ///   about another row or column than it was.
    mutating func put(_ comment: TableComment, stamp: Stamp) -> Bool {
        if let place = place(of: comment.id) {
            let old = entries[place].comment
            guard old.row == comment.row, old.column == comment.column else { return false }
            count(old, -1)
            entries[place] = Entry(comment: comment, stamp: stamp)
        } else {
            if let last, comment.id < last { return false }
            byRow[Self.part(of: comment.row)][comment.row, default: []].append(entries.count)
            entries.append(Entry(comment: comment, stamp: stamp))
        }
        count(comment, 1)
        return true
    }

    /// Takes the newest comment out again, as though it had never been.
    mutating func removeLast() {
        guard entries.count > 0 else { return }
        let comment = entries[entries.count - 1].comment
        let part = Self.part(of: comment.row)
        byRow[part][comment.row]?.removeLast()
        if byRow[part][comment.row]?.isEmpty == true { byRow[part][comment.row] = nil }
        count(comment, -1)
        entries.removeLast()
    }

    // MARK: Inside

    private mutating func count(_ comment: TableComment, _ step: Int) {
        byteCount += step * comment.text.byteCount
        if !comment.isDeleted { liveCount += step }
        if comment.isOpen { openCount += step }
    }

    private static func part(of row: RowID) -> Int { Int(row.counter) & (partCount - 1) }

    private func places(of row: RowID) -> [Int] { byRow[Self.part(of: row)][row] ?? [] }

    private func place(of id: CommentID) -> Int? {
        let place = firstPlace(after: id) - 1
        return place >= 0 && entries[place].comment.id == id ? place : nil
    }

    /// The first place of a comment that was made after another.
    private func firstPlace(after id: CommentID) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].comment.id > id { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
