import Files
import Rehearsal
import Sandbox
import Vocabulary

/// The output of a command, and the parts of it that are private.
extension Toolbox {
    /// Returns the standard output of a command, and its standard error with lines of Assent below it. Bytes that are
    /// not UTF-8 are replaced.
    ///
    /// - Throws: `keyInOutput` if one of them contains a key.
    func printed(by traces: any Traces, adding lines: [String] = []) throws(Failure) -> (output: String, errors: String)
    {
        let (output, errors) = try traces.beginnings(limit: Limits.readFileBytes)
        let text = String(decoding: output, as: UTF8.self)
        var complaints = String(decoding: errors, as: UTF8.self)
        if !lines.isEmpty, !complaints.isEmpty, !complaints.hasSuffix("\n") { complaints += "\n" }
        for line in lines { complaints += "assent: \(line).\n" }
        try refuseKeys(in: text)
        try refuseKeys(in: complaints)
        return (text, complaints)
    }

    /// Marks the output and the new files of a command that read keys as private, so that they stay on this machine
    /// under any name.
    func keepPrivate(_ printed: [AssetStore.Content], _ folder: RehearsalFolder?) throws(Failure) {
        for content in printed where content.bytes > 0 { try store.markPrivate(content.hash) }
        guard let folder else { return }
        try OpenFolder(folder.upper).eachContent { (hash) throws(Failure) in try store.markPrivate(hash) }
    }

    /// Throws an error if the output contains a key. The output would be in the asset store and go to other steps.
    ///
    /// - Throws: `keyInOutput`, with the form of the key.
    private func refuseKeys(in output: String) throws(Failure) {
        guard let found = keyFilter().keys(in: output).first else { return }
        throw Failure(
            .keyInOutput, "What the command printed holds \(found.name), so it is not kept and no step can read it.")
    }
}
