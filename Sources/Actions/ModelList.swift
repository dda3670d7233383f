package import Vocabulary

/// The models that can be used, and the one that is used now.
package struct ModelList: Hashable, Sendable {
    /// A connection of `connections.yaml`.
    package struct Connection: Hashable, Sendable {
        /// The name of the connection.
        package var name: String
        /// The name of its profile, or nil if it has none.
        package var profile: String?
        /// The name of its model.
        package var model: String
        /// The host of its address, or of its profile's.
        package var place: String
        /// The name of its key, or nil if none is named.
        package var keyName: String?
        /// The name of the connection that is used if this one cannot answer, or nil.
        package var fallback: String?
        /// Whether this process uses it now.
        package var isUsed = false
        /// Whether it is the default of the file.
        package var isDefault = false
    }

    /// A server of `models.yaml` that can be connected.
    package struct Profile: Hashable, Sendable {
        /// The name of the profile.
        package var name: String
        /// The name of the server for the person.
        package var title: String
        /// The address of the server, or nil if each person has another one.
        package var url: String?
        /// The name of its key, or nil if it needs none.
        package var keyName: String?
    }

    /// The model that is used, with the reason.
    package struct Use: Hashable, Sendable {
        /// The name of the model and its host, such as `gpt-5 at api.example.com`.
        package var words: String
        /// The place that named the model, such as the default of `connections.yaml`.
        package var reason: String
    }

    /// The connections of the person.
    package var connections: [Connection] = []
    /// The servers that can be connected.
    package var profiles: [Profile] = []
    /// The model that is used, or nil for the built-in planner.
    package var use: Use?
    /// The reason why the chosen model cannot be used, or nil.
    package var failure: Failure?
    /// The problems of `models.yaml` and `connections.yaml`.
    package var problems: [Problem] = []
    /// The path of `connections.yaml`.
    package var file: String
}
