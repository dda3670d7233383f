import Foundation
import Harness
import Testing

/// A folder of odd files, and a script that describes all that a file is: kind, permissions, access lists, attributes,
/// target, holes, time in nanoseconds, content.
enum OddTree {
    /// How a description is compared: by everything, or by what an archive keeps.
    enum Depth: String { case all, tar, zip }

    /// Makes the tree `name` in a folder.
    static func make(_ name: String, in folder: String) throws {
        try Lab.program(["python3", "-c", maker, name], in: folder)
    }

    /// Returns a line for each entry below a path, by its path.
    static func picture(_ name: String, in folder: String, _ depth: Depth = .all) throws -> [String: String] {
        let lines = try Lab.program(["python3", "-c", describer, name, depth.rawValue], in: folder).split(
            separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: "\t", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            })
    }

    private static let maker = """
        import os, struct, sys
        top = sys.argv[1]
        def acl(*entries):
            return struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *e) for e in entries)
        none = 0xffffffff
        lists = {
          'acl-user': acl((1, 6, none), (2, 4, 1234), (4, 4, none), (16, 4, none), (32, 0, none)),
          'acl-group': acl((1, 7, none), (4, 0, none), (8, 5, 777), (16, 5, none), (32, 0, none)),
        }
        n = 0
        def put(name, data=b'', mode=0o644, time=None):
            global n
            n += 1
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f: f.write(data or b'file %d\\n' % n)
            os.chmod(path, mode)
            t = time if time is not None else 1400000000 * 10**9 + n * 1234567891
            os.utime(path, ns=(t, t))
            return path
        for mode in (0o600, 0o640, 0o644, 0o664, 0o666, 0o755, 0o700, 0o444, 0o400, 0o111 | 0o400):
            put('modes/%o' % mode, mode=mode)
        for name, value in lists.items():
            os.setxattr(put('lists/' + name), 'system.posix_acl_access', value)
        os.setxattr(put('attributes/note'), 'user.note', b'kept')
        os.setxattr(put('attributes/binary'), 'user.binary', bytes(range(256)))
        for name in ('a b', 'Ünï', 'e\\u0301', '日本', "quo'te", 'dash-', 'dot.', '%s', '#x', '$HOME', '*', 'a;b', '(x)', '[y]'):
            put('names/' + name)
        put('times/old', time=-86400 * 10**9 * 365 * 3)
        put('times/epoch', time=0)
        put('times/odd', time=1000000001)
        put('times/future', time=2000000000 * 10**9 + 5)
        put('empty', data=b'\\n')
        open(os.path.join(top, 'zero'), 'w').close(); os.utime(os.path.join(top, 'zero'), ns=(7 * 10**17, 7 * 10**17))
        with open(put('sparse'), 'wb') as f:
            f.write(b'begin'); f.truncate(8 << 20); f.seek(4 << 20); f.write(b'middle')
        os.utime(os.path.join(top, 'sparse'), ns=(1400000000 * 10**9,) * 2)
        put('.hidden/.x'); put('deep/1/2/3/4/5/6/f')
        os.makedirs(os.path.join(top, 'bare/inner'))
        for link, target in (('links/file', '../empty'), ('links/folder', '../deep'), ('links/to link', 'file')):
            os.makedirs(os.path.join(top, 'links'), exist_ok=True)
            os.symlink(target, os.path.join(top, link))
            os.utime(os.path.join(top, link), ns=(1500000000 * 10**9,) * 2, follow_symlinks=False)
        os.setxattr(os.path.join(top, 'bare'), 'system.posix_acl_default',
                    acl((1, 7, none), (2, 5, 1234), (4, 5, none), (16, 5, none), (32, 0, none)))
        os.chmod(os.path.join(top, 'bare/inner'), 0o711)
        for number, (path, folders, files) in enumerate(os.walk(top, topdown=False)):
            if path.endswith('deep'): os.chmod(path, 0o700)
            if path.endswith('/6'): os.chmod(path, 0o555)
            os.utime(path, ns=(1300000000 * 10**9 + number,) * 2)
        """

    private static let describer = """
        import hashlib, os, stat, sys
        top, depth = sys.argv[1], sys.argv[2]
        for path, folders, files in os.walk(top):
            for name in ['.'] * (path == top) + folders + files:
                full = path if name == '.' else os.path.join(path, name)
                s = os.lstat(full)
                # What is unpacked is not writable for others, as with any new file.
                words = [stat.filemode(s.st_mode)[0], oct(s.st_mode & (0o777 if depth == 'all' else 0o755))]
                time = s.st_mtime_ns if depth != 'zip' else s.st_mtime_ns // 10**9
                if depth != 'all' and stat.S_ISLNK(s.st_mode): time = 0
                # unzip knows no time before 1980.
                if depth == 'zip': time = max(time, 315532800)
                words.append(str(time))
                if stat.S_ISLNK(s.st_mode): words.append(os.readlink(full))
                if depth == 'all':
                    for key in sorted(os.listxattr(full, follow_symlinks=False)):
                        words.append(key + '=' + os.getxattr(full, key, follow_symlinks=False).hex())
                    words.append('%d:%d' % (s.st_uid, s.st_gid))
                if stat.S_ISREG(s.st_mode):
                    if depth == 'all': words.append('sparse' if s.st_blocks * 512 < s.st_size // 2 else 'whole')
                    words.append(hashlib.sha256(open(full, 'rb').read()).hexdigest()[:16])
                print(os.path.relpath(full, top) + '\\t' + ' '.join(words))
        """
}
