import Files
import Glibc
import JSON
import Rehearsal
package import Vocabulary

extension Limits {
    /// The most texts of a question that are compared with the present files.
    fileprivate static let comparedTexts = 50

    /// The most bytes of a text that is compared with the present file.
    fileprivate static let comparedTextBytes = 256 << 10
}

extension Toolbox {
    /// Returns the texts before and after a call, by the index of the target in the call. It blocks and changes
    /// nothing.
    ///
    /// Only texts with the hash in the call are included. Deletions, long texts, files that are not UTF-8 and files
    /// that may hold keys are left out.
    ///
    /// - Parameters:
    ///   - run: the run that the question is about.
    ///   - workspace: the folder of the session.
    package func texts(of call: Call, run: RunID, workspace: String) -> [Int: TextChange] {
        var texts: [Int: TextChange] = [:]
        for (index, target) in call.targets.enumerated() where target.effect == .creates || target.effect == .overwrites
        {
            guard texts.count < Limits.comparedTexts, !target.setsTimeOnly, let path = target.path,
                !SecretFiles.holds(path),
                let before = text(before: target, at: path),
                let after = text(after: target, at: path, call, run, workspace),
                before.text != nil || after.text != nil
            else { continue }
            texts[index] = TextChange(before: before.text, after: after.text)
        }
        return texts
    }

    /// A known side of a comparison: a text, or `nil` if the file does not exist.
    private struct Side { var text: String? }

    private func text(before target: Call.Target, at path: String) -> Side? {
        switch target.before {
        case .absent: return Side()
        case .unlooked: return nil
        case .file(_, _, _, _, let hash):
            guard let hash, let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
            return text(in: file, hash)
        }
    }

    private func text(after target: Call.Target, at path: String, _ call: Call, _ run: RunID, _ workspace: String)
        -> Side?
    {
        if let change = target.change {
            guard change.kind == .file, change.entries == 1, let hash = change.hash,
                let file = rehearsedFile(path, run, workspace)
            else {
                return nil
            }
            return text(in: file, hash)
        }
        guard ["WriteFile", "SaveFile"].contains(call.tool) else { return nil }
        if let text = call.params["text"]?.string {
            return text.utf8.count <= Limits.comparedTextBytes ? Side(text: text) : nil
        }
        guard let hash = call.inputs.first?.hash, call.inputs.count == 1,
            let file = try? OpenFile(store.path(hash), O_RDONLY)
        else {
            return nil
        }
        return text(in: file, hash)
    }

    private func text(in file: borrowing OpenFile, _ hash: ContentHash) -> Side? {
        guard let status = try? file.status(), status.kind == .file, status.st_size <= Limits.comparedTextBytes,
            let bytes = try? file.read(Int(status.st_size)), ContentHash.of(bytes) == hash, !bytes.contains(0),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return Side(text: text)
    }

    private func rehearsedFile(_ path: String, _ run: RunID, _ workspace: String) -> OpenFile? {
        guard let below = path.path(below: workspace), let folder = try? rehearsal(of: run, in: workspace).folder,
            let upper = try? OpenFolder(folder.upper)
        else { return nil }
        return try? upper.file(below)
    }
}
