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
            workspace: workspace, isOwnChild: Ancestry.isOwnChild, notice: { [self] in await notice() }, now: OpenWorkspace.now,
            catalogue: { [self] in (try? catalogue.get()) ?? Catalogue() },
            templates: { [self] in templates() },
            settings: CommandContext.Settings(
                mode: { [settings] () throws(Failure) in try settings.mode() },
                keepMode: { [settings] mode throws(Failure) in try settings.setMode(mode) },
                modelName: { [self] in modelName }, table: SettingsAtHand(wiring: self)),
            requireSettings: { [configuration] () throws(Failure) in try configuration.require() },
            look: look, act: act, keep: keep, again: again, undoing: undoing,
            viewing: Looker(wiring: self),
            guides: GuideRuns(self),
            folders: DiskFolders(workspace: workspace), people: people, hosts: hosts,
            sessions: sessions,
            models: models, setup: setup, providers: providerSetup,
            withoutKeys: { [self] in withoutKeys($0) },
            typedKey: { [keyRing] line in keyRing.filter.keys(in: line).first?.name },
            screen: { screen },
            pipedKey: { () throws(Failure) in try Screens.pipedKey() },
            terminal: { () throws(Failure) in try Screens.ofThePerson() },
            events: { [hub] in hub.listen() },
            converse: { [self] in converse($0) })
    }
}
