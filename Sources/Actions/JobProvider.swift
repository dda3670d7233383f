/// A provider of jobs, as it is connected.
package struct JobProvider: Hashable, Sendable {
    /// The name of the provider in commands and manifests.
    package var id: String
    /// The name of the provider for the person.
    package var title: String
    /// The name under which its key is stored, or nil if it needs none.
    package var keyName: String?
}
