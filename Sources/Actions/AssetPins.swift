import Files
import Storage
package import Vocabulary

/// The pins, by which assets stay on this machine.
extension AssetRetention {
    /// Returns the pinned assets, the oldest pin first.
    package func pins() throws(Failure) -> [KeptAsset] { try archive.keptAssets() }

    /// Pins an asset, so that its content and its preview are not removed.
    ///
    /// - Throws: `unknownAsset`, `badUsage` if the name may mean several contents, `pinnedInputMissing` if the content
    ///   is missing.
    package func pin(_ name: AssetName) throws(Failure) -> PinChange {
        let asset = try one(name)
        _ = try store.path(of: asset)
        let isNew = try archive.keep(asset, at: OpenWorkspace.now())
        guard let kept = try archive.keptAssets().first(where: { $0.hash == asset.hash }) else {
            throw Self.unknown(name)
        }
        return PinChange(asset: kept, isChanged: isNew)
    }

    /// Removes the pin of an asset, so that its content can be removed.
    ///
    /// - Throws: `unknownAsset`, or `badUsage` if the name may mean several contents.
    package func unpin(_ name: AssetName) throws(Failure) -> PinChange {
        let kept = try archive.keptAssets()
        // The pin has the name, since the workflow of the asset may be deleted.
        let named = kept.filter { pin in
            switch name {
            case .content(let prefix): pin.hash.hex.hasPrefix(prefix)
            case .output(let step, let attempt, let port):
                pin.run.step == step && (attempt ?? pin.run.attempt) == pin.run.attempt
                    && (port ?? pin.port) == pin.port
            }
        }
        let asset: KeptAsset
        if let pin = named.first, named.count == 1 {
            asset = pin
        } else {
            let found = try one(name)
            asset =
                kept.first { $0.hash == found.hash }
                ?? KeptAsset(
                    hash: found.hash, bytes: found.bytes, run: found.run, port: found.port, name: found.name,
                    at: OpenWorkspace.now())
        }
        return PinChange(asset: asset, isChanged: try archive.release(content: asset.hash))
    }
}
