import Actions
import JSON
import Terminal
import Vocabulary

/// The views of allowed hosts, and of the question about a host.
enum HostView {
    static func question(_ question: HostQuestion, columns: Int) -> KeyQuestion {
        let head =
            StyledText(" ? ", [.question, .bold]) + StyledText("speak to a host for \(question.use.inWords)", .bold)
        var lines = [head]
        for host in question.hosts {
            let detail = Detail(label: "host", value: host.name, style: host.isGrave ? .warning : [])
            lines += Detail.lines(of: [detail], columns: columns, rowsLimit: nil).flatMap(\.rows)
            for warning in warnings(host) {
                lines += Layout.wrapped(StyledText(warning, .warning), columns: columns, indent: 3)
            }
        }
        lines += Layout.wrapped(StyledText(words(question)), columns: columns, indent: 3)
        if let word = word(of: question) { return KeyQuestion(lines, .words([word, "no"])) }
        lines += Layout.packed(
            [Layout.key("y", "yes, from now on"), Layout.key("n", "no"), Layout.key("/", "look")], columns: columns,
            indent: 3, gap: 2)
        return KeyQuestion(lines, .keys(["y", "n"]))
    }

    /// Returns the word to type for a yes if a key is not enough, which is the host itself. Returns nil if a key is
    /// enough.
    static func word(of question: HostQuestion) -> String? { question.hosts.first(where: \.isGrave)?.host }

    private static func warnings(_ host: RemoteHost) -> [String] {
        var warnings: [String] = []
        if !host.isEncrypted {
            warnings.append(
                "NOT ENCRYPTED: everybody on the way can read and change all of it, the key that is sent along included."
            )
        }
        if host.place == .metadata {
            warnings.append("This is the metadata service of this machine: it hands out this machine's keys.")
        }
        return warnings
    }

    private static func words(_ question: HostQuestion) -> String {
        switch question.use {
        case .model:
            "\(VisibleText.line(question.whom)) is asked there. It is sent what you say, what your files are called, and what is read for it; "
                + "files that may hold keys are not."
        case .jobs:
            "\(VisibleText.line(question.whom)) runs jobs there. It is sent what a job needs; files that may hold keys are not. "
                + "A job there is then asked about only where it would pass the limit of money, or where nobody knows what it costs."
        }
    }

    static func lines(_ hosts: [AllowedHost], columns: Int) -> [StyledText] {
        guard !hosts.isEmpty else {
            return [StyledText("No host is allowed: nothing is sent to a model or for jobs but on this machine.", .dim)]
        }
        return hosts.map { entry in
            let name = StyledText(VisibleText.line(entry.host.name)) + StyledText(" for \(entry.use.inWords)", .dim)
            let clear = entry.host.isEncrypted ? StyledText() : StyledText(" · not encrypted", .warning)
            return name + clear + StyledText(" · since \(Amounts.time(entry.at))", .dim)
        }
    }

    static func json(_ entry: AllowedHost) -> JSON {
        [
            "host": .string(entry.host.description), "use": .string(entry.use.rawValue),
            "encrypted": .bool(entry.host.isEncrypted),
            "at": .string("\(entry.at)"),
        ]
    }
}
