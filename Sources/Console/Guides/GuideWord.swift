import Vocabulary

/// The meaning of a line that the user types at a step.
enum GuideWord: Hashable {
    /// Enter alone.
    case nothing
    /// The step is left out.
    /// - words: the user's reason, or empty for none.
    case skip(words: String)
    case back(to: String?)
    case pause
    /// A request for the list of finished and remaining steps.
    case list
    case help
    /// A text that belongs to the step.
    case annotate(String)
    /// The request to accept the last answer as it is.
    case take(why: String)
    /// Paths of pictures, of which several can be dragged into a terminal at once.
    case files([String])
    case clipboard, camera
    /// The end of the pictures, although more could be given.
    case done
    case answer(String)

    /// The words that may be typed at a step, without their `/`.
    enum Name: String, CaseIterable {
        case skip, back, pause, guide, list, help, take, note, file, clipboard, camera, done
    }

    static let names = Set(Name.allCases.map(\.rawValue))

    /// Reads a line.
    ///
    /// - Parameter form: at texts only words with a `/` are no answers, and where pictures are wanted all other lines
    ///   are files.
    static func read(_ line: String, form: Acceptance.Form) -> GuideWord {
        let text = line.trimmed
        guard !text.isEmpty else { return .nothing }
        let isBare = !text.hasPrefix("/")
        let parts = text.drop { $0 == "/" }.split(separator: " ", maxSplits: 1)
        let (name, rest) = (parts.first.map { String($0) } ?? "", parts.count > 1 ? String(parts[1]).trimmed : "")
        guard let known = Name(rawValue: name), !isBare || form != .text, let word = word(known, rest, isBare: isBare)
        else {
            return form == .media || form == .code ? .files(paths(text)) : .answer(text)
        }
        return word
    }

    private static func word(_ name: Name, _ rest: String, isBare: Bool) -> GuideWord? {
        switch name {
        // A word of its own may begin the name of a file.
        case .skip: rest.isEmpty || !isBare ? .skip(words: rest) : nil
        case .back: .back(to: rest.isEmpty ? nil : rest)
        case .pause: rest.isEmpty ? .pause : nil
        case .guide, .list: rest.isEmpty ? .list : nil
        case .help: rest.isEmpty ? .help : nil
        case .take: .take(why: rest)
        case .note: rest.isEmpty ? nil : .annotate(rest)
        case .file: rest.isEmpty ? nil : .files(paths(rest))
        case .clipboard: rest.isEmpty ? .clipboard : nil
        case .camera: rest.isEmpty ? .camera : nil
        case .done: rest.isEmpty ? .done : nil
        }
    }

    /// Returns the paths of a line. There are several if each part begins like a path that a terminal writes. Otherwise
    /// the line is one path, whose spaces need no quotes.
    private static func paths(_ text: String) -> [String] {
        let words = words(text)
        let areSeveral =
            words.count > 1
            && words.allSatisfy { word in
                ["/", "~/", "file://"].contains { unquoted(word).hasPrefix($0) || word.hasPrefix($0) }
            }
        return areSeveral ? words.map(unquoted) : [unquoted(text)]
    }

    /// Returns the parts of a line between spaces that are neither quoted nor escaped, as they are written.
    private static func words(_ text: String) -> [String] {
        var (words, word, quote, isEscaped) = ([String](), "", Character?.none, false)
        for character in text {
            if character == " ", quote == nil, !isEscaped {
                words.append(word)
                word = ""
                continue
            }
            word.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    /// Returns a path without the quotes and backslashes that terminals put around a dragged file.
    private static func unquoted(_ text: String) -> String {
        for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            return String(text.dropFirst().dropLast())
        }
        let address = "file://"
        if text.hasPrefix(address), let path = String(text.dropFirst(address.count)).percentDecoded { return path }
        var (unquoted, isEscaped) = ("", false)
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                unquoted.append(character)
                isEscaped = false
            }
        }
        return unquoted
    }
}
