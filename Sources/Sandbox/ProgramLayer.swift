package import Files
import Glibc
package import Vocabulary

/// A folder with programs of the user as a command sees it: laid over by an overlay that hides files of keys, and that
/// takes what the command writes if it may write there.
package struct ProgramLayer {
    package let root: PersonalPrograms.Root
    /// The files below the root that are hidden.
    private let hidden: PrivateFiles
    /// The files among them that mounts hide, since the overlay does not.
    private let mountedOver: PrivateFiles
    /// The overlay, or `nil` if the root is shown as it is.
    let overlay: Laid?

    /// The folders of an overlay. All are absolute paths.
    struct Laid: Hashable {
        let lower: String
        /// The folder where it is mounted, which is empty without it.
        let place: String
        /// A folder of stand-ins that lie over the root.
        let cover: String?
        /// The folder that takes the writes, and the one that the kernel needs for its own files.
        let upper: String?
        let work: String?
    }

    /// Makes the folders for a root.
    ///
    /// - Parameters:
    ///   - hidden: the files below the root to hide.
    ///   - folder: an absolute path that does not exist, outside of the root.
    package init(of root: PersonalPrograms.Root, hidden: PrivateFiles, at folder: String) throws(Failure) {
        self.root = root
        self.hidden = hidden
        try makeFolders(folder)
        let standIns = try StandIns(of: hidden, given: [], in: root.path, at: "\(folder)/cover")
        mountedOver = standIns.map(hidden.without) ?? hidden
        guard standIns != nil || root.isScratch, folder.path(below: root.path) == nil else {
            overlay = nil
            return
        }
        let (place, upper, work) = ("\(folder)/place", "\(folder)/upper", "\(folder)/work")
        try makeFolders(place)
        if root.isScratch {
            for made in [upper, work] { try makeFolders(made) }
            // A folder that stays read-only must be there, so that a command cannot make it.
            for name in root.fixed where access(root.path.child(name), F_OK) != 0 {
                guard mkdir(upper.child(name), 0o555) == 0 else { throw fileFailure("make", upper.child(name)) }
            }
        }
        // The folder itself is seen as the uppermost one.
        if let top = root.isScratch ? upper : standIns?.folder {
            let mode = try OpenFolder(root.path).file.status().st_mode & 0o7777
            guard chmod(top, mode) == 0 else { throw fileFailure("change", top) }
        }
        overlay = Laid(
            lower: root.path, place: place, cover: standIns?.folder, upper: root.isScratch ? upper : nil,
            work: root.isScratch ? work : nil)
    }

    /// The folder that takes the writes of a command, or `nil` if nothing can be written.
    package var written: String? { overlay?.upper }

    /// Returns the options for bubblewrap that show the folder.
    ///
    /// - Parameter isLaid: whether the overlay is there. Without it, the folder is read-only.
    func options(isLaid: Bool) -> [String] {
        guard isLaid, let overlay else { return ["--ro-bind", root.path, root.path] }
        var words = [root.isScratch ? "--bind" : "--ro-bind", overlay.place, root.path]
        // A link leads to a folder that the command sees or not, as any other link.
        for name in root.fixed where linkTarget(root.path.child(name)) == nil {
            words += ["--ro-bind", overlay.place.child(name), root.path.child(name)]
        }
        return words
    }

    /// Returns the files that mounts hide.
    func hidden(isLaid: Bool) -> PrivateFiles { isLaid && overlay != nil ? mountedOver : hidden }
}

extension ProgramCommand {
    /// Whether the command sees its programs through overlays. Without one over the workspace, it has none.
    private var hasLayers: Bool { overlay != nil && laysPrograms }

    /// The overlays over the folders of the user's programs.
    var laidLayers: [ProgramLayer.Laid] { hasLayers ? programLayers.compactMap(\.overlay) : [] }

    /// The options for bubblewrap that show the folders of the user's programs.
    var programOptions: [String] { programLayers.flatMap { $0.options(isLaid: hasLayers) } }

    /// The files in these folders that mounts hide.
    var hiddenInPrograms: PrivateFiles {
        programLayers.reduce(PrivateFiles()) { $0.and($1.hidden(isLaid: hasLayers)) }
    }

    /// Lets a command see programs of the user. Links in its home lead to them, since programs look for them there.
    package mutating func show(_ programs: PersonalPrograms, _ layers: [ProgramLayer]) {
        self.programs = programs
        programLayers = layers
        guard let home = programs.home else { return }
        let roots = layers.map(\.root.path)
        for path in roots where !roots.contains(where: { path.path(below: $0).map { !$0.isEmpty } ?? false }) {
            if let name = path.path(below: home), !name.isEmpty { homeLinks[name] = path }
        }
    }
}
