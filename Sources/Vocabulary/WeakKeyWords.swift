extension Limits {
    /// The most bytes before a value in which the words around it are searched.
    fileprivate static let keyWordsBytes = 400
    /// The least and the most bytes of a key of Azure that is known by a mark within it.
    fileprivate static let azureKeyBytes = 40...200
    fileprivate static let azureSecretBytes = 34...48
    /// The bytes of a key of Mistral.
    fileprivate static let mistralKeyBytes = 32
}

/// Finds passwords and keys that have neither a name with a sign behind it nor a beginning of their own: the password
/// in a netrc file (`machine a login b password c`), that in `curl -u ana:…`, and keys of Azure and Mistral.
enum WeakKeyWords {
    /// Returns the place of a password behind a space, or behind the colon of `-uana:…`.
    static func range(in bytes: [UInt8], at sign: Int) -> Range<Int>? {
        // Most signs stand behind another word, so the words before it are only split where they can matter.
        guard let word = word(before: sign, in: bytes), mayPrecedeKey(word) else { return nil }
        let before = words(before: sign, in: bytes)
        guard let last = before.last else { return nil }
        if bytes[sign] == UInt8(ascii: "=") { return attribute(in: bytes, at: sign, before) }
        if bytes[sign] == 0x20 || bytes[sign] == 0x09 || bytes[sign] == 0x0A {
            if Self.passwords.contains(last), isNetrc(before) {
                return token(in: bytes, from: sign + 1)
            }
            guard Self.userOptions.contains(last), hasRequest(before) else { return nil }
            return token(in: bytes, from: sign + 1).flatMap { behindColon(bytes, $0) }
        }
        // The word and its colon: `-uana:`.
        guard bytes[sign] == UInt8(ascii: ":"), last.starts(with: "-u".utf8), last.count > 2, hasRequest(before) else {
            return nil
        }
        let start = sign - last.count
        return token(in: bytes, from: start).flatMap { behindColon(bytes, $0) }
    }

    /// Returns the value in `<add key="Password" value="…"`, whose name stands in the attribute before it.
    private static func attribute(in bytes: [UInt8], at sign: Int, _ words: [ArraySlice<UInt8>]) -> Range<Int>? {
        guard words.count > 1, words[words.count - 1].elementsEqual("value".utf8), sign + 1 < bytes.count,
            bytes[sign + 1] == UInt8(ascii: "\"")
        else { return nil }
        let parts = words[words.count - 2].split(separator: UInt8(ascii: "\""), maxSplits: 2)
        guard parts.count > 1, ["key=", "name="].contains(where: { parts[0].elementsEqual($0.utf8) }),
            let end = bytes[(sign + 2)...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        let value = bytes[(sign + 2)..<end]
        let text = String(decoding: value, as: UTF8.self)
        return WeakKeyValue.isKey(text, called: String(decoding: parts[1], as: UTF8.self)) ? value.indices : nil
    }

    private static let passwords = ["password", "passwd"].map { Array($0.utf8)[...] }
    private static let logins = ["login", "account", "user"].map { Array($0.utf8)[...] }
    private static let userOptions = ["-u", "--user", "-U", "--proxy-user"].map { Array($0.utf8)[...] }
    private static let requests = ["curl", "wget", "http", "https", "xh"].map { Array($0.utf8)[...] }

    /// Whether the words before a password are those of a netrc file: `machine a login b password`, `default login b
    /// password`, `machine a password`.
    private static func isNetrc(_ words: [ArraySlice<UInt8>]) -> Bool {
        func isWord(_ back: Int, _ text: String) -> Bool {
            words.count >= back && words[words.count - back].elementsEqual(text.utf8)
        }
        guard words.count > 2 else { return false }
        if isWord(3, "machine") { return true }
        return logins.contains(words[words.count - 3]) && (isWord(5, "machine") || isWord(4, "default"))
    }

    private static func hasRequest(_ words: [ArraySlice<UInt8>]) -> Bool {
        words.contains { word in
            requests.contains(word) || requests.contains { word.suffix($0.count + 1).elementsEqual([0x2F] + $0) }
        }
    }

    /// Returns the word that ends at a place, unless it is longer than those that stand before a key.
    private static func word(before place: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var start = place
        while start > 0, bytes[start - 1] > 0x20 {
            start -= 1
            if place - start > Limits.longestKeyNameBytes { return nil }
        }
        return start < place ? bytes[start..<place] : nil
    }

    private static func mayPrecedeKey(_ word: ArraySlice<UInt8>) -> Bool {
        word.elementsEqual("value".utf8) || word.starts(with: "-u".utf8) || passwords.contains(word)
            || userOptions.contains(word)
    }

    /// Returns the words before a place, of at most `Limits.keyWordsBytes`.
    private static func words(before place: Int, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes[max(0, place - Limits.keyWordsBytes)..<place].split { $0 <= 0x20 }
    }

    /// Returns the word that begins at a place or behind the spaces there, without quotes around it.
    private static func token(in bytes: [UInt8], from place: Int) -> Range<Int>? {
        var start = place
        while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
        var end = start
        while end < bytes.count, bytes[end] > 0x20, end - start < Limits.longestKeyBytes { end += 1 }
        while start < end, "\"'".utf8.contains(bytes[start]) { start += 1 }
        while end > start, "\"';)".utf8.contains(bytes[end - 1]) { end -= 1 }
        guard start < end, !"${<(%⟨".utf8.contains(bytes[start]) else { return nil }
        return start..<end
    }

    /// Returns the part of a word behind its first colon, unless it is a number (`1000:1000`) or a blank.
    private static func behindColon(_ bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
        guard let colon = bytes[word].firstIndex(of: UInt8(ascii: ":")), colon + 1 < word.upperBound else { return nil }
        let value = bytes[(colon + 1)..<word.upperBound]
        guard !value.allSatisfy({ 0x30...0x39 ~= $0 }), let first = value.first, !"${<(/⟨".utf8.contains(first) else {
            return nil
        }
        return value.indices
    }

    // MARK: Marks within a key

    /// Returns the places of keys that are known by a mark within them or by the name of their provider before them, in
    /// order.
    static func marked(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for mark in [Self.azureMark, Self.azureSecretMark, Self.mistral] {
            var place = 0
            while let hit = bytes[place...].firstRange(of: mark)?.lowerBound {
                place = hit + mark.count
                if let range = key(in: bytes, at: hit, mark) { found.append(range) }
            }
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The mark in keys of Azure (Microsoft, "Common annotated security keys").
    private static let azureMark = Array("JQQJ99".utf8)
    /// The mark in secrets of clients of Azure, which follows three signs and a digit.
    private static let azureSecretMark = Array("Q~".utf8)
    private static let mistral = Array("istral".utf8)

    private static func key(in bytes: [UInt8], at hit: Int, _ mark: [UInt8]) -> Range<Int>? {
        if mark == mistral { return mistralKey(in: bytes, behind: hit + mark.count) }
        var (start, end) = (hit, hit + mark.count)
        // A longer word is no such key, so the steps for each mark are bounded.
        let most = Limits.azureKeyBytes.upperBound + 1
        while start > 0, hit - start < most, isOfKey(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, end - hit < most, isOfKey(bytes[end]) { end += 1 }
        if mark == azureMark { return Limits.azureKeyBytes.contains(end - start) ? start..<end : nil }
        guard hit - start == 4, 0x30...0x39 ~= bytes[hit - 1], Limits.azureSecretBytes.contains(end - start) else {
            return nil
        }
        return start..<end
    }

    /// Returns a word of 32 letters in both cases and digits, on the line of the provider's name.
    private static func mistralKey(in bytes: [UInt8], behind place: Int) -> Range<Int>? {
        var start = place
        let limit = min(bytes.count, place + Limits.keyWordsBytes)
        while start < limit, bytes[start] != 0x0A {
            guard WeakKeyName.isAlphanumeric(bytes[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < bytes.count, end - start <= Limits.mistralKeyBytes, isOfKey(bytes[end]) { end += 1 }
            let word = bytes[start..<end]
            if word.count == Limits.mistralKeyBytes, word.allSatisfy(WeakKeyName.isAlphanumeric),
                word.contains(where: { 0x30...0x39 ~= $0 }), word.contains(where: { 0x41...0x5A ~= $0 }),
                word.contains(where: { 0x61...0x7A ~= $0 })
            {
                return start..<end
            }
            start = end
        }
        return nil
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        WeakKeyName.isAlphanumeric(byte) || "_.~-+/=".utf8.contains(byte)
    }
}
