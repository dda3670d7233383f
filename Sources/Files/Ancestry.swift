import CProcess

/// The origin of this process.
package enum Ancestry {
    /// Whether a program that Assent ran started this process, directly or through other processes. Sessions and the
    /// end of parents make no difference.
    package static var isOwnChild: Bool { cprocess_is_marked() == 1 }
}
