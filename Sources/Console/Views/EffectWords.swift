import Terminal
import Vocabulary

/// Effects and undo in a few words.
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

    /// Returns the effects of a plan, the grave ones first. Reading is left out if there are other effects.
    ///
    /// - Parameter moves: whether steps of it only move files.
    static func summary(_ effects: Set<Effect>, moves: Bool = false) -> StyledText {
        let shown = effects.count > 1 || moves ? effects.subtracting([.reads]) : effects
        guard !shown.isEmpty || moves else { return StyledText("changes nothing outside the asset store", .dim) }
        let others = shown.sorted(by: >).map { StyledText(words($0), style($0)) }
        return Layout.dotted((moves ? [StyledText("moves files")] : []) + others)
    }

    /// Returns the words for the undo of a plan.
    ///
    /// - Parameters:
    ///   - ways: the ways of the steps that record no changes.
    ///   - recorded: for each step whose changes are recorded, the changes that cannot be undone. It is empty if all
    ///     can.
    static func undo(_ ways: [Reversibility], recorded: [String]) -> StyledText {
        if ways.contains(.no) { return StyledText("cannot be undone", .warning) }
        var hows: [String] = []
        for case .yes(let how) in ways {
            // `cancel the job (what it cost until then is spent), delete them`: the words of one way must not run into
            // the next.
            let parts = how.split(separator: "; ", maxSplits: 1)
            let words = parts.count == 2 ? "\(parts[0]) (\(parts[1]))" : how
            if !hows.contains(words) { hows.append(words) }
        }
        let notes = recorded.reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
        let days = "undo for \(Int(Limits.preImagesKeptSeconds / 86_400)) days"
        let record = recorded.isEmpty ? nil : notes.isEmpty ? days : "\(days) (\(notes.joined(separator: ", ")))"
        let others = hows.isEmpty ? nil : "undo: " + hows.joined(separator: ", ")
        return StyledText([record, others].compactMap(\.self).joined(separator: ", "))
    }
}
