import JSON

/// Whether a command can be rehearsed here, which takes an overlay: on the file system that tests write to, else in memory. Where there is
/// neither, the suites that need one are left out, and it is said why.
package enum Rehearsals {
    package static var areHere: Bool { place != nil }
    package static var isInMemory: Bool { place == .memory }
    package static let place = find()

    package enum Place { case disk, memory }

    private static func find() -> Place? {
        var reasons: [String] = []
        for (place, isInMemory) in [(Place.disk, false), (.memory, true)] {
            do {
                let lab = try ProgramLab(isInMemory: isInMemory)
                let findings = try lab.jsonNow("doctor").filter { ["sandbox", "rehearsal"].contains($0["name"]?.string) }
                let words = findings.last?["words"]?.string ?? "doctor says nothing of it"
                if words.hasPrefix("works") {
                    if isInMemory { print("Rehearsals are tried in memory: \(reasons.joined(separator: " "))") }
                    return place
                }
                reasons.append(words)
            } catch {
                reasons.append("\(error)")
            }
        }
        print("No command can be rehearsed here, and no test of that is run: \(reasons.joined(separator: " "))")
        return nil
    }
}
