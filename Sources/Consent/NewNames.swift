import Vocabulary

/// Returns the reason why a new name needs a question, whatever the file is, or `nil` if the name is ordinary.
func objectionToName(of target: Call.Target) -> String? {
    guard target.effect == .creates, target.isMadeNew, let path = target.place.path else { return nil }
    let names = path.pathNames.suffix(max(0, target.newFolders) + 1)
    if names.contains(where: \.hasUnseenCharacter) { return "makes a name with characters that are not seen" }
    if names.contains(where: \.isLikeOption) {
        return "makes a name that begins with \"-\": programs take it for an option"
    }
    // The other name is in the call, and drawn from there: words of others stay out of a reason.
    return target.resembles.map { _ in
        "makes a name that differs from one that is there only by case, by signs that look alike, or by how Unicode "
            + "writes them"
    }
}

extension Call.Target {
    fileprivate var isMadeNew: Bool { if case .file = before { false } else { true } }
}
