import Vocabulary

/// A reader of shell commands within a sentence: in quotes, in backticks, or without either.
struct Commands {
    let tokens: [Token]
    let line: String
    let grammar: Grammar

    /// The programs by which a command without quotes is recognised.
    private static let programs: Set<String> = [
        "ls", "cat", "echo", "make", "git", "grep", "find", "df", "du", "date", "pwd", "whoami", "uname", "ps",
        "python", "python3", "node",
        "npm", "cargo", "swift", "go", "wc", "head", "tail", "sort", "uniq", "curl", "wget", "tar", "sed", "awk",
        "uptime", "free", "env",
        "which", "id", "hostname", "tree", "touch", "mkdir", "cp", "mv", "rm", "chmod", "pip", "docker", "ping",
        "sleep", "printf", "diff",
        "file", "stat", "cmake", "ruby", "perl", "bash", "sh",
    ]
    /// The words with which a sentence continues after a command.
    private static let further: Set<String> = ["then", "save", "store", "write", "count", "put"]

    /// Returns the command that begins at a place, and its end, or nil if none does.
    func command(at place: Int) -> (text: String, end: Int)? {
        // "run: ls -la" means the words after the colon. The colon is a command itself, which does nothing and
        // succeeds.
        if tokens[place].text == ":", tokens.indices.contains(place + 1) { return command(at: place + 1) }
        // A shell reads the escapes of a command by itself.
        if tokens[place].literal != nil { return (tokens[place].text, place + 1) }
        let first = String(Array(line)[tokens[place].range])
        let end = end(from: place)
        let text = tokens.text(place..<end, in: line)
        let looksLikeOne =
            Self.programs.contains(first) || first.hasPrefix("./") || OutsidePath.leadsOut(first) || text.contains(" -")
            || text.contains(" | ")
        return looksLikeOne ? (text, end) : nil
    }

    private func end(from start: Int) -> Int {
        var end = start + 1
        while end < tokens.count {
            let next = end + 1 < tokens.count ? tokens[end + 1].word : ""
            let isJoint = tokens[end].text == "and" || tokens[end].text == "then" || tokens[end].kind == .comma
            if tokens[end].kind == .stop, tokens[end].text != ";", isLast(end) { break }
            if isJoint, Self.further.contains(next) { break }
            end += 1
        }
        while end > start + 1, ["please", "pls", "thanks"].contains(tokens[end - 1].word) { end -= 1 }
        if end > start + 2, tokens[end - 1].word == "me", tokens[end - 2].word == "for" { end -= 2 }
        return end
    }

    private func isLast(_ place: Int) -> Bool {
        tokens[(place + 1)...].allSatisfy { $0.kind == .stop || grammar.isIdle($0) }
    }
}
