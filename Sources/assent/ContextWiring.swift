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
            input: OwnInput())
    }
}

/// The standard input and the terminal of this process.
private struct OwnInput: PersonsInput {
    func pipedKey() throws(Failure) -> String? { try Screens.pipedKey() }

    func terminal() throws(Failure) -> (any Screen)? { try Screens.ofThePerson() }
}
