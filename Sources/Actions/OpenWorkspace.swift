package import Engine
package import Files
import Glibc
package import HTTP
package import Services
package import Storage
package import Synchronization
package import Tools
package import Vocabulary
package import Workflows

/// The parts that one process has open: settings, store, tools, keys, engine. A part is made when it is first needed.
package final class OpenWorkspace: Sendable {
    package let folders: Folders
    package let workspace: String
    package let settings: Settings
    let shelves: Shelves
    package let hub = EventHub()
    package let workers = Workers()
    package let running = Mutex<[RunID: Cancellation]>([:])
    package let archive: Lazy<Archive>
    package let toolbox: Lazy<Toolbox>
    /// The programs of the user beside the system's, as the files and the search path are now.
    let userPrograms: Lazy<UserPrograms>
    package let catalogue: Lazy<Catalogue>
    /// The catalogue of the engine, with the tools that no plan and no file may name.
    package let engineCatalogue: Lazy<Catalogue>
    /// The providers of jobs, by id.
    package let providers: Lazy<[String: ProviderManifest]>
    package let policies: Policies
    /// The templates that were read last, for the engine and the views.
    package let templates = StoredTemplates()
    package let keyRing: KeyRing
    let modelFiles: ModelFiles
    let model: ConnectedModel
    package let client = HTTPClient()
    package let living = Mutex(Living())
    /// The sign of life of this chat, which protects the lines that wait behind a turn. It lasts as long as the
    /// process, even if the engine ends.
    let chat: Lazy<ProcessLife>
    let surroundings: any EngineSurroundings
    /// The entries of the inbox whose end the user knows, since it was given or shown in this process.
    let knownEnds = Mutex<Set<Int64>>([])
    /// The sign of life by which other processes see whether the process that claimed an entry of the inbox still
    /// lives.
    let holder: Lazy<ProcessLife>

    /// Opens a workspace. Its parts are made later, when they are first needed.
    ///
    /// - Parameter kind: the kind of this process, which others see that want the same conversation.
    package init(
        folders: Folders, workspace: String, kind: EngineLock.Kind = .chat,
        surroundings: any EngineSurroundings
    ) {
        self.surroundings = surroundings
        self.folders = folders
        self.workspace = workspace
        let settings = Settings(folder: folders.config)
        let shelves = Shelves(folders: folders, workspace: workspace)
        self.settings = settings
        self.shelves = shelves
        let client = client
        let shelf = Lazy { () throws(Failure) in shelves.providers() }
        let providers = Lazy { () throws(Failure) in try shelf.get().found }
        self.providers = providers
        archive = Lazy { () throws(Failure) in
            try folders.makeData()
            return try Archive(folder: folders.data)
        }
        let modelFiles = ModelFiles(folder: folders.config)
        self.modelFiles = modelFiles
        let keyRing = KeyRing {
            Self.keysAtHand(
                settings, Secrets(config: folders.config, keyCommand: []),
                shelves.providerKeyNames { (try? providers.get()) ?? [:] },
                modelFiles.keyNames())
        }
        self.keyRing = keyRing
        let userPrograms = Lazy { () throws(Failure) in
            UserPrograms(
                consents: ProgramConsents(folder: folders.config), own: folders.own, variable: Folders.environment)
        }
        self.userPrograms = userPrograms
        let toolbox = Lazy { () throws(Failure) in
            Toolbox(
                store: AssetStore(folder: folders.data + "/assets"),
                own: folders.own,
                fetch: fetching(through: client),
                provider: { id in (try? providers.get())?[id] }, keyFilter: { keyRing.filter },
                programs: try userPrograms.get())
        }
        self.toolbox = toolbox
        let catalogue = Lazy { () throws(Failure) in shelves.tools(try toolbox.get(), try shelf.get()).0 }
        self.catalogue = catalogue
        engineCatalogue = Lazy { () throws(Failure) in Self.engineCatalogue(try catalogue.get()) }
        policies = Policies(shelves)
        model = ConnectedModel(settings: settings, files: modelFiles, keyRing: keyRing)
        chat = Lazy { () throws(Failure) in
            try folders.makeData()
            return ProcessLife(try EngineLock(folder: folders.engines, kind: kind))
        }
        holder = Lazy { () throws(Failure) in
            try folders.makeData()
            return ProcessLife(try EngineLock(folder: folders.holders))
        }
    }

    /// Returns the time of the wall clock, for records and for dates that are shown to a person.
    package static func now() -> Moment { MachineClock.reading().wall }

    /// The files that say how much is asked and which hosts may be contacted. They are read again at each use.
    package var configuration: Configuration {
        Configuration(
            settings: settings, models: modelFiles, hosts: consents,
            programs: ProgramConsents(folder: folders.config), keyRing: keyRing, shelves: shelves)
    }

    /// Stops the engine, and then closes the database, which the engine reads on a thread of its own. A process that
    /// ends without this call loses no data.
    package func close() async {
        await stopEngine()
        archive.ifMade?.settle()
        living.withLock { $0.life }?.end()
    }

    /// Returns the absolute path of a file that the user named from the working folder.
    func path(of file: String) -> String { file.hasPrefix("/") ? file : "\(workspace)/\(file)" }

    func toolsWithProblems() -> (Catalogue, [Problem]) {
        guard let toolbox = try? toolbox.get() else { return (Catalogue(), []) }
        return shelves.tools(toolbox)
    }
}
