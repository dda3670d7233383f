import CaseNames
import Consent
import Embedded
@testable import Files
import Glibc
import Harness
import JSON
import Manifests
import Testing
@testable import Tools
import Vocabulary

/// Whatever a command tries: before a yes nothing is changed but the overlay, nothing of it goes on, and nothing
/// harmful passes unasked.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct HostileShellTests {
    @Test func thereAreEnough() { #expect(HostileCase.all.count >= 300) }

    @Test(arguments: HostileGround.kinds) func nothingGetsOut(kind: String) async throws {
        let cases = HostileCase.all.filter { $0.kind == kind }
        let ground = try HostileGround()
        // Nothing of this is run where not even the simplest holds.
        try #require(try await ground.holdsAtAll())
        var faults: [String] = []
        var shares: [String: Int] = [:]
        for (index, each) in cases.enumerated() {
            let (outcome, words) = await ground.run(each.command, attempt: index + 1)
            shares[outcome.rawValue, default: 0] += 1
            let changed = ground.changes()
            if outcome != each.label || !changed.isEmpty {
                let name = each.command.prefix(100).replacing("\n", with: "⏎")
                faults.append(
                    "\(name): \(outcome), not \(each.label) \(changed.joined(separator: ", ")) \(words.prefix(200))")
            }
            if !changed.isEmpty { break }
        }
        let told = shares.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("hostile, \(kind): \(cases.count) commands: \(told)")
        #expect(faults.isEmpty, "\(faults.count) of \(cases.count):\n\(faults.joined(separator: "\n"))")
    }
}

/// A workspace with what such commands look for, and what must stay as it is around it.
final class HostileGround: Sendable {
    private let lab: Lab
    private let policy: Policy
    private let watched: [String]
    private let before: [[String]]

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        let source = "Config/policy.yaml"
        let json = try readYAML(PlacedJSON(try #require(Embedded.text(at: source))), file: source)
        policy = Policy.read(json: json, source: "built-in policy", origin: .builtIn).policy
        try ScratchFolder.makeFolder("\(lab.root)/person/.ssh")
        try Lab.program(["sh", "-ec", Self.script.replacing("{OUT}", with: "\(lab.root)/outside")], in: lab.workspace)
        for file in ["\(lab.own.data)/assent.db", "\(lab.root)/person/.bashrc"] {
            try ScratchFolder.write("kept\n", to: file)
        }
        watched =
            [lab.workspace, "\(lab.root)/outside", "\(lab.root)/person", lab.own.config, "\(lab.own.data)/assent.db"]
            + Self.ofTheMachine
        before = watched.map { Self.picture(of: $0) }
    }

    /// Names are tried where there is a rule for them.
    static let kinds = Set(HostileCase.all.map(\.kind)).subtracting(judgesNames ? [] : ["names"]).sorted()

    private static let judgesNames: Bool = {
        let name = Call.Target(.creates, .path("/w/a\nb"), reach: .workspace, before: .absent)
        let call = Call(tool: "WriteFile", toolVersion: .ofNothing, targets: [name], effects: [.creates])
        let rules = Policy.read(json: ["policy": "assent.policy/v1", "rules": []], source: "none", origin: .builtIn)
            .policy
        return rules.decide(call, mode: .adaptive, in: Surroundings(workspace: "/w"), at: Moment(milliseconds: 0)).name
            == "ask"
    }()

    private static let ofTheMachine =
        ["/root/.bashrc", "/etc/passwd", "/etc/crontab", "/var/spool/cron/crontabs/root", "/usr/local/bin/ls"]
        + ["/tmp", "/var/tmp", "/dev/shm", "/etc", "/etc/cron.d", "/", "/usr/local/bin", "/var/spool/cron/crontabs"].map
    {
        "\($0)/assent-hostile"
    }

    private static let script = """
        mkdir -p {OUT}/dir src empty hooks keys .assent
        echo sentinel > {OUT}/sentinel.txt; git init -q --bare {OUT}/bare
        echo 'buy milk' > notes.txt; echo '# read me' > README.md; seq 200 > data.csv; printf 'echo hi\\n' > say.sh; chmod 644 say.sh
        echo 'int main() {}' > src/main.c; echo 'print(1)' > src/util.py
        printf 'all:\\n\\techo built > built.txt\\nharm:\\n\\t@rm notes.txt\\n' > Makefile
        echo SECRET=1 > .env; echo SECRET > keys/id_rsa; printf 'policy: assent.policy/v1\\nrules: []\\n' > .assent/policy.yaml
        ln -s {OUT} out; ln -s {OUT}/sentinel.txt outfile
        for hook in post-commit pre-commit post-checkout; do printf '#!/bin/sh\\nrm -f ../notes.txt\\n' > hooks/$hook; chmod 755 hooks/$hook; done
        export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
        for repo in repo evil; do
            git init -q -b main $repo
            echo 1 > $repo/one; git -C $repo add .; git -C $repo commit -qm one
            echo 2 > $repo/one; git -C $repo commit -qam two; git -C $repo branch side
            echo 3 > $repo/new
        done
        cp hooks/* evil/.git/hooks/
        echo 3 > evil/one; echo '* filter=x' > evil/.git/info/attributes
        git -C evil config core.fsmonitor 'rm -f ../notes.txt; false'; git -C evil config alias.x '!rm -f ../notes.txt'
        git -C evil config diff.external 'rm -f ../notes.txt'; git -C evil config core.pager 'rm -f ../notes.txt'
        git -C evil config filter.x.clean 'rm -f ../notes.txt; cat'; git -C evil config log.showSignature true
        git -C evil config gpg.program ../hooks/post-commit
        """

    /// Whether the sandbox is one: own processes, a system that is not written, nothing of ours to be seen.
    func holdsAtAll() async throws -> Bool {
        let line =
            "test $(ls -d /proc/[0-9]* | wc -l) -lt 10 && ! test -w /etc && ! test -w /proc/sys && ! test -e \(lab.root)/outside && echo held"
        let assets = try await lab.run("Shell", ["command": .string(line)])
        return try lab.text(try #require(assets.first)) == "held\n"
    }

    func run(_ command: String, attempt: Int) async -> (HostileCase.Label, words: String) {
        var line = command
        for (name, value) in [
            ("{OUT}", "\(lab.root)/outside"), ("{DATA}", lab.own.data), ("{CONFIG}", lab.own.config),
            ("{HOME}", "\(lab.root)/person"),
            ("{ASSENT}", ProgramLab.program), ("{PID}", "\(getpid())"),
        ] { line = line.replacing(name, with: value) }
        let (lab, policy, words) = (lab, policy, line)
        let surroundings = Surroundings(
            workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
        return await onThread {
            defer { removeFolder("\(lab.own.data)/rehearsals/w3") }
            do throws(Failure) {
                let assignment: Assignment
                do { assignment = try lab.assignment("Shell", ["command": .string(words)], attempt: attempt) } catch {
                    throw Failure("noAssignment", "\(error)")
                }
                guard try lab.toolbox.prepare(assignment).rehearsal == .wanted else {
                    return (.creates, "it is not rehearsed")
                }
                let call = try lab.toolbox.rehearse(assignment, cancel: Cancellation())
                let decision = policy.decide(call, mode: .adaptive, in: surroundings, at: Moment(milliseconds: 0))
                let targets = call.targets.prefix(5).map { "\($0.effect) \($0.place)" }.joined(separator: " ")
                switch decision {
                case .allow:
                    guard call.targets.isEmpty else { return (.creates, targets) }
                    // A command that Assent ended comes back as a call without changes, and its step then fails.
                    let failure = lab.toolbox.run(assignment, call: call, cancel: Cancellation()).failure
                    let isEnded = failure?.left.contains { $0.meta["ended"] != nil } ?? false
                    return (isEnded ? .refused : .reads, failure?.code.text ?? "")
                case .ask(let because): return (.asks, "\(because) \(targets)")
                case .deny(let because): return (.refused, "\(because)")
                }
            } catch {
                return (.refused, "\(error.code) \(error.message)")
            }
        }
    }

    /// What is not as it was, and what still runs.
    func changes() -> [String] {
        var found: [String] = []
        for (place, picture) in zip(watched, before) {
            let now = Self.picture(of: place)
            if now != picture { found.append("changed: \(Set(now).symmetricDifference(picture).sorted().prefix(5))") }
        }
        let left = ProcessTable.ids(with: lab.root)
        if !left.isEmpty { found.append("still running: \(left.prefix(5).map { ProcessTable.commandLine($0) })") }
        return found
    }

    /// A line for each path: kind, permissions, owner, inode, times of content and of state, and the content. Links are
    /// not followed.
    private static func picture(of path: String) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return ["\(path) is not there"] }
        let line =
            "\(path) \(status.st_mode) \(status.st_uid) \(status.st_ino) \(status.st_nlink) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) "
            + "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return [line] + ScratchFolder.names(in: path).flatMap { picture(of: "\(path)/\($0)") }
        case S_IFREG where status.st_size < 1 << 16:
            return [line + " \(ContentHash.of(ScratchFolder.bytes(path) ?? []).hex)"]
        default: return [line]
        }
    }
}
