import Embedded
import Manifests

extension PlacedJSON {
    /// Creates the documents of a shipped file.
    ///
    /// - Parameter path: the path of its YAML, such as `Config/tools/images.yaml`.
    init(shipped path: String) { self.init(Embedded.text(at: path) ?? "") }
}
