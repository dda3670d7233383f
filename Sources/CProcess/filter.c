/* Filters of system calls, written by hand so that no library is needed. */
#define _GNU_SOURCE
#include "cprocess.h"
#include "confine.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- What a sandboxed program may not do --- */

/* What containers deny: other file systems, other processes' memory, the kernel's own matters, and doors that are young. */
static const int denied[] = {
  SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_move_mount, SYS_open_tree,
  SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
  SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp, SYS_open_by_handle_at, SYS_name_to_handle_at,
  SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl,
  SYS_syslog, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_fanotify_init, SYS_lookup_dcookie, SYS_vhangup,
  SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_seccomp,
#ifdef __x86_64__
  SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_kexec_file_load,
#endif
};

/* Not vsock, which is in no network namespace, nor raw packets, nor the kernel's ciphers. */
static const unsigned families[] = {AF_INET, AF_INET6, AF_NETLINK, AF_UNIX};

int cprocess_open_filter(int reaches_sockets, int makes_links) {
  struct sock_filter code[256];
  size_t n = 0;
  /* Numbers mean something else on another machine, such as the 32 bits of the same. */
  ADD(LOAD(arch), IF(MACHINE, 1), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr));
#ifdef __x86_64__
  ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), REFUSE(ENOSYS)); /* x32 */
#endif
  for (size_t i = 0; i < COUNT(denied); i++) ADD(IF_NOT((unsigned)denied[i], 1), REFUSE(EPERM));
  /* Its flags lie in memory, where no filter sees them; the C library then takes clone. */
  ADD(IF_NOT(SYS_clone3, 1), REFUSE(ENOSYS));
  ADD(IF_NOT(SYS_clone, 4), LOAD(args[0]),
      IF_BITS(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP, 1),
      REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW));
  /* Writing into the input of a terminal. */
  ADD(IF_NOT(SYS_ioctl, 4), LOAD(args[1]), IF_NOT(0x5412u, 1), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW));
  /* As on another file system: programs then copy. */
  if (!makes_links) {
#ifdef __x86_64__
    ADD(IF_NOT(SYS_link, 1), REFUSE(EXDEV));
#endif
    ADD(IF_NOT(SYS_linkat, 1), REFUSE(EXDEV));
  }
  const size_t count = COUNT(families) - (reaches_sockets ? 0 : 1);
  /* A pair of datagrams can be led elsewhere. */
  if (!reaches_sockets)
    ADD(IF_NOT(SYS_socketpair, 6), LOAD(args[1]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF), IF(SOCK_STREAM, 2), IF(SOCK_SEQPACKET, 1),
        REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW));
  ADD(IF_NOT(SYS_socket, (unsigned char)(2 * count + 2)), LOAD(args[0]));
  for (size_t i = 0; i < count; i++) ADD(IF_NOT(families[i], 1), ANSWER(SECCOMP_RET_ALLOW));
  ADD(REFUSE(EAFNOSUPPORT));
  ADD(ANSWER(SECCOMP_RET_ALLOW));
  int file = memfd_create("filter", MFD_CLOEXEC);
  size_t size = n * sizeof *code;
  if (file >= 0 && write(file, code, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0) return file;
  int error = errno;
  if (file >= 0) close(file);
  errno = error;
  return -1;
}

/* --- The mark --- */

/* Microseconds of real-time scheduling: "ASSENT", more than two years. A limit may be lowered by anybody, and raised by none but the
   privileged; it goes on to all that a process starts, whatever becomes of its parents, session and environment. */
#define MARK_LIMIT RLIMIT_RTTIME
static const rlim_t mark = 0x415353454E54;

/* The privileged may raise it: a filter, which nobody takes off again, denies that. Without privileges no filter can be set but with
   no_new_privs, which would break sudo, and none is needed. */
static void pin_mark(void) {
#ifdef __x86_64__
  enum { SETRLIMIT_32 = 75, PRLIMIT_32 = 340 };
#elif defined __aarch64__
  enum { SETRLIMIT_32 = 75, PRLIMIT_32 = 369 };
#endif
  struct sock_filter code[] = {
    LOAD(arch),
    IF(MACHINE, 4), /* to the native numbers */
    LOAD(nr),
    IF(SETRLIMIT_32, 6), /* to setrlimit */
    IF(PRLIMIT_32, 8),   /* to prlimit64 */
    ANSWER(SECCOMP_RET_ALLOW),
    LOAD(nr),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~0x40000000u), /* x32 has the same two numbers */
    IF(SYS_prlimit64, 4),
    IF_NOT(SYS_setrlimit, 2),
    LOAD(args[0]),
    IF(MARK_LIMIT, 8), /* to the refusal */
    ANSWER(SECCOMP_RET_ALLOW),
    LOAD(args[1]),
    IF_NOT(MARK_LIMIT, 4),
    LOAD(args[2]), /* only where there is a new value */
    IF_NOT(0, 3),
    LOAD_HIGH(args[2]),
    IF_NOT(0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
  };
  struct sock_fprog program = {COUNT(code), code};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) return;
  /* A root of fewer privileges, as in containers: it has no use for sudo. */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int cprocess_is_marked(void) {
  struct rlimit now;
  return getrlimit(MARK_LIMIT, &now) == 0 && now.rlim_max <= mark;
}

int cprocess_mark(void) {
  if (cprocess_is_marked()) return 0;
  struct rlimit limits = {mark, mark};
  if (setrlimit(MARK_LIMIT, &limits) != 0) return -1;
  if (geteuid() == 0) pin_mark();
  return 0;
}
