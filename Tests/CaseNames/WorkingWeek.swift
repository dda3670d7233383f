import Glibc
import Harness
package import JSON
import Vocabulary

/// The calls of a working week (`Tests/ToolsTests/Fixtures/week.txt`), and the folders in which they are made.
package struct WorkingWeek {
    package struct Entry: Sendable {
        package let place: String
        package let kind: String
        /// Reads, creations without a role, replacing what Assent itself made, renaming to a free name: nobody need be
        /// asked.
        package let isHarmless: Bool
        /// Whether the person agrees to what is not harmless.
        package let isAgreedTo: Bool
        package let tool: String
        package let params: JSON
        /// The port of the one input, and the file of the place that is plugged into it.
        package let input: (port: String, file: String)?
        package let text: String
    }

    package static let places = ["repo", "photos", "data"]

    package static func entries(of place: String) throws -> [Entry] {
        let lines = try text(of: "week.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map(entry).filter { $0.place == place }
    }

    /// Makes what a person has in such a folder.
    package static func script(of place: String) throws -> String { try text(of: "\(place).sh") }

    private static func entry(_ line: Substring) throws -> Entry {
        let parts = line.split(separator: " | ", maxSplits: 3)
        guard parts.count == 4, ["harmless", "yes", "no"].contains(parts[2]) else {
            throw Failure("noCall", "This is no call: \(line)")
        }
        let (kind, text) = (String(parts[1]), String(parts[3]))
        var (tool, params, input) = ("Shell", JSON.of(["command": .string(text)]), (port: String, file: String)?.none)
        if !kind.hasPrefix("shell-") {
            let call = text.split(separator: " < ", maxSplits: 1)
            let words = call[0].split(separator: " ", maxSplits: 1)
            (tool, params) = (String(words[0]), try JSONReader.read(Array(words[1].utf8)))
            let plug = call.count > 1 ? call[1].split(separator: " ") : []
            input = plug.count == 2 ? (String(plug[0]), String(plug[1])) : nil
        }
        return Entry(
            place: String(parts[0]), kind: kind, isHarmless: parts[2] == "harmless", isAgreedTo: parts[2] == "yes",
            tool: tool,
            params: params, input: input, text: text)
    }

    private static func text(of name: String) throws -> String {
        let folder = #filePath.replacing("/CaseNames/WorkingWeek.swift", with: "/ToolsTests/Fixtures/")
        guard let text = ScratchFolder.text(folder + name) else { throw Failure("noData", "\(name) cannot be read.") }
        return text
    }
}
