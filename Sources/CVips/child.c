/* A child for one picture: what it may do is written here, since the picture may take it over. */
#define _GNU_SOURCE
#include "cvips.h"
#include "../CProcess/confine.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The second of two words with which the program was started. */
static const char *only_word;

__attribute__((constructor)) static void note_word(int count, char **words) { only_word = count == 2 ? words[1] : NULL; }

int cvips_is_asked(const char *word) { return only_word != NULL && strcmp(only_word, word) == 0; }

/* --- Messages --- */

int cvips_socket_pair(int *mine, int *other) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  *mine = ends[0];
  *other = ends[1];
  return 0;
}

int cvips_send(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int) * CVIPS_MESSAGE_DESCRIPTORS)]; } control = {0};
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), descriptors, sizeof(int) * (size_t)count);
  }
  ssize_t sent;
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EINTR) {}
  return sent == (ssize_t)size ? 0 : -1;
}

ssize_t cvips_receive(int socket, void *bytes, size_t size, int *descriptors, int *count) {
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int) * CVIPS_MESSAGE_DESCRIPTORS)]; } control;
  struct iovec part = {bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *count = 0;
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got < 0) return -1;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    size_t length = head->cmsg_len - CMSG_LEN(0);
    memcpy(descriptors + *count, CMSG_DATA(head), length);
    *count += (int)(length / sizeof(int));
  }
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return got;
  for (int index = 0; index < *count; index++) close(descriptors[index]);
  *count = 0;
  errno = EMSGSIZE;
  return -1;
}

/* --- System calls --- */

#define ALLOW ANSWER(SECCOMP_RET_ALLOW)

/* What decoding, computing and writing to an open descriptor need. None of it reaches a file that is not open, but to read it, nor
   another process. */
static const int allowed[] = {
  SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx,
  SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_ftruncate, SYS_dup, SYS_dup3,
  SYS_fadvise64, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_mincore, SYS_futex, SYS_set_robust_list,
  SYS_get_robust_list, SYS_rseq, SYS_membarrier, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
  SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getscheduler, SYS_sched_getparam,
  SYS_getcpu, SYS_gettid, SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_clock_gettime, SYS_clock_getres,
  SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrusage, SYS_getrandom, SYS_sysinfo, SYS_uname, SYS_ppoll,
  SYS_pipe2, SYS_eventfd2, SYS_getrlimit, SYS_set_tid_address,
#ifdef __x86_64__
  SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_dup2, SYS_pipe, SYS_time, SYS_arch_prctl,
#endif
};

enum { NO_WRITING = ~(O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_DIRECTORY | O_NOCTTY | O_LARGEFILE | 0100000 | O_NOATIME | O_PATH) };

/* Lets this process do no more than that from now on. 0, or -1. */
static int confine(void) {
  struct sock_filter code[256];
  size_t n = 0;
  ADD(LOAD(arch), IF(MACHINE, 1), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr));
  for (size_t index = 0; index < COUNT(allowed); index++) ADD(IF_NOT(allowed[index], 1), ALLOW);
  /* Files are opened for reading only. */
#ifdef __x86_64__
  ADD(IF_NOT(SYS_open, 4), LOAD(args[1]), IF_BITS((unsigned)NO_WRITING, 1), REFUSE(EROFS), ALLOW);
#endif
  ADD(IF_NOT(SYS_openat, 4), LOAD(args[2]), IF_BITS((unsigned)NO_WRITING, 1), REFUSE(EROFS), ALLOW);
  /* Threads, and no processes. Flags that lie in memory no filter sees; the C library then takes clone. */
  ADD(IF_NOT(SYS_clone3, 1), REFUSE(ENOSYS));
  ADD(IF_NOT(SYS_clone, 4), LOAD(args[0]), IF_BITS(CLONE_THREAD, 1), ALLOW, REFUSE(EPERM));
  /* Only its own end, by abort. */
  ADD(IF_NOT(SYS_tgkill, 4), LOAD(args[0]), IF_NOT(getpid(), 1), ALLOW, REFUSE(EPERM));
  /* Limits are read. */
  ADD(IF_NOT(SYS_prlimit64, 6), LOAD(args[2]), IF_NOT(0, 3), LOAD_HIGH(args[2]), IF_NOT(0, 1), ALLOW, REFUSE(EPERM));
  ADD(IF_NOT(SYS_prctl, 4), LOAD(args[0]), IF_NOT(PR_SET_NAME, 1), ALLOW, REFUSE(EPERM));
  ADD(IF_NOT(SYS_fcntl, 7), LOAD(args[1]), IF(F_GETFD, 4), IF(F_SETFD, 3), IF(F_GETFL, 2), IF(F_DUPFD_CLOEXEC, 1), REFUSE(EPERM), ALLOW);
  ADD(IF_NOT(SYS_ioctl, 1), REFUSE(ENOTTY));
  ADD(REFUSE(EPERM));
  struct sock_fprog program = {(unsigned short)n, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) : -1;
}

/* --- The child --- */

/* The most processes and threads of the user of the sandbox while it runs; root of the machine is not bound by it. */
enum { TASKS = 4096 };

/* Closes every descriptor from 3 on that is not its own. */
static int keep_only(const cvips_child *child) {
  unsigned from = 3;
  for (;;) {
    unsigned next = ~0u;
    for (int index = 0; index < child->count; index++) {
      unsigned own = (unsigned)child->descriptors[index];
      if (own >= from && own < next) next = own;
    }
    if (next > from && syscall(SYS_close_range, from, next == ~0u ? ~0u : next - 1, 0u) != 0) return -1;
    if (next == ~0u) return 0;
    from = next + 1;
  }
}

pid_t cvips_fork(const cvips_child *child) {
  pid_t own = getpid();
  pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != own) _exit(126);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  /* The way to the zygote, where requests come from, is closed with 0. */
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(child->output, 1) < 0 || dup2(child->errors, 2) < 0) _exit(126);
  if (keep_only(child) != 0) _exit(126);
  if (limit(RLIMIT_AS, child->memory_bytes) != 0 || limit(RLIMIT_FSIZE, child->file_bytes) != 0 ||
      limit_processor(child->cpu_seconds) != 0 || limit(RLIMIT_NPROC, TASKS) != 0)
    _exit(126);
  if (confine() != 0) _exit(126);
  return 0;
}

pid_t cvips_reap(int *code) {
  int status = 0;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) < 0 && errno == EINTR) {}
  if (pid > 0) *code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return pid;
}

int cvips_open_signals(void) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  return sigprocmask(SIG_BLOCK, &ended, NULL) == 0 ? signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
}

void cvips_clear_signals(int signals) {
  struct signalfd_siginfo ended;
  while (read(signals, &ended, sizeof ended) > 0) {}
}
