// Tables that get one rule about comments wrong. As in BentCells.swift, what is asked of them is
// bent before it is performed.
import TableValue

@testable import TableModel

extension Asked {
    /// Bends the comments that an operation changes before it does.
    fileprivate mutating func bendComments(_ bend: (CommentIntent, inout TableComment) -> Void) {
        for case .comment(let intent) in op.body {
            let id: CommentID
            switch intent {
            case .make: continue
            case .edit(let changed, _): id = changed
            case .resolve(let changed, _): id = changed
            case .delete(let changed): id = changed
            }
            guard var comment = table.comment(id), let stamp = table.commentBook.stamp(of: id)
            else { continue }
            bend(intent, &comment)
            _ = table.putComment(comment, stamp: stamp)
        }
    }
}

/// Rules C21 to C24.
let bentComments: [Bend<Asked>] = [
    Bend("C21: what is said of a deleted row is lost") { asked in
        let table = asked.table
        asked.replaceIntents { intent in
            guard case .comment(.make(let making)) = intent, table.state(of: making.row) == .hidden
            else { return [intent] }
            return []
        }
    },
    Bend("C22: a new text opens a comment again") { asked in
        asked.bendComments { intent, comment in
            if case .edit = intent { comment.resolved = nil }
        }
    },
    Bend("C22: a comment can be resolved again and again") { asked in
        asked.bendComments { intent, comment in
            if case .resolve(_, true) = intent { comment.resolved = nil }
        }
    },
    Bend("C23: a deleted comment comes back with a change") { asked in
        asked.bendComments { intent, comment in
            if case .delete = intent { return }
            comment.isDeleted = false
        }
    },
    Bend("C24: an undo takes along what others did to the comment") { asked in
        asked.replaceIntents { intent in
            guard case .undo(let request) = intent else { return [intent] }
            return [.undo(UndoRequest(request.target, isForced: true))]
        }
    },
]
