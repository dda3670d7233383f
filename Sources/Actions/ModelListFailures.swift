package import Vocabulary

/// The meanings of a failed request for a list of models.
extension Failure {
    /// Whether the server answered with something other than a list of models. It may still have a model.
    package var isOfNoModelList: Bool { code.isOne(of: .modelWrongDialect, .modelEmpty, .modelBadReply) }

    /// Whether a server that was sent no key may have refused its list because it wants a key. The server answered, and
    /// not with a missing page. Servers use many codes for that: litellm without a database answers 500.
    package var mayWantKey: Bool {
        code.isOne(of: .modelForbidden, .modelBadRequest, .modelOverloaded, .modelRateLimited, .modelNoCredit)
    }

    /// The refusal as one for a missing key, after which the person is asked for the key.
    package var forWantOfKey: Failure {
        Failure(
            .modelRefusedKey, "The list of models was refused, and no key was sent. \(message)",
            remedy: "Give a key. If the server wants none, name the model: --model NAME.")
    }
}
