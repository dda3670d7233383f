import Actions
import Vocabulary

/// The result, file or folder that `view` was asked for.
enum ViewTarget: Hashable {
    /// `$`, or nothing: the newest result of the conversation.
    case newest
    case workflow(WorkflowID)
    case asset(AssetName)
    case path(String)

    init(_ word: String?) {
        guard let word, word != "$" else {
            self = .newest
            return
        }
        self =
            WorkflowID(parsing: word).map { .workflow($0) } ?? AssetName(parsing: word).map { .asset($0) }
            ?? .path(word)
    }

    /// Returns the word as it is typed in a line: a name that begins like an option is a path all the same.
    static func typed(_ word: String) -> String { Words.quoted(word.hasPrefix("-") ? "./\(word)" : word) }

    /// Whether the word can only be a result, so that it is no path into a value.
    var isResult: Bool { if case .path = self { false } else { true } }
}

/// The search for the content that a target names.
struct ViewFinder {
    let context: CommandContext

    /// A content, and the results beside it that the same word may mean.
    struct Found {
        var content: ViewedContent
        var others: [Asset] = []
    }

    /// Returns the content that a target names.
    ///
    /// - Throws: `secretFile` if a program that Assent started asks for what may hold keys.
    func find(_ target: ViewTarget) throws(Failure) -> Found {
        let found = try located(target)
        guard context.isOwnChild, found.content.isPrivate else { return found }
        throw Failure(
            .secretFile, "\(found.content.name) may hold keys: a program that Assent started does not see it.",
            remedy: "Look at it in a terminal that Assent has not started.")
    }

    private func located(_ target: ViewTarget) throws(Failure) -> Found {
        switch target {
        case .path(let path): return Found(content: try context.viewing.content(at: path))
        case .newest:
            guard let id = try context.viewing.newest(in: context.session) else {
                throw Failure(
                    .unknownAsset, "There is no result to look at yet.", remedy: "Name one, such as w3.2, or a file.")
            }
            return try result(of: id)
        case .workflow(let id):
            _ = try Find.workflow(id, in: context)
            return try result(of: id)
        case .asset(let name): return try asset(name)
        }
    }

    /// Returns the result of the last step that has one.
    private func result(of id: WorkflowID) throws(Failure) -> Found {
        let assets = try context.look.assets(id).filter { !$0.isEmptyErrors }
        let rows = context.look.rows(of: id)
        guard let last = assets.map(\.run.step.index).max(by: { rows.place($0) < rows.place($1) }) else {
            throw Failure(.unknownAsset, "\(id) has no result yet.", remedy: "See '\(Voice.call("show \(id)"))'.")
        }
        return try asset(.output(step: StepID(id, last), attempt: nil, port: nil))
    }

    private func asset(_ name: AssetName) throws(Failure) -> Found {
        let found = try context.viewing.assets(named: name)
        switch name {
        case .output(let step, _, let port):
            let made = found.filter { port != nil || !$0.isEmptyErrors }
            guard !made.isEmpty else {
                throw Failure(
                    .unknownAsset, "There is no asset \(name).",
                    remedy: "See '\(Voice.call("show \(step.workflow)"))'.")
            }
            return try chosen(of: made)
        case .content(let prefix):
            guard let asset = found.first else {
                // A file may be called like the beginning of a hash.
                do throws(Failure) { return Found(content: try context.viewing.content(at: prefix)) } catch {
                    throw Failure(
                        .unknownAsset, "There is no asset \(name), and no file.",
                        remedy: "See 'assent show' with the workflow.")
                }
            }
            guard Set(found.map(\.hash)).count == 1 else {
                throw Failure(
                    .badUsage, "\(name) may be several assets.",
                    remedy: "Say which: \(NameList.words(found.map(\.label))).")
            }
            return Found(content: try context.viewing.content(of: asset))
        }
    }

    /// Returns the asset that a user means by a step: a text rather than data with the same content, and not the error
    /// output of a command.
    private func chosen(of assets: [Asset]) throws(Failure) -> Found {
        let rank = { (asset: Asset) in asset.isOfCommand && asset.port == "errors" ? 2 : asset.type == .json ? 1 : 0 }
        let sorted = assets.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(
            \.element)
        return Found(content: try context.viewing.content(of: sorted[0]), others: Array(sorted.dropFirst()))
    }
}

extension Asset {
    /// The word by which a verb accepts this asset, such as `w3.2.1.image`.
    var label: String { "\(run.step).\(run.attempt).\(port)" }
}
