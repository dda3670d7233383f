import JSON

/// Whether a command can be rehearsed here, which takes an overlay: on the file system that tests write to, else in
/// memory. Where there is neither, the suites that need one are left out, and it is said why.
package enum Rehearsals {
    package static var areHere: Bool { place != nil }
    package static var isInMemory: Bool { place == .memory }
    package static let place = ProcessPermit.$isGranted.withValue(true) { find() }

    /// Whether the labs of the program lie in memory: the database waits for no disk there. They lie on the disk if
    /// commands can be rehearsed only there, or if the memory is small, as in some containers.
    package static let labsAreInMemory = ProcessPermit.$isGranted.withValue(true) {
        ScratchFolder.freeMemory >= leastMemory && (place != .disk || reason(isInMemory: true) == nil)
    }

    /// The room in memory that a run of all tests needs for its labs, in bytes.
    private static let leastMemory: UInt64 = 2 << 30

    package enum Place { case disk, memory }

    private static func find() -> Place? {
        var reasons: [String] = []
        for (place, isInMemory) in [(Place.disk, false), (.memory, true)] {
            guard let reason = reason(isInMemory: isInMemory) else {
                if isInMemory { print("Rehearsals are tried in memory: \(reasons.joined(separator: " "))") }
                return place
            }
            reasons.append(reason)
        }
        print("No command can be rehearsed here, and no test of that is run: \(reasons.joined(separator: " "))")
        return nil
    }

    /// Returns why no command can be rehearsed in a place, or nil if it can. A file system in memory must support
    /// extended attributes.
    private static func reason(isInMemory: Bool) -> String? {
        do {
            let lab = try ProgramLab(isInMemory: isInMemory)
            let findings = try lab.jsonNow("doctor").filter { ["sandbox", "rehearsal"].contains($0["name"]?.string) }
            let words = findings.last?["words"]?.string ?? "doctor says nothing of it"
            return words.hasPrefix("works") ? nil : words
        } catch {
            return "\(error)"
        }
    }
}
