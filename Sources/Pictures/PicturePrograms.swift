package import Files
package import Sandbox

/// The programs that measure, draw, shrink and take pictures. They run in the sandbox, since pictures may be hostile.
package struct PicturePrograms: Sendable {
    package let store: AssetStore
    package let sandbox: Isolation

    package init(store: AssetStore, sandbox: Isolation) {
        self.store = store
        self.sandbox = sandbox
    }
}
