import Actions
import ArgumentParser
import Terminal
import Vocabulary

/// Carries out lines while a question is open.
protocol LookingAround: Sendable {
    /// Runs a line: a verb with its arguments, with or without `/`.
    ///
    /// - Parameter isShown: whether the line stands on the screen already.
    func carryOut(_ line: String, isShown: Bool) async
}

/// Runs verbs that only look, while a question is open.
struct LookAround: LookingAround {
    let context: CommandContext
    let screen: any Screen

    /// Whether a line names a verb, such as `/show w3`.
    static func isVerb(_ line: String) -> Bool {
        guard line.hasPrefix("/"), let name = Words.split(String(line.dropFirst())).first else { return false }
        return Root.has(name)
    }

    func carryOut(_ line: String, isShown: Bool) async {
        let words = ChatWords(home: context.folders.home).split(String(line.trimmed.drop { $0 == "/" }))
        guard let name = words.first else { return }
        if !isShown { screen.show(StyledText("   › ", .dim) + StyledText("/" + words.joined(separator: " "))) }
        if ChatVerb(name) == .help { return help(Array(words.dropFirst())) }
        if ChatVerb(name) != nil {
            let words = "A question stands here. Esc leaves it for later, and /\(name) can follow."
            return screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
        }
        guard Root.has(name) else { return show(Root.noCommand(name, remedy: "Those that look: \(Root.lookers)")) }
        do {
            guard let verb = try Root.parseAsRoot(words) as? any Verb, verb.role == .looks, !verb.isView else {
                let words = "While a question stands, only verbs that look are carried out: \(Root.lookers)"
                return screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
            }
            do throws(Failure) {
                _ = try await verb.carryOut(in: context, Output(isJSON: false, screen: screen))
            } catch {
                show(error)
            }
        } catch {
            screen.show(Root.fullMessage(for: error).split(separator: "\n").map { StyledText(String($0), .warning) })
        }
    }

    private func help(_ words: [String]) {
        do throws(Failure) { screen.show(try HelpView.lines(for: words, columns: screen.columns)) } catch {
            show(error)
        }
    }

    private func show(_ failure: Failure) { screen.show(FailureLine.lines(failure, columns: screen.columns)) }
}
