// Comments as a list over the grid: which are shown, which is chosen, and how one reads in a line.
// What its keys do is in App+Comments.swift.
import TableClient
import TableModel
import TableValue
import Terminal

/// A list of comments, of a row or of the table.
struct CommentList: Hashable, Sendable {
    /// The cell under the cursor when the list was opened.
    let row: RowID?
    let column: ColumnID?
    /// True where the comments of the whole table are shown.
    var isOfTable: Bool
    /// True where those that are resolved are shown too.
    var showsResolved = false
    /// The one that is chosen, wherever it moves.
    private(set) var chosen: CommentID?
    /// The line that it had last, for when it is gone.
    private var line = 0

    init(row: RowID?, column: ColumnID?, isOfTable: Bool) {
        self.row = row
        self.column = column
        self.isOfTable = isOfTable || row == nil
    }

    /// What is shown.
    func comments(_ sheet: Sheet?) -> [TableComment] {
        var filter = CommentFilter()
        filter.isOpenOnly = !showsResolved
        if !isOfTable { filter.row = row }
        return sheet?.comments(filter) ?? []
    }

    /// The line of the one that is chosen.
    func place(in comments: [TableComment]) -> Int {
        comments.firstIndex { $0.id == chosen } ?? max(0, min(line, comments.count - 1))
    }

    /// Chooses a line.
    mutating func choose(_ place: Int, in comments: [TableComment]) {
        guard comments.indices.contains(place) else { return }
        line = place
        chosen = comments[place].id
    }

    /// Lines for comments; below them stands the whole text of the one that is chosen.
    static let linesMax = 12
    static let textLinesMax = 8
}

extension BoxContent {
    mutating func listComments(_ list: CommentList, _ app: App, _ sheet: Sheet?) {
        width = 110
        heightMin = 6
        title = app.commentsTitle(list, sheet)
        let comments = list.comments(sheet)
        guard !comments.isEmpty else {
            let what = list.showsResolved ? "no comments" : "no open comments"
            lines = [BoxLine(text: what + (list.isOfTable ? "" : " on this row"), isFaint: true)]
            return
        }
        let place = list.place(in: comments)
        let first = max(
            0, min(place - CommentList.linesMax / 2, comments.count - CommentList.linesMax))
        let shown = comments[first..<min(comments.count, first + CommentList.linesMax)]
        chosen = place - first
        lines = shown.map { comment in
            BoxLine(
                text: app.commentLine(comment, isOfTable: list.isOfTable, sheet),
                right: comment.resolved.map { "resolved: \(app.people.name(of: $0.user))" }
                    ?? "open",
                isFaint: !comment.isOpen)
        }
        let wrapped = WrappedText(
            comments[place].text.string, width: width - 4, lineCountMax: CommentList.textLinesMax,
            rules: app.rules, byWords: true)
        lines.append(BoxLine(text: ""))
        lines += wrapped.lines.map { BoxLine(text: "  " + $0) }
    }
}
