import Progress
package import Terminal
package import Vocabulary

/// A failure in words for the person: a sentence, the code, and the next step.
package enum FailureLine {
    package static func lines(_ failure: Failure, columns: Int) -> [StyledText] {
        Layout.wrapped(StateSign.failed.mark + " " + text(failure), columns: columns, hanging: 2)
    }

    /// Returns a failure in one line, such as `The picture is smaller than that. (badParam) Choose a smaller width.`
    static func text(_ failure: Failure) -> StyledText {
        var text = StyledText(failure.message, .failure)
        text.append(" (\(failure.code))", .dim)
        if let remedy = failure.remedy, !remedy.isEmpty { text.append(" \(Voice.worded(remedy))") }
        return text
    }

    package static func lines(_ problems: [Problem], columns: Int) -> [StyledText] {
        problems.flatMap { problem in
            var text = StateSign.failed.mark + " "
            if !problem.place.isEmpty { text.append("\(problem.place): ", .bold) }
            text.append(problem.message, .failure)
            text.append(" (\(problem.code))", .dim)
            return Layout.wrapped(text, columns: columns, hanging: 2)
        }
    }
}
