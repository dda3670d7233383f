package import Vocabulary

/// HostPermissions that data may go to. Refusals are failures: `hostNotAllowed`, `insecureHost`, `hostsBroken`, `badHost`.
package struct HostPermissions: Sendable {
    /// What a person wrote as a host.
    package var read: @Sendable (String) throws(Failure) -> RemoteHost
    package var list: @Sendable () throws(Failure) -> [AllowedHost]
    /// False where it was allowed already.
    package var allow: @Sendable (RemoteHost, HostUse) throws(Failure) -> Bool
    /// What was allowed until now; for all uses if none is named.
    package var revoke: @Sendable (RemoteHost, HostUse?) throws(Failure) -> [AllowedHost]
    /// Whom a workflow's jobs would be submitted to that nobody has allowed yet.
    package var wanted: @Sendable (Template) throws(Failure) -> [HostQuestion]

    package init(
        read: @escaping @Sendable (String) throws(Failure) -> RemoteHost,
        list: @escaping @Sendable () throws(Failure) -> [AllowedHost],
        allow: @escaping @Sendable (RemoteHost, HostUse) throws(Failure) -> Bool,
        revoke: @escaping @Sendable (RemoteHost, HostUse?) throws(Failure) -> [AllowedHost],
        wanted: @escaping @Sendable (Template) throws(Failure) -> [HostQuestion]
    ) {
        self.read = read
        self.list = list
        self.allow = allow
        self.revoke = revoke
        self.wanted = wanted
    }
}
