/// Returns the first 24 letters and digits of a name, for files that programs see.
package func plain(_ name: String) -> String {
    let kept = name.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
    }
    return String(String.UnicodeScalarView(kept.prefix(24)))
}

package func plainSuffix(_ name: String) -> String {
    let suffix = plain(stemAndSuffix(name).suffix)
    return suffix.isEmpty ? "" : "." + suffix
}

/// Returns a file name made from any text: without slashes and control characters, not `.` or `..`, at most 200 bytes,
/// and never empty.
package func safeName(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        scalar == "/" || scalar.properties.generalCategory == .control ? "_" : scalar
    }
    var name = String(String.UnicodeScalarView(scalars))
    if name.utf8.count > 200 {
        let (stem, suffix) = stemAndSuffix(name)
        var cut = stem
        while cut.utf8.count + suffix.utf8.count > 200 { cut.removeLast() }
        name = cut + suffix
    }
    return name.isEmpty || name == "." || name == ".." ? "file" : name
}
