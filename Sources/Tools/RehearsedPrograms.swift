import Files
import JSON
import Rehearsal
import Sandbox
import Vocabulary

/// The user's own programs in the rehearsal of a command.
extension Toolbox {
    /// Makes the folders through which a command sees the user's programs, without files that may hold keys. A folder
    /// in which not all could be hidden, or that cannot be read, is left out.
    ///
    /// - Returns: the layers, and a sentence without its full stop for each folder that is left out.
    func layers(
        of programs: PersonalPrograms, in folder: RehearsalFolder
    ) -> (layers: [ProgramLayer], leftOut: [String]) {
        var (layers, leftOut) = ([ProgramLayer](), [String]())
        for (index, root) in programs.roots.enumerated() {
            do throws(Failure) {
                let hidden = try PrivateFiles.surveyed(below: root.path, own: own)
                layers.append(try ProgramLayer(of: root, hidden: hidden, at: folder.place(ofPrograms: index)))
            } catch {
                leftOut.append("\(programs.shortened(root.path)) is not shown to the command: \(error.message)")
            }
        }
        return (layers, leftOut)
    }

    /// Adds to a call which programs of the user its command names and does not see, and what it sees of them if it
    /// reaches out of the workspace.
    func notePrograms(_ call: inout Call, _ assignment: Assignment, in workspace: String) throws(Failure) {
        guard call.rehearsal == .wanted else { return }
        let seen = try programs.seen(in: workspace)
        let unseen = UnseenPrograms(programs: seen, workspace: workspace).named(in: try ShellTool.text(assignment))
        if !unseen.isEmpty {
            call.environment[UnseenPrograms.fact] = .string(unseen.map(\.words).joined(separator: "; "))
        }
        // What the command does elsewhere cannot be judged afterwards, so a yes is for what it sees.
        if call.reachesOut, !seen.roots.isEmpty {
            let roots = seen.roots.map { seen.shortened($0.path) }
            call.environment["sees"] = .string(roots.joined(separator: ", "))
        }
    }

    /// Returns words about files that a command wrote to its home, or beside the caches of its programs.
    ///
    /// - Parameter links: the links in the home that the sandbox made.
    func thrownAway(
        _ home: RunFolder, _ links: Set<String>, _ layers: [ProgramLayer], of programs: PersonalPrograms
    ) -> String? {
        var thrown = ThrownAway()
        thrown.add(home.path, as: "~", but: programs.homeCaches, links: links)
        for layer in layers {
            guard let written = layer.written else { continue }
            thrown.add(written, as: programs.shortened(layer.root.path), but: layer.root.caches)
        }
        return thrown.words
    }

    /// A line of Assent about something that a command did not find.
    struct Miss {
        /// A sentence without its full stop.
        let words: String
        /// The command by which the user allows the program that was not found, or `nil` if it is no program.
        let command: String?
    }

    /// Returns why a command that failed did not find programs or hosts, as far as the sandbox is the reason.
    func misses(
        of ended: OverlayRun.Ending, _ programs: PersonalPrograms, _ outside: OutsideAccess, in workspace: String
    ) -> [Miss] {
        let written: [UInt8]
        // Without its complaints, nothing is added to them.
        do throws(Failure) { written = try ended.traces.beginnings(limit: Limits.readFileBytes).errors } catch {
            return []
        }
        let errors = String(decoding: written, as: UTF8.self)
        let missed = UnseenPrograms(programs: programs, workspace: workspace).missed(in: errors)
        let host = UnknownHosts.words(for: errors, namesHosts: !outside.hosts.isEmpty)
        return missed.map { Miss(words: "\($0.words) (\($0.command))", command: $0.command) }
            + [host, SecondNames.words(for: errors)].compactMap(\.self).map { Miss(words: $0, command: nil) }
    }
}
