import Files
import JSON
import Services
import Tools
package import Vocabulary
import Workflows

extension Looks {
    /// Starts the workflow of one step that copies a content into a file of the user's. It can be undone as other
    /// changes of files.
    ///
    /// - Parameters:
    ///   - path: the path as it was typed. In an existing folder, the file has the name of the content.
    ///   - replaces: whether an existing file is replaced.
    /// - Returns: also the real path of the file.
    /// - Throws: `targetExists` if the file exists and is not to be replaced.
    package func save(
        _ content: ViewedContent, to path: String, replaces: Bool, _ start: WorkflowStart
    ) async throws(Failure) -> (path: String, workflow: WorkflowID) {
        try await shared.blocking { () throws(Failure) in
            let toolbox = try toolbox
            let name = content.asset?.name ?? lastName(of: content.path)
            let place = try toolbox.placeForSaving(path, named: name, from: shared.workspace, replaces: replaces)
            let request = try toolbox.add(
                SaveRequest(
                    source: content.path, target: place, isPrivate: content.isPrivate, replaces: replaces,
                    traits: content.asset?.traits))
            var params = JSON.Object()
            params["request"] = .string(request)
            let template = Template(
                name: "save \(lastName(of: place))",
                nodes: [Template.Node(id: "save", kind: ToolManifest.saveResult.kind, params: params)])
            let folder = place.path(below: shared.workspace) == nil ? parent(of: place) : shared.workspace
            return (
                place,
                try WorkflowActions(shared).start(template, start, in: folder, with: try shared.engineCatalogue.get())
            )
        }
    }
}
