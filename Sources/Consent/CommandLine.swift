import Vocabulary

/// A command line as it is shown in a question, for a shell or without one.
struct CommandLine {
    private let line: String

    /// Creates the line of an argument vector. For `sh -c LINE` it is the line of the shell.
    init(_ words: [String]) {
        line = words.count == 3 && words[1] == "-c" ? words[2] : words.joined(separator: " ")
    }

    /// The most bytes of a program's name that a person is asked to type.
    private static let nameBytes = 32
    /// The characters with which a shell joins commands, redirects them, or puts other text into them.
    private static let signs = Set(";&|()<>$`\n\r".unicodeScalars)
    /// The words of the shell's grammar, and its builtins and the programs that run another command.
    private static let wrappers: Set = [
        "!", "[[", "{", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
        "select", "then", "time", "until", "while", "}",
        ".", "alias", "builtin", "command", "eval", "exec", "source", "trap",
        "ash", "bash", "busybox", "chroot", "chrt", "dash", "doas", "env", "fakeroot", "fish", "flock", "ionice", "ksh",
        "nice", "nohup", "nsenter", "parallel", "pkexec", "proot", "runuser", "script", "setarch", "setpriv", "setsid",
        "sh", "stdbuf", "strace", "su", "sudo", "systemd-run", "taskset", "timeout", "unshare", "watch", "xargs", "zsh",
    ]

    /// The name of the program that the line starts, without its folder. It is nil if the line is more than one simple
    /// command, so that its first word does not say what it does, or if the name has unusual characters.
    var programName: String? {
        guard !line.unicodeScalars.contains(where: Self.signs.contains) else { return nil }
        let first = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        let name = first.pathNames.last ?? ""
        guard !Self.wrappers.contains(first), !Self.wrappers.contains(name) else { return nil }
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.+".contains($0) }
        return !name.isEmpty && name.utf8.count <= Self.nameBytes && isPlain ? name : nil
    }
}
