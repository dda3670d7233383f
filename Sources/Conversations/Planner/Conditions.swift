import Vocabulary

/// What an order must not hang on: a choice, a condition, another day. A plan knows none of these, and leaving them out would do something
/// else than was said.
enum Conditions {
    static func check(_ tokens: [Token]) throws(Refusal) {
        for place in tokens.indices where tokens[place].isWord {
            if let refusal = refusal(at: place, of: tokens) { throw refusal }
        }
    }

    private static func refusal(at place: Int, of tokens: [Token]) -> Refusal? {
        func word(_ place: Int) -> String { tokens.indices.contains(place) && tokens[place].isWord ? tokens[place].word : "" }
        let (next, afterNext) = (word(place + 1), word(place + 2))
        switch word(place) {
        case "or":
            let isFigureOfSpeech = ["so", "less", "fewer", "smaller", "below", "under", "something", "more", "thereabouts", "lower"]
                .contains(next)
            let isForbidding = tokens[..<place].contains { Negation.words.contains($0.word) }
            let isEnd = place == 0 || place + 1 >= tokens.count
            guard !isFigureOfSpeech, !isForbidding, !isEnd else { return nil }
            return Refusal("I cannot choose between the two sides of “or”. Say the one that you want.")
        case "once" where ["a", "an", "per", "each", "every"].contains(next) && times.contains(afterNext):
            return laterRefusal([tokens[place].text, next, afterNext].joined(separator: " "))
        case "if", "when", "once", "unless", "until", "whenever", "till":
            let isFigureOfSpeech =
                ["possible", "needed", "necessary", "ready", "done", "finished", "so", "again", "not", "required"].contains(next)
                || next == "you" && ["can", "could", "please", "like", "would", "don't", "are", "have"].contains(afterNext)
                || ["that's", "it's"].contains(next) && ["possible", "ok", "okay", "done", "ready", "finished", "fine"].contains(afterNext)
                || next == "it" && afterNext == "is" && ["when", "once"].contains(word(place))
            let isAdverb =
                word(place) == "once" && (place + 1 >= tokens.count || tokens[place + 1].isBreak || ["more", "again"].contains(next))
            guard !isFigureOfSpeech, !isAdverb, place + 1 < tokens.count else { return nil }
            return undecided(tokens[place].text)
        case "as" where next == "soon" && afterNext == "as":
            return ["possible", "you"].contains(word(place + 3)) ? nil : undecided("as soon as")
        case "every", "each", "next":
            guard times.contains(next) else { return arrivals(tokens, at: place) }
            return laterRefusal(tokens[place].text + " " + next)
        case "all", "any": return arrivals(tokens, at: place)
        case "incoming": return newcomers(tokens[place].text)
        case "twice":
            guard ["a", "an", "per", "each", "every"].contains(next), times.contains(afterNext) else { return nil }
            return laterRefusal([tokens[place].text, next, afterNext].joined(separator: " "))
        case "from" where next == "now" && afterNext.hasPrefix("on"): return laterRefusal("from now on")
        case "at":
            guard tokens.indices.contains(place + 1), clockTimes.contains(next) || isTimeOfDay(tokens[place + 1].text) else { return nil }
            return laterRefusal("at \(tokens[place + 1].text)")
        case "later":
            // "5 minutes later" is a wait.
            let isWait = tokens[..<place].last.map { if case .number = $0.kind { true } else { false } } ?? false
            return isWait ? nil : laterRefusal(tokens[place].text)
        case "daily", "weekly", "hourly", "nightly", "monthly", "tomorrow", "tonight": return laterRefusal(tokens[place].text)
        case "proportions", "ratio", "aspect":
            guard tokens[..<place].suffix(4).contains(where: { ["without", "ignore", "ignoring", "not", "don't"].contains($0.word) }) else {
                return nil
            }
            return Refusal("I keep the proportions of a picture. To get an exact size, crop it: “crop cat.jpg to 400x300”.")
        default: return nil
        }
    }

    private static let times: Set<String> = [
        "day", "night", "morning", "evening", "hour", "minute", "week", "month", "year", "monday", "tuesday", "wednesday", "thursday",
        "friday", "saturday", "sunday", "time",
    ]

    private static let clockTimes: Set<String> = ["noon", "midnight", "dawn", "dusk", "lunch", "lunchtime", "night", "sunrise", "sunset"]

    /// `9pm`, `9:30`, `21:00`.
    private static func isTimeOfDay(_ text: String) -> Bool {
        text.lowercased().wholeMatch(of: /\d{1,2}(:\d\d)? ?(am|pm)|\d{1,2}:\d\d/) != nil
    }

    private static func undecided(_ word: String) -> Refusal {
        Refusal("I cannot decide on “\(word)”: I do what is said, at once and always. Say the order without the condition.")
    }

    /// "every new jpg": those that come, or those that came since when?
    private static func arrivals(_ tokens: [Token], at place: Int) -> Refusal? {
        guard tokens.indices.contains(place + 1), tokens[place + 1].isWord, ["new", "newest", "incoming"].contains(tokens[place + 1].word)
        else {
            return nil
        }
        return newcomers("\(tokens[place].text) \(tokens[place + 1].text)")
    }

    private static func newcomers(_ words: String) -> Refusal {
        Refusal("I do not know which files are “\(words)”, and I watch no folder: I do things once, now. Name the files.")
    }

    private static func laterRefusal(_ word: String) -> Refusal {
        Refusal("I keep no timetable, so not “\(word)”: I do things once, now. “wait 5 minutes, then …” is as far as I go.")
    }
}
