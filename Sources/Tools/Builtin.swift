import Files
import JSON
import Sandbox
import Vocabulary

/// The tools that are functions of this module, by the names in manifests.
enum Builtin: String, CaseIterable {
    case loadImage, loadFile, loadURL, readFile, saveFile, writeFile, listFiles, moveFile, deleteFile, copyFolder,
        zipFiles,
        tarFiles, unpack, findText,
        fetch, shell, edit, undo, saveResult, loadResult
    case resizeImage, cropImage, rotateImage, convertImage, compressImage, compositeImages, applyMask, imageInfo,
        addMargin, trimImage, grayImage, blurImage,
        checkPicture, readCode
    case mirrorImage, squareImage, brighterImage, darkerImage, moreContrast, lessContrast, invertImage, sepiaImage,
        sharpenImage, flattenImage, captionImage, contactSheet, sideBySide, removeMetadata, pictureToPDF, picturesToPDF
    case text, joinText, countWords, replaceText, changeCase, textTemplate, jsonQuery, jsonMerge
    case sortLines, uniqueLines, numberLines, reverseLines, filterLines, takeLines, appendText
    case readLines, searchFiles, listTree, repositoryState
    case pass, approve, delay

    /// The context of a built-in tool: its assignment, the approved call, and the toolbox.
    struct Context {
        let assignment: Assignment
        let call: Call
        let toolbox: Toolbox

        var store: AssetStore { toolbox.store }

        func paths() throws(Failure) -> Paths { try Paths(workspace: assignment.workspace, own: toolbox.own) }

        /// Opens the access to the user's files.
        func files() throws(Failure) -> PersonFiles { try PersonFiles(workspace: try paths().workspace) }

        /// Returns the path of a file below the workspace, if it lies in a subfolder, or else `nil`. Archives keep the
        /// name of the folder.
        func placeInWorkspace(_ path: String) throws(Failure) -> String? {
            let below = path.path(below: try paths().workspace)
            return below.flatMap { $0.pathNames.count > 1 ? $0 : nil }
        }

        /// Stores a text, and returns it as the output of a port. The list is empty if the node does not have the port.
        func text(_ text: String, port: String = "text", name: String? = nil) throws(Failure) -> [Asset] {
            let content = try store.add(text)
            return assignment.asset(port, content, name: name ?? "\(assignment.manifest.kind.lowercased()).txt").map {
                [$0]
            } ?? []
        }

        func json(_ json: JSON, port: String = "json", name: String? = nil) throws(Failure) -> [Asset] {
            try self.json(Array(json.text.utf8), port: port, name: name)
        }

        /// Stores JSON as it is written.
        func json(_ written: [UInt8], port: String = "json", name: String? = nil) throws(Failure) -> [Asset] {
            let content = try store.add(written)
            return assignment.asset(port, content, name: name ?? "\(assignment.manifest.kind.lowercased()).json").map {
                [$0]
            } ?? []
        }

        /// Stores a report about a file as JSON and as text, named after the file: `notes-words.json` and
        /// `notes-words.txt`.
        func told(_ json: JSON, _ text: String, of name: String, _ word: String) throws(Failure) -> [Asset] {
            try told(Array(json.text.utf8), text, of: name, word)
        }

        /// Stores a value as it is written in JSON, and as a text.
        func told(_ written: [UInt8], _ text: String, of name: String, _ word: String) throws(Failure) -> [Asset] {
            try self.json(written, name: Self.name(after: name, word, ".json"))
                + self.text(text, name: Self.name(after: name, word, ".txt"))
        }

        /// Returns a name for a result, made from the name of its file: `notes-words.txt` for `notes.md`.
        static func name(after name: String, _ word: String, _ suffix: String) -> String {
            safeName("\(stemAndSuffix(name).stem)-\(word)\(suffix)")
        }

        /// Stores a text in the form in which its source was written.
        ///
        /// - Parameter warning: a sentence for the user about the result, or `nil`.
        /// - Throws: `notText` for a sign that the encoding does not have, or `tooLarge`.
        func text(_ utf8: [UInt8], in form: TextForm, name: String?, warning: String? = nil) throws(Failure) -> [Asset]
        {
            let bytes = try form.bytes(of: utf8, name ?? "The text")
            guard bytes.count <= Limits.readFileBytes else { throw BoundedText.tooLarge("The text would have") }
            let content = try store.add(bytes)
            let name = name ?? "\(assignment.manifest.kind.lowercased()).txt"
            guard var asset = assignment.asset("text", content, name: name, meta: Asset.meta(of: form)) else {
                return []
            }
            asset.warning = warning
            return [asset]
        }

        /// Fails if a step that must find something has found nothing. Steps of files and templates go on without it.
        ///
        /// - Parameter words: what was not found, in a sentence for the user.
        /// - Throws: `nothingFound`.
        func requireFound(_ words: String) throws(Failure) {
            guard assignment.flag("mustFind") else { return }
            throw Failure(.nothingFound, words)
        }

        /// Reads a text, with its encoding.
        ///
        /// - Throws: `notText`.
        func encodedText(_ asset: Asset) throws(Failure) -> EncodedText {
            try EncodedText(try store.read(asset), asset.name, form: asset.textForm)
        }

        /// Reads JSON whose parts are passed on as they are written.
        ///
        /// - Throws: `badJSON`, or `repeatedKey` if a key stands twice in an object.
        func readWrittenJSON(_ asset: Asset) throws(Failure) -> WrittenJSON {
            let bytes = try encodedText(asset).utf8
            do throws(JSONReader.Failure) {
                return try WrittenJSON.read(bytes)
            } catch {
                throw Failure(
                    error.code == .repeatedKey ? .repeatedKey : .badJSON, error.sentence(about: asset.name),
                    remedy: error.code == .repeatedKey ? "Take one of the two out." : nil)
            }
        }
    }

    private func undo(_ context: Context, _ cancel: Cancellation) throws(Failure) -> [Asset] {
        var tool = UndoTool(context, cancel: cancel)
        return try tool.run()
    }

    func run(_ context: Context, on bench: inout Workbench) throws(Failure) -> [Asset] {
        switch self {
        case .loadImage: try FileTools(context).load(port: "image", mustBePicture: true, on: &bench)
        case .loadFile: try FileTools(context).load(port: "file", mustBePicture: false, on: &bench)
        case .readFile: try FileTools(context).read()
        case .listFiles: try FileTools(context).list()
        case .moveFile: try FileTools(context).move()
        case .deleteFile: try FileTools(context).delete()
        case .saveFile, .writeFile: try SaveTool(context).save(on: &bench)
        case .copyFolder: try CopyFolderTool(context: context, cancel: bench.cancel).copy()
        case .zipFiles: try PackTools(context: context, cancel: bench.cancel).zip(on: &bench)
        case .tarFiles: try PackTools(context: context, cancel: bench.cancel).tar(on: &bench)
        case .unpack: try UnpackTool(context, cancel: bench.cancel).unpack(on: &bench)
        case .findText: try FindTool.find(context, cancel: bench.cancel)
        case .loadURL: try FetchTool(context).load(on: bench)
        case .fetch: try FetchTool(context).fetch(on: bench)
        case .shell, .edit: try ShellTool.run(context, on: &bench)
        case .undo: try undo(context, bench.cancel)
        case .loadResult: try context.toolbox.loadedResult(context)
        case .saveResult: try SaveResultTool(context: context, cancel: bench.cancel).run()
        case .resizeImage: try ImageTools.resize(&bench)
        case .cropImage: try ImageTools.crop(&bench)
        case .rotateImage: try ImageTools.rotate(&bench)
        case .convertImage: try ImageTools.convert(&bench)
        case .compositeImages: try ImageTools.composite(&bench)
        case .applyMask: try ImageTools.applyMask(&bench)
        case .addMargin: try ImageTools.margin(&bench)
        case .trimImage: try ImageTools.trim(&bench)
        case .grayImage: try ImageTools.grayscale(&bench)
        case .blurImage: try ImageTools.blur(&bench)
        case .mirrorImage: try ImageTools.mirror(&bench)
        case .squareImage: try ImageTools.square(&bench)
        case .brighterImage: try PictureColorTools.brightness(1, &bench)
        case .darkerImage: try PictureColorTools.brightness(-1, &bench)
        case .moreContrast: try PictureColorTools.contrast(1, &bench)
        case .lessContrast: try PictureColorTools.contrast(-1, &bench)
        case .invertImage: try PictureColorTools.invert(&bench)
        case .sepiaImage: try PictureColorTools.sepia(&bench)
        case .sharpenImage: try PictureColorTools.sharpen(&bench)
        case .flattenImage: try PictureColorTools.flatten(&bench)
        case .captionImage: try ImageTools.caption(&bench)
        case .contactSheet: try PictureSheets.contactSheet(&bench)
        case .sideBySide: try PictureSheets.sideBySide(&bench)
        case .removeMetadata: try PictureCopies.withoutMetadata(&bench)
        case .pictureToPDF: try PictureCopies.pdf([try context.assignment.requiredInput("image")], &bench)
        case .picturesToPDF: try PictureCopies.pdf(context.assignment.inputs(variadic: "pictures"), &bench)
        case .imageInfo: try ImageTools.info(context, &bench)
        case .checkPicture: try PictureTools(context, cancel: bench.cancel).check()
        case .readCode: try PictureTools(context, cancel: bench.cancel).readCode()
        case .compressImage: try compressed(on: &bench)
        case .text: try context.text(try context.assignment.requiredText("text"))
        case .joinText: try TextTools(context).join()
        case .countWords: try TextTools(context).count()
        case .replaceText: try TextTools(context).replace()
        case .changeCase: try TextTools(context).changeCase()
        case .sortLines: try LineTools(context).sort()
        case .uniqueLines: try LineTools(context).keepFirstOfEqual()
        case .numberLines: try LineTools(context).number()
        case .reverseLines: try LineTools(context).reverse()
        case .filterLines: try LineTools(context).filter()
        case .takeLines: try LineTools(context).take()
        case .appendText: try LineTools(context).append()
        case .textTemplate: try TextTools(context).fillTemplate()
        case .jsonQuery: try TextTools(context).query()
        case .jsonMerge: try TextTools(context).merge()
        case .readLines: try LookTools(context, cancel: bench.cancel).readLines()
        case .searchFiles: try SearchFilesTool.search(context, on: bench)
        case .listTree: try ListTreeTool.list(context, on: bench)
        case .repositoryState: try RepositoryState.state(context, on: bench)
        case .pass, .approve, .delay: try context.toolbox.passed(context.assignment)
        }
    }
    private func compressed(on bench: inout Workbench) throws(Failure) -> [Asset] {
        var compression = try Compression(&bench)
        return try compression.run(&bench)
    }
}

extension [Asset] {
    /// Returns the assets with a note about their making.
    func noting(_ words: String) -> [Asset] {
        map { asset in
            var asset = asset
            asset.note = words
            return asset
        }
    }
}
