#define _GNU_SOURCE
#include "cattack.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

typedef struct { int reading, neighbour; const char *path; } target;

static int opens_again(const target *it) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", it->reading);
  return open(name, O_RDWR) >= 0;
}
static int opens_for_writing(const target *it) { return open(it->path, O_WRONLY) >= 0; }
static int opens_and_cuts(const target *it) { return open(it->path, O_RDONLY | O_TRUNC) >= 0; }
static int makes_a_file(const target *it) {
  char name[4200];
  snprintf(name, sizeof name, "%s.new", it->path);
  return open(name, O_RDONLY | O_CREAT, 0600) >= 0;
}
static int makes_a_hidden_file(const target *it) { (void)it; return open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0; }
static int opens_by_openat2(const target *it) {
  struct { unsigned long long flags, mode, resolve; } how = {O_RDWR, 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, it->path, &how, sizeof how) >= 0;
}
static int deletes(const target *it) { return unlink(it->path) == 0; }
static int renames(const target *it) { return rename(it->path, "/tmp/stolen") == 0; }
static int links(const target *it) { return link(it->path, "/tmp/second") == 0; }
static int links_a_name(const target *it) { (void)it; return symlink("/etc/passwd", "/tmp/assent-attack") == 0; }
static int changes_the_mode(const target *it) { return chmod(it->path, 0777) == 0; }
static int changes_the_mode_of_what_is_open(const target *it) { return fchmod(it->reading, 0777) == 0; }
static int changes_the_owner(const target *it) { return fchown(it->reading, 1, 1) == 0; }
static int changes_the_time(const target *it) { return futimens(it->reading, NULL) == 0; }
static int writes_a_trait(const target *it) { return fsetxattr(it->reading, "user.x", "y", 1, 0) == 0; }
static int cuts_what_is_open(const target *it) { return ftruncate(it->reading, 0) == 0; }
static int writes_to_what_is_open(const target *it) { return write(it->reading, "x", 1) == 1; }
static int maps_for_writing(const target *it) { return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, it->reading, 0) != MAP_FAILED; }
static int forks(const target *it) {
  (void)it;
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid(pid, NULL, 0);
  return pid >= 0;
}
static int forks_by_number(const target *it) {
  (void)it;
#ifdef SYS_vfork
  long pid = syscall(SYS_fork);
#else
  long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
  if (pid == 0) syscall(SYS_exit_group, 0);
  /* A zombie that nobody waits for hides the ends of all later children from the tests that wait for any child. */
  if (pid > 0) waitpid((pid_t)pid, NULL, 0);
  return pid >= 0;
}
static int starts_a_program(const target *it) {
  (void)it;
  char *words[] = {"/bin/true", NULL};
  execv(words[0], words);
  return errno != EPERM;
}
static int makes_a_socket(const target *it) { (void)it; return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static int makes_a_local_socket(const target *it) { (void)it; return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
static int makes_a_pair(const target *it) {
  (void)it;
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}
static int ends_a_neighbour(const target *it) { return kill(it->neighbour, SIGTERM) == 0; }
static int ends_all(const target *it) { (void)it; return kill(-1, 0) == 0; }
static int ends_a_thread_of_a_neighbour(const target *it) { return syscall(SYS_tgkill, it->neighbour, it->neighbour, SIGTERM) == 0; }
static int ends_by_tkill(const target *it) { return syscall(SYS_tkill, it->neighbour, SIGTERM) == 0; }
static int queues_a_signal(const target *it) {
  siginfo_t info = {.si_code = SI_QUEUE};
  return syscall(SYS_rt_sigqueueinfo, it->neighbour, SIGTERM, &info) == 0;
}
static int traces(const target *it) { return ptrace(PTRACE_ATTACH, it->neighbour, 0, 0) == 0; }
static int reads_a_neighbour(const target *it) {
  char byte;
  struct iovec mine = {&byte, 1}, other = {(void *)&byte, 1};
  return process_vm_readv(it->neighbour, &mine, 1, &other, 1, 0) == 1;
}
static int opens_a_neighbour(const target *it) { return syscall(SYS_pidfd_open, it->neighbour, 0) >= 0; }
static int limits_a_neighbour(const target *it) {
  struct rlimit limits = {1, 1};
  return prlimit(it->neighbour, RLIMIT_CPU, &limits, NULL) == 0;
}
static int raises_its_limit(const target *it) {
  (void)it;
  struct rlimit limits = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_CPU, &limits) == 0;
}
static int slows_a_neighbour(const target *it) { return setpriority(PRIO_PROCESS, (id_t)it->neighbour, 19) == 0; }
static int shares_memory(const target *it) { (void)it; return shmget(4711, 4096, IPC_CREAT | 0600) >= 0; }
static int makes_a_memory_file(const target *it) { (void)it; return memfd_create("x", 0) >= 0; }
static int mounts(const target *it) { (void)it; return syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL) == 0; }
static int makes_a_namespace(const target *it) { (void)it; return syscall(SYS_unshare, 0x10000000) == 0; }
static int sets_a_filter(const target *it) { (void)it; return prctl(PR_SET_SECCOMP, 1, 0, 0, 0) == 0; }
static int outlives_the_zygote(const target *it) { (void)it; return prctl(PR_SET_PDEATHSIG, 0) == 0; }
static int writes_to_the_terminal(const target *it) { (void)it; return ioctl(0, TIOCSTI, "x") == 0; }
static int changes_the_root(const target *it) { (void)it; return syscall(SYS_chroot, "/tmp") == 0; }
static int makes_a_ring(const target *it) {
  (void)it;
  char parameters[256] = {0};
  return syscall(SYS_io_uring_setup, 1, parameters) >= 0;
}

static const struct { const char *name; int (*run)(const target *); } attempts[] = {
#define A(name) {#name, name}
  A(opens_again), A(opens_for_writing), A(opens_and_cuts), A(makes_a_file), A(makes_a_hidden_file), A(opens_by_openat2), A(deletes),
  A(renames), A(links), A(links_a_name), A(changes_the_mode), A(changes_the_mode_of_what_is_open), A(changes_the_owner),
  A(changes_the_time), A(writes_a_trait), A(cuts_what_is_open), A(writes_to_what_is_open), A(maps_for_writing), A(forks),
  A(forks_by_number), A(starts_a_program), A(makes_a_socket), A(makes_a_local_socket), A(makes_a_pair), A(ends_a_neighbour), A(ends_all),
  A(ends_a_thread_of_a_neighbour), A(ends_by_tkill), A(queues_a_signal), A(traces), A(reads_a_neighbour), A(opens_a_neighbour),
  A(limits_a_neighbour), A(raises_its_limit), A(slows_a_neighbour), A(shares_memory), A(makes_a_memory_file), A(mounts),
  A(makes_a_namespace), A(sets_a_filter), A(outlives_the_zygote), A(writes_to_the_terminal), A(changes_the_root), A(makes_a_ring),
#undef A
};

int cattack_is_open_beside(int given) {
  for (int number = 3; number < 4096; number++)
    if (number != given && fcntl(number, F_GETFD) >= 0) return 1;
  return fcntl(given, F_GETFD) < 0;
}

int cattack_count(void) { return (int)(sizeof attempts / sizeof *attempts); }
const char *cattack_name(int attempt) { return attempts[attempt].name; }
int cattack_try(int attempt, int reading, int neighbour, const char *path) {
  const target it = {reading, neighbour, path};
  return attempts[attempt].run(&it);
}
