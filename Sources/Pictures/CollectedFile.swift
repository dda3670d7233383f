import Files
import Glibc
package import JSON
import Sandbox
package import Vocabulary

extension Workbench {
    /// Takes the standard output of the last command as a file of the work folder.
    ///
    /// - Throws: `fileFailed`.
    package func takeStandardOutput(as file: String) throws(Failure) {
        let path = "\(folder.path)/\(file)"
        guard link(folder.output, path) == 0 || errno == EEXIST else { throw fileFailure("write", path) }
    }

    /// Stores a file of the work folder as the output of a port.
    ///
    /// - Throws: `outputMissing` if there is no file, or a link in its place.
    package func collect(_ port: String, from file: String, name: String, meta: JSON.Object = JSON.Object())
        throws(Failure)
        -> [Asset]
    {
        guard size(of: file) != nil else {
            throw Failure(.outputMissing, "\(assignment.manifest.title) ended well but left no \(port).")
        }
        let path = "\(folder.path)/\(file)"
        // The pixels are others than those that a thumbnail shows.
        if let format = ImageHeader.read(path)?.format { try HiddenCopies.drop(from: path, as: format) }
        let content = try store.add(
            OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW), path, isCancelled: { cancel.isCancelled })
        var meta = meta
        if let image = ImageHeader.read(path) { meta = image.meta(adding: meta) }
        return assignment.asset(port, content, name: name, meta: meta).map { [$0] } ?? []
    }
}
