import Files
import Pictures
import Services
import Tools
package import Vocabulary

/// Small pictures of contents, as bytes that a terminal can show. Programs in the sandbox make them.
extension Looks {
    /// The way in which the user wants pictures to be shown.
    package var pictureSetting: PictureSetting { shared.settings.pictures }

    /// Returns the number of pages of a PDF.
    package func pages(of content: ViewedContent) async throws(Failure) -> Int {
        try await shared.blocking { () throws(Failure) in try toolbox.pictures.pages(of: content.path) }
    }

    /// Draws a picture, or a page of a PDF.
    ///
    /// - Parameter page: the number of a page, from 1, or nil for a picture.
    /// - Throws: `toolNotInstalled`, or the failure of a program.
    package func drawing(
        of content: ViewedContent, page: Int?, _ order: DrawingOrder
    ) async throws(Failure) -> [UInt8] {
        try await shared.blocking { () throws(Failure) in
            let pictures = try toolbox.pictures
            let (width, height) = (order.pixels.width, order.pixels.height)
            let png =
                if let page {
                    try pictures.pagePNG(page, of: content.path, width: width, height: height)
                } else {
                    try pictures.smallPNG(
                        of: content.path, format: content.picture ?? "png", width: width, height: height)
                }
            return try pictures.drawing(png, order)
        }
    }

    /// Draws a content of the store, in `Limits.drawingSeconds` at most. A cancelled task ends the programs.
    ///
    /// - Returns: nil if the content is not a picture, or is private.
    package func drawing(of hash: ContentHash, _ order: DrawingOrder) async throws(Failure) -> [UInt8]? {
        try await inTime { cancel throws(Failure) in
            let toolbox = try toolbox
            let path = toolbox.store.path(hash)
            guard !toolbox.store.isPrivate(hash), let format = try ViewedFile.open(typed: path).picture?.format
            else { return nil }
            let png = try toolbox.pictures.smallPNG(
                of: path, format: format, width: order.pixels.width, height: order.pixels.height, cancel: cancel)
            return try toolbox.pictures.drawing(png, order, cancel)
        }
    }

    /// Draws a mask as a tint over its picture, in `Limits.drawingSeconds` at most. A cancelled task ends the programs.
    ///
    /// - Throws: `notAPicture`, `toolNotInstalled`, or the failure of a program.
    package func drawing(
        of mask: MaskDrawing, over hash: ContentHash, _ order: DrawingOrder
    ) async throws(Failure) -> [UInt8] {
        try await inTime { cancel throws(Failure) in
            let toolbox = try toolbox
            let path = toolbox.store.path(hash)
            guard let format = try ViewedFile.open(typed: path).picture?.format else {
                throw Failure(.notAPicture, "What the mask is for is no picture.")
            }
            let png = try toolbox.pictures.maskedPNG(
                mask, over: path, format: format, width: order.pixels.width, height: order.pixels.height,
                cancel: cancel)
            return try toolbox.pictures.drawing(png, order, cancel)
        }
    }

    /// Writes the failure of a picture that was shown without an order into the log.
    package func logThumbnail(_ failure: Failure) {
        Log(folder: shared.folders.data, now: OpenWorkspace.now).warn("thumbnail", failure)
    }

    /// Runs work on a thread that may block. The work is cancelled after `Limits.drawingSeconds`, or with the task.
    private func inTime<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let cancellation = Cancellation()
        let clock = Task {
            try await Task.sleep(for: .seconds(Limits.drawingSeconds))
            cancellation.cancel()
        }
        defer { clock.cancel() }
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            do throws(Failure) {
                return .success(try await shared.blocking { () throws(Failure) in try work(cancellation) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }
}

extension PicturePrograms {
    /// Returns a PNG in the form of an order. It blocks.
    fileprivate func drawing(
        _ png: [UInt8], _ order: DrawingOrder, _ cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [UInt8] {
        switch order.form {
        case .png: png
        case .sixel:
            try drawn(png, isSixel: true, in: (order.pixels.width, order.pixels.height), cancel: cancel)
        case .symbols:
            try drawn(png, isSixel: false, in: (order.cells.width, order.cells.height), cancel: cancel)
        }
    }
}
