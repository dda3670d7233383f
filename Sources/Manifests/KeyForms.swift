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
    return (forms.compactMap(\.self), faults)
}
