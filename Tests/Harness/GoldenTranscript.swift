/// The golden transcript: a short session with `assent`, as a terminal of 100 columns shows it.
///
/// `GoldenTests` compares the screen of the real program with this transcript. `SessionPicture` draws it.
package enum GoldenTranscript {
    /// The transcript with marks for styles, and with placeholders for what differs between runs.
    ///
    /// - `<36>` begins a style. The number holds the parameters of SGR, the terminal's "Select Graphic Rendition",
    ///   separated by `;`. A style replaces the style before the mark. Parameters: 1 is bold, 2 is dim, 32 is green, 36
    ///   is cyan.
    /// - `<>` ends the style.
    /// - `T s` stands for a duration, for example `0.1 s`.
    /// - `NN KB` stands for the size of the new file, which has two digits.
    package static let coloured = """
        <1>assent 0.1.0<2> · built-in planner (no model connected: /connect) · adaptive · ~/photos<>
        <36>›<> make cat.jpg 800 px wide, grayscale, under 60 KB
          <2>plan<>  <1>"cat.jpg: resize, grayscale, compress"<>            3 steps<2> · <>creates files<2> · <>undo for 30 days
          <2> 1<>   Resize      <2>image ← <>cat.jpg   <2>width=<>800 px
          <2> 2<>   Grayscale   <2>image ← <>1
          <2> 3<>   Compress    <2>image ← <>2         <2>targetKB=<>60 KB
          <32>✓ <>Resize<2> T s<>   <32>✓ <>Grayscale<2> T s<>   <32>✓ <>Compress<2> T s<>
          <32>▣ <>image<1>  cat-1.jpg<>  NN KB  800×533   <36>→ ./cat-1.jpg<>                   <2>w1 · /show w1<>
        <36>›<>
        """

    /// The transcript with marks for styles, and with plausible values in place of the placeholders.
    package static let example: String = {
        var text = coloured
        for (placeholder, value) in [("T s", "0.1 s"), ("T s", "0.1 s"), ("T s", "0.2 s"), ("NN KB", "58 KB")] {
            if let range = text.firstRange(of: placeholder) { text.replaceSubrange(range, with: value) }
        }
        return text
    }()
}
