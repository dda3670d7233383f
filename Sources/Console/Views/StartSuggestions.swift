package import Conversations
import Terminal
package import Vocabulary

extension Limits {
    /// The most sentences that the chat suggests at its start.
    package static let startSuggestions = 3

    /// The most bytes of a file's name in a suggested sentence.
    fileprivate static let suggestedNameBytes = 40
}

/// Suggestions for the start of a chat without workflows. Each one is a sentence that the built-in planner turns into a
/// plan with the files of the folder.
package enum StartSuggestions {
    /// Returns a few sentences.
    ///
    /// - Parameters:
    ///   - files: the files of the working folder.
    ///   - catalogue: the tools. They are read only if a sentence needs a program, since reading all of them delays the
    ///     start. A sentence is left out if its program is missing.
    package static func sentences(for files: [FileEntry], _ catalogue: () -> Catalogue) -> [String] {
        let names = files.filter { !$0.isFolder && !$0.mayHoldKeys && isEasy($0.name) }.map(\.name)
        let taken = Set(files.map { $0.name.lowercased() })
        var sentences: [String] = []
        var tools: Catalogue?
        func add(_ sentence: String?, needs kind: String? = nil) {
            guard let sentence, sentences.count < Limits.startSuggestions else { return }
            if let kind {
                let known = tools ?? catalogue()
                tools = known
                guard known[kind] != nil, known.unavailable[kind] == nil else { return }
            }
            sentences.append(sentence)
        }
        let picture = names.first { has($0, endings: ["jpg", "jpeg", "png", "webp"]) }
        let texts = names.filter { has($0, endings: ["txt", "md"]) }
        add(picture.map { "resize \($0) to 200 px wide" }, needs: "Resize")
        add(texts.first.map { "how many words are in \($0)" })
        let pair = [picture, texts.first, texts.dropFirst().first].compactMap(\.self).prefix(2)
        add(
            pair.count == 2 && !taken.contains("pack.zip") ? "zip \(pair[0]) and \(pair[1]) into pack.zip" : nil,
            needs: "Zip")
        add(picture.map { "make \($0) black and white" }, needs: "Grayscale")
        add(taken.contains("hello.txt") ? nil : "write \"hello\" to hello.txt")
        add("list the files")
        add("wait 5 seconds")
        return sentences
    }

    static func lines(_ sentences: [String], columns: Int) -> [StyledText] {
        guard !sentences.isEmpty else { return [] }
        return Layout.wrapped(StyledText("Say what you want done. To try, for example:", .dim), columns: columns)
            + sentences.flatMap {
                Layout.wrapped(StyledText("  › ", .dim) + StyledText($0), columns: columns, hanging: 4)
            }
            + Layout.wrapped(StyledText("/help lists the verbs. Ctrl-D leaves.", .dim), columns: columns)
    }

    /// Whether a name can stand in a sentence as it is: letters, digits, and `.`, `-` and `_` between them. Other names
    /// may look like words of the sentence.
    private static func isEasy(_ name: String) -> Bool {
        guard name.utf8.count <= Limits.suggestedNameBytes, let first = name.unicodeScalars.first,
            isLetterOrDigit(first)
        else {
            return false
        }
        return name.unicodeScalars.allSatisfy { isLetterOrDigit($0) || [".", "-", "_"].contains($0) }
            && !name.contains("..")
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    private static func has(_ name: String, endings: [String]) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }
}
