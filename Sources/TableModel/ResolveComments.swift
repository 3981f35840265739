// What operations do with comments: made, changed, resolved, taken back. A comment is one register,
// whose newest state each record says whole. The storage changes through Mutate.swift.
import TableValue

extension Table {
    mutating func performComment(
        _ intent: CommentIntent, _ progress: inout Progress
    ) throws(Rejection) {
        switch intent {
        case .make(let making): try makeComment(making, &progress)
        case .edit(let id, let text): try editComment(id, text, &progress)
        case .resolve(let id, let isResolved):
            try resolveComment(id, isResolved: isResolved, &progress)
        case .delete(let id): try deleteComment(id, &progress)
        }
    }

    // MARK: Making

    private mutating func makeComment(
        _ making: MakeComment, _ progress: inout Progress
    ) throws(Rejection) {
        try check(making.text)
        try checkRoom(for: making.text, newCount: 1)
        guard let slot = rows.slot(of: making.row) else { return try progress.miss(making.row) }
        var column: ColumnID?
        var isHidden = false
        if let reference = making.column {
            guard let index = schema.index(of: reference) else {
                throw unknownColumn(reference, row: making.row)
            }
            let id = schema.entries[index].column.id
            column = id
            isHidden = schema.entries[index].isHidden
        }
        if let other = making.replyTo {
            guard let answered = commentBook[other], answered.row == making.row else {
                throw unknownComment(other)
            }
        }
        // As for cells: what is said of something deleted is kept, and comes back with it.
        if rows.order.isHidden(slot) {
            try progress.meetHidden(making.row)
        } else if let column, isHidden {
            try progress.meetHidden(column)
        } else {
            progress.applied += 1
        }
        let ordinal = UInt32(progress.commentsGiven.count + 1)
        let comment = TableComment(
            id: CommentID(sequence: progress.stamp.sequence, ordinal: ordinal),
            row: making.row, column: column, replyTo: making.replyTo,
            made: stampOfComment(progress), text: making.text)
        progress.commentsGiven.append(comment.id)
        put(comment, &progress)
    }

    private func check(_ text: Text) throws(Rejection) {
        guard (1...limits.commentTextBytesMax).contains(text.byteCount) else {
            throw Rejection(
                .badComment,
                "A comment has 1 to \(limits.commentTextBytesMax) bytes; shorten it.")
        }
    }

    private func checkRoom(for text: Text, newCount: Int) throws(Rejection) {
        guard commentBook.count + newCount <= limits.commentsMax,
            commentBook.byteCount + text.byteCount <= limits.commentsBytesMax
        else {
            throw Rejection(
                .tooManyComments,
                "The table has \(commentBook.count) comments, those that were deleted among them, "
                    + "and has no room for more text of that kind.")
        }
    }

    private func stampOfComment(_ progress: borrowing Progress) -> CommentStamp {
        CommentStamp(
            user: progress.author.user,
            timeMilliseconds: progress.circumstances?.timeMilliseconds ?? 0)
    }

    private func unknownComment(_ id: CommentID) -> Rejection {
        Rejection(
            .unknownComment, "There is no such comment \(id); read the comments again.")
    }

    // MARK: Changing

    private mutating func editComment(
        _ id: CommentID, _ text: Text, _ progress: inout Progress
    ) throws(Rejection) {
        try check(text)
        try checkRoom(for: text, newCount: 0)
        try change(id, &progress) { comment, stamp in
            if comment.text == text { return }
            comment.text = text
            comment.edited = stamp
        }
    }

    private mutating func resolveComment(
        _ id: CommentID, isResolved: Bool, _ progress: inout Progress
    ) throws(Rejection) {
        try change(id, &progress) { comment, stamp in
            if isResolved == (comment.resolved != nil) { return }
            comment.resolved = isResolved ? stamp : nil
        }
    }

    private mutating func deleteComment(
        _ id: CommentID, _ progress: inout Progress
    ) throws(Rejection) {
        try change(id, &progress) { comment, _ in comment.isDeleted = true }
    }

    private mutating func change(
        _ id: CommentID, _ progress: inout Progress,
        _ body: (inout TableComment, CommentStamp) -> Void
    ) throws(Rejection) {
        guard let present = commentBook[id] else { throw unknownComment(id) }
        var changed = present
        body(&changed, stampOfComment(progress))
        // Who deletes what is deleted has what is wanted; who answers for it should know.
        if present.isDeleted, changed != present {
            throw Rejection(
                .unknownComment, "The comment \(id) has been deleted.", row: present.row)
        }
        progress.applied += 1
        if changed != present { put(changed, &progress) }
    }

    /// Writes a comment, and says so.
    private mutating func put(_ comment: TableComment, _ progress: inout Progress) {
        guard putComment(comment, stamp: progress.stamp) else { return }
        progress.changes.append(.commentPut(comment))
    }

    // MARK: The way back

    /// Makes a comment what it was before an operation, where nobody else has changed it since.
    mutating func takeBackComment(
        _ id: CommentID, was old: TableComment?, _ undoing: inout Undoing,
        _ progress: inout Progress
    ) throws(Rejection) {
        guard let present = commentBook[id], let stamp = commentBook.stamp(of: id) else { return }
        guard try takesBack(.comment(id), writtenBy: stamp, &undoing, &progress) else { return }
        var wanted = old ?? present
        if old == nil { wanted.isDeleted = true }
        progress.applied += 1
        if wanted != present { put(wanted, &progress) }
    }
}
