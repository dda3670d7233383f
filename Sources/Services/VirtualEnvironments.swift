import Files
import Glibc
import Vocabulary

/// The virtual environments of Python in a workspace.
enum VirtualEnvironments {
    /// The names that they usually have.
    private static let names = [".venv", "venv", "env", ".env"]

    /// Returns the names of the environments, and the real paths of the folders with the interpreters that they were
    /// made with (`home` in `pyvenv.cfg`, PEP 405). A workspace may come from elsewhere, so a folder without an
    /// interpreter is left out.
    static func homes(in workspace: String) -> [(name: String, folder: String)] {
        names.compactMap { name in
            guard let folder = home(of: "\(workspace)/\(name)").map(realPath),
                ["python3", "python"].contains(where: { access(folder.child($0), X_OK) == 0 })
            else { return nil }
            return (name, folder)
        }
    }

    private static func home(of environment: String) -> String? {
        let text: String
        do throws(Failure) { text = try FileSystem.strangersText("\(environment)/pyvenv.cfg") } catch { return nil }
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
            if parts.count == 2, parts[0] == "home", parts[1].hasPrefix("/") { return String(parts[1]) }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)]
    }
}
