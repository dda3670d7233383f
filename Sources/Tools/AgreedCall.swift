import Vocabulary

extension Call {
    /// Whether this call, as it is looked at now, does what was agreed to.
    ///
    /// It must equal the agreed call, with one exception: a folder that the call was to make may be there by now, since
    /// another step of the same plan may have made it. A link in its place leads to another path, and a file in its
    /// place leaves no path. Neither is equal.
    func isStill(_ agreed: Call) -> Bool {
        guard self != agreed else { return true }
        guard targets.count == agreed.targets.count else { return false }
        var now = self
        for index in now.targets.indices { now.targets[index].forgetMadeFolders(of: agreed.targets[index]) }
        return now == agreed
    }
}

extension Call.Target {
    /// Counts the folders that were made since `agreed` as still to be made.
    fileprivate mutating func forgetMadeFolders(of agreed: Self) {
        // A name that resembles the new one is a reason to ask, so it may go but not come.
        guard newFolders < agreed.newFolders, resembles == nil || resembles == agreed.resembles else { return }
        (newFolders, resembles) = (agreed.newFolders, agreed.resembles)
    }
}
