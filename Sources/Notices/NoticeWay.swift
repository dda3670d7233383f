package import Terminal
package import Vocabulary

/// A way in which a notification reaches the user.
package enum NoticeWay: Hashable, Sendable {
    /// A sequence to the terminal. In tmux it is wrapped, and followed by the bell.
    case terminal(NoticeProtocol, isInTmux: Bool)
    /// The program `notify-send`. If it fails, the bell rings.
    case desktop
    case bell
    /// No way, since there is neither a terminal nor a desktop.
    case none

    /// Returns the way that the settings and the surroundings give.
    ///
    /// - Parameters:
    ///   - capabilities: those of the output. No sequence is sent to a plain terminal, a pipe or a file.
    ///   - environment: returns a variable of the environment.
    ///   - hasBus: whether a session bus of the desktop is at hand.
    package static func choose(
        _ way: NoticePreference.Way, _ capabilities: TerminalCapabilities, hasBus: Bool,
        environment: (String) -> String? = TerminalCapabilities.environmentValue
    ) -> NoticeWay {
        func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
        let isInTmux = isSet("TMUX")
        let takesSequences = capabilities.isTerminal && !capabilities.isPlain
        let bell = capabilities.isTerminal ? NoticeWay.bell : .none
        func sequence(_ form: NoticeProtocol) -> NoticeWay {
            takesSequences ? .terminal(form, isInTmux: isInTmux) : bell
        }
        switch way {
        case .osc9: return sequence(.osc9)
        case .osc777: return sequence(.osc777)
        case .osc99: return sequence(.osc99)
        case .desktop: return .desktop
        case .bell: return bell
        case .auto:
            if takesSequences, isInTmux { return sequence(.osc9) }
            if takesSequences, let form = NoticeProtocol.detect(environment) { return sequence(form) }
            // Over ssh, the desktop is that of the wrong machine.
            let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains(where: isSet)
            return hasBus && !isRemote ? .desktop : bell
        }
    }
}
