import Actions
import Vocabulary

/// The chat as its commands see it. It does not keep the chat alive.
struct ChatLink: OpenChat {
    weak var chat: Chatting?
    let kept: Kept<ConfirmationMode>
    /// The line that is offered to the user next.
    let way: Kept<String?>

    var mode: ConfirmationMode {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }

    func offer(_ line: String) { way.value = line }

    func goOn(in id: SessionID) async throws(Failure) { try await chat?.goOn(in: id) }
}
