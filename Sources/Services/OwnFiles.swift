import Consent
import Embedded
import Manifests
package import Vocabulary

/// The user's files of any name in folders of the config folder: tools, providers, templates, guides and the prompt.
extension Shelves {
    /// Reads the user's manifests in a folder of the config folder.
    ///
    /// - Parameters:
    ///   - key: the field whose value names a manifest, such as `kind`.
    ///   - add: gets the text of each readable file, and its path.
    /// - Returns: a problem for each file that cannot be read, with the names of its manifests as far as they can be
    ///   found.
    func addOwn(in folder: String, key: String, _ add: (_ text: String, _ path: String) -> Void) -> [Problem] {
        let paths: [String]
        do throws(Problem) { paths = try ConfigFolder.paths(in: "\(folders.config)/\(folder)", suffix: ".yaml") } catch
        { return [error] }
        return paths.compactMap { path in
            let file = ownFile(path)
            do throws(Problem) {
                if let text = try file.text() { add(text, path) }
                return nil
            } catch {
                var problem = error
                problem.manifests = (file.wordsOfDamaged() ?? "").namesOfManifests(by: key)
                return problem
            }
        }
    }

    /// Returns the reader of a file below the config folder, which others must not be able to write either.
    private func ownFile(_ path: String, limit: Int = Limits.configBytes) -> ConfigFile {
        ConfigFile(path, limit: limit, below: folders.config)
    }

    // MARK: Prompt

    private var promptFile: ConfigFile { ownFile("\(folders.config)/prompts/planner.md") }

    /// Returns the text of the planner's prompt.
    package func prompt() -> String {
        // If the user's own prompt cannot be read, nothing is started (`Configuration`).
        ((try? promptFile.text()) ?? nil) ?? Embedded.text(at: "Prompts/planner.md")!
    }

    /// Returns the examples of calls for the prompt, and the kinds that it describes.
    package func promptParts() -> (examples: String, kinds: [String]) {
        let kinds = (Embedded.text(at: "Prompts/kinds.txt") ?? "").split { $0.isWhitespace || $0.isNewline }
        return (Embedded.text(at: "Prompts/examples.md") ?? "", kinds.map(String.init))
    }

    // MARK: Templates

    /// Returns the name, the path and the bytes of each template. The user's own come first and replace shipped ones of
    /// the same name, even if they cannot be read. Their bytes are then empty, which is not a valid template.
    package func templates() -> [(name: String, path: String, bytes: [UInt8])] {
        named(in: "templates", suffix: ".json").map { name, path, isOwn in
            isOwn
                ? (
                    name, path,
                    (try? ownFile(path, limit: Limits.templateBytes).contents())??.bytes ?? []
                )
                : (name, "embedded:\(path)", Embedded.bytes(at: path) ?? [])
        }
    }

    /// Returns the files of a folder of the configuration by their names. The user's own come first, and replace
    /// shipped ones of the same name.
    private func named(in folder: String, suffix: String) -> [(name: String, path: String, isOwn: Bool)] {
        func name(_ path: String) -> String { String((path.split(separator: "/").last ?? "").dropLast(suffix.count)) }
        let own = ((try? ConfigFolder.paths(in: "\(folders.config)/\(folder)", suffix: suffix)) ?? []).map {
            (name($0), $0, true)
        }
        let shipped = Embedded.paths.filter { $0.hasPrefix("Config/\(folder)/") && $0.hasSuffix(suffix) }.map {
            (name($0), $0, false)
        }
        return own + shipped.filter { entry in !own.contains { $0.0 == entry.0 } }
    }

    /// Returns the bytes of a template that `templates()` names.
    package func templateFile(_ path: String) throws(Failure) -> [UInt8] {
        if path.hasPrefix("embedded:"), let bytes = Embedded.bytes(at: String(path.dropFirst("embedded:".count))) {
            return bytes
        }
        if path.hasPrefix("\(folders.config)/") {
            do throws(Problem) {
                let file = ownFile(path, limit: Limits.templateBytes)
                if let bytes = try file.contents()?.bytes { return bytes }
            } catch { throw .badSettings([error]) }
        }
        return try FileSystem.bytes(path)
    }

    // MARK: Guides

    /// Returns the name, the path and the text of each guide. The user's own come first and replace shipped ones of the
    /// same name, even if they cannot be read. Their text is then empty.
    package func guides() -> [(name: String, path: String?, text: String)] {
        named(in: "guides", suffix: Self.guideSuffix).map { name, path, isOwn in
            isOwn
                ? (
                    name, path,
                    (try? ownFile(path, limit: Limits.guideBytes).text()) ?? nil ?? ""
                )
                : (name, nil, Embedded.text(at: path) ?? "")
        }
    }

    private static let guideSuffix = ".yaml"

    // MARK: For doctor

    /// Returns the problems of the user's templates, by a reader of templates.
    ///
    /// - Parameter read: returns the problems of one text.
    package func templateProblems(_ read: ([UInt8]) -> [Problem]) -> [Problem] {
        problems(in: "templates", suffix: ".json", limit: Limits.templateBytes) { bytes, _, path in
            read(bytes).map { problem in
                Problem(problem.code, at: problem.place.isEmpty ? path : "\(path), \(problem.place)", problem.message)
            }
        }
    }

    /// Returns the problems of the user's guides, by a reader of guides.
    ///
    /// - Parameter read: returns the problems of one text, with their places in the file of that path.
    package func guideProblems(_ read: (_ text: String, _ path: String) -> [Problem]) -> [Problem] {
        problems(in: "guides", suffix: Self.guideSuffix, limit: Limits.guideBytes) { _, text, path in read(text, path) }
    }

    private func problems(
        in folder: String, suffix: String, limit: Int,
        _ read: (_ bytes: [UInt8], _ text: String, _ path: String) -> [Problem]
    ) -> [Problem] {
        let paths: [String]
        do throws(Problem) { paths = try ConfigFolder.paths(in: "\(folders.config)/\(folder)", suffix: suffix) } catch {
            return [error]
        }
        return paths.flatMap { path -> [Problem] in
            do throws(Problem) {
                let file = ownFile(path, limit: limit)
                guard let bytes = try file.contents()?.bytes else { return [] }
                return read(bytes, try file.text(of: bytes), path)
            } catch {
                return [error]
            }
        }
    }

    /// Returns the problem of the user's prompt, or nil if it is absent or can be read.
    package func promptProblem() -> Problem? {
        do throws(Problem) { _ = try promptFile.text() } catch { return error }
        return nil
    }
}
