import JSON

/// What is wrong with a script, in one sentence with its place: `jobs[0].life.queuedPolls: …`.
struct ScriptFault: Error, CustomStringConvertible {
    let description: String

    init(_ place: String, _ words: String) {
        description = "\(place.isEmpty ? "script" : place): \(words)"
    }
}

/// The members of one object of a script. Each is taken by name; what nobody took is a misspelling, and `end` says so.
struct Fields {
    let place: String
    private var left: JSON.Object

    init(_ json: JSON, at place: String) throws {
        guard let object = json.object else {
            throw ScriptFault(place, "an object is expected, found \(json.kindInWords)")
        }
        self.place = place
        left = object
    }

    func place(of key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    mutating func take(_ key: String) -> JSON? {
        defer { left[key] = nil }
        return left[key]
    }

    func end() throws {
        if let key = left.keys.first { throw ScriptFault(place(of: key), "nothing is known by this name") }
    }

    // MARK: By kind

    /// - Parameter most: a million million is more than any time or count needs, and sums of it are numbers still.
    mutating func int(_ key: String, atLeast least: Int = 0, atMost most: Int = 1_000_000_000_000) throws -> Int? {
        guard let json = take(key) else { return nil }
        guard let int = json.int, int >= least, int <= most else {
            throw ScriptFault(place(of: key), "a whole number from \(least) to \(most) is expected")
        }
        return int
    }

    mutating func number(_ key: String) throws -> Double? {
        guard let json = take(key) else { return nil }
        guard let number = json.number else { throw ScriptFault(place(of: key), "a number is expected") }
        return number
    }

    mutating func flag(_ key: String) throws -> Bool? {
        guard let json = take(key) else { return nil }
        guard let flag = json.bool else { throw ScriptFault(place(of: key), "true or false is expected") }
        return flag
    }

    mutating func string(_ key: String) throws -> String? {
        guard let json = take(key) else { return nil }
        guard let string = json.string else { throw ScriptFault(place(of: key), "text is expected") }
        return string
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws -> Word?
    where Word.RawValue == String {
        guard let string = try string(key) else { return nil }
        guard let word = Word(rawValue: string) else {
            throw ScriptFault(
                place(of: key), "one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")) is expected")
        }
        return word
    }

    /// - Parameter read: gets each member with its place.
    mutating func list<Value>(_ key: String, _ read: (JSON, String) throws -> Value) throws -> [Value]? {
        guard let json = take(key) else { return nil }
        guard let array = json.array else {
            throw ScriptFault(place(of: key), "a list is expected, found \(json.kindInWords)")
        }
        return try array.enumerated().map { try read($1, "\(place(of: key))[\($0)]") }
    }

    mutating func strings(_ key: String) throws -> [String]? {
        try list(key) { json, place in
            guard let string = json.string else { throw ScriptFault(place, "text is expected") }
            return string
        }
    }

    mutating func object<Value>(_ key: String, _ read: (inout Fields) throws -> Value) throws -> Value? {
        guard let json = take(key) else { return nil }
        var fields = try Fields(json, at: place(of: key))
        let value = try read(&fields)
        try fields.end()
        return value
    }

    mutating func headers(_ key: String) throws -> [String: String] {
        guard let json = take(key) else { return [:] }
        guard let object = json.object else { throw ScriptFault(place(of: key), "an object is expected") }
        return try Dictionary(
            object.members.map { member in
                guard let value = member.value.string else {
                    throw ScriptFault("\(place(of: key)).\(member.key)", "text is expected")
                }
                return (member.key.lowercased(), value)
            }
        ) { $1 }
    }
}
