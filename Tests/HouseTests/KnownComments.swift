/// The doc comments that broke the rule for openings before a test held it, by their fingerprints. The list may only
/// shrink.
struct KnownComments {
    /// The ways to rewrite the list, by the value of the environment variable `WRITE_KNOWN_COMMENTS`.
    enum Rewriting: String {
        /// Removes the fingerprints of comments that no longer exist.
        case shrink = "1"
        /// Adds the fingerprints of all bad comments too. Only the person who introduces a stricter rule needs this.
        case all
    }

    private(set) var fingerprints: Set<String>

    /// Reads a list: one fingerprint a line, and notes that begin with `#`.
    init(_ file: [UInt8]) {
        fingerprints = Set(
            file.lines().map { $0.line.trimmed }.filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
                .map { String(decoding: $0, as: UTF8.self) })
    }

    /// Rewrites the list for the bad comments that the tree has now.
    mutating func rewrite(for bad: Set<String>, _ rewriting: Rewriting) {
        switch rewriting {
        case .shrink: fingerprints.formIntersection(bad)
        case .all: fingerprints = bad
        }
    }

    /// The list as it stands in its file, sorted.
    var text: String {
        """
        # Doc comments that open badly and are known, by the fingerprints of their first sentences. See DocComments.swift.
        # `make comments` removes those that were rewritten. Nobody adds any.

        """ + fingerprints.sorted().map { $0 + "\n" }.joined()
    }
}
