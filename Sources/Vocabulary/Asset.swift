package import JSON

/// A value that flowed out of a port: content by hash, with where it came from (`semantics.md` 27, 95).
///
/// Its name is its provenance (run and port), so two runs that make equal bytes are two assets with one content.
package struct Asset: Hashable, Sendable {
    package var run: RunID
    package var port: String
    package var type: PortType
    package var hash: ContentHash
    package var bytes: Int
    /// A file name to show and to derive new names from, such as `cat.jpg`; never a path.
    package var name: String
    /// What the tool said about it, such as `{"width":800,"height":533}`.
    package var meta: JSON.Object

    package init(
        run: RunID, port: String, type: PortType, hash: ContentHash, bytes: Int, name: String,
        meta: JSON.Object = JSON.Object()
    ) {
        self.run = run
        self.port = port
        self.type = type
        self.hash = hash
        self.bytes = bytes
        self.name = name
        self.meta = meta
    }
}

extension Asset {
    /// The warning of a program that ended well while it made this asset, in words for the user; `nil` if there was
    /// none.
    package var warning: String? {
        get { meta["warned"]?.string }
        set { meta["warned"] = newValue.map { .string($0) } }
    }
}

extension Asset {
    /// What a provider says of its outputs names the form of what it says (`semantics.md` 28): where it does not,
    /// `"v1"` is stored, and whoever stores it logs a warning.
    ///
    /// - Returns: also whether it was missing.
    package func withProviderSchema() -> (asset: Asset, wasMissing: Bool) {
        if let schema = meta["providerSchema"]?.string, !schema.isEmpty { return (self, false) }
        var asset = self
        asset.meta["providerSchema"] = "v1"
        return (asset, true)
    }
}
