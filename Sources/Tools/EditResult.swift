import Vocabulary

/// The text about edits that were made: the changed lines of each file, and what the check is worth if the user
/// took only a part of them.
struct EditResult {
    /// The changed lines, by the path of their file below the workspace.
    let lines: [String: String]
    /// The absolute paths that the user took, or nil if all are taken.
    let taken: [String]?
    let workspace: String
    let hasCheck: Bool

    var text: String {
        let taken = taken.map { Set($0.map { Array($0.utf8) }) }
        var rows: [String] = []
        var isPart = false
        for (path, lines) in lines.sorted(by: { $0.key < $1.key }) {
            let isTaken = taken?.contains(Array(workspace.child(path).utf8)) ?? true
            isPart = isPart || !isTaken
            if isTaken { rows.append("\(path.quotedIfOdd)\n\(lines)") }
        }
        if isPart, hasCheck { rows.append("The check saw all edits of this call, not this part alone.") }
        return rows.joined(separator: "\n") + "\n"
    }
}
