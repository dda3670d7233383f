import JSON
package import Vocabulary

/// A list of documents as JSON, in which every key and value stands on the line that it has in its YAML file.
///
/// The program embeds its own manifests in this form: reading their YAML took a third of the time of a short command.
/// Since the lines are equal, users are still shown the right one, as in `built-in policy:14`. Columns are not kept.
package struct PlacedJSON: ConfigText, Sendable {
    private let text: String

    /// Creates the documents of a text. It is not read yet.
    package init(_ text: String) { self.text = text }

    package func documents(file: String) throws(Problem) -> [YAML] {
        let read: (value: JSON, lines: [Int])
        do throws(JSONReader.Failure) { read = try JSONReader.readWithLines(text) } catch {
            throw Problem(.badManifest, at: "\(file):\(error.line)", "\(error.message).")
        }
        var lines = read.lines[...]
        guard case .list(let documents) = YAML(read.value, at: &lines).value else {
            throw Problem(.badManifest, at: file, "A list of documents is expected.")
        }
        return documents
    }

    /// Returns no names: an embedded text that cannot be read never leaves the tests.
    package func namesOfManifests(by key: String) -> [String] { [] }
}

extension YAML {
    /// Creates the value of some JSON.
    ///
    /// - Parameter lines: the lines of the keys and values, as `JSONReader.readWithLines` returns them. The ones of this
    ///   value are removed.
    fileprivate init(_ json: JSON, at lines: inout ArraySlice<Int>) {
        let line = lines.popFirst() ?? 1
        let value: Value
        switch json {
        case .null, .bool, .int, .double, .string: value = .scalar(json)
        case .array(let elements): value = .list(elements.map { YAML($0, at: &lines) })
        case .object(let object):
            value = .mapping(
                object.members.map { member in
                    let line = lines.popFirst() ?? 1
                    return Member(key: member.key, line: line, column: 1, value: YAML(member.value, at: &lines))
                })
        }
        self.init(value: value, line: line)
    }
}
