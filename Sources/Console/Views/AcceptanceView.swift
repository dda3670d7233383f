import Actions
import JSON
import Terminal
import Vocabulary

/// The question of a step that has conditions for its answer.
enum AcceptanceView {
    /// Draws the title, the instruction, the hint, and the choices.
    static func lines(_ asked: Asked, _ accept: Acceptance, given: Int, columns: Int) -> [StyledText] {
        var lines = Layout.wrapped(
            StyledText(" ? ", [.question, .bold]) + StyledText(asked.record.title, .bold), columns: columns, hanging: 3)
        func add(_ text: String, _ style: Style) {
            lines += text.split(separator: "\n").flatMap { InboxView.ofOthers(StyledText(String($0), style), columns) }
        }
        if let prompt = asked.prompt, prompt != asked.record.title { add(prompt, []) }
        if asked.record.reason != asked.prompt, asked.record.reason != asked.record.title {
            add(asked.record.reason, .dim)
        }
        if let example = accept.example { add("An example: \(Voice.call("view \(Words.quoted(example))"))", .dim) }
        if [.choice, .choices].contains(accept.form) {
            lines += asked.choices.enumerated().flatMap { index, choice in
                Layout.wrapped(
                    StyledText(DisplayWidth.pad("\(index + 1)", to: 3, .trailing) + "  ", .accent) + StyledText(choice),
                    columns: columns,
                    indent: 7, hanging: 12)
            }
        }
        return lines
    }

    /// Draws the line above the cursor, which says what can be typed.
    static func prompt(_ accept: Acceptance, given: Int, isSession: Bool, columns: Int) -> [StyledText] {
        let words =
            [wanted(accept, given: given)] + (accept.skip == nil ? [] : ["\(slash(accept))skip"])
            + (isSession && accept.isAnnotated ? ["\(slash(accept))note TEXT"] : [])
            + (isSession ? ["\(slash(accept))help"] : [])
        return Layout.wrapped(StyledText(words.joined(separator: " · ") + " ›", .dim), columns: columns, indent: 3)
    }

    private static func wanted(_ accept: Acceptance, given: Int) -> String {
        let usual =
            accept.initial.map { ", or Enter for \(VisibleText.cut($0.string ?? Values.text($0), to: 40))" } ?? ""
        switch accept.form {
        case .text: return "your answer\(usual)"
        case .number: return "a number\(accept.unit.isEmpty ? "" : " in \(accept.unit)")\(usual)"
        case .date: return "a day, as 2026-11-25\(usual)"
        case .choice: return "number or word\(usual)"
        case .choices: return "numbers or words, with commas\(usual)"
        case .code: return "file of a picture of the code, or camera"
        case .note: return "Enter to go on"
        case .nothing: return "this step cannot be answered: what it accepts cannot be read"
        case .media:
            let sources = accept.capture.source == .camera ? "camera" : "file, clipboard or camera"
            let (each, count) = (accept.capture.each, accept.capture.wanted)
            if each.indices.contains(given) { return "\(each[given]) (\(given + 1) of \(each.count)): \(sources)" }
            guard count != 1...1 else { return sources }
            let more = given < count.lowerBound ? "" : ", or Enter to go on"
            let range =
                count.lowerBound == count.upperBound
                ? " of \(count.upperBound)" : " (\(count.lowerBound) to \(count.upperBound) are wanted)"
            return "picture \(given + 1)\(range): \(sources)\(more)"
        }
    }

    /// Returns the sign before a command, without which the word counts as an answer. It is empty if no sign is needed.
    private static func slash(_ accept: Acceptance) -> String { accept.form == .text ? "/" : "" }

    /// Draws the reason why an answer is refused, and the possible next actions.
    static func refusal(_ refusal: Refusal, of accept: Acceptance, left: Int, columns: Int) -> [StyledText] {
        let lines = Layout.wrapped(
            StyledText("✗ ", .failure) + StyledText(refusal.words, .warning), columns: columns, indent: 3, hanging: 5)
        let canBeTaken = refusal.canBeTaken && left == 0
        return canBeTaken
            ? lines + [StyledText("     \(slash(accept))take WHY takes it as it is, with your reason", .dim)] : lines
    }

    /// Draws the list of what can be typed at a step.
    static func help(_ accept: Acceptance, isSession: Bool, columns: Int) -> [StyledText] {
        let slash = slash(accept)
        var rows: [(String, String)] = []
        if accept.form == .media || accept.form == .code {
            rows += [("camera", "takes a photograph")]
            if accept.capture.source == .any {
                rows += [("PATH", "a file; it can be dragged here"), ("clipboard", "the picture in it")]
            }
        }
        if accept.capture.wanted.count > 1 { rows.append(("done", "goes on with the pictures so far")) }
        if accept.skip != nil {
            rows.append(("/skip WHY", accept.skip.flatMap { $0.isEmpty ? nil : $0 } ?? "leaves it out"))
        }
        if isSession {
            rows += [
                ("\(slash)back", "answers an earlier step again"),
                ("\(slash)list", "shows what is done and what is left"),
                ("\(slash)note TEXT", "writes a text to this step"),
            ]
        }
        rows.append(("\(slash)pause", "leaves; everything so far is kept"))
        if accept.form != .note { rows.append(("\(slash)take WHY", "takes what was refused as it is")) }
        return rows.flatMap { name, words in
            Layout.wrapped(
                StyledText(DisplayWidth.pad(name, to: 12) + " ", .accent) + StyledText(words, .dim), columns: columns,
                indent: 5,
                hanging: 18)
        }
    }
}
