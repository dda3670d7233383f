import Files
import Services
import Tools
import Vocabulary

/// The notice that the sandbox of this machine protects less than usual.
package struct SandboxNotice: Sendable {
    let shared: OpenWorkspace

    /// Creates the notice of what one process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns the words of the notice. Returns nil if the sandbox works, or if the user has seen the notice. The first
    /// call tries the sandbox out.
    package func words() async -> String? {
        // A child in a sandbox finds no sandbox, and no user reads its output.
        guard !Ancestry.isOwnChild else { return nil }
        let (folders, toolbox) = (shared.folders, shared.toolbox)
        let notices = ShelterNotices(folder: folders.data) { try? toolbox.get().shelter(over: nil) }
        // A data folder that cannot be made stops the command itself, with its error.
        return try? await shared.blocking { () throws(Failure) in
            try folders.makeData()
            return notices.due()
        }
    }
}
