import Actions
import Terminal
import Vocabulary

extension Limits {
    /// How often the user is asked for an input of a template. Then nothing is started.
    fileprivate static let inputTries = 5
}

/// The inputs that a run of a template still lacks. The user is asked for them one by one.
struct MissingInputs {
    let context: CommandContext
    let output: Output

    /// Whether the user can be asked.
    var canAsk: Bool { output.canAsk && !context.isOwnChild }

    /// Asks for each input that no option binds, until the user names a file that fits.
    ///
    /// - Parameter bound: the options that bind inputs, as they were given.
    /// - Returns: these options, and one more for each input that was asked for.
    /// - Throws: `badUsage` if the user leaves, or names no file that fits in `Limits.inputTries` tries. Then nothing
    ///   is started.
    func asked(of template: Template, bound: [String]) async throws(Failure) -> [String] {
        var bound = bound
        for input in TemplateBinding.open(in: template, bound: bound) {
            bound.append("\(input.name)=\(try await file(for: input))")
        }
        return bound
    }

    private func file(for input: Template.WorkflowInput) async throws(Failure) -> String {
        let talk = Talk(asking: QuestionDialogue(context: context, screen: output.screen))
        let head =
            StyledText(" ? ", [.question, .bold])
            + StyledText("\(VisibleText.line(input.name)): which \(Self.noun(input.type))?", .bold)
        var lines = [head]
        for _ in 0..<Limits.inputTries {
            guard let typed = await talk.line(lines), !typed.isEmpty else { break }
            do throws(Failure) { return try checked(Self.unquoted(typed), for: input) } catch {
                lines = FailureLine.lines(error, columns: output.columns) + [head]
            }
        }
        throw Failure(
            .badUsage, "The input \"\(input.name)\" (\(input.type)) is not bound; nothing was started.",
            remedy: "Add --input \(input.name)=FILE.")
    }

    /// Returns the path for the loader of an input. Throws if the file does not fit the input.
    private func checked(_ typed: String, for input: Template.WorkflowInput) throws(Failure) -> String {
        let content = try context.viewing.content(at: typed)
        guard !content.isFolder else { throw Failure(.notAFile, "\(typed) is a folder.", remedy: "Name a file.") }
        if [.image, .mask].contains(input.type), content.picture == nil {
            throw Failure(.wrongType, "\(typed) is no picture.", remedy: "Name one.")
        }
        return typed.hasPrefix("~") ? content.path : typed
    }

    /// Returns a path without the quotes that dragging may have put around it.
    private static func unquoted(_ typed: String) -> String {
        for quote in ["'", "\""] where typed.count > 1 && typed.hasPrefix(quote) && typed.hasSuffix(quote) {
            return String(typed.dropFirst().dropLast())
        }
        return typed
    }

    private static func noun(_ type: PortType) -> String {
        switch type {
        case .image: "picture"
        case .mask: "picture of a mask"
        case .text: "text file"
        case .json: "JSON file"
        default: "file"
        }
    }
}
