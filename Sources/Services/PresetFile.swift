package import JSON
import Manifests
package import Vocabulary

extension Limits {
    /// The most bytes of `presets.yaml`.
    fileprivate static let presetBytes = 256 << 10
}

/// The presets of the user: `presets.yaml` in the config folder. The file is read whenever a preset is used. A file
/// that cannot be read never counts as one without presets.
package struct PresetFile: Sendable {
    let folder: String

    /// Creates the presets of a config folder. The file is not read yet.
    package init(folder: String) { self.folder = folder }

    /// The path of `presets.yaml`, which may be missing.
    package var path: String { folder + "/presets.yaml" }
    private var file: ConfigFile {
        ConfigFile(path, limit: Limits.presetBytes, emptyRemedy: "delete it, and save your presets again")
    }

    /// Returns the presets in the file, and its problems. If there is a problem, there are no presets.
    package func read() -> (presets: [Preset], problems: [Problem]) {
        do throws(Problem) { return readPresets(try file.text() ?? "", file: path) } catch { return ([], [error]) }
    }

    /// Returns the presets in the order of the file.
    ///
    /// - Throws: `badSettings` if the file cannot be used.
    package func list() throws(Failure) -> [Preset] {
        let (presets, problems) = read()
        guard problems.isEmpty else { throw .badSettings(problems) }
        return presets
    }

    /// Stores the values of a preset, or removes the preset, and leaves the rest of the file as the user wrote it.
    ///
    /// - Parameter params: the values, or nil to remove the preset.
    /// - Throws: `badSettings` if the file cannot be read, or if no change of its lines gives these presets. Then
    ///   nothing has changed.
    package func set(_ params: JSON.Object?, of kind: String, _ name: String) throws(Failure) {
        let wish = "\(kind), \(name)"
        try file.change(wish) { text throws(Failure) in
            let (old, faults) = readPresets(text, file: path)
            guard faults.isEmpty else { throw .badSettings(faults) }
            let new = PresetWriter.text(text, with: params, of: kind, name)
            let (read, problems) = readPresets(new, file: path)
            var wanted = old.filter { ($0.kind, $0.name) != (kind, name) }
            if let params { wanted.append(Preset(kind: kind, name: name, params: params)) }
            guard problems.isEmpty, Set(read) == Set(wanted), read.count == wanted.count else {
                throw Failure(
                    .badSettings, "\(path) is not changed: no change of its lines gives this preset.",
                    remedy: problems.first?.message ?? "Write it by hand: \(wish).")
            }
            return new
        }
    }
}
