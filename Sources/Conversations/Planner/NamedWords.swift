import Vocabulary

/// The words of a sentence that are also names of files or folders here: "photos" beside a folder `photos`.
///
/// For orders that take a folder as a whole, such a word is the name. For others it may be both, and the user is asked.
struct NamedWords {
    private let tokens: [Token]
    private let grammar: Grammar
    /// The places of the words that may be both.
    private let places: [Int]

    /// - Parameter tokens: the tokens of a sentence. A word without a meaning in the language is a name already.
    init(_ tokens: [Token], _ grammar: Grammar) {
        self.grammar = grammar
        self.tokens = tokens.map { token in
            guard let entry = token.entry, !grammar.isKnown(token.word), grammar.noun(of: token) == nil,
                grammar.format(of: token.word) == nil
            else { return token }
            return Self.name(token, entry)
        }
        places = tokens.indices.filter { place in
            tokens[place].entry != nil && grammar.noun(of: tokens[place]) != nil
                && !(place > 0 && grammar.isQuantity(tokens[place - 1]))
        }
    }

    private static func name(_ token: Token, _ entry: FileEntry) -> Token {
        var token = token
        token.kind = .file(entry, isExact: true)
        return token
    }

    /// The first word that may be both, or nil if there is none.
    var first: String? { places.first.map { tokens[$0].text } }

    /// The sentence in which such words have their meaning in the language.
    var asWords: [Token] { tokens }

    /// The sentence in which such words are names.
    var asNames: [Token] {
        var named = tokens
        for place in places { if let entry = tokens[place].entry { named[place] = Self.name(tokens[place], entry) } }
        return named
    }
}
