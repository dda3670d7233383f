#define _GNU_SOURCE
#include "cprocess.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int limit(int resource, uint64_t value) {
  if (value == 0) return 0;
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -1;
  rlim_t wanted = now.rlim_max != RLIM_INFINITY && now.rlim_max < value ? now.rlim_max : (rlim_t)value;
  struct rlimit limits = {wanted, wanted};
  return setrlimit(resource, &limits);
}

/* Runs in the parent's memory until exec (vfork): system calls only, nothing of the parent is changed but `failure`. */
static int become(const cprocess_child *child, const int from[4]) {
  if (setsid() < 0) return errno;
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  for (int target = 0; target < 4; target++)
    if (from[target] >= 0 && dup2(from[target], target) < 0) return errno;
  syscall(SYS_close_range, from[3] >= 0 ? 4u : 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  if (chdir(child->directory) != 0) return errno;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (limit(RLIMIT_AS, child->memory_bytes) != 0 || limit(RLIMIT_FSIZE, child->file_bytes) != 0 ||
      limit(RLIMIT_CPU, child->cpu_seconds) != 0 || limit(RLIMIT_NOFILE, child->open_files) != 0)
    return errno;
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  execve(child->path, child->arguments, child->environment);
  return errno;
}

pid_t cprocess_spawn(const cprocess_child *child, int *failure) {
  /* Out of the way of 0 to 3, so that no dup2 overwrites one that is still needed. */
  const int wanted[4] = {child->input, child->output, child->error, child->record};
  int from[4] = {-1, -1, -1, -1};
  volatile int error = 0;
  pid_t pid = -1;
  for (int index = 0; index < 4; index++) {
    if (wanted[index] < 0) continue;
    from[index] = fcntl(wanted[index], F_DUPFD_CLOEXEC, 10);
    if (from[index] < 0) error = errno;
  }
  if (error == 0) {
    /* No handler of the parent may run in the child while they share memory. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = vfork();
    if (pid == 0) {
      error = become(child, from);
      _exit(127);
    }
    if (pid < 0) error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  for (int index = 0; index < 4; index++)
    if (from[index] >= 0) close(from[index]);
  if (error != 0 && pid > 0) {
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    pid = -1;
  }
  *failure = error;
  return pid;
}

int cprocess_open_pid(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int cprocess_open_flag(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cprocess_raise_flag(int flag) {
  uint64_t one = 1;
  ssize_t written = write(flag, &one, sizeof one);
  (void)written; /* A full counter is raised already. */
}

int cprocess_rename_new(const char *from, const char *to) {
  int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
  /* A file system without the flag: a second name fails where one is, then the first name goes. */
  return link(from, to) == 0 ? unlink(from) : -1;
}

int cprocess_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
