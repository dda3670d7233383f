import Terminal
import Vocabulary

/// Takes a key from the person, hidden, and keeps it where they choose.
struct KeyDialogue {
    let house: House
    /// `nil` where nobody can be asked.
    let screen: (any Screen)?

    func typed(_ name: String, of whom: String) async throws(Failure) -> String {
        guard let screen else {
            throw Failure("keyMissing", "\(name) is not set.", remedy: "Set it in the environment, or give the key with --key-stdin.")
        }
        let head =
            StyledText(" ? ", [.question, .bold]) + StyledText("the key of \(VisibleText.line(whom))", .bold)
            + StyledText(" (\(name))", .dim)
        guard case .word(let typed) = await screen.ask(KeyQuestion([head], .secret)), !typed.trimmed.isEmpty else {
            throw Failure("keyMissing", "Without a key nothing was connected.", remedy: "Begin again: assent connect")
        }
        return typed.trimmed
    }

    /// - Returns: whether it is found there by its name from now on.
    func keep(_ key: String, _ name: String, isScript: Bool) async throws(Failure) -> Bool {
        guard let screen, !isScript else {
            try await house.setup.keepKey(key, name, .file)
            return true
        }
        let places = [
            Layout.key("f", "a file that only you can read"), Layout.key("s", "the Secret Service of your desktop"),
            Layout.key("n", "nowhere: until Assent ends"),
        ]
        let lines =
            [StyledText(" ? ", [.question, .bold]) + StyledText("where is the key kept", .bold)]
            + Layout.packed(places, columns: screen.columns, indent: 3, gap: 2)
        while true {
            let place: House.KeyPlace
            switch await screen.ask(KeyQuestion(lines, .keys(["f", "s", "n"]))) {
            case .key("f"): place = .file
            case .key("s"): place = .secretService
            default:
                screen.show(StyledText("The key is kept nowhere; it is forgotten when Assent ends.", .dim))
                return false
            }
            do throws(Failure) {
                try await house.setup.keepKey(key, name, place)
                screen.show(StyledText("Kept as \(name).", .dim))
                return true
            } catch {
                screen.show(FailureLine.lines(error, columns: screen.columns))
            }
        }
    }
}
