package import Files
import Glibc
package import Vocabulary

/// The folders in which Assent stores its files: the XDG folders, or all three under `ASSENT_HOME` (`architecture.md`,
/// "Folders and keys").
package struct Folders: Sendable {
    /// The folder of the settings, keys and manifests that the user writes.
    package let config: String
    /// The folder of the database and the contents.
    package let data: String
    /// The folder of files that can be made again.
    package let cache: String

    /// Returns the folders that the environment names.
    ///
    /// - Throws: `badUsage` if there is no home folder.
    package static func ofThisPerson() throws(Failure) -> Folders {
        if let home = environment("ASSENT_HOME") {
            let root = try absolute(home)
            return Folders(config: root + "/config", data: root + "/data", cache: root + "/cache")
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw Failure(.badUsage, "There is no home folder.", remedy: "Set HOME or ASSENT_HOME.")
        }
        func folder(_ variable: String, _ fallback: String) -> String {
            // The XDG specification says that relative paths must be ignored.
            environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
        }
        return Folders(
            config: folder("XDG_CONFIG_HOME", ".config") + "/assent",
            data: folder("XDG_DATA_HOME", ".local/share") + "/assent",
            cache: folder("XDG_CACHE_HOME", ".cache") + "/assent")
    }

    var all: [String] { [config, data, cache] }
    /// The folders as the tools know them, which no call may touch.
    package var own: OwnFolders { OwnFolders(config: config, data: data, cache: cache) }
    /// The folder of the lock files of engines and chats.
    package var engines: String { data + "/engines" }
    /// The folder of the lock files of processes that hold a claim on an inbox entry.
    package var holders: String { data + "/holders" }
    /// The folder of the files of runs.
    package var runs: String { data + "/runs" }

    /// Makes the data folder and the folders in it, 0700. The others are made when a file is first written there.
    package func makeData() throws(Failure) {
        for folder in [data, engines, holders, runs] { try Self.make(folder) }
    }

    /// Creates a folder and those above it, 0700, if they are missing.
    ///
    /// - Throws: `storageReadOnly`.
    package static func make(_ folder: String) throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            let words = String(cString: strerror(errno))
            throw Failure(
                .storageReadOnly, "The folder \(path) cannot be made: \(words).",
                remedy: "Look at its owner and its rights.")
        }
    }

    /// Returns a variable of the environment, or nil if it is empty or not set.
    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func absolute(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        return try workingFolder() + "/" + path
    }

    /// Returns the real path of the current folder. `/` counts as no workspace (`consent.md`, "Words").
    package static func workingFolder() throws(Failure) -> String {
        guard let folder = real(".") else {
            throw Failure(.badUsage, "This folder is gone.", remedy: "Change to one that exists.")
        }
        return folder
    }

    /// Returns a path with its links resolved, or nil if there is nothing at it.
    package static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
