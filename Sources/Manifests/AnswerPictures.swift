import JSON
import Vocabulary

/// Reads the pictures that a file of answers gives to one step.
struct AnswerPictures {
    let step: GuideStep
    let capture: GuideStep.Capture
    let file: String
    private(set) var problems: [Problem] = []

    init(step: GuideStep, capture: GuideStep.Capture, file: String) {
        (self.step, self.capture, self.file) = (step, capture, file)
    }

    /// Returns whether a mapping names pictures of the step, so that its keys are names instead of words of the format.
    func isParts(_ yaml: YAML) -> Bool {
        guard case .mapping(let members) = yaml.value, !capture.each.isEmpty else { return false }
        return members.contains { part($0.key) != nil }
            || !members.contains { ["skip", "camera", "file", "take"].contains($0.key) }
    }

    /// Returns the name of a picture as the guide has it. `front-left` is accepted for `front left`.
    private func part(_ key: String) -> String? {
        capture.each.first { $0 == key } ?? capture.each.first { GuideStep.part($0) == key }
    }

    /// Reads a path, a list of paths, `{file: PATH, take: WORDS}`, or a mapping from names to paths.
    ///
    /// - Returns: `nil` if no picture can be read.
    mutating func read(_ yaml: YAML) -> [AnswersFile.Picture]? {
        switch yaml.value {
        case .mapping(let members) where isParts(yaml):
            if members.isEmpty {
                report(.wrongAnswer, at: yaml, "No picture is named. Leave the step out, or skip it.")
            }
            return parts(members)
        case .mapping, .scalar:
            if !capture.each.isEmpty {
                report(
                    .wrongAnswer, at: yaml, "A path for each name is wanted here, such as {\(capture.each[0]): a.jpg}."
                )
                return nil
            }
            return picture(yaml).map { [$0] }
        case .list(let elements):
            guard capture.each.isEmpty else {
                report(
                    .wrongAnswer, at: yaml,
                    "The pictures have names: a path for each is wanted, such as {\(capture.each[0]): a.jpg}.")
                return nil
            }
            let most = capture.count.upperBound
            if elements.count > most {
                report(
                    .tooManyPictures, at: elements[most],
                    "At most \(most) \(most == 1 ? "picture is" : "pictures are") wanted here.")
            }
            if elements.isEmpty {
                report(.wrongAnswer, at: yaml, "The list is empty. Leave the step out, or skip it.")
            }
            let pictures = elements.prefix(most).compactMap { picture($0) }
            return pictures.isEmpty ? nil : pictures
        }
    }

    private mutating func parts(_ members: [YAML.Member]) -> [AnswersFile.Picture]? {
        var pictures: [AnswersFile.Picture] = []
        for member in members {
            guard let name = part(member.key) else {
                let hint = NearestWord.hint(for: member.key, among: capture.each)
                report(.unknownPart, at: member, "The step has no picture \"\(member.key.prefix(40))\". \(hint)")
                continue
            }
            guard !pictures.contains(where: { $0.part == name }) else {
                report(.tooManyPictures, at: member, "The picture \"\(name)\" is there twice.")
                continue
            }
            guard var picture = picture(member.value) else { continue }
            picture.part = name
            pictures.append(picture)
        }
        // The order is that of the guide, so that the order of keys changes nothing.
        let order = Dictionary(capture.each.enumerated().map { ($1, $0) }) { first, _ in first }
        return pictures.isEmpty ? nil : pictures.sorted { (order[$0.part ?? ""] ?? 0) < (order[$1.part ?? ""] ?? 0) }
    }

    /// Reads a path, `{file: PATH, take: WORDS}` or `{camera: true, take: WORDS}`.
    private mutating func picture(_ yaml: YAML) -> AnswersFile.Picture? {
        guard var fields = Fields(yaml, file: file, subject: step.id, hasColumns: true) else {
            return path(yaml).map { AnswersFile.Picture(path: $0) }
        }
        defer { problems += fields.problems }
        let written = fields.take("file")
        let camera = fields.flag("camera")
        let take = fields.reason()
        fields.refuseTheRest()
        switch (written, camera) {
        case (let written?, nil): return path(written).map { AnswersFile.Picture(path: $0, take: take) }
        case (nil, true): return AnswersFile.Picture(path: nil, take: take)
        default:
            if fields.problems.isEmpty {
                fields.report(.wrongAnswer, "Either {file: PATH} or {camera: true} is wanted here.")
            }
            return nil
        }
    }

    private mutating func path(_ yaml: YAML) -> String? {
        guard let path = yaml.json.string, !path.isEmpty else {
            report(.wrongAnswer, at: yaml, "The path of a picture is wanted here, not \(yaml.json.kindInWords).")
            return nil
        }
        guard path.utf8.count <= Limits.answerPathBytes, !path.utf8.contains(0) else {
            report(.badField, at: yaml, "A path has at most \(Limits.answerPathBytes) bytes, and no NUL.")
            return nil
        }
        guard capture.source == .any else {
            report(.cameraOnly, at: yaml, "The guide wants a picture from the camera here: {camera: true}.")
            return nil
        }
        return path
    }

    private mutating func report(_ code: Code, at yaml: YAML, _ message: String) {
        report(code, yaml.line, yaml.column, message)
    }

    private mutating func report(_ code: Code, at member: YAML.Member, _ message: String) {
        report(code, member.line, member.column, message)
    }

    private mutating func report(_ code: Code, _ line: Int, _ column: Int, _ message: String) {
        problems.append(Problem(code, at: "\(file):\(line):\(column)", "\(step.id): \(message)"))
    }
}

extension AnswersReader {
    /// Writes each pair of surrogates as the one escape that YAML has for it: `\ud83d\ude00` is JSON, and YAML says
    /// `\U0001F600`.
    static func joiningSurrogates(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard text.first(where: { !$0.isWhitespace }) == "{" else { return text }
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\\") else {
                joined.append(bytes[place])
                place += 1
                continue
            }
            if let high = escaped(bytes, at: place), 0xD800..<0xDC00 ~= high, let low = escaped(bytes, at: place + 6),
                0xDC00..<0xE000 ~= low
            {
                let hex = String(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16, uppercase: true)
                joined += Array("\\U\(String(repeating: "0", count: 8 - hex.count))\(hex)".utf8)
                place += 12
            } else {
                // The sign behind a backslash belongs to it.
                joined += bytes[place..<min(place + 2, bytes.count)]
                place += 2
            }
        }
        return String(decoding: joined, as: UTF8.self)
    }

    /// Returns the number of an escape such as `\u00e9`.
    private static func escaped(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = String(decoding: bytes[place + 2..<place + 6], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }
}
