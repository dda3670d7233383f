package import JSON
package import Vocabulary

/// The contents of a `settings.yaml`. A value is `nil`, or empty, if the file says nothing about it.
package struct WrittenSettings: Hashable, Sendable {
    /// The variables that the user has set for one provider of jobs.
    package struct Provider: Hashable, Sendable {
        package let id: String
        package let values: JSON.Object
        /// The place of the settings in their file, such as `settings.yaml:3`.
        package let place: String
        private let places: [String: String]

        /// Creates the settings of a provider.
        ///
        /// - Parameter places: the place of each variable.
        package init(id: String, values: JSON.Object, place: String = "", places: [String: String] = [:]) {
            self.id = id
            self.values = values
            self.place = place
            self.places = places
        }

        func place(of variable: String) -> String { places[variable] ?? place }
    }

    package var mode: ConfirmationMode?
    package var localSlots: Int?
    package var remoteSlots: Int?
    /// The amount that a workflow may spend without a question.
    package var budget: Dollars?
    package var providers: [Provider] = []
    /// The words of the program that is asked for keys.
    package var keyCommand: [String] = []
    /// The words of the program that takes a photograph.
    package var cameraCommand: [String] = []
    /// The model under `model:`, the form that was used before there were connections.
    package var oldModel: ModelSources.OldModel?
    /// The code of the language in which sentences are read, such as `de`.
    package var language: String?

    /// How pictures are shown in the terminal.
    package var pictures: PictureSetting?
    /// Whether texts may go to the clipboard of the terminal.
    package var clipboard: Bool?
    /// The occasions on which the user is notified.
    package var notifyWhen: NoticePreference.When?
    /// The way in which the user is notified.
    package var notifyWay: NoticePreference.Way?
    /// The words of the program that is run for each notification.
    package var notifyCommand: [String] = []

    /// Creates settings without values.
    package init() {}
}

/// Reads a `settings.yaml`. An unknown key is a problem, since it may have been meant to make Assent ask more.
///
/// - Parameter file: the name of the file in problems (`settings.yaml:3`).
/// - Returns: the settings as far as they can be read, and all problems. If there is a problem, none of the settings
///   may be used.
package func readSettings(_ text: String, file: String) -> (settings: WrittenSettings, problems: [Problem]) {
    let read: YAML?
    do throws(Problem) { read = try readConfigDocument(text, file: file) } catch { return (WrittenSettings(), [error]) }
    guard let document = read else { return (WrittenSettings(), []) }
    guard var fields = Fields(document, file: file, subject: "The settings") else {
        let words =
            "The settings must be keys with values, such as \"mode: adaptive\", not \(document.json.kindInWords)."
        return (WrittenSettings(), [Problem(.badSettings, at: "\(file):\(document.line)", words)])
    }
    var settings = WrittenSettings()
    settings.mode = fields.choice("mode", ConfirmationMode.self)
    fields.nestedIfSaid("slots") {
        settings.localSlots = $0.slot("local")
        settings.remoteSlots = $0.slot("remote")
    }
    fields.nestedIfSaid("budget") { settings.budget = $0.dollars("workflow") }
    settings.providers = fields.mappingIfSaid("providers").compactMap { fields.provider($0) }
    settings.keyCommand = fields.command("key_command", such: "[pass, show, \"assent/{name}\"]")
    fields.nestedIfSaid("camera") { settings.cameraCommand = $0.cameraCommand("command") }
    settings.language = fields.text("language")
    settings.pictures = fields.choice("pictures", PictureSetting.self)
    settings.clipboard = fields.flag("clipboard")
    fields.nestedIfSaid("notify") {
        settings.notifyWhen = $0.choice("when", NoticePreference.When.self)
        settings.notifyWay = $0.choice("by", NoticePreference.Way.self)
        settings.notifyCommand = $0.command("command", such: "[ntfy, publish, my-topic]")
    }
    fields.nestedIfSaid("model") { model in
        let url = model.requiredText("url")
        settings.oldModel = ModelSources.OldModel(
            url: url, model: model.text("name"), keyVariable: model.keyName("key_variable"))
    }
    fields.refuseTheRest()
    return (settings, fields.problems)
}

extension Fields {
    fileprivate mutating func slot(_ key: String) -> Int? {
        guard let number = whole(key) else { return nil }
        if (1...Limits.mostSlots).contains(number) { return number }
        report(.badField, at: key, "\"\(key)\" is \(number); it is a whole number from 1 to \(Limits.mostSlots).")
        return nil
    }

    fileprivate mutating func provider(_ member: YAML.Member) -> WrittenSettings.Provider? {
        guard case .mapping(let members) = member.value.value, let values = member.value.json.object else {
            report(
                .badField, line: member.line,
                "providers, \(member.key), must be variables with values, such as {host: \"127.0.0.1:9000\"}.")
            return nil
        }
        let places = Dictionary(members.map { ($0.key, "\(file):\($0.line)") }) { first, _ in first }
        return WrittenSettings.Provider(id: member.key, values: values, place: "\(file):\(member.line)", places: places)
    }

    /// Returns the words of a program that writes a photograph to `{file}`.
    fileprivate mutating func cameraCommand(_ key: String) -> [String] {
        let words = command(key, such: "[fswebcam, \"{file}\"]")
        if !words.isEmpty, words.count(where: { $0.contains("{file}") }) != 1 {
            report(
                .badField, at: key, "\"\(key)\" must have {file} in one of its words, where it writes the photograph.")
        }
        return words
    }

    /// Returns a list of words, or the words of one text, separated by spaces.
    ///
    /// - Parameter example: an example of a command, for the message.
    fileprivate mutating func command(_ key: String, such example: String) -> [String] {
        guard let yaml = take(key) else { return [] }
        let words =
            yaml.json.array.map { $0.compactMap(\.string) } ?? yaml.json.string.map {
                $0.split(separator: " ").map(String.init)
            } ?? []
        if words.isEmpty || words.contains("") || words.count != yaml.json.array?.count ?? words.count {
            report(.badField, line: yaml.line, "\"\(key)\" must be a program with its words, such as \(example).")
        }
        return words
    }
}
