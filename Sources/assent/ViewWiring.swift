import Actions
import Console
import Glibc
import JSON
import Services
import Storage
import Terminal
import Tools
import Vocabulary
import Workflows

/// Looking at contents, on the real store and the user's files.
struct Looker: Viewing {
    let wiring: OpenWorkspace

    func newest(in session: SessionID?) throws(Failure) -> WorkflowID? {
        let archive = try wiring.archive.get()
        // What changed last comes first: an old workflow may have been run again.
        let records = try archive.summaries(limit: Limits.examinedWorkflows).map(\.record).sorted {
            $0.updatedAt > $1.updatedAt
        }
        func first(where isWanted: (WorkflowRecord) -> Bool) throws(Failure) -> WorkflowID? {
            for record in records where isWanted(record) {
                // What an undo says is no result that somebody would look at again.
                if try !archive.assets(of: record.id).isEmpty, try UndoActions(wiring).requestName(of: record.id) == nil
                {
                    return record.id
                }
            }
            return nil
        }
        if let session, let own = try first(where: { $0.session == session }) { return own }
        return try first { $0.workspace.isSameName(as: wiring.workspace) }
    }

    func assets(named name: AssetName) throws(Failure) -> [Asset] { try wiring.archive.get().assets(named: name) }

    func content(of asset: Asset) throws(Failure) -> ViewedContent {
        let store = try wiring.toolbox.get().store
        let path = try store.path(of: asset)
        let picture = try ViewedFile.open(typed: path).picture
        return ViewedContent(
            name: asset.name, target: "\(asset.run).\(asset.port)", path: path, bytes: asset.bytes,
            picture: picture?.format,
            meta: picture.map { picture in picture.meta.isEmpty ? asset.meta : picture.meta } ?? asset.meta,
            asset: asset,
            isPrivate: store.isPrivate(asset.hash))
    }

    func content(at path: String) throws(Failure) -> ViewedContent {
        let file = try ViewedFile.open(typed: path)
        let picture = file.picture
        // All of it is read only if the answer counts.
        let isOfChild = Ancestry.isOwnChild
        // Not the toolbox's, which tries the sandbox out first: that would be felt before the first page.
        let folders = wiring.folders
        let own = OwnFolders(config: folders.config, data: folders.data, cache: folders.cache)
        let isPrivate = file.isPrivate(from: wiring.workspace) || isOfChild && file.cameOfKeys(own)
        return ViewedContent(
            name: path, target: path, path: file.path, bytes: file.bytes, isFolder: file.isFolder,
            picture: picture?.format,
            meta: picture?.meta ?? JSON.Object(), isPrivate: isPrivate)
    }

    func open(_ content: ViewedContent) throws(Failure) -> any ByteSource { try ViewedFile.open(typed: content.path) }

    func tree(of content: ViewedContent) async throws(Failure) -> ViewedTree {
        try await wiring.blocking { () throws(Failure) in
            let file = try ViewedFile.open(typed: content.path)
            let (entries, isWhole) =
                content.isFolder
                ? try file.entriesOfFolder(most: Limits.treeCounted) : (try file.entriesOfZip(content.name), true)
            return ViewedTree(
                entries: entries.map { .init(names: $0.names, isFolder: $0.isFolder, bytes: $0.bytes, note: $0.note) },
                isWhole: isWhole)
        }
    }

    // MARK: Pictures

    var pictureProtocol: PictureProtocol? {
        switch wiring.settings.pictures {
        case .auto: PictureProtocol.detect()
        case .kitty: .kitty
        case .iterm: .iterm
        case .sixel: .sixel
        case .symbols: .symbols
        case .none: nil
        }
    }

    func picture(of content: ViewedContent, page: Int?, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    {
        try await wiring.blocking { () throws(Failure) in
            let toolbox = try wiring.toolbox.get()
            let (width, height) = (room.width, room.height)
            let png: [UInt8] =
                if let page { try toolbox.pagePNG(page, of: content.path, width: width, height: height) } else {
                    try toolbox.smallPNG(
                        of: content.path, format: content.picture ?? "png", width: width, height: height)
                }
            return try toolbox.picture(of: png, by: form, in: room)
        }
    }

    func pages(of content: ViewedContent) async throws(Failure) -> Int {
        try await wiring.blocking { () throws(Failure) in try wiring.toolbox.get().pages(of: content.path) }
    }

    // MARK: Pictures nobody asked for

    var thumbnailProtocol: PictureProtocol? {
        switch (wiring.settings.pictures, pictureProtocol) {
        case (.auto, .symbols): nil
        case (_, .symbols): PictureProtocol.hasManyColours() ? .symbols : nil
        case (_, let form): form
        }
    }

    func isPrivate(_ hash: ContentHash) -> Bool {
        do throws(Failure) { return try wiring.toolbox.get().store.isPrivate(hash) } catch { return true }
    }

    func thumbnail(of hash: ContentHash, by form: PictureProtocol, in room: PictureRoom) async -> TerminalPicture? {
        do throws(Failure) {
            return try await inTime { cancel throws(Failure) in
                let toolbox = try wiring.toolbox.get()
                let path = toolbox.store.path(hash)
                guard !toolbox.store.isPrivate(hash), let format = try ViewedFile.open(typed: path).picture?.format
                else { return nil }
                let png = try toolbox.smallPNG(
                    of: path, format: format, width: room.width, height: room.height, cancel: cancel)
                return try toolbox.picture(of: png, by: form, in: room, cancel: cancel)
            }
        } catch {
            // One that is no longer wanted is no failure.
            if !Task.isCancelled { Log(folder: wiring.folders.data, now: OpenWorkspace.now).warn("thumbnail", error) }
            return nil
        }
    }

    func picture(of mask: MaskDrawing, over hash: ContentHash, by form: PictureProtocol, in room: PictureRoom)
        async throws(Failure)
        -> TerminalPicture
    {
        try await inTime { cancel throws(Failure) in
            let toolbox = try wiring.toolbox.get()
            let path = toolbox.store.path(hash)
            guard let format = try ViewedFile.open(typed: path).picture?.format else {
                throw Failure(.notAPicture, "What the mask is for is no picture.")
            }
            let png = try toolbox.maskedPNG(
                mask, over: path, format: format, width: room.width, height: room.height, cancel: cancel)
            return try toolbox.picture(of: png, by: form, in: room, cancel: cancel)
        }
    }

    /// Does work of programs in the seconds that all of it may take, and no longer than it is wanted.
    private func inTime<Value: Sendable>(_ work: @escaping @Sendable (Cancellation) throws(Failure) -> Value)
        async throws(Failure) -> Value
    {
        let cancellation = Cancellation()
        let clock = Task {
            try await Task.sleep(for: .seconds(Limits.drawingSeconds))
            cancellation.cancel()
        }
        defer { clock.cancel() }
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            do throws(Failure) {
                return .success(try await wiring.blocking { () throws(Failure) in try work(cancellation) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    func withoutKeys(_ text: String) -> String { wiring.keyRing.filter.cut(text) }

    func page(_ text: any PagedText, at terminal: Int32) -> Bool {
        OwnPager().map { $0.show(text, at: terminal, on: wiring.workers) } ?? false
    }
}

extension Looker {
    func save(
        _ content: ViewedContent, to path: String, replaces: Bool, _ start: WorkflowStart
    ) async throws(Failure) -> (path: String, workflow: WorkflowID) {
        try await wiring.blocking { () throws(Failure) in
            let toolbox = try wiring.toolbox.get()
            let name = content.asset?.name ?? lastName(of: content.path)
            let place = try toolbox.placeForSaving(path, named: name, from: wiring.workspace, replaces: replaces)
            let request = try toolbox.add(
                SaveRequest(source: content.path, target: place, isPrivate: content.isPrivate, replaces: replaces))
            var params = JSON.Object()
            params["request"] = .string(request)
            let template = Template(
                name: "save \(lastName(of: place))",
                nodes: [Template.Node(id: "save", kind: ToolManifest.saveResult.kind, params: params)])
            let folder = place.path(below: wiring.workspace) == nil ? parent(of: place) : wiring.workspace
            return (
                place,
                try WorkflowActions(wiring).start(template, start, in: folder, with: try wiring.engineCatalogue.get())
            )
        }
    }

    func program(_ line: String) -> (@Sendable (String, Int32) -> Int32?)? {
        guard let program = PersonsProgram(line: line) else { return nil }
        return { path, terminal in program.start([path], at: terminal).flatMap { program.wait($0, at: terminal) } }
    }

    var hasClipboard: Bool { wiring.settings.clipboard }
}

extension Toolbox {
    /// Makes what a terminal shows of a PNG. Blocks.
    fileprivate func picture(
        of png: [UInt8], by form: PictureProtocol, in room: PictureRoom, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> TerminalPicture {
        let picture: TerminalPicture? =
            switch form {
            case .kitty, .iterm: TerminalPicture(png: png, form, in: room)
            case .sixel:
                TerminalPicture(
                    sixel: try drawn(png, isSixel: true, in: (room.width, room.height), cancel: cancel), in: room)
            case .symbols:
                TerminalPicture(
                    symbols: try drawn(png, isSixel: false, in: (room.columns, room.rows), cancel: cancel), in: room)
            }
        guard let picture else {
            throw Failure(
                .badDrawing, "The picture was drawn in a form that is not shown.")
        }
        return picture
    }
}

extension ViewedFile: ByteSource {}
