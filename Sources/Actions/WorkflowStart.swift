package import Vocabulary

package struct WorkflowStart: Hashable, Sendable {
    package var session: SessionID?
    /// The turn of the session that it is made in.
    package var turn: Int?
    package var mode: ConfirmationMode
    package var onAsk: OnAsk

    package init(session: SessionID? = nil, turn: Int? = nil, mode: ConfirmationMode, onAsk: OnAsk) {
        self.session = session
        self.turn = turn
        self.mode = mode
        self.onAsk = onAsk
    }
}
