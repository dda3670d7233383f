package import Vocabulary

/// The result of an order to pin or unpin an asset.
package struct PinChange: Hashable, Sendable {
    package let asset: KeptAsset
    /// Whether the order changed the pin.
    package let isChanged: Bool
}
