import HTTP

extension HTTPFailure {
    /// The name of the case, where the words depend on libcurl's version.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
