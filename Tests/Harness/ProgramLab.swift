import Glibc
package import JSON
import Synchronization

/// The built program with data of its own, in a folder of its own.
package final class ProgramLab: Sendable {
    private let scratch: ScratchFolder
    /// The workspace.
    package let folder: String
    /// `ASSENT_HOME`.
    package let home: String
    /// `TMPDIR`.
    package let temporary: String
    package let environment: [String: String]

    /// - Parameters:
    ///   - folder: the name of the workspace.
    ///   - environment: what the program is given beside `PATH`, `LANG`, `HOME`, `ASSENT_HOME` and `TMPDIR`.
    ///   - isInMemory: whether its folders lie in memory; `nil` chooses what commands can be rehearsed in. Tests of
    ///     disks say false.
    package init(folder name: String = "photos", environment extra: [String: String] = [:], isInMemory: Bool? = nil)
        throws
    {
        scratch = try ScratchFolder(isInMemory: isInMemory ?? Rehearsals.labsAreInMemory)
        folder = "\(scratch.path)/\(name)"
        home = "\(scratch.path)/.assent"
        temporary = "\(scratch.path)/tmp"
        for made in [folder, home, temporary, "\(scratch.path)/person", "\(scratch.path)/.output"] {
            guard mkdir(made, 0o700) == 0 else { throw ScriptFailure("\(made) cannot be made (errno \(errno))") }
        }
        environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "\(scratch.path)/person",
            "ASSENT_HOME": home,
            "TMPDIR": temporary,
        ].merging(extra) { $1 }
    }

    /// The executable under test: it lies beside the test bundle.
    package static let program = built("assent")

    /// Returns the path of another executable of this package.
    package static func built(_ name: String) -> String {
        executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/"
            + name
    }

    /// The path of the executable of this process.
    static let executable: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    /// Ends all processes that were started here and not waited for, including background workers.
    deinit { scratch.endProcesses() }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: Running it

    package func start(
        program: String = ProgramLab.program, _ arguments: [String], environment extra: [String: String] = [:],
        input: String? = nil
    ) throws -> ProgramProcess {
        try ProgramProcess(
            program, arguments, environment: environment.merging(extra) { $1 }, folder: folder,
            files: "\(scratch.path)/.output",
            input: input, owner: self)
    }

    package func run(
        _ arguments: String..., environment extra: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramEnding {
        try await run(arguments, environment: extra, input: input)
    }

    package func run(
        _ arguments: [String], environment extra: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramEnding {
        let process = try start(arguments, environment: extra, input: input)
        return try await onOwnThread { process.wait() }
    }

    /// Runs a verb and returns its JSON lines.
    package func json(_ arguments: String...) async throws -> [JSON] { try await run(arguments + ["--json"]).lines }

    /// Runs a verb and returns its JSON lines. Blocks, so it is for loops on a thread of their own.
    package func jsonNow(_ arguments: String...) throws -> [JSON] { try start(arguments + ["--json"]).wait().lines }

    /// Runs another program of this machine, such as `vips`.
    package func tool(_ name: String, _ arguments: String..., seconds: Double = patienceSeconds) async throws
        -> ProgramEnding
    {
        let paths = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw ScriptFailure("\(name) is not installed")
        }
        let process = try ProgramProcess(
            path, arguments, environment: environment, folder: folder, files: "\(scratch.path)/.output", owner: self)
        return try await onOwnThread { process.wait(seconds: seconds) }
    }

    /// Starts the program on a terminal.
    package func terminal(
        _ arguments: [String] = [], environment extra: [String: String] = [:], columns: Int = 100, rows: Int = 30
    ) throws -> Pty {
        try Pty.spawn(
            Self.program, arguments, environment: environment.merging(extra) { $1 }, folder: folder, columns: columns,
            rows: rows,
            owner: self)
    }

    // MARK: Files of the workspace

    package func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    package func names() -> [String] { ScratchFolder.names(in: folder) }
    /// Makes a file so large that undo keeps no copy of it, without using space on the disk. It can be renamed with the
    /// same call.
    package func enlarge(_ file: String, as name: String? = nil) throws {
        guard truncate(path(file), off_t(256 << 20) + 1) == 0, name.map({ rename(path(file), path($0)) == 0 }) ?? true
        else {
            throw ScriptFailure("not enlarged: \(file) (errno \(errno))")
        }
    }

    /// Replaces a file by a link to it, under a hidden name.
    package func makeLink(_ file: String) throws {
        guard rename(path(file), path(".behind-\(file)")) == 0, symlink(".behind-\(file)", path(file)) == 0 else {
            throw ScriptFailure("no link \(file) (errno \(errno))")
        }
    }

    package func exists(_ name: String) -> Bool { ScratchFolder.exists(path(name)) }
    package func bytes(_ name: String) -> [UInt8]? { ScratchFolder.bytes(path(name)) }
    package func text(_ name: String) -> String? { ScratchFolder.text(path(name)) }
    package func write(_ text: String, to name: String) throws { try ScratchFolder.write(text, to: path(name)) }
    package func write(_ json: JSON, to name: String) throws { try ScratchFolder.write(json.text, to: path(name)) }
    package func write(_ bytes: [UInt8], to name: String) throws { try ScratchFolder.write(bytes, to: path(name)) }

    /// Puts a colour photograph of noise into the workspace. At its full size it does not fit into 60 KB. Each size is
    /// made once for all tests of a process, by vips.
    package func photograph(_ name: String, width: Int = 1500, height: Int = 1000) async throws {
        let size = "\(width)×\(height)"
        if let made = Self.photographs.withLock({ $0[size] }) { return try write(made, to: name) }
        try await makePhotograph(name, width: width, height: height)
        guard let made = bytes(name) else { throw ScriptFailure("no photograph \(name)") }
        Self.photographs.withLock { $0[size] = made }
    }

    /// The photographs that were made already, by size.
    private static let photographs = Mutex<[String: [UInt8]]>([:])

    private func makePhotograph(_ name: String, width: Int, height: Int) async throws {
        for (index, seed) in [1, 2, 3].enumerated() {
            _ = try await tool(
                "vips", "gaussnoise", ".band\(index).v", "\(width)", "\(height)", "--seed", "\(seed)", "--mean", "128",
                "--sigma", "50")
        }
        let made = try await tool("vips", "bandjoin", ".band0.v .band1.v .band2.v", ".joined.jpg[Q=95]")
        for band in 0..<3 { unlink(path(".band\(band).v")) }
        guard made.exit == 0, rename(path(".joined.jpg"), path(name)) == 0 else {
            throw ScriptFailure("no photograph: \(made.errors)")
        }
    }

    /// Returns the width, height and bands of a picture.
    package func picture(_ name: String) async throws -> [Int] {
        var numbers: [Int] = []
        for field in ["width", "height", "bands"] {
            let told = try await tool("vipsheader", "-f", field, path(name))
            numbers.append(Int(told.output.filter(\.isNumber)) ?? -1)
        }
        return numbers
    }
}
