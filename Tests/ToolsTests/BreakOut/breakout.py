"""Tries to get out of the sandbox, each way in a process of its own. Arguments: a pid, a port and folders that must not be reached.

Prints a line for each way: "held NAME" where it failed, "BROKE NAME" where it did not. Nothing here does harm where it succeeds.
"""
import ctypes, errno, fcntl, mmap, os, platform, resource, signal, socket, struct, sys, time

PID, PORT, FOLDERS = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
X86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
ways = []


def way(name):
    def add(body):
        ways.append((name, body))
        return body
    return add


def call(name, number, *arguments):
    """A system call that must be refused: nothing but a refusal holds."""
    def body():
        words = [ctypes.c_char_p(a) if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
        if libc.syscall(ctypes.c_long(number), *words) >= 0:
            return True
        return ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES)
    ways.append((name, body))


def numbers(x86, arm):
    return x86 if X86 else arm


def reads(name, path, flags=os.O_RDONLY):
    ways.append((name, lambda: os.open(path, flags | os.O_CLOEXEC) >= 0))


# The machine's devices: root owns them. What is set here is what they have.
def device(name, change):
    @way(name)
    def _():
        change()
        return True

for path in ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"]:
    device(f"the mode of {path}", lambda path=path: os.chmod(path, os.stat(path).st_mode & 0o7777))
    device(f"the times of {path}", lambda path=path: os.utime(path, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns)))
for path in ["/proc/self/fd/0", "/proc/1/fd/0"]:
    device(f"the mode of {path}", lambda path=path: os.chmod(path, os.stat(path).st_mode & 0o7777))
device("the mode of standard input", lambda: os.fchmod(0, os.fstat(0).st_mode & 0o7777))

# The network.
@way("a port of the machine")
def _():
    socket.create_connection(("127.0.0.1", PORT), 1)
    return True

# Where there is a proxy, it lets pass what was named, and this was not.
for host in ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f000001", "0"]:
    @way(f"a port of the machine by the proxy as {host}")
    def _(host=host):
        proxy = socket.create_connection(("127.0.0.1", 3128), 1)
        proxy.settimeout(5)
        proxy.sendall(f"CONNECT {host}:{PORT} HTTP/1.1\r\n\r\n".encode())
        return b" 200 " in proxy.recv(100)

@way("a port of the machine by the proxy, without a tunnel")
def _():
    proxy = socket.create_connection(("127.0.0.1", 3128), 1)
    proxy.settimeout(5)
    proxy.sendall(f"GET http://127.0.0.1:{PORT}/ HTTP/1.1\r\n\r\n".encode())
    return b" 200 " in proxy.recv(100)

@way("the proxy's own place")
def _():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", 3128))
    server.listen()
    return bool(os.environ.get("http_proxy"))

@way("a datagram to the network")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))
    return True

@way("a datagram over IPv6")
def _():
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("2001:db8::1", 53))
    return True

for family, name in [(40, "vsock"), (17, "raw packets"), (38, "the kernel's ciphers"), (31, "bluetooth"), (29, "the bus of cars"), (44, "xdp")]:
    ways.append((f"sockets of {name}", lambda family=family: bool(socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_STREAM))))

@way("raw sockets")
def _():
    return bool(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))

@way("sockets of others")
def _():
    return len(open("/proc/net/unix").readlines()) > 1

@way("an interface of its own")
def _():
    return os.open("/dev/net/tun", os.O_RDWR) >= 0

# Folders and files of others.
for folder in FOLDERS:
    for prefix in ["", "/proc/self/root", "/proc/1/root", "/proc/1/cwd/../../../../.."]:
        ways.append((f"{prefix}{folder}", lambda path=prefix + folder: bool(os.listdir(path) or True)))

@way("descriptors that were left open")
def _():
    left = [n for n in map(int, os.listdir("/proc/self/fd")) if n > 2 and os.path.exists(f"/proc/self/fd/{n}")]
    return len(left) > 0

reads("the memory of the machine", "/dev/mem")
reads("what the kernel says", "/dev/kmsg")
reads("the kernel's memory", "/proc/kcore")
reads("a disk", "/dev/vda")
reads("another disk", "/dev/sda")
reads("virtual machines", "/dev/kvm")
reads("file systems of its own", "/dev/fuse")
reads("loops", "/dev/loop-control")
reads("the memory of process 1", "/proc/1/mem", os.O_RDWR)
reads("the emergency keys", "/proc/sysrq-trigger", os.O_WRONLY)
reads("dropping caches", "/proc/sys/vm/drop_caches", os.O_WRONLY)
reads("the largest number of a process", "/proc/sys/kernel/pid_max", os.O_WRONLY)
reads("programs of other formats", "/proc/sys/fs/binfmt_misc/register", os.O_WRONLY)
reads("control groups", "/sys/fs/cgroup/cgroup.procs", os.O_WRONLY)
reads("who is mapped", "/proc/self/uid_map", os.O_WRONLY)
reads("priority when memory is short", "/proc/1/oom_score_adj", os.O_WRONLY)
reads("a program of the system", "/usr/bin/env", os.O_RDWR)
reads("the names of users", "/etc/passwd", os.O_RDWR)

# Processes.
@way("a process of the machine")
def _():
    os.kill(PID, 0)
    return os.path.exists(f"/proc/{PID}") and open(f"/proc/{PID}/cmdline").read() != open("/proc/self/cmdline").read()

@way("killing process 1")
def _():
    os.kill(1, signal.SIGSTOP)
    time.sleep(0.05)
    return open("/proc/1/stat").read().rsplit(")", 1)[1].split()[0] == "T"

@way("a priority above others")
def _():
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return True

@way("real time")
def _():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True

@way("more processes than it may have")
def _():
    resource.setrlimit(resource.RLIMIT_NPROC, (resource.RLIM_INFINITY,) * 2)
    return True

@way("more memory than it may have")
def _():
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    return True

@way("losing the mark")
def _():
    resource.setrlimit(15, (resource.RLIM_INFINITY,) * 2)
    return True

@way("becoming somebody else")
def _():
    os.setresuid(4242, 4242, 4242)
    return True

@way("other groups")
def _():
    os.setgroups([0, 27])
    return True

@way("privileges that a program has")
def _():
    words = open("/proc/self/status").read().split("\n")
    return any(line.startswith(("CapEff", "CapPrm", "CapBnd", "CapAmb")) and int(line.split()[1], 16) for line in words)

@way("another name of the machine")
def _():
    socket.sethostname("out")
    return True

@way("the clock")
def _():
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    return True

@way("the input of a terminal")
def _():
    fcntl.ioctl(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY), 0x5412, b"y")
    return True

@way("a terminal of its own to lead")
def _():
    return os.open("/dev/tty", os.O_RDWR) >= 0

@way("system calls of 32 bits")
def _():
    if not X86:
        return False
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid by int 0x80
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0

if X86:
    call("system calls of x32", 0x40000000 + 39)
call("ptrace", numbers(101, 117), 16, 1, 0, 0)
call("reading another's memory", numbers(310, 270), 1, 0, 0, 0, 0, 0)
call("another's descriptors", numbers(438, 438), 0, 0, 0)
call("comparing processes", numbers(312, 272), 1, 2, 0, 0, 0)
call("io_uring", numbers(425, 425), 8, 0)
call("bpf", numbers(321, 280), 5, 0, 0)
call("userfaultfd", numbers(323, 282), 1)
call("keyctl", numbers(250, 219), 0, -3, 0)
call("add_key", numbers(248, 217), b"user", b"x", b"y", 1, -3)
call("perf_event_open", numbers(298, 241), 0, 0, -1, -1, 0)
call("a module of the kernel", numbers(313, 273), 0, b"", 0)
call("another kernel", numbers(246, 104), 0, 0, 0, 0)
call("a swap", numbers(167, 224), b"/tmp/x", 0)
call("accounting", numbers(163, 89), b"/tmp/x")
call("the kernel's log", numbers(103, 116), 10, 0, 0)
call("watching all files", numbers(300, 262), 0, 0)
call("files by handle", numbers(304, 265), -100, 0, 0)
call("a new user namespace", numbers(272, 97), 0x10000000)
call("a new mount namespace", numbers(272, 97), 0x00020000)
call("a user namespace by clone", numbers(56, 220), 0x10000000 | 17, 0, 0, 0, 0)
call("clone3", numbers(435, 435), 0, 0)
call("entering a namespace", numbers(308, 268), 0, 0)

# Mounts.
call("a bind mount", numbers(165, 40), b"/", b"/tmp", b"", 4096, 0)
call("a mount of proc", numbers(165, 40), b"proc", b"/tmp", b"proc", 0, 0)
call("a mount of memory", numbers(165, 40), b"x", b"/tmp", b"tmpfs", 0, 0)
call("an overlay of its own", numbers(165, 40), b"x", b"/tmp", b"overlay", 0, b"lowerdir=/,upperdir=/tmp,workdir=/tmp")
call("a system that can be written", numbers(165, 40), b"", b"/usr", b"", 32 | 4096, 0)
call("taking proc away", numbers(166, 39), b"/proc", 2)
call("another root", numbers(155, 41), b".", b".")
call("chroot", numbers(161, 51), b".")
call("fsopen", numbers(430, 430), b"tmpfs", 0)
call("open_tree", numbers(428, 428), -100, b"/", 1)
call("move_mount", numbers(429, 429), -100, b"/", -100, b"/tmp", 0)
call("mount_setattr", numbers(442, 442), -100, b"/", 0, 0, 0)

# What an overlay reads as a mark, and files with a part to play.
for name, device in [("a device", (1, 3)), ("a disk's device", (8, 0)), ("a mark of deletion", (0, 0))]:
    ways.append((name, lambda device=device: os.mknod("dev", 0o600 | 0o020000, os.makedev(*device)) or True))

@way("a mark in place of a file")
def _():
    return libc.syscall(ctypes.c_long(numbers(316, 276)), -100, b"notes.txt", -100, b"moved", ctypes.c_uint(4)) == 0

for name in ["trusted.overlay.opaque", "trusted.overlay.redirect", "security.capability", "system.posix_acl_access"]:
    ways.append((f"the attribute {name}", lambda name=name: os.setxattr("notes.txt", name, b"y" * 20) or True))

@way("the attribute that hides what lies below")
def _():
    os.setxattr("src", "user.overlay.opaque", b"y")
    found = os.listdir("src")
    os.removexattr("src", "user.overlay.opaque")
    return "main.c" not in found

@way("the attribute that leads elsewhere")
def _():
    os.setxattr("src", "user.overlay.redirect", b"/etc")
    found = os.listdir("src")
    os.removexattr("src", "user.overlay.redirect")
    return "passwd" in found

@way("a second name of a file of the system")
def _():
    os.link("/etc/passwd", "linked")
    return True

@way("a second name by descriptor")
def _():
    file = os.open("/etc/passwd", os.O_RDONLY)
    return libc.linkat(-100, f"/proc/self/fd/{file}".encode(), -100, b"linked", 0x400) == 0

@way("a link that is followed out")
def _():
    os.symlink("/proc/1/root", "root")
    return any(os.path.exists(f"root{folder}") for folder in FOLDERS)

@way("a program with rights of its owner")
def _():
    with open("/usr/bin/id", "rb") as source, open("/tmp/id", "wb") as copy:
        copy.write(source.read())
    os.chmod("/tmp/id", 0o6755)
    return os.path.exists("/tmp/id") and "NoNewPrivs:\t1" not in open("/proc/self/status").read()

# What there is little of.
@way("a file larger than it may be")
def _():
    os.posix_fallocate(os.open("large", os.O_RDWR | os.O_CREAT), 0, 5 << 30)
    return True

@way("a hole of a terabyte")
def _():
    os.truncate(os.open("large", os.O_RDWR | os.O_CREAT), 1 << 40)
    return True

@way("all of the memory for files")
def _():
    total = 0
    for index in range(40):
        file = os.open(f"/dev/shm/{index}", os.O_RDWR | os.O_CREAT)
        os.posix_fallocate(file, 0, 100 << 20)
        total += 100 << 20
    return total > 2 << 30

@way("memory that is not given back")
def _():
    return bool(mmap.mmap(-1, 8 << 30))

for name, body in ways:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            broke = body()
        except BaseException:
            broke = False
        os._exit(7 if broke else 0)
    _, status = os.waitpid(child, 0)
    print("BROKE" if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 7 else "held", name, flush=True)
for path in ["large", "root", "dev", "moved", "linked"]:
    try:
        os.unlink(path)
    except OSError:
        pass
for index in range(40):
    try:
        os.unlink(f"/dev/shm/{index}")
    except OSError:
        pass
print("end")
