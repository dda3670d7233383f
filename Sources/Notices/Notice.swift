package import JSON
import Terminal
package import Vocabulary

/// A notification about one event of a workflow. It names the workflow, the event and the title, and nothing else.
package struct Notice: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// An entry of the inbox has opened.
        case needsYou(entry: Int64)
        case failed, ended

        /// The word for programs.
        var word: String {
            switch self {
            case .needsYou: "needs-you"
            case .failed: "failed"
            case .ended: "ended"
            }
        }
    }

    package var workflow: WorkflowID
    package var state: State
    /// The title of the workflow without keys. It is empty if the title is a question's.
    package var title: String

    package init(_ workflow: WorkflowID, _ state: State, title: String) {
        (self.workflow, self.state, self.title) = (workflow, state, title)
    }

    /// The inbox entry that opened, or nil for an end of the workflow.
    package var entry: Int64? { if case .needsYou(let entry) = state { entry } else { nil } }
}

extension [Notice] {
    /// The text of one notification for all of these, such as `Assent: w3 needs you: Resize` or `Assent: 3 need you,
    /// w5 failed`. It is one visible line.
    package var text: String {
        guard count != 1 else { return NoticeText.line("Assent: " + Self.words(self[0])) }
        let groups = [
            ("needs you", "need you", filter { $0.entry != nil }), ("failed", "failed", filter { $0.state == .failed }),
            ("ended", "ended", filter { $0.state == .ended }),
        ]
        let words = groups.compactMap { one, many, notices in
            notices.isEmpty ? nil : notices.count == 1 ? "\(notices[0].workflow) \(one)" : "\(notices.count) \(many)"
        }
        return NoticeText.line("Assent: " + words.joined(separator: ", "))
    }

    private static func words(_ notice: Notice) -> String {
        let state =
            switch notice.state {
            case .needsYou: "needs you"
            case .failed: "failed"
            case .ended: "ended"
            }
        return "\(notice.workflow) \(state)" + (notice.title.isEmpty ? "" : ": \(notice.title)")
    }

    /// The notices for the user's own program, in at most `Limits.noticeInputBytes`. The last ones are left out and
    /// counted if they are too many.
    package var json: JSON {
        var shown = prefix(Limits.noticesOfCommand)
        while true {
            let left = count - shown.count
            let json: JSON = .of([
                "text": .string(text), "notices": .array(shown.map(Self.json)), "more": left > 0 ? .int(left) : nil,
            ])
            if shown.isEmpty || json.text.utf8.count < Limits.noticeInputBytes { return json }
            shown = shown.dropLast()
        }
    }

    private static func json(_ notice: Notice) -> JSON {
        .of([
            "workflow": .string(notice.workflow.description), "state": .string(notice.state.word),
            "entry": notice.entry.map { .int(Int($0)) },
            "title": notice.title.isEmpty ? nil : .string(NoticeText.line(notice.title)),
        ])
    }
}

extension Limits {
    /// The most notices that the user's program gets at once.
    fileprivate static let noticesOfCommand = 20
    /// The most bytes of the JSON that the user's program gets: what a pipe takes at once.
    package static let noticeInputBytes = 4096
}
