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
    /// The file name that is shown, and from which new names are derived, such as `cat.jpg`. It is never a path.
    package var name: String
    /// The metadata that the tool reported with the asset, such as `{"width":800,"height":533}`.
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
    /// The warning of a program that ended well while it made this asset, in words for the user. `nil` means that there
    /// was no warning.
    package var warning: String? {
        get { meta["warned"]?.string }
        set { meta["warned"] = newValue.map { .string($0) } }
    }

    /// The count that the tool took while it made this asset, in words for the user, such as `3 replaced`. `nil` means
    /// that there is nothing to say.
    package var note: String? {
        get { meta["noted"]?.string }
        set { meta["noted"] = newValue.map { .string($0) } }
    }
}

extension Asset {
    /// The key under which `meta` stores what the file was that the content comes from (`FileTraits`). Neither a model
    /// nor an export sees it.
    package static let traitsKey = "traits"

    /// The metadata that may be shown.
    package var shownMeta: JSON.Object {
        meta[Asset.traitsKey] == nil ? meta : JSON.Object(members: meta.members.filter { $0.key != Asset.traitsKey })
    }
}

extension Asset {
    /// Returns the asset with the schema name of its provider's metadata (`semantics.md` 28). If the provider named no
    /// schema, `"v1"` is stored, and the caller logs a warning.
    ///
    /// - Returns: the asset, and whether the name was missing.
    package func withProviderSchema() -> (asset: Asset, wasMissing: Bool) {
        if let schema = meta["providerSchema"]?.string, !schema.isEmpty { return (self, false) }
        var asset = self
        asset.meta["providerSchema"] = "v1"
        return (asset, true)
    }
}
