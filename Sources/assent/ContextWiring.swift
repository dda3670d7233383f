import Actions
import Console
import Services
import Terminal
import Tools
import Vocabulary

/// The surroundings of commands, made of the open parts of this process.
extension OpenWorkspace {
    func context(screen: any Screen) -> CommandContext {
        CommandContext(
            shared: self, workspace: workspace, isOwnChild: Ancestry.isOwnChild,
            settings: CommandContext.Settings(SettingsActions(self)), keep: AssetRetention(self),
            bundles: Bundles(self), diagnostics: Diagnostics(self), undoing: UndoActions(self),
            viewing: Looks(self),
            guides: GuideRuns(self),
            folders: DiskFolders(workspace: workspace), people: InboxActions(self),
            hosts: HostPermissions(self), sessions: ConversationLibrary(self), models: ModelActions(self),
            setup: ConnectionSetup(self), providers: ProviderConnections(self),
            screen: { screen },
            pipedKey: { () throws(Failure) in try Screens.pipedKey() },
            terminal: { () throws(Failure) in try Screens.ofThePerson() })
    }
}
