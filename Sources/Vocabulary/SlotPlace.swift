/// The pool in which slots are counted, for all processes of one store together (`semantics.md` 13).
package enum SlotPlace: Hashable, Sendable {
    case local, remote
    /// The jobs at one provider, by its id.
    case provider(String)
}
