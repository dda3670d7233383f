import Actions
import Console
import Files
import Terminal
import Vocabulary

/// The surroundings of commands, made of the open parts of this process.
extension OpenWorkspace {
    func context(screen: any Screen) -> CommandContext {
        CommandContext(
            shared: self, isOwnChild: Ancestry.isOwnChild, folders: DiskFolders(workspace: workspace), screen: screen,
            pipedKey: { () throws(Failure) in try Screens.pipedKey() },
            terminal: { () throws(Failure) in try Screens.ofThePerson() })
    }
}
