import CProcess

/// Who started this process.
package enum Ancestry {
    /// Whether it came of a program that Assent ran, through however many others, sessions and deaths of parents.
    package static var isOwnChild: Bool { cprocess_is_marked() == 1 }
}
