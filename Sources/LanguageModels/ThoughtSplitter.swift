import Vocabulary

/// A splitter of thoughts from an answer that begins with `<think>`, for servers that do not split it themselves.
struct ThoughtSplitter {
    static let open = "<think>"
    static let close = "</think>"
    /// The most bytes that are held back before it is clear whether the answer begins with a thought.
    private static let longestStart = 1_024

    private enum State {
        /// The state before the opening mark: only white space, and perhaps its first characters, have arrived.
        case start
        case thought
        /// The thought has ended. White space before the answer is dropped.
        case between
        case answer
    }

    private var state = State.start
    private var held = ""

    /// Splits a piece of text.
    ///
    /// - Returns: `.text` and `.reasoning` only.
    mutating func feed(_ piece: String) -> [ReplyPart] {
        if case .answer = state { return [.text(piece)] }
        held += piece
        var parts: [ReplyPart] = []
        while let part = next() { parts.append(part) }
        return parts
    }

    /// Returns the rest that was held back, at the end of the text.
    mutating func end() -> [ReplyPart] {
        defer { held = "" }
        guard !held.isEmpty else { return [] }
        switch state {
        case .thought: return [.reasoning(held)]
        case .start, .answer: return [.text(held)]
        case .between: return []
        }
    }

    private mutating func next() -> ReplyPart? {
        switch state {
        case .start:
            let rest = held.drop { $0.isWhitespace }
            if rest.hasPrefix(Self.open) {
                held = String(rest.dropFirst(Self.open.count))
                state = .thought
                return next()
            }
            // A very long run of white space is an answer, too.
            guard !Self.open.hasPrefix(rest) || held.utf8.count > Self.longestStart else { return nil }
            state = .answer
            return take(.text(held), leaving: "")
        case .thought:
            if let end = held.firstRange(of: Self.close) {
                let (thought, rest) = (String(held[..<end.lowerBound]), String(held[end.upperBound...]))
                state = .between
                guard thought.isEmpty else { return take(.reasoning(thought), leaving: rest) }
                held = rest
                return next()
            }
            let kept = Self.lengthOfPrefix(of: Self.close, atEndOf: held)
            let free = String(held.dropLast(kept))
            return free.isEmpty ? nil : take(.reasoning(free), leaving: String(held.suffix(kept)))
        case .between:
            held = String(held.drop { $0.isWhitespace })
            guard !held.isEmpty else { return nil }
            state = .answer
            return take(.text(held), leaving: "")
        case .answer:
            return held.isEmpty ? nil : take(.text(held), leaving: "")
        }
    }

    private mutating func take(_ part: ReplyPart, leaving rest: String) -> ReplyPart {
        held = rest
        return part
    }

    private static func lengthOfPrefix(of mark: String, atEndOf text: String) -> Int {
        (1..<mark.count).last { text.hasSuffix(mark.prefix($0)) } ?? 0
    }
}
