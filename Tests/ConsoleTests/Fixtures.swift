import CaseNames
import Terminal
import Vocabulary

/// Names as an attacker writes them: escape sequences, direction overrides, zero-width signs, line ends, stacked marks.
let hostile =
    "a\u{1B}[31m\u{1B}]0;x\u{07}\u{202E}gpj.exe\u{200B}\r\n[y] yes\u{9B}2J\u{E0041}"
    + String(repeating: "e\u{301}\u{302}", count: 30)

let widths = Array(20...48) + [60, 79, 80, 81, 100, 120, 132, 160, 200]

extension [StyledText] {
    var plain: String { map(\.plain).joined(separator: "\n") }
    var coloured: String { map { $0.rendered(hasColour: true) }.joined(separator: "\n") }

    /// What a person reads, without the breaks and the gutters that the width made.
    var squeezed: String { ConsoleTests.squeezed(map(\.plain).joined()) }

    func widest() -> Int { map(\.width).max() ?? 0 }

    /// No byte that a terminal would act on, nothing invisible.
    var isHarmless: Bool {
        allSatisfy { line in line.plain.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) } }
    }
}

func squeezed(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0 != " " && $0 != "┆" && $0 != "\n" }.map(Character.init))
}

extension ToolManifest {
    static func tool(
        _ kind: String, _ title: String, inputs: [Port] = [], outputs: [Port] = [Port("image", .image)],
        params: [Param] = [],
        effects: Set<Effect> = [], undo: Reversibility = .yes(how: "nothing outside the asset store changes"),
        needs: [Need] = []
    ) -> ToolManifest {
        ToolManifest(
            kind: kind, title: title, summary: "Does \(title.lowercased()).", inputs: inputs, outputs: outputs,
            params: params,
            effects: effects, reversibility: undo, action: .builtin(kind), needs: needs)
    }
}

private let image = [Port("image", .image)]
private let path = ToolManifest.Param(name: "path", kind: .path, isRequired: true)

let catalogue = Catalogue(
    [
        .tool("ImageLoader", "Load image", params: [path], effects: [.reads]),
        .tool(
            "Resize", "Resize", inputs: image,
            params: [.init(name: "width", kind: .integer, minimum: 1, maximum: 65535, unit: "px")]),
        .tool("Grayscale", "Grayscale", inputs: image),
        .tool("CompressLocal", "Compress", inputs: image, params: [.init(name: "targetKB", kind: .number, unit: "KB")]),
        .tool(
            "Stylize", "Stylize", inputs: [Port("image", .image), Port("mask", .mask)],
            outputs: image + [Port("mask", .mask)]),
        .tool(
            "Zip", "Zip", inputs: [Port("files", .file, isVariadic: true)], effects: [.creates],
            undo: .yes(how: "delete it")),
        .tool(
            "SaveFile", "Save file", inputs: [Port("file", .any)], outputs: [Port("file", .file)],
            params: [.init(name: "path", kind: .path), .init(name: "overwrite", kind: .flag)], effects: [.creates],
            undo: .yes(how: "delete it")),
        .tool("DeleteFile", "Delete file", outputs: [], params: [path], effects: [.deletes], undo: .no),
        .tool(
            "Login", "Log in", params: [.init(name: "key", kind: .text, isSecret: true)], effects: [.sends], undo: .no,
            needs: [.init(program: "login", debianPackage: "login-tools")]),
    ],
    unavailable: ["Login": Reason("toolNotInstalled", "login is not installed: apt-get install login-tools")])

let now = Moment(milliseconds: 1_795_000_000_000)
let hash = ContentHash(hex: String(repeating: "0123456789abcdef", count: 4))
