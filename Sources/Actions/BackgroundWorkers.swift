import Glibc
import Services
import Storage
import Vocabulary

/// The processes of `assent work` that run workflows of this data folder, also those of other terminals.
enum BackgroundWorkers {
    /// Returns the living processes, the oldest first.
    static func all(of shared: OpenWorkspace) throws(Failure) -> [BackgroundWorker] {
        let folders = shared.folders
        let working = FileSystem.names(in: folders.engines).compactMap { name -> (name: String, process: Int)? in
            guard let process = EngineLock.process(of: name), isWorker(process),
                EngineLock.isAlive(name, in: folders.engines)
            else { return nil }
            return (name, Int(process))
        }
        guard !working.isEmpty else { return [] }
        let carried = try shared.archive.get().carried()
        return working.map { worker in
            BackgroundWorker(
                process: worker.process, since: begin(of: "\(folders.engines)/\(worker.name)"),
                workflows: carried[worker.name] ?? [])
        }.sorted { ($0.since, $0.process) < ($1.since, $1.process) }
    }

    /// Returns whether a process was started as `assent work`.
    private static func isWorker(_ process: Int32) -> Bool {
        let words = (try? FileSystem.bytes("/proc/\(process)/cmdline"))?.split(separator: 0) ?? []
        return words.count > 1 && Array(words[1]) == Array("work".utf8)
    }

    /// Returns when the file of an engine was made.
    private static func begin(of path: String) -> Moment {
        var status = stat()
        guard stat(path, &status) == 0 else { return OpenWorkspace.now() }
        return Moment(milliseconds: Int64(status.st_mtim.tv_sec) * 1000)
    }
}
