import JSON
package import Vocabulary

/// Reads the forms that keys have, as `Config/keys.yaml` describes them.
///
/// - Returns: the forms that can be read, and the problems of the others.
package func readKeyForms(_ text: some ConfigText, file: String) -> (forms: [KeyForm], problems: [Problem]) {
    let json: JSON
    do throws(Problem) { json = try readYAML(text, file: file) } catch { return ([], [error]) }
    guard json["keys"]?.string == "assent.keys/v1", let written = json["forms"]?.array else {
        return ([], [Problem(.badManifest, at: file, "This is no list of the forms of keys (assent.keys/v1).")])
    }
    let forms = written.map { KeyForm($0) }
    let faults = forms.enumerated().filter { $0.element == nil }.map { index, _ in
        Problem(.badManifest, at: file, "Form \(index + 1) cannot be read.")
    }
    return (forms.compactMap(\.self), faults + fileProblems(json["files"]?.array ?? [], file: file))
}

/// Returns the problems of the rows about files with keys. `KeyFileTable` reads the rows.
private func fileProblems(_ rows: [JSON], file: String) -> [Problem] {
    guard !rows.isEmpty else { return [Problem(.badManifest, at: file, "There is no list of files with keys.")] }
    return rows.enumerated().compactMap { index, row in
        let names = row["name"]?.array?.map(\.string) ?? [row["name"]?.string]
        let isSound =
            !names.isEmpty && names.allSatisfy { $0.map { !$0.isEmpty && $0 == $0.lowercased() } ?? false }
            && ["any", "keys"].contains(row["content"]?.string)
        return isSound ? nil : Problem(.badManifest, at: file, "Row \(index + 1) of the files cannot be read.")
    }
}
