import CProcess
package import Files
import Glibc
import Vocabulary

extension Limits {
    /// The bytes of files in `/tmp`, and in `/dev/shm`, of a sandbox. They are in memory.
    fileprivate static let sandboxMemoryFiles = 1 << 30

    /// The most bytes of one file that a program writes.
    fileprivate static let programFileBytes = 4 << 30

    /// How long the trial run of bubblewrap may take, in seconds, on however busy a machine.
    fileprivate static let sandboxTrialSeconds = 30.0
}

/// The environment of programs: bubblewrap, with a view of the system folders and of the files that the call names, or
/// no sandbox if bubblewrap does not work (`consent.md`, "Sandbox").
package enum Isolation: Hashable, Sendable {
    case bubblewrap(String)
    /// No sandbox is available. The text is the reason, for `doctor` and the notice at the first run.
    case none(String)

    /// The sandbox of this machine, found by a trial run of bubblewrap.
    package static let here = probe()

    package static func probe() -> Isolation {
        guard let path = Programs.find("bwrap") else {
            return .none("bubblewrap is not installed. To install it: apt-get install bubblewrap")
        }
        let folder = RunFolder("\(temporaryFolder)/assent-probe-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        defer { removeFolder(folder.path) }
        let sandbox = Isolation.bubblewrap(path)
        do throws(Failure) {
            try makeFolders(folder.path)
            var command = ProgramCommand(["true"], in: folder.path)
            command.timeoutSeconds = Limits.sandboxTrialSeconds
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

/// The lookup of programs by name, in the folders that a sandboxed child can see.
package enum Programs {
    static let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"]

    package static func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
        guard !name.contains("/"), !name.utf8.contains(0) else { return nil }
        return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// A command line, with the files that it may see and its limits. The words go to `execve` unchanged, without a shell.
package struct ProgramCommand: Sendable {
    /// The words of the command, beginning with the program's name.
    var words: [String]
    /// The folder in which the command starts. In the sandbox, only this folder is writable.
    package var folder: String
    /// Other files and folders that the command may read.
    package var readable: [String] = []
    /// Files that the command may read although they are hidden otherwise.
    var unhidden: [String] = []
    /// The empty folder that becomes the command's home, or `nil` for one in memory.
    package var home: String?
    /// Links in the command's home folder, by name, to some of these files and folders.
    package var homeLinks: [String: String] = [:]
    /// Whether the command sees files of other programs outside of its folder. It must not connect to sockets there.
    /// This depends on the single paths that a call names, so no other property implies it.
    var seesOthersFiles = false
    package var network = Network.none
    /// Variables of its environment besides the usual ones, such as `COLUMN=age`.
    package var variables: [String] = []
    package var view = View.runFolder
    /// The files in its folder that are hidden from the command.
    package var hidden = PrivateFiles()
    /// The file that is mounted in place of a hidden one (`StandIns.emptyFile`). The default is a device that cannot be
    /// opened there.
    package var emptyFile = "/dev/null"
    /// The descriptor that becomes its standard input, or -1 for an empty one.
    package var input: Int32 = -1
    package var output = Output.pipes(heard: nil)
    /// Whether the output is read every few milliseconds only. A program that prints many short lines runs faster then,
    /// since no line wakes this process.
    package var gathersOutput = false
    package var timeoutSeconds = Limits.programSeconds
    /// The seconds of processor time after which the kernel ends a process of the command, or 0 for no limit.
    package var processorSeconds = 0
    package var memoryBytes = Limits.programMemoryBytes
    package var fileBytes = Limits.programFileBytes
    /// The most processes that may run at once in the sandbox.
    package var processes: Int? = Limits.commandProcesses
    /// The programs of the user that a command in the workspace sees.
    package var programs = PersonalPrograms()
    /// The folders with these programs.
    var programLayers: [ProgramLayer] = []
    /// Whether overlays may be laid over these folders. Without them, the folders are read-only.
    package var laysPrograms = true
    /// The most bytes on standard output, and on standard error.
    package var logBytes = Limits.programLogBytes

    package init(_ words: [String], in folder: String) {
        self.words = words
        self.folder = folder
    }

    /// The part of the machine that the command sees, besides the system folders.
    package enum View: Sendable {
        /// The run folder of the attempt.
        case runFolder
        /// The system folders alone, with no place to which it could write.
        case system
        /// The workspace under its own path, and an empty home folder.
        case workspace(Protection)
        /// The whole machine as the user sees it, with a part of the user's environment, without a sandbox.
        case machine
    }

    /// The protection of the workspace from a command. The output of such a command goes through pipes, since no other
    /// engine can take over a rehearsal.
    package enum Protection: Sendable {
        /// The command is rehearsed: the folder gets its changes, and the workspace stays unchanged. `standIns` are
        /// there for hidden files, as a layer of the overlay.
        case overlay(Overlay, standIns: StandIns?)
        /// The command sees the workspace read-only.
        case readOnly
    }

    /// The network that the command has.
    package enum Network: Sendable {
        case none
        /// The network of this process.
        case shared
        /// A network of its own, with a proxy through which the command may contact only these hosts.
        case hosts([NamedHost], resolve: HostProxy.Resolve)
    }

    /// The way of the command's output.
    package enum Output: Sendable {
        /// Pipes to this process. If the engine ends, the command ends too, and is run again. `heard` gets the output
        /// as it arrives.
        case pipes(heard: (@Sendable (ArraySlice<UInt8>) -> Void)?)
        /// Files of the run folder. If the engine ends, another one may take over the command, since only its results
        /// must be collected then. `keepsErrors`: whether the file of standard error has lines of earlier commands,
        /// which are kept.
        case files(keepsErrors: Bool)
    }

    /// Whether another engine may take over the command if this one ends.
    var isAdoptable: Bool { if case .files = output { true } else { false } }

    /// The overlay of a rehearsed command, or `nil` for other commands.
    var overlay: Overlay? { if case .workspace(.overlay(let overlay, _)) = view { overlay } else { nil } }

    /// The stand-ins for hidden files, or `nil` if there are none.
    var standIns: StandIns? { if case .workspace(.overlay(_, let standIns)) = view { standIns } else { nil } }

    /// Whether the command may contact only hosts that its call names.
    var namesHosts: Bool { if case .hosts = network { true } else { false } }

    /// The files and folders that are hidden by mounts.
    var mountedOver: PrivateFiles { standIns.map(hidden.without) ?? hidden }

    /// Whether the command runs in a sandbox if there is one.
    var isContained: Bool { if case .machine = view { false } else { true } }
}

extension Isolation {
    /// The seconds that the supervisor of a command grants beyond the time limit. While the engine lives, it stops the
    /// command itself and reports that.
    static let watchdogGraceSeconds = 5.0

    /// Returns the full command line: the program, behind bubblewrap if there is a sandbox and the command is
    /// contained.
    ///
    /// - Throws: `toolNotInstalled`.
    func line(for command: ProgramCommand) throws(Failure) -> [String] {
        guard let program = Programs.find(command.words[0]) ?? command.programs.find(command.words[0]) else {
            throw Failure(.toolNotInstalled, "The program \(command.words[0]) is not installed.")
        }
        let line = [program] + command.words.dropFirst()
        guard case .bubblewrap(let bwrap) = self, command.isContained else { return line }
        return [bwrap] + Self.profile(for: command) + ["--"] + line
    }

    /// Whether bubblewrap writes the exit record. It knows more than the process that waits.
    package func writesRecord(for command: ProgramCommand) -> Bool {
        if case .bubblewrap = self { command.isContained } else { false }
    }

    /// Returns the file from which bubblewrap reads the filter of system calls. Without a sandbox, its descriptor is
    /// -1.
    func filter(for command: ProgramCommand) throws(Failure) -> OpenFile {
        guard writesRecord(for: command) else { return OpenFile(adopting: -1) }
        // A second name of a file could lie outside of the workspace, so a rehearsed command gives none.
        let file = OpenFile(
            adopting: cprocess_open_filter(command.seesOthersFiles ? 0 : 1, command.overlay == nil ? 1 : 0))
        guard file.descriptor >= 0 else { throw fileFailure("make", "the filter of system calls") }
        return file
    }

    private static func profile(for command: ProgramCommand) -> [String] {
        var words = ["--unshare-all"]
        switch command.network {
        case .none: break
        // A command with a network of its own is started in that network.
        case .shared, .hosts: words.append("--share-net")
        }
        // A command that no engine takes over ends with this one. Others go on (`consent.md`, "Sandbox").
        if !command.isAdoptable { words.append("--die-with-parent") }
        words += ["--cap-drop", "ALL", "--json-status-fd", "3", "--seccomp", "\(CPROCESS_FILTER)"]
        words += ["--ro-bind", "/usr", "/usr"]
        for folder in ["/bin", "/sbin", "/lib", "/lib32", "/lib64"] { words += view(of: folder) }
        // Files in memory are limited, and even root cannot write the settings of the kernel.
        let size = ["--size", "\(Limits.sandboxMemoryFiles)", "--tmpfs"]
        words += ["--dev", "/dev", "--remount-ro", "/dev"]
        if case .system = command.view {
            // A descriptor from outside could be opened again by its name in /proc, for writing.
        } else {
            words += size + ["/dev/shm", "--proc", "/proc", "--remount-ro", "/proc"] + size + ["/tmp"]
        }
        var files = systemFiles + files(for: command.network)
        var isReadOnly = false
        if case .workspace(let protection) = command.view {
            if case .readOnly = protection { isReadOnly = true }
            words += command.home.map { ["--bind", $0, emptyHome] } ?? ["--dir", emptyHome]
            for (name, path) in command.homeLinks.sorted(by: { $0.key < $1.key }) {
                words += ["--symlink", path, "\(emptyHome)/\(name)"]
            }
            files += shellFiles
        }
        for path in files { words += ["--ro-bind-try", path, path] }
        words += command.programOptions
        for path in command.readable { words += ["--ro-bind", path, path] }
        if case .system = command.view {
            // Without its cache, each search for a font would read all fonts.
            words += ["--ro-bind-try", fontCache, fontCache]
            return words + ["--remount-ro", "/", "--chdir", "/"]
        }
        words += [isReadOnly ? "--ro-bind" : "--bind", command.folder, command.folder]
        // Hidden files can be neither read nor written. The rules of a session are hidden from its programs, too.
        let hidden = command.mountedOver.and(command.hiddenInPrograms)
        for folder in hidden.folders { words += ["--tmpfs", folder] }
        for file in hidden.files { words += ["--ro-bind", command.emptyFile, file] }
        for file in command.unhidden where command.standIns?.shows(file) != true {
            words += ["--ro-bind", file, file]
        }
        // The run folder may lie in Assent's own folders, below a folder that the command reads.
        if case .runFolder = command.view, command.hidden.holds(command.folder) {
            words += ["--bind", command.folder, command.folder]
        }
        for folder in hidden.folders { words += ["--remount-ro", folder] }
        return words + ["--remount-ro", "/", "--chdir", command.folder]
    }

    /// Returns the options for a system folder. On a merged system, it is a link into /usr, and must be a link in the
    /// sandbox, too.
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
    /// The other files that shell commands need, none of them secret: the names of users, and system-wide settings.
    private static let shellFiles = [
        "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/gitconfig", "/etc/os-release", "/etc/debian_version",
    ]
    private static let emptyHome = "/tmp/home"
    private static let fontCache = "/var/cache/fontconfig"
    /// The certificates of authorities, by which servers are checked, without the machine's private keys beside them.
    private static let certificates = [
        "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/ca-certificates.conf",
        "/etc/pki/tls/certs",
        "/etc/pki/ca-trust/extracted",
    ]
    private static let networkFiles = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"] + certificates

    /// Returns the system files that a command with this network needs. A proxy looks up names itself.
    private static func files(for network: ProgramCommand.Network) -> [String] {
        switch network {
        case .none: []
        case .shared: networkFiles
        case .hosts: certificates
        }
    }

    /// Settings of git, so that reading changes no index, and no command leaves work behind that ends with the sandbox.
    private static let gitSettings = {
        let settings = [
            ("diff.autoRefreshIndex", "false"), ("gc.auto", "0"), ("maintenance.auto", "false"),
            ("gc.writeCommitGraph", "false"), ("fetch.writeCommitGraph", "false"),
        ]
        return ["GIT_CONFIG_COUNT=\(settings.count)"]
            + settings.enumerated().flatMap { number, setting in
                ["GIT_CONFIG_KEY_\(number)=\(setting.0)", "GIT_CONFIG_VALUE_\(number)=\(setting.1)"]
            }
    }()

    /// Returns the environment of a command. It never contains a key.
    func environment(for command: ProgramCommand) -> [String] {
        let plain = ["PATH=\(command.programs.path.joined(separator: ":"))", "LANG=C.UTF-8"]
        switch command.view {
        case .runFolder, .system:
            // Without a sandbox, libvips must not use its loaders for exotic formats.
            let guardWords = reasonForNone == nil ? [] : ["VIPS_BLOCK_UNTRUSTED=1"]
            return plain + ["TZ=UTC", "HOME=/tmp", "TMPDIR=\(command.folder)"] + guardWords + command.variables
        case .workspace:
            // Without the locks and the bytecode, programs that only read would seem to change files. To git, the
            // overlay is a file system of its own, behind which it would look for no repository.
            return plain + [
                "HOME=\(Self.emptyHome)", "TMPDIR=/tmp", "GIT_OPTIONAL_LOCKS=0", "PYTHONDONTWRITEBYTECODE=1",
                "GIT_DISCOVERY_ACROSS_FILESYSTEM=1",
            ]
                + command.programs.variables + Self.gitSettings + GitIdentity.variables(in: command.folder)
                + (command.namesHosts ? HostProxy.variables : [])
        case .machine:
            return Self.personsVariables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        }
    }

    /// The variables of the user's environment that a program on the bare machine gets.
    static let personsVariables = [
        "PATH", "HOME", "LANG", "LANGUAGE", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LC_ALL", "LC_CTYPE",
        "LC_COLLATE", "LC_MESSAGES",
        "LC_NUMERIC", "LC_TIME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DISPLAY",
        "XAUTHORITY",
        "WAYLAND_DISPLAY",
    ]
}

extension Isolation {
    /// A text that changes if bubblewrap is installed, updated or removed.
    package static var mark: String {
        var status = stat()
        guard let path = Programs.find("bwrap"), stat(path, &status) == 0 else { return "none" }
        return "\(path) \(status.st_ino) \(status.st_mtim.tv_sec)"
    }
}
