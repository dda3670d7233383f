package import JSON

extension Call {
    /// Reads the form that `json` writes, and no other. An unknown, missing or malformed member is an error, so that a
    /// stored call has one text and one digest.
    ///
    /// - Throws: `badCall` with the member that is wrong.
    package init(json: JSON) throws(Failure) {
        guard json["v"] == 1 else { throw Failure.badCall("v") }
        self.init(
            tool: try json.required("tool", \.string),
            toolVersion: ContentHash(hex: try json.required("toolVersion", \.string)),
            params: try json.required("params", \.object), inputs: try json.list("inputs", Input.init(json:)),
            targets: try json.list("targets", Target.init(json:)),
            effects: Set(try json.list("effects") { value throws(Failure) in try Effect(json: value) }),
            reversibility: try Reversibility(json: json["undo"] ?? .null),
            environment: json["environment"]?.object ?? JSON.Object(),
            rehearsal: try json["rehearsal"].map { json throws(Failure) in try Rehearsal(json: json) },
            price: json["price"]?.int.map { Dollars(millionths: $0) })
        guard self.json.canonical == json.canonical else { throw Failure.badCall("a member that is not known") }
    }
}

extension Call.Input {
    fileprivate init(json: JSON) throws(Failure) {
        let from = json["from"]
        guard from == nil || from?.array?.count == 2 else { throw Failure.badCall("from") }
        var endpoint: Template.Endpoint?
        if let node = from?[0]?.string, let port = from?[1]?.string { endpoint = Template.Endpoint(node, port) }
        self.init(
            port: try json.required("port", \.string), from: endpoint,
            hash: json["sha256"]?.string.map { ContentHash(hex: $0) },
            name: json["name"]?.string, bytes: json["bytes"]?.int)
    }
}

extension Call.Target {
    fileprivate init(json: JSON) throws(Failure) {
        guard let reach = json["reach"]?.string.flatMap(Reach.init(rawValue:)) else { throw Failure.badCall("reach") }
        self.init(
            try Effect(json: json["effect"] ?? .null), try Call.Place(json: json), reach: reach,
            before: try Call.Before(json: json["before"]),
            change: try json["change"].map { json throws(Failure) in try Call.Change(json: json) },
            hasOtherNames: json["otherNames"]?.bool ?? false,
            otherPaths: (json["also"]?.array ?? []).compactMap(\.string),
            isPrivate: json["private"]?.bool ?? false, newFolders: json["newFolders"]?.int ?? 0,
            resembles: json["resembles"]?.string)
        isOwn = json["own"] == true
        mount = json["mount"]?.string
        isGitState = json["gitState"] == true
    }
}

extension Call.Rehearsal {
    fileprivate init(json: JSON) throws(Failure) {
        if json == "wanted" {
            self = .wanted
        } else if let exit = json["exit"]?.int, let output = json["output"]?.string, let bytes = json["bytes"]?.int {
            var played = Played(
                exitCode: exit, output: ContentHash(hex: output), outputBytes: bytes,
                errors: json["errors"]?.string.map { ContentHash(hex: $0) }, errorBytes: json["errorBytes"]?.int ?? 0,
                unseen: .init(json: json["unseen"]))
            played.git = (json["git"]?.array ?? []).compactMap(GitChange.init(json:))
            self = .done(played)
        } else {
            throw Failure.badCall("rehearsal")
        }
    }
}

extension Call.Change {
    fileprivate init(json: JSON) throws(Failure) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)), let bytes = json["bytes"]?.int,
            let entries = json["entries"]?.int
        else { throw Failure.badCall("change") }
        self.init(
            kind: kind, modeBefore: json["modeBefore"]?.string.flatMap { Int($0, radix: 8) },
            mode: json["mode"]?.string.flatMap { Int($0, radix: 8) }, bytes: bytes,
            hash: json["sha256"]?.string.map { ContentHash(hex: $0) },
            leadsTo: json["leadsTo"]?.string, attributes: json["attributes"]?.string.map { ContentHash(hex: $0) },
            entries: entries,
            modified: json["modified"]?.string.flatMap { Int64($0) })
    }
}

extension Call.Place {
    fileprivate init(json: JSON) throws(Failure) {
        if let path = json["path"]?.string {
            self = .path(path)
        } else if let host = json["host"]?.string {
            self = .host(host)
        } else if json["command"] != nil {
            self = .command(try json.list("command") { word throws(Failure) in try word.text("command") })
        } else if let name = json["newName"] {
            self = .newName(
                folder: try name.required("folder", \.string), stem: try name.required("stem", \.string),
                suffix: try name.required("suffix", \.string))
        } else {
            throw Failure.badCall("target")
        }
    }
}

extension Call.Before {
    fileprivate init(json: JSON?) throws(Failure) {
        guard let json else {
            self = .unlooked
            return
        }
        guard json != "absent" else {
            self = .absent
            return
        }
        guard let device = json["device"]?.string.flatMap({ UInt64($0) }),
            let inode = json["inode"]?.string.flatMap({ UInt64($0) }),
            let size = json["size"]?.int, let modified = json["modified"]?.string.flatMap({ Int64($0) })
        else { throw Failure.badCall("before") }
        self = .file(
            device: device, inode: inode, size: Int64(size), modifiedNanoseconds: modified,
            hash: json["sha256"]?.string.map { ContentHash(hex: $0) })
    }
}

extension Effect {
    fileprivate init(json: JSON) throws(Failure) {
        guard let effect = json.string.flatMap(Effect.init(rawValue:)) else { throw Failure.badCall("effect") }
        self = effect
    }
}

extension Reversibility {
    fileprivate init(json: JSON) throws(Failure) {
        switch json {
        case .string(let how): self = .yes(how: how)
        case .bool(false): self = .no
        case .null, .bool, .int, .double, .array, .object: throw Failure.badCall("undo")
        }
    }
}

extension JSON {
    fileprivate func required<Value>(_ key: String, _ kind: (JSON) -> Value?) throws(Failure) -> Value {
        guard let value = self[key].flatMap(kind) else { throw Failure.badCall(key) }
        return value
    }

    fileprivate func list<Element>(_ key: String, _ read: (JSON) throws(Failure) -> Element) throws(Failure)
        -> [Element]
    {
        var elements: [Element] = []
        for element in try required(key, \.array) { elements.append(try read(element)) }
        return elements
    }

    fileprivate func text(_ key: String) throws(Failure) -> String {
        guard let string else { throw Failure.badCall(key) }
        return string
    }
}

extension Failure {
    fileprivate static func badCall(_ member: String) -> Failure {
        Failure(.badCall, "A stored call cannot be read: \(member).", remedy: "It will be asked anew.")
    }
}
