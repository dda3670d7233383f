/// The protocols by which terminals show notifications of the desktop.
package enum NoticeProtocol: String, Hashable, Sendable, CaseIterable {
    /// The protocol of iTerm2, which WezTerm and Ghostty have, too.
    case osc9
    /// The protocol of rxvt-unicode, which foot has without an extension.
    case osc777
    /// The protocol of kitty.
    case osc99

    /// Returns the protocol of a terminal that is known to have one, by the environment, or nil.
    ///
    /// rxvt-unicode shows nothing without an extension of the user's, and Konsole and VTE drop these sequences, so none
    /// of them is known.
    package static func detect(
        _ environment: (String) -> String? = TerminalCapabilities.environmentValue
    ) -> NoticeProtocol? {
        func value(_ name: String) -> String { environment(name) ?? "" }
        let (term, program) = (value("TERM"), value("TERM_PROGRAM"))
        if term == "xterm-kitty" || !value("KITTY_WINDOW_ID").isEmpty { return .osc99 }
        if ["iTerm.app", "WezTerm", "ghostty"].contains(program) || term == "xterm-ghostty"
            || value("LC_TERMINAL") == "iTerm2"
        {
            return .osc9
        }
        return term == "foot" || term.hasPrefix("foot-") ? .osc777 : nil
    }
}

/// The state of a program or of a part of its work, as OSC 7501 reports it.
package struct ProgramStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable { case idle, working, blocked, done, error, clear }
    package enum Kind: String, Hashable, Sendable { case permission, question, auth }

    /// The part of the work, such as `w3.2`. It is empty for the whole program.
    package var id: String
    package var state: State
    /// The need of a blocked part.
    package var kind: Kind?
    /// A text for people, or an empty one.
    package var message: String

    package init(id: String = "", _ state: State, kind: Kind? = nil, message: String = "") {
        (self.id, self.state, self.kind, self.message) = (id, state, kind, message)
    }
}

/// Bytes for the terminal that draw nothing: the bell, a notification, a status. Only the functions here make them, so
/// no text of others can become a sequence.
package struct TerminalSignal: Hashable, Sendable {
    let bytes: String

    /// The bell, which every terminal has. A plain screen sends this signal only.
    package static let bell = TerminalSignal(bytes: "\u{07}")

    /// Returns a notification.
    ///
    /// - Parameters:
    ///   - text: the words, which are made visible and cut to a line of `TerminalLimits.noticeCharacters`.
    ///   - isInTmux: whether the sequence is wrapped for the terminal outside of tmux. tmux drops it unless
    ///     `allow-passthrough` is on, so the bell follows it.
    package static func notice(_ text: String, as form: NoticeProtocol, isInTmux: Bool = false) -> TerminalSignal {
        let words = visible(text)
        // Without the semicolon, no part of the text can be a parameter. A text that begins with a digit would be
        // progress or another command of ConEmu in OSC 9.
        let plain = words.replacing(";", with: ",")
        let sequence =
            switch form {
            case .osc9: "9;" + (plain.first?.isNumber == true ? " " : "") + plain
            case .osc777: "777;notify;\(title);\(plain)"
            case .osc99: "99;e=1;\(Base64.text(of: Array(words.utf8)))"
            }
        let whole = "\u{1B}]\(sequence)\u{1B}\\"
        return TerminalSignal(bytes: isInTmux ? wrappedForTmux(whole) + bell.bytes : whole)
    }

    /// Returns a status for OSC 7501. The message is made visible and cut to a line.
    package static func status(_ status: ProgramStatus) -> TerminalSignal {
        var fields = ["state=\(status.state.rawValue)"]
        if status.state == .blocked, let kind = status.kind { fields.append("kind=\(kind.rawValue)") }
        if status.state != .clear { fields.append("app=assent") }
        let id = status.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }.prefix(32)
        if !id.isEmpty { fields.append("id=\(id)") }
        if status.state != .clear, !status.message.isEmpty {
            fields.append("msg=\(Base64.text(of: Array(visible(status.message).utf8)))")
        }
        return TerminalSignal(bytes: "\u{1B}]7501;\(fields.joined(separator: ":"))\u{1B}\\")
    }

    /// Wraps a sequence so that tmux passes it on to the terminal outside.
    static func wrappedForTmux(_ sequence: String) -> String {
        "\u{1B}Ptmux;\(sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\"
    }

    /// The title of notifications whose protocol has one.
    private static let title = "Assent"

    private static func visible(_ text: String) -> String { NoticeText.line(text) }
}

/// The form of a text in a notification.
package enum NoticeText {
    /// Returns one visible line of at most `TerminalLimits.noticeCharacters` characters.
    package static func line(_ text: String) -> String {
        let line = VisibleText.line(text)
        guard line.count > TerminalLimits.noticeCharacters else { return line }
        return line.prefix(TerminalLimits.noticeCharacters - 1) + "…"
    }
}
