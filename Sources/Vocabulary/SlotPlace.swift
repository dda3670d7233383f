/// Where slots are counted, over all processes of one store (`semantics.md` 13).
package enum SlotPlace: Hashable, Sendable {
    case local, remote
    /// Jobs at one provider, by its id.
    case provider(String)
}
