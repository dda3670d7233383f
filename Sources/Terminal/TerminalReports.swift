/// The separation of the terminal's own reports from the keys of the user. Pure.
///
/// A terminal sends these reports among the keys: the focus of its window (`CSI I`, `CSI O`), and the answer to the
/// query for program status (OSC 7501). They are removed before any reader sees the bytes, so they never become text.
struct TerminalReports {
    enum Report: Hashable {
        case focused(Bool)
        /// The terminal shows the status of programs.
        case showsStatus
    }

    private static let forms: [(bytes: [UInt8], report: Report)] = [
        (Array("\u{1B}[I".utf8), .focused(true)), (Array("\u{1B}[O".utf8), .focused(false)),
        (Array("\u{1B}]7501;?\u{1B}\\".utf8), .showsStatus), (Array("\u{1B}]7501;?\u{07}".utf8), .showsStatus),
    ]

    /// The last bytes, if they may be the beginning of a report.
    private var held: [UInt8] = []

    /// Whether bytes are held that may be the beginning of a report.
    var isWithinReport: Bool { !held.isEmpty }

    /// Takes the next bytes of the terminal.
    ///
    /// - Returns: the bytes of keys, and the reports that were among them.
    mutating func take(_ more: [UInt8]) -> (keys: [UInt8], reports: [Report]) {
        let bytes = held + more
        held = []
        guard bytes.contains(0x1B) else { return (bytes, []) }
        var (keys, reports): ([UInt8], [Report]) = ([], [])
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if bytes[index] != 0x1B {
                keys.append(bytes[index])
                index += 1
            } else if let form = Self.forms.first(where: { rest.starts(with: $0.bytes) }) {
                reports.append(form.report)
                index += form.bytes.count
            } else if Self.forms.contains(where: { $0.bytes.starts(with: rest) }) {
                held = Array(rest)
                break
            } else {
                keys.append(bytes[index])
                index += 1
            }
        }
        return (keys, reports)
    }

    /// Returns the held bytes as keys, once no more of a report has come.
    mutating func release() -> [UInt8] {
        defer { held = [] }
        return held
    }
}

/// The attention of the user to a terminal, as far as it is known.
package struct TerminalAttention: Hashable, Sendable {
    /// Whether the window has the focus, or nil if the terminal has never reported it.
    package var isFocused: Bool?
    /// The milliseconds since the last key.
    package var idleMilliseconds: Int64
    /// Whether the terminal has answered that it shows the status of programs.
    package var showsStatus: Bool
    /// Whether something runs for the user (`Screen.setBusy`).
    package var isBusy: Bool

    package init(
        isFocused: Bool? = nil, idleMilliseconds: Int64 = 0, showsStatus: Bool = false, isBusy: Bool = false
    ) {
        self.isFocused = isFocused
        self.idleMilliseconds = idleMilliseconds
        self.showsStatus = showsStatus
        self.isBusy = isBusy
    }
}

/// The reports that the editor asks its terminal for.
package struct ReportRequest: Hashable, Sendable {
    /// Whether the terminal is to report its focus.
    package var wantsFocus: Bool
    /// Whether the terminal is asked if it shows the status of programs.
    package var asksForStatus: Bool

    /// A request for nothing.
    package static let none = ReportRequest(wantsFocus: false, asksForStatus: false)

    package init(wantsFocus: Bool, asksForStatus: Bool) {
        (self.wantsFocus, self.asksForStatus) = (wantsFocus, asksForStatus)
    }

    /// Returns what the terminal of this environment is asked for.
    ///
    /// The focus is requested only in tmux and of known terminals. Status is asked for everywhere but on terminals
    /// that would draw the question: the Linux console, and old versions of VTE.
    package static func detect(
        _ environment: (String) -> String? = TerminalCapabilities.environmentValue
    ) -> ReportRequest {
        func value(_ name: String) -> String { environment(name) ?? "" }
        let drawsUnknown =
            ["linux", "vt", "cons"].contains(where: value("TERM").hasPrefix) || !value("STY").isEmpty
            || Int(value("VTE_VERSION")).map { $0 < TerminalLimits.quietVTE } ?? false
        let isKnown = !value("TMUX").isEmpty || NoticeProtocol.detect(environment) != nil
        return ReportRequest(wantsFocus: isKnown, asksForStatus: !drawsUnknown)
    }

    /// The sequences that make the terminal report its focus, and those that end it.
    var focusOn: String { wantsFocus ? "\u{1B}[?1004h" : "" }
    var focusOff: String { wantsFocus ? "\u{1B}[?1004l" : "" }
    var query: String { asksForStatus ? "\u{1B}]7501;?\u{1B}\\" : "" }
    var isNone: Bool { self == .none }
}
