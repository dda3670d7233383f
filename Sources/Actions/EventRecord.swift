import Services
import Storage
import Vocabulary

extension OpenWorkspace {
    /// Stores an event and sends it to all listeners of this process. It is stored first, since the state of a call is
    /// read from the events after a crash. Parts of a reply are not stored.
    func record(_ event: Event) {
        switch event.kind {
        case .end, .messageDelta: break
        // An event that cannot be stored is shown all the same.
        default: try? archive.get().append(event)
        }
        hub.post(event)
    }
}
