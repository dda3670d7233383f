import Tools
import Vocabulary

extension OpenWorkspace {
    /// Returns the catalogue of the engine: the tools of plans and files, and those of undo workflows and of results
    /// that are saved.
    static func engineCatalogue(_ catalogue: Catalogue) -> Catalogue {
        Catalogue(
            catalogue.sorted + [.undo, .saveResult], unavailable: catalogue.unavailable,
            providers: Array(catalogue.providers.values))
    }
}
