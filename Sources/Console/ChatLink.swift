import Actions
import Vocabulary

/// The chat as its commands see it. It does not keep the chat alive.
struct ChatLink: OpenChat {
    weak var chat: Chatting?
    let kept: Kept<ConfirmationMode>

    var mode: ConfirmationMode {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }

    func goOn(in id: SessionID) async throws(Failure) { try await chat?.goOn(in: id) }
}
