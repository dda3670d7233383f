/// Bounds of what `view` shows.
extension Limits {
    /// The bytes of a file that are read at once where a text is shown. A block of a private key fits in.
    package static let viewBlockBytes = 64 << 10
    /// The bytes at the beginning of a file that tell what it is.
    package static let viewHeadBytes = 8 << 10
    /// The bytes of a file that is drawn by its form. A larger file of JSON or Markdown, or a larger table, is shown as
    /// plain text.
    package static let viewedJSONBytes = 16 << 20
    /// The bytes of JSON that are read as a tree to be laid out, with its escapes decoded, and of what is laid out so.
    package static let viewedTreeBytes = 1 << 20
    /// The levels of JSON that are laid out at all, those that are indented further, and the bytes of a number.
    package static let laidOutDepth = 100_000
    package static let laidOutIndents = 40
    package static let jsonAtomBytes = 4096
    package static let viewedMarkdownBytes = 1 << 20
    package static let viewedTableBytes = 8 << 20
    /// The rows of a table that are drawn, its columns, and the characters of one cell.
    package static let tableRows = 5_000
    package static let tableColumns = 200
    package static let tableCellCharacters = 200
    /// The cells of all rows that are drawn at once.
    package static let tableCells = 50_000
    /// The entries of a tree that are drawn, how deep it is drawn, and the entries that are counted at most.
    package static let treeEntries = 2_000
    package static let treeDepth = 12
    package static let treeCounted = 100_000
    /// The lines of a text that are shown where no pager is, such as in a chat that reads from a pipe.
    package static let viewedLines = 200
    /// The bytes of these lines together, and of each of them.
    package static let viewedBytes = 256 << 10
    package static let viewedLineBytes = 16 << 10
    /// The bytes of a text that is compared with another line by line, and of a text for the clipboard.
    package static let comparedViewBytes = 4 << 20
    /// The lines of both texts between their equal beginnings and ends, from which on they are not matched line by
    /// line.
    package static let matchedLines = 3_000
    package static let clipboardBytes = 64 << 10
    /// The bytes that are drawn of a file that is no text.
    package static let dumpedBytes = 256
    /// The same where a part of the file is asked for.
    package static let dumpedPartBytes = 64 << 10
}

extension Limits {
    /// The seconds of a processor that one program may take that makes a picture smaller, or draws it.
    package static let drawingProcessorSeconds = 3
    /// The seconds until a picture must be drawn, by however many programs and however busy the machine is, and the
    /// bytes of what it makes.
    package static let drawingSeconds = 20.0
    package static let drawnBytes = 4 << 20
    /// The memory of a program that draws a picture that was made smaller. Of a program that reads the picture itself
    /// it is `pictureMemoryBytes`, which counts addresses rather than memory in use.
    package static let drawingMemoryBytes = 200 << 20
    /// The columns and rows of a small picture beside a result or a question, and how many are shown at once.
    package static let thumbnailColumns = 32
    package static let thumbnailRows = 8
    package static let thumbnails = 8
    /// The rows of a picture on which a mask is drawn.
    package static let maskRows = 20
    /// The pixels of the longer side of a page of a PDF, at least, before it is made smaller.
    package static let pdfPagePixels = 1200
}
