import Actions
import JSON
import Terminal
import Vocabulary

/// The views of folders with programs of the user, and of the question about them.
enum ProgramView {
    static func question(_ question: ProgramQuestion, in programs: ProgramPermissions, columns: Int) -> [StyledText] {
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("let commands use your own programs", .bold)
        // Everything that would be shown is named in full.
        let rows = question.folders.enumerated().flatMap { index, folder in
            let details = details(folder, in: programs)
            let row = StyledText("\(index + 1)  ", .accent) + StyledText(name(folder, in: programs))
            return Layout.wrapped(
                details.isEmpty ? row : row + StyledText("  \(details)", .dim), columns: columns, indent: 3, hanging: 6)
        }
        let words =
            "So far they see the system's programs only. They would see these folders read-only, in every workspace "
            + "and without what may hold keys; what is written to their caches is thrown away."
        return [head] + rows + Layout.wrapped(StyledText(words), columns: columns, indent: 3)
    }

    /// Returns the folder as it is named to the user.
    static func name(_ folder: ProgramFolder, in programs: ProgramPermissions) -> String {
        VisibleText.line(programs.shortened(folder.path))
    }

    private static func details(_ folder: ProgramFolder, in programs: ProgramPermissions) -> String {
        let others = folder.others.map { VisibleText.line(programs.shortened($0)) }
        let with = others.isEmpty ? nil : "with \(others.joined(separator: ", "))"
        let environment = folder.environment.map { "named by \(VisibleText.line($0)) of this folder" }
        return [folder.layout.map { VisibleText.line($0) }, with, environment].compactMap(\.self).joined(
            separator: ", ")
    }

    static func lines(_ entries: [ProgramPermissions.Entry], in programs: ProgramPermissions, columns: Int)
        -> [StyledText]
    {
        guard !entries.isEmpty else {
            return [StyledText("Commands see the system's programs only, and your PATH has no others.", .dim)]
        }
        let rows = entries.map { entry in
            [
                state(of: entry), StyledText(name(entry.folder, in: programs)),
                StyledText(details(entry.folder, in: programs), .dim),
            ]
        }
        return Layout.table(rows, columns: columns, indent: 2)
    }

    private static func state(of entry: ProgramPermissions.Entry) -> StyledText {
        switch entry.answer?.isAllowed {
        case true?: entry.isSeen ? StyledText("allowed", .success) : StyledText("allowed, but not there", .warning)
        case false?: StyledText("not allowed", .dim)
        case nil: StyledText("not asked yet", .question)
        }
    }

    static func json(_ entry: ProgramPermissions.Entry) -> JSON {
        .of([
            "folder": .string(entry.folder.path), "layout": entry.folder.layout.map { .string($0) },
            "searched": .array(entry.folder.searched.map { .string($0) }),
            "with": .array(entry.folder.others.map { .string($0) }),
            "seen": .bool(entry.isSeen), "allowed": entry.answer.map { .bool($0.isAllowed) } ?? .null,
            "at": entry.answer.map { .string("\($0.at)") },
        ])
    }
}
