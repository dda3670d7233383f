import Engine
import Glibc
import Services

/// The user's pager: `$PAGER`, else `less`, else `more`.
struct OwnPager: Sendable {
    private let program: PersonsProgram

    /// Returns nil if none of these programs is installed.
    init?() {
        let found = [Folders.environment("PAGER"), "less", "more"].lazy.compactMap { PersonsProgram(line: $0) }.first
        guard let found else { return nil }
        program = found
    }

    /// Shows a text, of which no more is read than the pager asks for. Blocks until the pager is closed.
    ///
    /// - Returns: whether the pager could be started.
    func show(_ text: any PagedText, at terminal: Int32, on workers: Workers) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Only less is known to draw the sequences for styles, with an option.
        let isLess = program.name == "less"
        let child = program.start(isLess ? ["-R"] : [], at: terminal, input: ends[0])
        // Only the pager holds this end now, so writing fails when the pager ends.
        close(ends[0])
        guard let child else {
            close(ends[1])
            return false
        }
        let input = ends[1]
        workers.run {
            while let piece = text.next(hasColour: isLess), Self.write(piece, to: input) {}
            close(input)
        }
        _ = program.wait(child, at: terminal)
        return true
    }

    private static func write(_ bytes: [UInt8], to pipe: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }
}
