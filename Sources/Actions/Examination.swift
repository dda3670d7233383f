import Glibc
import Services
import Storage
import Tools
import Vocabulary
import Workflows

extension Limits {
    /// The contents of which doctor checks the hash, about, unless it is thorough.
    fileprivate static let examinedContents = 200

    /// The most bytes of the contents of which doctor checks the hash, unless it is thorough.
    fileprivate static let examinedBytes = 256 << 20
}

/// The checks of `doctor`.
struct Examination {
    let wiring: OpenWorkspace

    /// Returns the findings.
    ///
    /// - Parameter isThorough: whether all contents and all workflows are checked, and not only some of them.
    func findings(isThorough: Bool) async -> [Finding] {
        let stored = (try? await wiring.blocking { self.stored(isThorough: isThorough) }) ?? []
        let shelter = (try? await wiring.blocking { self.shelter }) ?? []
        return [folders] + settings + stored + workers + shelter + tools + viewing + guides + providers
            + (await models())
    }

    private var folders: Finding {
        do throws(Failure) {
            try wiring.folders.makeData()
            let isWritable = access(wiring.folders.data, W_OK) == 0
            return Finding(
                isFine: isWritable, name: "data folder",
                words: isWritable ? wiring.folders.data : "\(wiring.folders.data) cannot be written")
        } catch {
            return Finding(name: "data folder", error)
        }
    }

    /// The findings about the user's files of settings, policy, templates and guides.
    private var settings: [Finding] {
        let path = wiring.settings.path
        let fine = Finding(
            isFine: true, name: "settings", words: path + (access(path, F_OK) == 0 ? "" : " (not there yet)"))
        // Problems of models and connections have their own findings.
        var problems = wiring.configuration.faults().filter { $0.name != "connections" && $0.name != "models" }.flatMap
        { fault in
            fault.problems.map { (name: fault.name, problem: $0) }
        }
        problems += wiring.shelves.policyProblems().map { ("policy", $0) }
        problems += wiring.shelves.templateProblems { TemplateReader.read($0).1 }.map { ("template", $0) }
        let guides = GuideShelf(wiring)
        problems += wiring.shelves.guideProblems { guides.read($0, file: $1).problems }.map { ("guide", $0) }
        let faults = problems.map { name, problem in
            Finding(isFine: false, name: name, words: wiring.keyRing.filter.cut(problem.description))
        }
        return (faults.contains { $0.name == "settings" } ? [] : [fine]) + language + faults
    }

    /// The finding about a language in the settings that this program does not have.
    private var language: [Finding] {
        guard let code = wiring.settings.language, !Languages.known.contains(code.lowercased()) else { return [] }
        let words =
            "\(wiring.settings.path): there is no language \(code), so sentences are read in English. There are: "
        return [Finding(isFine: false, name: "language", words: words + Languages.known.joined(separator: ", "))]
    }

    /// The findings about missing programs for `view`.
    private var viewing: [Finding] {
        Toolbox.missingForViewing.map { program in
            Finding(
                remark:
                    "\(program.name) is not installed, which \(program.what) needs: apt-get install \(program.package)",
                name: "viewing"
            )
        }
    }

    /// The findings about the programs for guides: the installed ones in one line, and a remark for each missing one.
    private var guides: [Finding] {
        let programs = Toolbox.programsOfGuides
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

    // MARK: What is stored

    private func stored(isThorough: Bool) -> [Finding] {
        let archive: Archive
        do throws(Failure) {
            archive = try wiring.archive.get()
            let faults = try archive.faults()
            guard faults.isEmpty else {
                return [
                    Finding(
                        name: "database", Failure(.storageBroken, faults.joined(separator: "; "), remedy: Self.salvage)
                    )
                ]
            }
        } catch {
            var failure = error
            // A missing database has nothing to salvage.
            if failure.code == .storageBroken, failure.remedy?.contains("assent doctor") ?? true {
                failure.remedy = Self.salvage
            }
            return [Finding(name: "database", failure)]
        }
        let parts: [(String, () throws(Failure) -> [Finding])] = [
            ("rows", { () throws(Failure) in try rows(archive) }),
            ("search", { () throws(Failure) in try search(archive) }),
            ("set aside", { () throws(Failure) in try setAside(archive) }),
            ("states", { () throws(Failure) in try states(archive, isThorough) }),
            ("assets", { () throws(Failure) in try contents(archive, isThorough) }),
        ]
        var findings = [Finding(isFine: true, name: "database", words: "sound")]
        for (name, part) in parts {
            do throws(Failure) { findings += try part() } catch { findings.append(Finding(name: name, error)) }
        }
        return findings
    }

    private static let salvage =
        "Stop every Assent; 'assent doctor --salvage FOLDER' writes what can be read into a new database."

    private func rows(_ archive: Archive) throws(Failure) -> [Finding] {
        let orphans = try archive.orphans()
        guard let first = orphans.first else { return [] }
        let more = orphans.count > 1 ? " (and \(orphans.count - 1) more)" : ""
        return [Finding(isFine: false, name: "rows", words: "\(first)\(more) · assent doctor --rebuild")]
    }

    private func search(_ archive: Archive) throws(Failure) -> [Finding] {
        guard !archive.isLooking, try archive.hasDamagedIndex() else { return [] }
        let words =
            "the index of words in conversations is damaged; no conversation is · assent doctor --rebuild makes it anew"
        return [Finding(isFine: false, name: "search", words: words)]
    }

    private func setAside(_ archive: Archive) throws(Failure) -> [Finding] {
        try archive.quarantined().map { entry in
            let remedy = entry.cause == .imported ? "assent release \(entry.workflow)" : "assent doctor --repair"
            return Finding(
                isFine: entry.cause == .imported, name: "\(entry.workflow)",
                words: "set aside: \(entry.reason) · \(remedy)")
        }
    }

    /// Compares rows with events, and returns the findings.
    private func states(_ archive: Archive, _ isThorough: Bool) throws(Failure) -> [Finding] {
        let altered = try archive.alteredRows()
        let newest = try archive.workflowsToExamine(limit: isThorough ? Int(Int32.max) : Limits.examinedWorkflows)
        let ids = Set(newest).union(altered.workflows).sorted { $0.number < $1.number }
        var findings: [Finding] = []
        for id in ids {
            var faults: [String] = []
            if let fault = try archive.contradiction(in: id) { faults.append(fault) }
            do throws(Failure) { faults += try archive.differences(of: id) } catch
                where error.code == .workflowDamaged
            {
                if faults.isEmpty { faults.append(error.message) }
            }
            // The other problems say more, so this one is only added if there are none.
            if faults.isEmpty, altered.workflows.contains(id), let fault = try archive.fault(of: id) {
                faults.append(fault)
            }
            guard let first = faults.first else { continue }
            let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
            findings.append(
                Finding(isFine: false, name: "\(id)", words: "\(first)\(more) · assent doctor --rebuild"))
        }
        if altered.others {
            findings.append(
                Finding(
                    isFine: false, name: "conversations",
                    words:
                        "something is not what was written: a bit of the file has changed · assent doctor --rebuild takes it as it is"
                ))
        }
        return findings.isEmpty
            ? [Finding(isFine: true, name: "states", words: "as \(ids.count) workflows' events tell them")]
            : findings
    }

    /// Checks the contents that rows name: they must exist with their sizes. Some or all of them are read.
    private func contents(_ archive: Archive, _ isThorough: Bool) throws(Failure) -> [Finding] {
        let store = try wiring.toolbox.get().store
        var named: [ContentHash] = []
        try archive.contents { _, hash in if named.last != hash { named.append(hash) } }
        let stored = Dictionary(store.contents().map { ($0.hash, $0.bytes) }) { first, _ in first }
        let missing = named.filter { stored[$0] == nil }
        var (read, bytes, damaged) = (0, 0, [ContentHash]())
        // The order of hashes means nothing, so every n-th one is a fair sample.
        let step = isThorough ? 1 : max(1, named.count / Limits.examinedContents)
        for hash in stride(from: 0, to: named.count, by: step).map({ named[$0] }) {
            guard let size = stored[hash], isThorough || bytes + size <= Limits.examinedBytes else { continue }
            (read, bytes) = (read + 1, bytes + size)
            if !store.isSound(hash, bytes: size) { damaged.append(hash) }
        }
        func list(_ hashes: [ContentHash]) -> String {
            hashes.prefix(5).map { String($0.hex.prefix(12)) }.joined(separator: ", ")
        }
        var findings: [Finding] = []
        if !missing.isEmpty {
            findings.append(
                Finding(
                    isFine: false, name: "assets",
                    words: "\(missing.count) are gone: \(list(missing)). Run their steps again."))
        }
        if !damaged.isEmpty {
            findings.append(
                Finding(
                    isFine: false, name: "assets",
                    words: "\(damaged.count) are damaged: \(list(damaged)). Run their steps again."))
        }
        return findings.isEmpty
            ? [
                Finding(
                    isFine: true, name: "assets", words: "\(named.count) there; \(read) of them read and as they were")
            ] : findings
    }

    /// The background workers (`assent work`), one finding each.
    private var workers: [Finding] {
        do throws(Failure) {
            return try wiring.workersInBackground().map { worker in
                Finding(isFine: true, name: "worker", words: worker.words(now: OpenWorkspace.now()))
            }
        } catch {
            // Problems of the database have their own finding.
            return []
        }
    }

    // MARK: What is installed

    /// The findings about the sandbox and about rehearsals, which are tested by rehearsing a command.
    private var shelter: [Finding] {
        let root = geteuid() == 0 ? " You are root: on the bare machine a command can change all of it." : ""
        if let reason = Sandbox.here.reasonForNone {
            return [
                Finding(isFine: false, name: "sandbox", words: (Shelter.none(reason).notice ?? reason) + root)
            ]
        }
        let holds = "bubblewrap works: no home, no network, no keys, at most \(Limits.commandProcesses) processes."
        return [Finding(isFine: true, name: "sandbox", words: holds + root), rehearsal]
    }

    private var rehearsal: Finding {
        let name = "rehearsal"
        guard wiring.workspace != "/" else {
            return Finding(remark: "not tried: / is no folder to work in", name: name)
        }
        do throws(Failure) {
            let found = try wiring.toolbox.get().shelter(over: wiring.workspace)
            guard let notice = found.notice else {
                return Finding(
                    isFine: true, name: name, words: "works: a command was rehearsed over \(wiring.workspace)")
            }
            return Finding(remark: notice, name: name)
        } catch {
            // Problems of the disk or the data folder have their own findings.
            return Finding(isFine: false, name: name, words: error.description)
        }
    }

    private var tools: [Finding] {
        let (catalogue, problems) = wiring.toolsWithProblems()
        // Problems of manifests have their own findings below.
        let unavailable = catalogue.unavailable.filter { $0.value.code != .manifestFault }
        let missing = Dictionary(grouping: unavailable.sorted { $0.key < $1.key }, by: \.value.words)
        let findings = missing.sorted { $0.key < $1.key }.map { words, kinds in
            Finding(isFine: false, name: kinds.map(\.key).joined(separator: ", "), words: words)
        }
        let faults = problems.map { Finding(isFine: false, name: "manifest", words: $0.description) }
        return [Finding(isFine: true, name: "tools", words: "\(catalogue.tools.count) known")] + findings + faults
    }

    /// The findings about providers of jobs. The keys are not looked up, since that may ask a keyring. Only certain
    /// problems are reported.
    private var providers: [Finding] {
        let known = (try? wiring.providers.get()) ?? [:]
        let secrets = wiring.secrets
        let faults = Set(known.values.compactMap { $0.auth?.secret }).sorted().compactMap { secrets.fault(of: $0) }
        return [Finding(isFine: true, name: "providers", words: "\(known.count) known")]
            + faults.map { Finding(isFine: false, name: "key", words: $0) }
    }
}
