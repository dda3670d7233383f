package import Vocabulary

/// The text of a file with manifests or other configuration. A `String` is YAML, as users write it. `PlacedJSON` is the
/// form in which the program embeds its own files.
package protocol ConfigText {
    /// Returns the documents of the text, in order.
    ///
    /// - Parameter file: the name of the file in problems (`images.yaml:12`).
    /// - Throws: the first problem of a text that cannot be read.
    func documents(file: String) throws(Problem) -> [YAML]

    /// Returns the names of the manifests in a text that cannot be read, as far as they can be found.
    ///
    /// - Parameter key: the field whose value names a manifest, such as `kind`.
    func namesOfManifests(by key: String) -> [String]
}

extension String: ConfigText {
    package func documents(file: String) throws(Problem) -> [YAML] { try YAML.read(self, file: file) }

    /// Returns the names of the documents in a text that is not valid YAML, as far as lines that begin with the key
    /// show them.
    package func namesOfManifests(by key: String) -> [String] {
        split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix("\(key):") else { return nil }
            let name = line.dropFirst(key.count + 1).prefix { $0 != "#" }.filter {
                !$0.isWhitespace && $0 != "\"" && $0 != "'"
            }
            return name.isEmpty ? nil : name
        }
    }
}
