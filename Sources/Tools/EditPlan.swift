import Files
import Glibc
import JSON
import Rehearsal
import Sandbox
import Vocabulary

extension Limits {
    /// The most bytes of a file that is edited.
    fileprivate static let editedFileBytes = 8 << 20
}

/// The files that the edits of a call make or change, with the contents that they will have. Nothing is written.
struct EditPlan {
    /// The new contents, ordered by the first edit of each file.
    private(set) var files: [LaidFile] = []
    /// The changed lines of each file, by its path below the workspace.
    private(set) var lines: [String: String] = [:]

    /// A file while its edits are applied.
    fileprivate struct Edited {
        var path: String
        var form: TextForm
        /// The text in UTF-8, or nil if there is no file.
        var before: [UInt8]?
        var text: EditedText
    }

    /// Reads the files, and applies the edits in their order, each to the result of the one before.
    ///
    /// - Throws: `editMissed` with all edits that do not fit, or why a file cannot be edited. No edit is left out.
    init(_ edits: [TextEdit], _ preparation: borrowing Preparation, _ toolbox: Toolbox) throws(Failure) {
        var edited: [Edited] = []
        var places: [String: Int] = [:]
        var misses: [String] = []
        let (hidden, keys) = (
            try PrivateFiles.below(preparation.paths.workspace, own: toolbox.own), toolbox.keyFilter()
        )
        for (index, edit) in edits.enumerated() {
            let label = "Edit \(index + 1) of \(edits.count), \(edit.path):"
            do throws(Failure) {
                let path = try Self.path(of: edit, preparation, hidden)
                if places[path] == nil {
                    edited.append(try Self.read(path, edit, preparation, toolbox.store, keys))
                    places[path] = edited.count - 1
                }
                if let place = places[path], let why = edited[place].apply(edit) { misses.append("\(label) \(why)") }
            } catch {
                guard edits.count > 1 else { throw error }
                misses.append("\(label) \(error.message)")
            }
        }
        try Self.refuseNesting(edited.map(\.path))
        guard misses.isEmpty else {
            throw Failure(.editMissed, "Nothing is changed. " + misses.joined(separator: "\n"))
        }
        for file in edited where file.text.utf8 != file.before {
            files.append(
                LaidFile(path: file.path, bytes: try file.form.bytes(of: file.text.utf8, file.path)))
            lines[file.path] = ChangedLines(keys).text(from: file.before, to: file.text.utf8)
        }
        guard !files.isEmpty else { throw Failure(.editMissed, "These edits change nothing: all is as they write it.") }
    }

    /// Returns the path of a file below the workspace, with links followed.
    private static func path(of edit: TextEdit, _ preparation: borrowing Preparation, _ hidden: PrivateFiles)
        throws(Failure) -> String
    {
        let paths = preparation.paths
        let real = try paths.target(edit.path)
        try paths.refuseOwn(real)
        guard let below = real.path(below: paths.workspace), !below.isEmpty else {
            throw Failure(
                .leadsOut, "\(edit.path) is not in this folder, and edit changes only what is in it.",
                remedy: "WriteFile writes elsewhere, and asks.")
        }
        guard !SecretFiles.holds(real), !hidden.holds(real) else {
            throw Failure(.secretFile, "\(edit.path) may hold keys, so it is neither read nor changed by edit.")
        }
        var folder = paths.workspace
        for name in below.pathNames.dropLast() {
            folder = folder.child(name)
            guard let status = try preparation.files.status(folder) else { break }
            guard status.kind == .folder else {
                let shown = folder.path(below: paths.workspace) ?? folder
                throw Failure(.notAFolder, "\(shown) is no folder, so there can be no \(edit.path).")
            }
        }
        return below
    }

    /// Throws `editMissed` if a file of one edit would be the folder of another one.
    private static func refuseNesting(_ paths: [String]) throws(Failure) {
        for path in paths {
            guard let inner = paths.first(where: { $0.hasPrefix(path + "/") }) else { continue }
            throw Failure(.editMissed, "Nothing is changed. \(path) cannot be a file while \(inner) lies in it.")
        }
    }

    /// Throws an error for a file that edits may not replace, as no rehearsed command may.
    private static func requireReplaceable(_ status: stat, _ path: String) throws(Failure) {
        let why =
            status.hasOtherNames ? "has a second name, perhaps outside of this folder" : "belongs to another user"
        guard !status.hasOtherNames, status.st_uid == geteuid() else {
            throw Failure(
                .rehearsalRefused, "\(path) \(why), so edit does not change it.",
                remedy: "WriteFile with overwrite asks about it.")
        }
    }

    private static func read(
        _ path: String, _ edit: TextEdit, _ preparation: borrowing Preparation, _ store: AssetStore, _ keys: KeyFilter
    ) throws(Failure) -> Edited {
        let real = preparation.paths.workspace.child(path)
        guard let status = try preparation.files.status(real) else {
            guard case .whole = edit.change, !edit.path.hasSuffix("/") else {
                throw Failure(.fileNotFound, "There is no file \(edit.path).", remedy: "An edit with text makes it.")
            }
            return Edited(path: path, form: TextForm(), before: nil, text: EditedText([], keys))
        }
        guard status.kind == .file else {
            throw Failure(status.kind == .folder ? .isFolder : .notAFile, "\(edit.path) is not a file.")
        }
        try requireReplaceable(status, edit.path)
        guard status.st_size <= Limits.editedFileBytes else {
            throw Failure(
                .tooLarge, "\(edit.path) has more than \(Limits.editedFileBytes >> 20) MiB.",
                remedy: "Change it by a command.")
        }
        let bytes = try readWhole(
            try preparation.files.entry(real).file(), edit.path, limit: Limits.editedFileBytes)
        guard !store.isPrivate(.of(bytes)) else {
            throw Failure(.secretFile, "\(edit.path) may hold keys, so it is neither read nor changed by edit.")
        }
        do throws(Failure) {
            let text = try EncodedText(bytes, edit.path)
            return Edited(path: path, form: text.form, before: text.utf8, text: EditedText(text.utf8, keys))
        } catch {
            // A whole text may take the place of anything.
            guard case .whole = edit.change else { throw error }
            return Edited(path: path, form: TextForm(), before: bytes, text: EditedText([], keys))
        }
    }
}

extension EditPlan.Edited {
    /// Applies one edit.
    ///
    /// - Returns: why it does not fit, or nil.
    fileprivate mutating func apply(_ edit: TextEdit) -> String? {
        switch edit.change {
        case .whole(let whole):
            text.replaceAll(with: whole)
            return nil
        case .replace(let find, let replacement, let isEverywhere):
            return text.replace(find, with: replacement, isEverywhere: isEverywhere)
        }
    }
}
