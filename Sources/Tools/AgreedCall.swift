import Vocabulary

extension Call {
    /// Whether this newly prepared call does what was approved.
    ///
    /// It must equal the approved call, with one exception: a folder that the call would create may exist by now, since
    /// another step of the same plan may have created it. A link in its place leads to another path, and a file in its
    /// place is an error. Neither is equal.
    func isStill(_ agreed: Call) -> Bool {
        guard self != agreed else { return true }
        guard targets.count == agreed.targets.count else { return false }
        var now = self
        for index in now.targets.indices { now.targets[index].forgetMadeFolders(of: agreed.targets[index]) }
        return now == agreed
    }
}

extension Call.Target {
    /// Counts the folders that were created since `agreed` as still to be created.
    fileprivate mutating func forgetMadeFolders(of agreed: Self) {
        // A similar name is a reason to ask, so it may disappear but not appear.
        guard newFolders < agreed.newFolders, resembles == nil || resembles == agreed.resembles else { return }
        (newFolders, resembles) = (agreed.newFolders, agreed.resembles)
    }
}
