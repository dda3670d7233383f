import Conversations
import Glibc
import Pictures
import Rehearsal
import Sandbox
import Services
import Tools
import Vocabulary

/// The checks of `doctor` about this machine: the sandbox, tools and their programs, and providers of jobs.
struct InstallationChecks {
    let shared: OpenWorkspace

    /// The findings about tools, about the programs for `view` and for guides, and about providers.
    var programs: [Finding] { tools + ownPrograms + pictures + viewing + guides + providers }

    /// The findings about the sandbox and about rehearsals, which are tested by rehearsing a command.
    var shelter: [Finding] {
        let root = geteuid() == 0 ? " You are root: on the bare machine a command can change all of it." : ""
        if let reason = Isolation.here.reasonForNone {
            return [
                Finding(isFine: false, name: "sandbox", words: (Shelter.none(reason).notice ?? reason) + root)
            ]
        }
        let holds = "bubblewrap works: no home, no network, no keys, at most \(Limits.commandProcesses) processes."
        return [Finding(isFine: true, name: "sandbox", words: holds + root), rehearsal]
    }

    private var rehearsal: Finding {
        let name = "rehearsal"
        guard shared.workspace != "/" else {
            return Finding(remark: "not tried: / is no folder to work in", name: name)
        }
        do throws(Failure) {
            let found = try shared.toolbox.get().shelter(over: shared.workspace)
            guard let notice = found.notice else {
                return Finding(
                    isFine: true, name: name, words: "works: a command was rehearsed over \(shared.workspace)")
            }
            return Finding(remark: notice, name: name)
        } catch {
            // Problems of the disk or the data folder have their own findings.
            return Finding(isFine: false, name: name, words: error.description)
        }
    }

    /// The finding about the user's own programs, which names the folders that commands see and those that they do not.
    private var ownPrograms: [Finding] {
        let permissions = ProgramPermissions(shared)
        // A list that cannot be read has a finding of its own.
        let entries: [ProgramPermissions.Entry]
        do throws(Failure) { entries = try permissions.list() } catch { return [] }
        let unseen = entries.filter { !$0.isSeen }
        let words = permissions.words(entries)
        return [
            unseen.isEmpty
                ? Finding(isFine: true, name: "programs", words: "commands see \(words)")
                : Finding(
                    remark: "commands see \(words). To allow: "
                        + ProgramFolder.command("allow", permissions.shortened(unseen[0].folder.path)),
                    name: "programs")
        ]
    }

    /// The findings about tools and their manifests.
    private var tools: [Finding] {
        let (catalogue, problems) = shared.toolsWithProblems()
        // Problems of manifests have their own findings below.
        let unavailable = catalogue.unavailable.filter { $0.value.code != .manifestFault }
        let missing = Dictionary(grouping: unavailable.sorted { $0.key < $1.key }, by: \.value.words)
        let findings = missing.sorted { $0.key < $1.key }.map { words, kinds in
            Finding(remark: words, name: kinds.map(\.key).joined(separator: ", "))
        }
        // Phrases that cannot be read are left out by the planner without a word.
        let phrases = Languages.known.flatMap { language in
            BuiltInPlanner(catalogue: catalogue, language: Languages.language(language)).problems
        }
        let faults = (problems + phrases).map { Finding(isFine: false, name: "manifest", words: $0.description) }
        return [Finding(isFine: true, name: "tools", words: "\(catalogue.tools.count) known")] + findings + faults
    }

    /// The findings about providers of jobs. The keys are not looked up, since that may ask a keyring. Only certain
    /// problems are reported.
    private var providers: [Finding] {
        let known = (try? shared.providers.get()) ?? [:]
        let secrets = shared.secrets
        let faults = Set(known.values.compactMap { $0.auth?.secret }).sorted().compactMap { secrets.fault(of: $0) }
        return [Finding(isFine: true, name: "providers", words: "\(known.count) known")]
            + faults.map { Finding(isFine: false, name: "key", words: $0) }
    }

    /// The finding about libvips. Without its programs, the tools that need them have findings of their own.
    private var pictures: [Finding] {
        switch PicturePrograms.vips(in: Isolation.here) {
        case .ready(let version):
            [Finding(isFine: true, name: "pictures", words: "libvips \(version), in a process of its own")]
        case .programs(let reason):
            [
                Finding(
                    remark: "libvips' programs make them, one after another, which is slower: \(reason)",
                    name: "pictures")
            ]
        case .missing: []
        }
    }

    /// The findings about missing programs for `view`.
    private var viewing: [Finding] {
        PicturePrograms.missingForViewing.map { program in
            Finding(
                remark:
                    "\(program.name) is not installed, which \(program.what) needs: apt-get install \(program.package)",
                name: "viewing"
            )
        }
    }

    /// The findings about the programs for guides: the installed ones in one line, and a remark for each missing one.
    private var guides: [Finding] {
        let programs = PicturePrograms.programsOfGuides
        let there = programs.filter(\.isThere).map { "\($0.name) (\($0.use))" }
        let missing = programs.filter { !$0.isThere }.map { program in
            Finding(
                remark: "\(program.name) is not installed, for \(program.use): apt-get install \(program.package)",
                name: "guides")
        }
        return
            (there.isEmpty ? [] : [Finding(isFine: true, name: "guides", words: there.joined(separator: ", "))])
            + missing
    }
}
