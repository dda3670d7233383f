/// The occasions and the way of notifications, as the user sets them (`notify: {when: unfocused, by: auto}` in `settings.yaml`).
package struct NoticePreference: Hashable, Sendable {
    /// The occasions on which notifications are shown.
    package enum When: String, Hashable, Sendable, CaseIterable {
        /// If the user does not look at the terminal.
        case unfocused
        case always, never
    }

    /// The way in which notifications are shown.
    package enum Way: String, Hashable, Sendable, CaseIterable {
        /// The way that fits the terminal and the desktop, found from the environment.
        case auto
        case osc9, osc777, osc99
        /// The program `notify-send`.
        case desktop
        case bell
    }

    package var when: When
    package var way: Way
    /// The words of a program that is run for each notification, too. It is empty if there is none.
    package var command: [String]

    /// Creates a setting. Its defaults are those of the settings file.
    package init(when: When = .unfocused, way: Way = .auto, command: [String] = []) {
        (self.when, self.way, self.command) = (when, way, command)
    }
}
