/// The result of one tiny request to a model.
package struct ModelTrial: Hashable, Sendable {
    /// Whether the model called the tool that it was asked to call.
    package var callsTools: Bool
    /// Notices for the person about the lessons of the request.
    package var notices: [String]
    /// The duration of the request, in milliseconds.
    package var milliseconds: Int
}
