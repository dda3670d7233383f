import JSON
import Vocabulary

/// What a line asks for, understood as groups of files with what happens to each.
struct Intent {
    struct Source: Hashable {
        /// A path in the working folder, or an address.
        var name: String
        var isURL = false
        /// Of the request for an address: its method.
        var params: [String: String] = [:]

        /// `image`, `text`, `json`, `file`; for an address, what its name promises.
        var type: String { FileName.type(of: isURL ? String(name.prefix { $0 != "?" && $0 != "#" }) : name) }
    }

    enum Action {
        /// The second value feeds the tool's second input.
        case step(Step, second: Source?)
        case save(path: String?, overwrite: Bool)

        /// Whether it makes one result of many.
        var isGathering: Bool {
            if case .step(let step, _) = self { step.tool.inputs.contains(where: \.isVariadic) } else { false }
        }
    }

    struct Group {
        var sources: [Source] = []
        /// Groups whose results are gathered here.
        var parents: [Int] = []
        var actions: [Action] = []
        /// How an address is to be got: the tool that its verb calls for.
        var fetcher: ToolManifest?
        /// "replace the original", "in place".
        var overwritesOriginals = false
        /// The parts of the sentence that say so.
        var overwriting: [Int] = []
        /// "as a square thumbnail": as wide as high, whatever the picture is.
        var isSquare = false
        /// "show the first line": the result is only looked at.
        var isShown = false
        /// "download" wants a file also where no tool follows.
        var savesWhatIsLoaded = false

        /// Whether what is at hand is of a kind: what comes out of the last step, or the files where there is no step.
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
    /// Steps on named files of their own: move, delete, write, list.
    var alone: [Step] = []
    /// The sets that mean everything in a folder.
    var everything: [FileSet] = []
    /// The answer in words, in place of a plan.
    var words: String?
}
