import Services

extension OpenWorkspace {
    /// The signs that may stand before thousands in the numbers that the user writes, by the language of the settings
    /// and of the environment.
    var groupSigns: Set<Character> {
        Languages.groupSigns(setting: settings.language, environment: Folders.environment)
    }
}
