import Vocabulary

/// A form of file that a pattern for names cannot express. A rule lists forms under `forms`, beside its `names`.
package enum FileForm: String, Hashable, Sendable, CaseIterable {
    /// A name with a capital first letter and without a dot that ends in `file`, such as `Earthfile`.
    case capitalFile
    /// A name of settings with the ending of code or data: a hidden file, such as `.eslintrc.json`, or a name with
    /// `.config.` or `.conf.` in it, such as `vite.config.ts`.
    case settings
    /// An executable file, or a link, in a folder from which programs are started: `bin` of an environment
    /// (`.venv/bin`), `node_modules/.bin`, below a folder of hooks, or a folder of the search path.
    case program
    /// A name that ends in `.lock`, such as `Cargo.lock`, which says which versions a build takes. A new empty file is
    /// the mark of a program that runs, such as those of Cargo in `target`, and says nothing.
    case lock

    /// Returns whether a file has this form.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file.
    ///   - change: the change of the file, or `nil` if it is not known whether the file is executable.
    ///   - searchFolders: the folders in which the user's shell looks for programs.
    func matches(_ path: String, _ change: Call.Change?, searchFolders: [String]) -> Bool {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard let name = names.last else { return false }
        return switch self {
        case .capitalFile: Self.isCapitalFile(name)
        case .settings: Self.isSettings(name)
        case .lock: name.hasEnd(".lock") && !Self.isEmptyMark(change)
        case .program: Self.isProgram(path, names, change, searchFolders)
        }
    }

    private static func isEmptyMark(_ change: Call.Change?) -> Bool {
        guard let change else { return false }
        return change.kind == .file && change.modeBefore == nil && change.bytes == 0
    }

    private static func isProgram(
        _ path: String, _ names: [[UInt8]], _ change: Call.Change?, _ searchFolders: [String]
    ) -> Bool {
        let isLink = change?.kind == .link
        // A link in place of a folder makes programs appear below it.
        let places = [names.dropLast()] + (isLink ? [names[...]] : [])
        let isStarted =
            places.contains(where: isProgramFolder)
            || searchFolders.contains { path.isDirectly(in: $0) || (isLink && $0.isUnder(path)) }
        guard isStarted || places.contains(where: { $0.contains(where: isHookFolder) }) else { return false }
        return change.map(isExecutable) ?? (isStarted || names.last.map(couldBeHook) ?? false)
    }

    /// Returns whether a file is, or was, executable. A program that is so no longer does not have its effect any more,
    /// such as that of a hook.
    private static func isExecutable(_ change: Call.Change) -> Bool {
        change.kind == .link
            || (change.kind == .file && ((change.mode ?? 0) | (change.modeBefore ?? 0)) & 0o111 != 0)
    }

    private static func isCapitalFile(_ name: [UInt8]) -> Bool {
        name.hasEnd("file") && !name.contains(dot)
            && String(decoding: name, as: UTF8.self).unicodeScalars.first?.properties.isUppercase == true
    }

    private static func isSettings(_ name: [UInt8]) -> Bool {
        let parts = String(decoding: name, as: UTF8.self).lowercased().utf8
            .split(separator: dot, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard parts.count > 1, endings.contains(parts[parts.count - 1]), !records.contains(parts) else { return false }
        return parts[0].isEmpty
            ? parts.count > 2 : !Set(["config", "conf"]).isDisjoint(with: parts[1..<(parts.count - 1)])
    }

    /// Hidden files in which tools note what they found or installed, as the parts of their names. Cargo and npm write
    /// them with each build.
    private static let records: Set<[String]> = [["", "rustc_info", "json"], ["", "package-lock", "json"]]

    /// The endings of code and data. Texts, logs and copies (`txt`, `md`, `log`, `bak`) are none of them.
    private static let endings: Set<String> = [
        "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "coffee", "json", "jsonc", "json5", "yaml", "yml", "toml",
        "ini", "cfg", "conf", "xml", "hcl", "cue", "neon", "properties", "local", "py", "rb", "lua", "php", "pl", "r",
        "jl", "ex", "exs", "el", "vim", "nix", "sh", "bash", "zsh", "fish", "ps1", "swift", "kts", "groovy", "gradle",
        "edn", "clj", "go", "rs",
    ]

    private static let dot = UInt8(ascii: ".")

    /// Returns whether programs of an environment or of a package lie directly in a folder.
    private static func isProgramFolder(_ folders: ArraySlice<[UInt8]>) -> Bool {
        guard let last = folders.last, let above = folders.dropLast().last else { return false }
        return (last.elementsEqual("bin".utf8) && above.hasEnd("env"))
            || (last.elementsEqual(".bin".utf8) && above.elementsEqual("node_modules".utf8))
    }

    /// Returns whether a folder is named as one of hooks: `hooks`, `.githooks`, `.husky`, `hooks.d`.
    private static func isHookFolder(_ folder: [UInt8]) -> Bool {
        let name = folder.hasEnd(".d") ? Array(folder.dropLast(2)) : folder
        return name.hasEnd("hooks") || name.elementsEqual(".husky".utf8)
    }

    /// Returns whether a file may be a hook if its permissions are not known. Code in a folder such as `src/hooks` has
    /// the ending of its language, and hooks seldom have one.
    private static func couldBeHook(_ name: [UInt8]) -> Bool { !name.contains(dot) || name.hasEnd(".sh") }
}

extension [UInt8] {
    fileprivate func hasEnd(_ end: String) -> Bool { suffix(end.utf8.count).elementsEqual(end.utf8) }
}

extension String {
    fileprivate func isDirectly(in folder: String) -> Bool {
        guard let name = path(below: folder) else { return false }
        return !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
    }
}
