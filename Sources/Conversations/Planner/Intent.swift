import JSON
import Vocabulary

/// The meaning of a line: groups of files, with the actions on each.
struct Intent {
    struct Source: Hashable {
        /// A path in the working folder, or an address.
        var name: String
        var isURL = false
        /// Whether it is a folder that is taken as a whole.
        var isFolder = false
        /// The parameters of the request for an address, such as its method.
        var params: [String: String] = [:]

        /// The type of the source: `image`, `text`, `json` or `file`. The type of an address is guessed from its name.
        var type: String {
            isFolder ? "file" : FileName.type(of: isURL ? String(name.prefix { $0 != "?" && $0 != "#" }) : name)
        }
    }

    enum Action {
        /// A step. The second value feeds the second input of its tool.
        case step(Step, second: Source?)
        case save(path: String?, overwrite: Bool)

        /// Whether the step makes one result of many files.
        var isGathering: Bool {
            if case .step(let step, _) = self { step.tool.gathers } else { false }
        }
    }

    struct Group {
        var sources: [Source] = []
        /// The numbers of the groups whose results are gathered here.
        var parents: [Int] = []
        var actions: [Action] = []
        /// The tool that loads the address, if a verb calls for it.
        var fetcher: ToolManifest?
        /// Whether the originals are replaced: "replace the original", "in place".
        var overwritesOriginals = false
        /// The names of the files that are overwritten, if the words for it name some: "overwrite a.jpg with …".
        var overwritten: [String] = []
        /// The parts of the sentence that ask for overwriting.
        var overwriting: [Int] = []
        /// Whether the result is a square, whatever the picture is: "as a square thumbnail".
        var isSquare = false
        /// The verb that the user said for a group that is only saved, such as "copy".
        var verb: String?
        /// Whether the result is only shown: "show the first line".
        var isShown = false
        /// Whether the loaded file is saved even if no tool follows: "download".
        var savesWhatIsLoaded = false

        /// Whether the current object is of a kind: the output of the last step, or the files if there is no step.
        func isKind(_ set: FileSet) -> Bool {
            if let format = lastStep?.params["format"]?.string, FileName.format(set.what) == format { return true }
            if let output = lastStep?.tool.outputs.first?.type, output != .any, output != .file {
                return set.what == output.name || set.what == "any"
            }
            return sources.isEmpty || sources.contains { set.isKind(of: $0.name) || set.what == $0.type }
        }

        var lastStep: Step? {
            for case .step(let step, _) in actions.reversed() { return step }
            return nil
        }
    }

    var groups: [Group] = []
    /// The steps on named files that stand alone: move, delete, write, list.
    var alone: [Step] = [] {
        didSet { while places.count < alone.count { places.append(groups.count) } }
    }
    /// The number of groups that the sentence had named before each step of `alone`.
    private(set) var places: [Int] = []
    /// The sets that mean all files of a folder.
    var everything: [FileSet] = []
    /// The pictures that sets leave out since Assent made them.
    var leftResults: [String] = []
    /// The hidden files and folders that sets leave out.
    var leftHidden: [String] = []
    /// The sets that do not reach into the folders below, with the number of files that lie there.
    var leftBelow: [(set: FileSet, count: Int)] = []
    /// The folders that are not taken, since files that are to be left out lie in them.
    var leftFolders: [String] = []
    /// The answer in words, in place of a plan.
    var words: PlannerText?
}
