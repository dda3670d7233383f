import Files
import Jobs
import Vocabulary

/// The style of a report, and the policy that makes a browser refuse everything else.
enum ReportStyle {
    /// The content of `Content-Security-Policy`: pictures of the package and this style only.
    static let policy: String = {
        let digits = Array(ContentHash.of(css).hex)
        let digest = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        let style = "'sha256-\(Base64.text(of: digest))'"
        return "default-src 'none'; img-src 'self' file:; style-src \(style); base-uri 'none'; form-action 'none'"
    }()

    static let css = """

        :root { --ink: #1c1e21; --soft: #5f6770; --line: #d8dce0; --paper: #ffffff; --mark: #f5f6f8; --link: #1f5fbf; --warn: #8a5a00; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6e8ea; --soft: #a0a8b0; --line: #3a4047; --paper: #16181b; --mark: #1f2327; --link: #8ab4f8; --warn: #e0b060; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
        h2 { font-size: 1.125rem; margin: 2rem 0 .25rem; }
        p { margin: .25rem 0; }
        a { color: var(--link); }
        table { width: 100%; border-collapse: collapse; margin: 1.5rem 0; }
        th, td { text-align: start; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
        th:first-child, td:first-child { width: 3rem; }
        section { border-top: 1px solid var(--line); margin-top: 1.5rem; }
        section h2 { margin-top: 1rem; }
        .number { color: var(--soft); }
        .about, .instruction, .provenance, .code, figcaption { color: var(--soft); }
        .instruction, figcaption, footer, header .provenance { font-size: .875rem; }
        .answer, .note { white-space: pre-wrap; }
        .answer { font-size: 1.0625rem; }
        .note { background: var(--mark); padding: .5rem .75rem; border-radius: .375rem; }
        .taken { color: var(--warn); }
        .pictures { display: flex; flex-wrap: wrap; gap: 1rem; margin: .75rem 0; }
        figure { margin: 0; flex: 0 1 calc(50% - .5rem); min-width: 14rem; break-inside: avoid; }
        img { display: block; max-width: 100%; max-height: 22rem; width: auto; height: auto; border-radius: .375rem; }
        figcaption { padding-top: .25rem; }
        ul { margin: .25rem 0; padding-inline-start: 1.25rem; }
        footer { border-top: 1px solid var(--line); margin-top: 2rem; }
        code { font-size: .8125rem; }
        @media print {
          :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --mark: #fff; --link: #000; --warn: #000; }
          main { max-width: none; padding: 0; }
          body { font-size: 11pt; }
          img { max-height: 8cm; }
          h2, .instruction { break-after: avoid; }
          a { text-decoration: none; }
        }

        """
}
