import Services
import Tools
package import Vocabulary

extension OpenWorkspace {
    /// The tools that plans and files may name. There are none if they cannot be read.
    var knownTools: Catalogue { (try? catalogue.get()) ?? Catalogue() }

    /// The tools of the engine. There are none if they cannot be read.
    package var knownEngineTools: Catalogue { (try? engineCatalogue.get()) ?? Catalogue() }

    /// Returns the catalogue of the engine: the tools of plans and files, and those of undo workflows and of results
    /// that are saved or brought in.
    static func engineCatalogue(_ catalogue: Catalogue) -> Catalogue {
        Catalogue(
            catalogue.sorted + [.undo, .saveResult, .loadResult], unavailable: catalogue.unavailable,
            providers: Array(catalogue.providers.values))
    }
}
