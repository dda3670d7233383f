import JSON
import Vocabulary

/// The files and parts of files that a plan leaves out although the sentence means them, as far as the listing of the
/// folder shows. The user sees them before anything runs.
struct PlanLeavings {
    private let intent: Intent
    private let listing: Listing

    init(_ intent: Intent, _ listing: Listing) { (self.intent, self.listing) = (intent, listing) }

    /// The sentences, one for each kind.
    var sentences: [PlannerText] { [results, hidden, below, frames, outOfFolders].compactMap(\.self) }

    /// The sentence about pictures that Assent made, or nil if none are left out.
    private var results: PlannerText? {
        let names = intent.leftResults
        guard let first = names.first else { return nil }
        return names.count == 1
            ? "1 result is left out, \(first): “also the results” takes it."
            : "\(names.count) results are left out: “also the results” takes them."
    }

    /// The sentence about hidden files and folders, or nil if none are left out.
    private var hidden: PlannerText? {
        let names = intent.leftHidden
        guard let first = names.first else { return nil }
        let isFolder = listing.hidden.contains { $0.name == first && $0.isFolder }
        return names.count == 1
            ? isFolder
                ? "1 hidden folder is left out, \(first): “also the hidden files” takes it."
                : "1 hidden file is left out, \(first): “also the hidden files” takes it."
            : "\(names.count) hidden files are left out, such as \(first): “also the hidden files” takes them."
    }

    /// The sentence about files in the folders below that a set does not reach, or nil if there are none.
    private var below: PlannerText? {
        let left = intent.leftBelow
        guard let first = left.first else { return nil }
        let count = left.map(\.count).reduce(0, +)
        let set = left.count > 1 ? FileSet(what: "any", folder: nil) : first.set
        return count == 1
            ? "1 more \(set.inWords) lies in a folder below: “in all folders” takes it."
            : "\(count) more \(set.plural) lie in folders below: “in all folders” takes them."
    }

    /// The sentence about pictures of which a tool uses only the first frame or page, or nil if there are none.
    private var frames: PlannerText? {
        let names = Set(listing.files.filter(\.hasPages).map(\.name))
        guard !names.isEmpty else { return nil }
        var cut: [String: String] = [:]
        for group in intent.groups {
            for source in group.sources where names.contains(source.name) && cut[source.name] == nil {
                cut[source.name] = firstOnly(group.actions, format: FileName.suffix(of: source.name) ?? "")
            }
        }
        guard let tool = cut.values.min() else { return nil }
        let files = cut.keys.sorted()
        let more = files.count - Limits.changedNamesSaid
        let shown =
            files.prefix(Limits.changedNamesSaid).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return files.count == 1
            ? "\(shown) has several frames or pages: \(tool) takes only the first one."
            : "These have several frames or pages, of which only the first one is taken: \(shown)."
    }

    /// Returns the title of the first tool that keeps only the first frame or page, or nil if all are kept.
    private func firstOnly(_ actions: [Intent.Action], format: String) -> String? {
        var format = format
        for case .step(let step, _) in actions {
            let isPictureTool =
                step.tool.inputs.first?.type == .image && step.tool.outputs.contains { $0.type == .image }
            guard isPictureTool else { return nil }
            guard PageRule.keeps(step.tool.kind, step.params, format: format) else { return step.tool.title }
            format = step.params["format"]?.string ?? format
        }
        return nil
    }

    /// The sentence about folders in a packed folder, and files whose names are not valid text, or nil if there are
    /// none.
    private var outOfFolders: PlannerText? {
        guard !intent.everything.isEmpty else { return nil }
        var (folders, odd): ([String], [String]) = (intent.leftFolders, [])
        for folder in Set(intent.everything.map(\.top)).sorted() {
            func isIn(_ path: String) -> Bool { FileName.parent(of: path) == folder }
            odd += listing.notText.filter(isIn)
        }
        let parts =
            (folders.isEmpty ? [] : [LeftOut(.folders, folders.count, names: folders)])
            + (odd.isEmpty ? [] : [LeftOut(.names, odd.count, names: odd)])
        guard let words = LeftOut.words(parts) else { return nil }
        return "\(words.prefix(1).uppercased() + words.dropFirst())."
    }
}
