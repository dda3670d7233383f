import CProcess
import Glibc
import Vocabulary

extension Limits {
    /// Bytes each in `/tmp` and in `/dev/shm` of a sandbox: they lie in memory.
    fileprivate static let sandboxMemoryFiles = 1 << 30
    fileprivate static let programFileBytes = 4 << 30
}

/// Where programs run: under bubblewrap with a view of the system folders and of what the call names, or, where
/// bubblewrap does not work, directly (`consent.md`, "Sandbox").
package enum Sandbox: Hashable, Sendable {
    case bubblewrap(String)
    /// With the reason, for `doctor` and the notice at the first run.
    case none(String)

    /// What this machine can do, found by really running bubblewrap once.
    package static let here = probe()

    package static func probe() -> Sandbox {
        guard let path = Programs.find("bwrap") else {
            return .none("bubblewrap is not installed. To install it: apt-get install bubblewrap")
        }
        let folder = RunFolder("\(temporaryFolder)/assent-probe-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        defer { removeFolder(folder.path) }
        let sandbox = Sandbox.bubblewrap(path)
        do throws(Failure) {
            try makeFolders(folder.path)
            var command = Command(["true"], in: folder.path)
            command.timeoutSeconds = 10
            let child = try Child.start(command, sandbox: sandbox, in: folder)
            let ending = child.wait(cancel: Cancellation())
            return ending == .exited(0)
                ? sandbox : .none("bubblewrap does not work here: \(child.traces.lastErrorLine ?? "\(ending)")")
        } catch {
            return .none("bubblewrap does not work here: \(error.message)")
        }
    }

    package var reasonForNone: String? {
        switch self {
        case .bubblewrap: nil
        case .none(let reason): reason
        }
    }
}

/// Programs by name, from the folders that a sandboxed child can see.
enum Programs {
    static let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"]

    static func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
        guard !name.contains("/"), !name.utf8.contains(0) else { return nil }
        return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// One command line with what it may see and use. Words go to `execve` as they are; no shell reads them.
struct Command: Sendable {
    /// The first is the program's name.
    var words: [String]
    /// Where it starts; the one folder that it may write when it is sandboxed.
    var folder: String
    /// Files and folders that it may read besides.
    var readable: [String] = []
    /// Files that it may read though they are among what is hidden from it.
    var unhidden: [String] = []
    /// Names in its home that lead to something of these.
    var homeLinks: [String: String] = [:]
    /// Whether it sees what others have made outside of its folder: then it must not connect to sockets that lie there.
    var seesOthersFiles = false
    /// Hears what it says, as it comes, where that goes through pipes.
    var heard: (@Sendable (ArraySlice<UInt8>) -> Void)?
    /// Whether it has the network that we have.
    var hasNetwork = false
    /// The hosts that it may speak to, and no other: through a proxy of ours, in a network of its own.
    var network: Network?
    var view = View.runFolder
    /// What it changes in its folder lies here afterwards, and nothing is changed there. Not for what may outlive us.
    var rehearsal: RehearsalFolder?
    /// Whether its folder is read-only to it.
    var isReadOnly = false
    /// What it does not see of its folder.
    var hidden = PrivateFiles()
    /// The stand-ins for what is hidden, as a layer of its overlay.
    var standIns: StandIns?
    /// The file that is mounted in place of a hidden one (`StandIns.emptyFile`). By default it is a device, which
    /// cannot be opened there.
    var emptyFile = "/dev/null"
    /// Whether another engine may take it over when we are gone: only collecting comes after it. All others are simply
    /// run again.
    var isAdoptable = false
    /// Whether the file of its standard error has lines of earlier commands, which stay.
    var keepsErrors = false
    var timeoutSeconds = Limits.programSeconds
    /// Seconds that each of its processes may compute before the kernel ends it; 0 for no such limit.
    var processorSeconds = 0
    var memoryBytes = Limits.programMemoryBytes
    var fileBytes = Limits.programFileBytes
    /// Most that it may have at once in the sandbox.
    var processes: Int? = Limits.commandProcesses
    /// Most bytes each on standard output and standard error.
    var logBytes = Limits.programLogBytes

    struct Network: Sendable {
        var hosts: [NamedHost]
        var resolve: HostProxy.Resolve
    }

    init(_ words: [String], in folder: String) {
        self.words = words
        self.folder = folder
    }

    /// What it sees of the machine besides the system's folders.
    enum View: Sendable {
        /// Its folder, which is the attempt's own.
        case runFolder
        /// Its folder, which is the workspace, under its own name; a home that is empty.
        case workspace
        /// All that the person sees, with a part of their environment: no sandbox.
        case machine
    }

    /// The layer of an overlay over its folder.
    var cover: String? { rehearsal == nil ? nil : standIns?.folder }

    /// The files and folders that mounts hide from it.
    var mountedOver: PrivateFiles {
        guard rehearsal != nil, let standIns else { return hidden }
        return hidden.without(standIns)
    }

    /// Whether it is put into a sandbox where there is one.
    var isContained: Bool { if case .machine = view { false } else { true } }
}

extension Sandbox {
    /// Seconds that the supervisor of an orphan grants beyond the time limit: while we live we end the child ourselves,
    /// with words.
    static let watchdogGraceSeconds = 5.0

    /// The words really started: the program, behind bubblewrap where there is one and the command is not open.
    func line(for command: Command) throws(Failure) -> [String] {
        guard let program = Programs.find(command.words[0]) else {
            throw Failure("toolNotInstalled", "The program \(command.words[0]) is not installed.")
        }
        let line = [program] + command.words.dropFirst()
        guard case .bubblewrap(let bwrap) = self, command.isContained else { return line }
        return [bwrap] + Self.profile(for: command) + ["--"] + line
    }

    /// Whether the exit record comes from bubblewrap, which knows more than who waits for it.
    func writesRecord(for command: Command) -> Bool {
        if case .bubblewrap = self { command.isContained } else { false }
    }

    /// What bubblewrap reads the filter of system calls from; none (-1) where there is no sandbox.
    func filter(for command: Command) throws(Failure) -> OpenFile {
        guard writesRecord(for: command) else { return OpenFile(adopting: -1) }
        let file = OpenFile(adopting: cprocess_open_filter(command.seesOthersFiles ? 0 : 1))
        guard file.descriptor >= 0 else { throw fileFailure("make", "the filter of system calls") }
        return file
    }

    private static func profile(for command: Command) -> [String] {
        var words = ["--unshare-all"]
        // What has a network of its own begins in it.
        if command.hasNetwork || command.network != nil { words.append("--share-net") }
        // What nobody takes over ends with us; the rest goes on (`consent.md`, "Sandbox").
        if !command.isAdoptable { words.append("--die-with-parent") }
        words += ["--cap-drop", "ALL", "--json-status-fd", "3", "--seccomp", "\(CPROCESS_FILTER)"]
        words += ["--ro-bind", "/usr", "/usr"]
        for folder in ["/bin", "/sbin", "/lib", "/lib32", "/lib64"] { words += view(of: folder) }
        // What lies in memory has a bound, and the kernel's own settings are not written, not even by root.
        let size = ["--size", "\(Limits.sandboxMemoryFiles)", "--tmpfs"]
        words +=
            ["--dev", "/dev", "--remount-ro", "/dev"] + size + ["/dev/shm"] + [
                "--proc", "/proc", "--remount-ro", "/proc",
            ]
        words += size + ["/tmp"]
        var files =
            systemFiles + (command.hasNetwork ? networkFiles : []) + (command.network == nil ? [] : certificates)
        if case .workspace = command.view {
            words += ["--dir", emptyHome]
            for (name, path) in command.homeLinks.sorted(by: { $0.key < $1.key }) {
                words += ["--symlink", path, "\(emptyHome)/\(name)"]
            }
            files += shellFiles
        }
        for path in files { words += ["--ro-bind-try", path, path] }
        for path in command.readable { words += ["--ro-bind", path, path] }
        words += [command.isReadOnly ? "--ro-bind" : "--bind", command.folder, command.folder]
        // Neither to read nor to write; what holds for a session is no matter of the programs that it runs, either.
        let hidden = command.mountedOver
        for folder in hidden.folders { words += ["--tmpfs", folder] }
        for file in hidden.files { words += ["--ro-bind", command.emptyFile, file] }
        for file in command.unhidden where command.cover == nil || !(command.standIns?.shows(file) ?? false) {
            words += ["--ro-bind", file, file]
        }
        // It may lie in what is ours, below a folder that is read.
        if case .runFolder = command.view, command.hidden.holds(command.folder) {
            words += ["--bind", command.folder, command.folder]
        }
        for folder in hidden.folders { words += ["--remount-ro", folder] }
        return words + ["--remount-ro", "/", "--chdir", command.folder]
    }

    /// On a merged system these are links into /usr and must be links inside, too.
    private static func view(of folder: String) -> [String] {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFLNK, let target = linkTarget(folder) else {
            return ["--ro-bind", folder, folder]
        }
        return ["--symlink", target, folder]
    }

    private static let systemFiles = [
        "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/localtime",
        "/etc/mime.types",
        "/etc/ImageMagick-6", "/etc/ImageMagick-7",
    ]
    /// What shell commands look for besides, none of it secret: names of users, and settings that hold for everybody.
    private static let shellFiles = [
        "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/gitconfig", "/etc/os-release", "/etc/debian_version",
    ]
    private static let emptyHome = "/tmp/home"
    /// By which servers prove who they are; not the machine's own keys, which lie beside them.
    private static let certificates = [
        "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/ca-certificates.conf",
        "/etc/pki/tls/certs",
        "/etc/pki/ca-trust/extracted",
    ]
    private static let networkFiles = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"] + certificates

    /// What a child finds in its environment: never a key.
    func environment(for command: Command) -> [String] {
        let plain = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]
        switch command.view {
        case .runFolder:
            // libvips: its loaders for exotic formats are left to the sandbox.
            let guardWords = reasonForNone == nil ? [] : ["VIPS_BLOCK_UNTRUSTED=1"]
            return plain + ["TZ=UTC", "HOME=/tmp", "TMPDIR=\(command.folder)"] + guardWords
        case .workspace:
            // Programs that write where they only look would seem to change something.
            return plain + [
                "HOME=\(Self.emptyHome)", "TMPDIR=/tmp", "GIT_OPTIONAL_LOCKS=0", "PYTHONDONTWRITEBYTECODE=1",
            ]
                + GitIdentity.variables() + (command.network == nil ? [] : HostProxy.variables)
        case .machine:
            return Self.personsVariables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        }
    }

    /// The variables of the person that a program on the bare machine gets.
    static let personsVariables = [
        "PATH", "HOME", "LANG", "LANGUAGE", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LC_ALL", "LC_CTYPE",
        "LC_COLLATE", "LC_MESSAGES",
        "LC_NUMERIC", "LC_TIME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DISPLAY",
        "XAUTHORITY",
        "WAYLAND_DISPLAY",
    ]
}

func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 && count < buffer.count ? String(validating: buffer.prefix(count), as: UTF8.self) : nil
}
