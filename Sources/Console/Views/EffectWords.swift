import Terminal
import Vocabulary

/// Effects and undoing in a few words.
enum EffectWords {
    private static func words(_ effect: Effect) -> String {
        switch effect {
        case .reads: "reads files"
        case .creates: "creates files"
        case .overwrites: "overwrites files"
        case .deletes: "deletes files"
        case .sends: "sends data away"
        case .spends: "spends money"
        case .executes: "executes code"
        }
    }

    private static func style(_ effect: Effect) -> Style {
        switch effect {
        case .reads, .creates: []
        case .overwrites, .deletes, .sends, .spends, .executes: .warning
        }
    }

    /// The grave ones first. That something is read goes without saying where anything else happens.
    static func summary(_ effects: Set<Effect>) -> StyledText {
        let shown = effects.count > 1 ? effects.subtracting([.reads]) : effects
        guard !shown.isEmpty else { return StyledText("changes nothing outside the asset store", .dim) }
        return Layout.dotted(shown.sorted(by: >).map { StyledText(words($0), style($0)) })
    }

    static func undo(_ ways: [Reversibility]) -> StyledText {
        if ways.contains(.no) { return StyledText("cannot be undone", .warning) }
        var hows: [String] = []
        for case .yes(let how) in ways {
            // `cancel the job (what it cost until then is spent), delete them`: one of several must not read on into the next.
            let parts = how.split(separator: "; ", maxSplits: 1)
            let words = parts.count == 2 ? "\(parts[0]) (\(parts[1]))" : how
            if !hows.contains(words) { hows.append(words) }
        }
        return hows.isEmpty ? StyledText() : StyledText("undo: " + hows.joined(separator: ", "))
    }
}
