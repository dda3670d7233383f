import LanguageModels
import Services
import Vocabulary

extension Limits {
    /// How long doctor waits for a model's server, in seconds.
    fileprivate static let doctorModelSeconds = 15.0
}

/// The checks of `doctor` about models: the model in use with its reason, and the problems of the files.
struct ModelChecks {
    let shared: OpenWorkspace

    /// Returns the findings. The server of the model is asked for its models.
    func findings() async -> [Finding] {
        [await model()] + old + faults(of: "connections", connections) + faults(of: "models", shelf.problems)
    }

    private var shelf: ModelShelf { shared.modelFiles.shelf() }
    private var connections: [Problem] { shared.modelFiles.connections(shared.keyRing).problems }

    private func faults(of name: String, _ problems: [Problem]) -> [Finding] {
        problems.map { Finding(isFine: false, name: name, words: shared.keyRing.filter.cut($0.description)) }
    }

    /// Returns the finding about the model in use.
    private func model() async -> Finding {
        do throws(Failure) {
            guard let choice = try shared.model.choice() else {
                return Finding(isFine: true, name: "model", words: "built-in planner")
            }
            let profile = choice.profile
            let connection = choice.connection.map { " (\($0))" } ?? ""
            let words = "\(profile.model)\(connection) at \(profile.url) · \(choice.reason)"
            if choice.host.isRefused { return fault("\(words): \(Failure.insecureHost(choice.host))") }
            let question = choice.hostQuestion
            guard try shared.consents.missing(question.hosts, for: question.use).isEmpty else {
                return fault("\(words): not allowed yet · \(question.command)")
            }
            let host = choice.host
            let way =
                host.place == .thisMachine ? "on this machine" : host.isEncrypted ? "allowed" : "allowed, NOT ENCRYPTED"
            return await answer(of: choice, "\(words) · \(way)")
        } catch {
            // The problem of the file has its own finding.
            if error.code == .badSettings, !shared.configuration.faults().isEmpty {
                return Finding(remark: "none is chosen while a file of the config folder is wrong", name: "model")
            }
            return fault(shared.keyRing.filter.cut(error).description)
        }
    }

    /// Requests the list of models from the server of a choice, which costs nothing, and returns the finding.
    private func answer(of choice: ModelChoice, _ words: String) async -> Finding {
        do throws(Failure) {
            let models = try await ModelRequests(shared).probe(of: choice, seconds: Limits.doctorModelSeconds).models()
            let names = Set(models.flatMap { [$0, $0.replacing(":latest", with: "")] })
            guard models.isEmpty || names.contains(choice.profile.model.replacing("models/", with: "")) else {
                // Some servers accept names that they do not list.
                let own = models.prefix(3).joined(separator: ", ")
                return Finding(
                    remark: shared.keyRing.filter.cut(
                        "\(words) · it answers, and does not list this model (it lists \(own), …)"),
                    name: "model")
            }
            return Finding(isFine: true, name: "model", words: "\(words) · it answers")
        } catch  where error.isOfNoModelList {
            // Not every server has a list of its models.
            return Finding(
                isFine: true, name: "model", words: "\(words) · it answers, without a list of its models")
        } catch {
            return fault("\(words) · \(shared.keyRing.filter.cut(error))")
        }
    }

    private func fault(_ words: String) -> Finding { Finding(isFine: false, name: "model", words: words) }

    /// A finding for the old form of naming a model in the settings, which is still read, with its new form.
    private var old: [Finding] {
        guard let old = try? shared.settings.oldModel() else { return [] }
        let url = old.url.contains("@") || old.url.contains("?") ? "ADDRESS" : old.url
        let key = old.keyVariable.map { $0 == ModelSources.keyVariable ? "" : ", key: \($0)" } ?? ""
        let line = "connections: {mine: {url: \"\(url)\", model: \"\(old.model ?? "default")\"\(key)}}"
        let words =
            "\"model:\" of settings.yaml is the old way and is read only where nothing else names a model. "
            + "Write into \(shared.modelFiles.connectionsPath) instead: \(line)"
        return [Finding(remark: shared.keyRing.filter.cut(words), name: "old settings")]
    }
}
