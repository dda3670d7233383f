package import Vocabulary

/// What is kept, how much room it takes, what may go, and how what is broken is mended. Everything that reads or
/// writes much blocks a thread of its own, not the caller's.
package struct AssetRetention: Sendable {
    package var usage: @Sendable () async throws(Failure) -> StorageUsage
    /// Takes away what can be made again and what nobody needs. As a dry run it only counts.
    package var free: @Sendable (_ isDryRun: Bool) async throws(Failure) -> FreedSpace
    /// Oldest first.
    package var pins: @Sendable () throws(Failure) -> [KeptAsset]
    package var pin: @Sendable (AssetName) throws(Failure) -> PinChange
    package var unpin: @Sendable (AssetName) throws(Failure) -> PinChange
    package var preview: @Sendable (AssetName, _ isSmall: Bool) async throws(Failure) -> PreviewFile
    /// Where the thumbnail of a content is, if it was made.
    package var thumbnail: @Sendable (ContentHash) -> String?
    /// Workflows that nobody carries out until a person lets them go on.
    package var quarantined: @Sendable () throws(Failure) -> [Quarantine]
    package var release: @Sendable (WorkflowID, _ asItIs: Bool) throws(Failure) -> Void
    package var exportBundle: @Sendable (WorkflowID, _ path: String) async throws(Failure) -> BundleSummary
    package var importBundle: @Sendable (_ path: String) async throws(Failure) -> BundleSummary
    package var mend: Diagnostics

    package init(
        usage: @escaping @Sendable () async throws(Failure) -> StorageUsage,
        free: @escaping @Sendable (Bool) async throws(Failure) -> FreedSpace,
        pins: @escaping @Sendable () throws(Failure) -> [KeptAsset],
        pin: @escaping @Sendable (AssetName) throws(Failure) -> PinChange,
        unpin: @escaping @Sendable (AssetName) throws(Failure) -> PinChange,
        preview: @escaping @Sendable (AssetName, Bool) async throws(Failure) -> PreviewFile,
        thumbnail: @escaping @Sendable (ContentHash) -> String?,
        quarantined: @escaping @Sendable () throws(Failure) -> [Quarantine],
        release: @escaping @Sendable (WorkflowID, Bool) throws(Failure) -> Void,
        exportBundle: @escaping @Sendable (WorkflowID, String) async throws(Failure) -> BundleSummary,
        importBundle: @escaping @Sendable (String) async throws(Failure) -> BundleSummary, mend: Diagnostics
    ) {
        self.usage = usage
        self.free = free
        self.pins = pins
        self.pin = pin
        self.unpin = unpin
        self.preview = preview
        self.thumbnail = thumbnail
        self.quarantined = quarantined
        self.release = release
        self.exportBundle = exportBundle
        self.importBundle = importBundle
        self.mend = mend
    }
}

/// What `doctor` does beside looking.
package struct Diagnostics: Sendable {
    /// Looks at everything; at all contents rather than some of them where it is to be thorough.
    package var examine: @Sendable (_ isThorough: Bool) async -> [Finding]
    /// Lets workflows go on whose rows are sound again; what events can tell is rebuilt first.
    package var repair: @Sendable () async throws(Failure) -> [Finding]
    /// Makes the states of all workflows anew from their events.
    package var rebuild: @Sendable () async throws(Failure) -> [Finding]
    /// Writes what can be read of the database into a new one in a folder that is new or empty.
    package var salvage: @Sendable (_ folder: String) async throws(Failure) -> [Finding]
    /// Writes a file for whoever is asked for help: no secrets, no media, no texts.
    package var support: @Sendable (_ path: String) async throws(Failure) -> [Finding]

    package init(
        examine: @escaping @Sendable (Bool) async -> [Finding],
        repair: @escaping @Sendable () async throws(Failure) -> [Finding],
        rebuild: @escaping @Sendable () async throws(Failure) -> [Finding],
        salvage: @escaping @Sendable (String) async throws(Failure) -> [Finding],
        support: @escaping @Sendable (String) async throws(Failure) -> [Finding]
    ) {
        self.examine = examine
        self.repair = repair
        self.rebuild = rebuild
        self.salvage = salvage
        self.support = support
    }
}

/// Files and their bytes, as the file system has them.
package struct FileAmount: Hashable, Sendable {
    package var files: Int
    package var bytes: Int

    package init(files: Int = 0, bytes: Int = 0) {
        self.files = files
        self.bytes = bytes
    }

    package static func + (one: FileAmount, other: FileAmount) -> FileAmount {
        FileAmount(files: one.files + other.files, bytes: one.bytes + other.bytes)
    }
}

package struct StorageUsage: Hashable, Sendable {
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case contents, thumbnails, previews, runs, undo, rehearsals, database, log, rest
    }

    /// What one workflow uses.
    package struct User: Hashable, Sendable {
        package var id: WorkflowID
        package var title: String
        package var all: FileAmount
        /// Of it, what no other workflow uses.
        package var own: FileAmount

        package init(id: WorkflowID, title: String, all: FileAmount, own: FileAmount) {
            self.id = id
            self.title = title
            self.all = all
            self.own = own
        }
    }

    package var parts: [Part: FileAmount]
    /// Of the contents, those that no row names, whether or not they are old enough to go.
    package var unnamed: FileAmount
    package var kept: [KeptAsset]
    /// Those that use most, first; `Limits.listedUsers` of them.
    package var users: [User]
    /// How many use something.
    package var userCount: Int

    package init(parts: [Part: FileAmount], unnamed: FileAmount, kept: [KeptAsset], users: [User], userCount: Int) {
        self.parts = parts
        self.unnamed = unnamed
        self.kept = kept
        self.users = users
        self.userCount = userCount
    }

    package var total: FileAmount { parts.values.reduce(FileAmount(), +) }
}

package struct FreedSpace: Hashable, Sendable {
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case contents, thumbnails, previews, runs, undo, rehearsals, leftovers
    }

    package var parts: [Part: FileAmount]
    package var isDryRun: Bool

    package init(parts: [Part: FileAmount], isDryRun: Bool) {
        self.parts = parts
        self.isDryRun = isDryRun
    }

    package var total: FileAmount { parts.values.reduce(FileAmount(), +) }
}

package struct PinChange: Hashable, Sendable {
    package var asset: KeptAsset
    package var isChanged: Bool

    package init(asset: KeptAsset, isChanged: Bool) {
        self.asset = asset
        self.isChanged = isChanged
    }
}

package struct PreviewFile: Hashable, Sendable {
    package var asset: Asset
    /// Of a picture, a PNG in the cache; of anything else, its content.
    package var path: String

    package init(asset: Asset, path: String) {
        self.asset = asset
        self.path = path
    }
}

package struct BundleSummary: Hashable, Sendable {
    package var workflow: WorkflowID
    package var title: String
    package var path: String
    package var contents: Int
    /// Contents that did not come along: gone, or made of files that may hold keys.
    package var withheld: Int
    package var bytes: Int
    /// Whether it waits for a person to let it go on.
    package var isHeld: Bool

    package init(
        workflow: WorkflowID, title: String, path: String, contents: Int, withheld: Int, bytes: Int,
        isHeld: Bool = false
    ) {
        self.workflow = workflow
        self.title = title
        self.path = path
        self.contents = contents
        self.withheld = withheld
        self.bytes = bytes
        self.isHeld = isHeld
    }
}
