import Console
import Glibc
import Tools
import Vocabulary

/// What `doctor` looks at.
struct Examination {
    let wiring: Wiring

    func findings() async -> [House.Finding] {
        [folders, database, sandbox] + tools + providers + [model]
    }

    private var folders: House.Finding {
        do throws(Failure) {
            try wiring.folders.makeData()
            let isWritable = access(wiring.folders.data, W_OK) == 0
            return House.Finding(
                isFine: isWritable, name: "data folder",
                words: isWritable ? wiring.folders.data : "\(wiring.folders.data) cannot be written")
        } catch {
            return House.Finding(name: "data folder", error)
        }
    }

    private var database: House.Finding {
        do throws(Failure) {
            let faults = try wiring.databaseFaults()
            return House.Finding(isFine: faults.isEmpty, name: "database", words: faults.isEmpty ? "sound" : faults.joined(separator: "; "))
        } catch {
            return House.Finding(name: "database", error)
        }
    }

    private var sandbox: House.Finding {
        let reason = Sandbox.here.reasonForNone
        return House.Finding(
            isFine: reason == nil, name: "sandbox", words: reason.map { "none: \($0). Shipped tools run without it." } ?? "bubblewrap works"
        )
    }

    private var tools: [House.Finding] {
        let (catalogue, problems) = wiring.toolsWithProblems()
        let missing = Dictionary(grouping: catalogue.unavailable.sorted { $0.key < $1.key }, by: \.value.words)
        let findings = missing.sorted { $0.key < $1.key }.map { words, kinds in
            House.Finding(isFine: false, name: kinds.map(\.key).joined(separator: ", "), words: words)
        }
        let faults = problems.map { House.Finding(isFine: false, name: "manifest", words: $0.description) }
        return [House.Finding(isFine: true, name: "tools", words: "\(catalogue.tools.count) known")] + findings + faults
    }

    /// Whose keys are there is not looked up: that may ask a keyring. Only what is wrong for sure is told.
    private var providers: [House.Finding] {
        let known = (try? wiring.providers.get()) ?? [:]
        let secrets = Secrets(config: wiring.folders.config, keyCommand: wiring.settings.keyCommand)
        let faults = Set(known.values.compactMap { $0.auth?.secret }).sorted().compactMap { secrets.fault(of: $0) }
        return [House.Finding(isFine: true, name: "providers", words: "\(known.count) known")]
            + faults.map { House.Finding(isFine: false, name: "key", words: $0) }
    }

    private var model: House.Finding {
        do throws(Failure) {
            let model = try wiring.settings.model()
            return House.Finding(isFine: true, name: "model", words: model.map { "\($0.name) at \($0.url)" } ?? "built-in planner")
        } catch {
            return House.Finding(isFine: false, name: "model", words: error.description)
        }
    }
}
