#define _GNU_SOURCE
#include <malloc.h>
#include "cprocess.h"
#include "confine.h"
#include "network.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In a supervisor: where the exit record goes, where it is told to begin and says that the program could not be started, and the filter
   that its program reads. */
enum { RECORD = 3, GATE = 4, FILTER = CPROCESS_FILTER };

/* Whether it begins in namespaces of ours, whose first process it is. */
static int is_staged(const cprocess_child *child) { return child->upper != NULL || child->listener != NULL; }

/* The machine's devices that a sandbox shows. */
static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

/* Makes a mount of one file read-only. What it is besides stays: it may be locked. Returns an errno. */
static int protect(const char *path) {
  if (mount(path, path, NULL, MS_BIND, NULL) != 0) return errno;
  struct statvfs status;
  if (statvfs(path, &status) != 0) return errno;
  unsigned long flags = status.f_flag & (ST_NOSUID | ST_NODEV | ST_NOEXEC | ST_NOATIME | ST_NODIRATIME);
  if (status.f_flag & ST_RELATIME) flags |= MS_RELATIME;
  return mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, NULL) == 0 ? 0 : errno;
}

/* Root owns the machine's devices, and could give them other modes and times from a sandbox. On mounts that are read-only it cannot, and
   they can be read and written all the same. Root of a container that may not mount does not own them. Returns an errno. */
static int keep_devices(const cprocess_child *child) {
  if (child->filter < 0 || geteuid() != 0) return 0;
  if (!is_staged(child) && unshare(CLONE_NEWNS) != 0) return 0;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
  for (size_t index = 0; index < sizeof devices / sizeof *devices; index++) {
    int error = protect(devices[index]);
    if (error != 0 && error != ENOENT && error != EPERM) return error;
  }
  /* What was opened before is not on such a mount. A socket is on none. */
  struct stat input;
  if (fstat(0, &input) == 0 && S_ISSOCK(input.st_mode)) return 0;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int error = nothing < 0 || dup2(nothing, 0) < 0 ? errno : 0;
  if (nothing > 0) close(nothing);
  return error;
}

/* Runs in its parent's memory until exec (vfork): system calls only, nothing of it is changed. Returns only with an errno. */
static int become(const cprocess_child *child) {
  if (!child->supervised) {
    if (!is_staged(child)) alarm((unsigned)child->wall_seconds);
    /* Counted in the user namespace of its own; root is not bound by it. */
    else if (limit(RLIMIT_NPROC, (uint64_t)child->tasks) != 0) return errno;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  if (child->supervised && !child->inherits_record) close(RECORD);
  int error = keep_devices(child);
  if (error != 0) return error;
  /* 1 byte is no dump, and none is piped to a program either (core(5)). */
  struct rlimit least = {1, 1}, none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &least) != 0) setrlimit(RLIMIT_CORE, &none);
  if (cprocess_mark() != 0) return errno;
  if (limit(RLIMIT_AS, child->memory_bytes) != 0 || limit(RLIMIT_FSIZE, child->file_bytes) != 0 ||
      limit_processor(child->cpu_seconds) != 0 || limit(RLIMIT_NOFILE, child->open_files) != 0)
    return errno;
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  execve(child->path, child->arguments, child->environment);
  return errno;
}

/* Only the descriptors of the program and the way back stay: an inherited one could keep a lock of the engine alive after its death. */
static int keep_only(const int from[5], int gate) {
  for (int target = 0; target < 4; target++)
    if (from[target] >= 0 && dup2(from[target], target) < 0) return errno;
  if (dup2(gate, GATE) < 0 || fcntl(GATE, F_SETFD, FD_CLOEXEC) != 0) return errno;
  if (from[4] >= 0 && dup2(from[4], FILTER) < 0) return errno;
  return syscall(SYS_close_range, (unsigned)(from[4] >= 0 ? FILTER : GATE) + 1, ~0u, 0u) == 0 ? 0 : errno;
}

/* Where the environment of this process lies that /proc shows, as its first code found it: setenv leaves what was there. */
static struct { char *start, *end; } first_environment;

__attribute__((constructor)) static void note_environment(int count, char **words, char **variables) {
  (void)count, (void)words;
  if (variables == NULL || variables[0] == NULL) return;
  first_environment.start = variables[0];
  for (char **variable = variables; *variable != NULL; variable++) first_environment.end = *variable + strlen(*variable);
}

/* The copy needs none of our keys: nobody reads its memory, and what /proc says of its environment is empty. */
static void hide(void) {
  prctl(PR_SET_DUMPABLE, 0);
  if (first_environment.start != NULL) memset(first_environment.start, 0, (size_t)(first_environment.end - first_environment.start));
}

/* Said before the group is ended that has too many. */
static void write_count(int count) {
  char text[40];
  int length = snprintf(text, sizeof text, "{ \"processes\": %d }\n", count);
  ssize_t written = write(RECORD, text, (size_t)length);
  (void)written;
}

static void write_record(int code) {
  char text[] = "{ \"exit-code\": 000 }\n";
  char *digits = text + 15;
  digits[0] = code >= 100 ? (char)('0' + code / 100) : ' ';
  digits[1] = code >= 10 ? (char)('0' + code / 10 % 10) : ' ';
  digits[2] = (char)('0' + code % 10);
  ssize_t written = write(RECORD, text, sizeof text - 1);
  (void)written; /* Without a record the step counts as lost, which is the truth as far as anybody knows. */
}

/* Waits for the program with every signal blocked, so that a TERM to the group ends the program and not the one who tells how it ended.
   Lives on when the engine dies; past its time it ends the whole group, itself included. */
static void watch(pid_t program, const cprocess_child *child) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int status = 0;
  for (;;) {
    pid_t reaped = waitpid(program, &status, WNOHANG);
    if (reaped == program) break;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = (long)child->wall_seconds - (now.tv_sec - start.tv_sec);
    if (left <= 0) kill(0, SIGKILL);
    int count = child->processes > 0 ? cprocess_count(program, child->processes) : 0;
    if (count > child->processes) {
      write_count(count);
      kill(0, SIGKILL);
    }
    struct timespec wait = {child->processes > 0 && left > 1 ? 1 : left, 0};
    sigtimedwait(&ended, NULL, &wait);
  }
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (!child->inherits_record) write_record(code);
  _exit(code);
}

/* A copy of this process that only makes system calls. Every signal is blocked in it. */
static void supervise(const cprocess_child *child, const int from[5], int gate) {
  volatile int error = setsid() < 0 ? errno : keep_only(from, gate);
  hide();
  const int way = error == 0 ? GATE : gate;
  if (error == 0 && chdir(child->directory) != 0) error = errno;
  char word;
  if (read(way, &word, sizeof word) != sizeof word) _exit(127); /* Who started us is gone; nothing has happened yet. */
  pid_t program = -1;
  if (error == 0) {
    program = vfork();
    if (program == 0) {
      error = become(child);
      _exit(127);
    }
    if (program < 0) error = errno;
  }
  if (error != 0) {
    int failure = error;
    ssize_t written = write(way, &failure, sizeof failure);
    (void)written;
    _exit(127);
  }
  close(way);
  watch(program, child);
}

/* Without a supervisor: the program takes the session's lead itself. Runs in our memory until exec, while the thread that called waits. */
static pid_t start_alone(const cprocess_child *child, const int from[5], int *failure) {
  volatile int error = 0;
  pid_t pid = vfork();
  if (pid == 0) {
    error = setsid() < 0 ? errno : 0;
    unsigned count = child->record >= 0 ? RECORD + 1 : RECORD;
    for (int target = 0; target < (int)count && error == 0; target++)
      if (dup2(from[target], target) < 0) error = errno;
    if (error == 0) syscall(SYS_close_range, count, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
    if (error == 0 && from[4] >= 0 && dup2(from[4], FILTER) < 0) error = errno;
    if (error == 0 && chdir(child->directory) != 0) error = errno;
    if (error == 0) error = become(child);
    _exit(127);
  }
  *failure = pid < 0 ? errno : error;
  return pid;
}

static int put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int error = write(file, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : errno;
  close(file);
  return error;
}

static int open_folder(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/* Begins namespaces of this process and what it starts. One thread only. Returns an errno. */
static int separate(const cprocess_child *child) {
  uid_t user = geteuid();
  gid_t group = getegid();
  /* Who is not dumpable does not own the files by which it is mapped. */
  prctl(PR_SET_DUMPABLE, 1);
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | (child->listener != NULL ? CLONE_NEWNET : 0)) != 0) return errno;
  char text[64];
  int error = put("/proc/self/setgroups", "deny");
  /* Oneself as oneself, and not as root: programs behave as they do outside. */
  if (error == 0) snprintf(text, sizeof text, "%u %u 1", user, user), error = put("/proc/self/uid_map", text);
  if (error == 0) snprintf(text, sizeof text, "%u %u 1", group, group), error = put("/proc/self/gid_map", text);
  prctl(PR_SET_DUMPABLE, 0);
  return error;
}

/* Opens a folder that need not be given. Returns an errno. */
static int open_optional(const char *path, int *folder) {
  *folder = path == NULL ? -1 : open_folder(path);
  return path != NULL && *folder < 0 ? errno : 0;
}

/* Lays one overlay. Returns an errno. */
static int lay_one(const cprocess_layer *layer) {
  /* By descriptors, so that no path gets into the options; opened only now, in this mount namespace. */
  int lower = -1, cover = -1, upper = -1, work = -1, place = -1;
  int error = open_optional(layer->lower, &lower);
  if (error == 0) error = open_optional(layer->cover, &cover);
  if (error == 0) error = open_optional(layer->upper, &upper);
  if (error == 0) error = open_optional(layer->work, &work);
  if (error == 0) error = open_optional(layer->place, &place);
  if (error != 0) return error;
  char options[192], target[40], above[40] = "", written[96] = "";
  if (cover >= 0) snprintf(above, sizeof above, "/proc/self/fd/%d:", cover);
  /* volatile: syncs inside cost nothing; what is applied is synced then. */
  if (upper >= 0) snprintf(written, sizeof written, ",volatile,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d", upper, work);
  snprintf(options, sizeof options, "userxattr,lowerdir=%s/proc/self/fd/%d%s", above, lower, written);
  snprintf(target, sizeof target, "/proc/self/fd/%d", place);
  error = mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options) == 0 ? 0 : errno;
  const int opened[] = {lower, cover, upper, work, place};
  for (size_t index = 0; index < sizeof opened / sizeof *opened; index++)
    if (opened[index] >= 0) close(opened[index]);
  return error;
}

/* Lays the overlay over the folder, and those over what is read besides, in namespaces of its own. Returns an errno. */
static int lay(const cprocess_child *child) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
  const cprocess_layer workspace = {child->directory, child->cover, child->upper, child->work, child->directory};
  int error = lay_one(&workspace);
  for (int index = 0; index < child->layer_count && error == 0; index++) error = lay_one(&child->layers[index]);
  return error;
}

/* The first process of the namespace that this process waits for. */
static pid_t staged_program;
/* The signal that told this process to end, or 0. */
static volatile sig_atomic_t told_to_end;

static void end_staged(int number) {
  told_to_end = number;
  kill(staged_program, SIGKILL);
}

/* Waits for the end of the namespace, and returns its exit code. Told to end, it ends the namespace first: whoever waits for this
   process knows then that nothing of the program writes any more. */
static int end_with_all(pid_t program) {
  staged_program = program;
  struct sigaction action = {.sa_handler = end_staged};
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGALRM);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigprocmask(SIG_UNBLOCK, &ending, NULL);
  siginfo_t ended;
  while (waitid(P_PID, (id_t)program, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  /* Its number may be another process's once it is reaped. */
  sigprocmask(SIG_BLOCK, &ending, NULL);
  int status = 0;
  while (waitpid(program, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  return 128 + (told_to_end != 0 && WTERMSIG(status) == SIGKILL ? (int)told_to_end : WTERMSIG(status));
}

/* A copy of this process that lays the overlay and starts the program as the first process of a namespace: once that has ended, all that
   it started has ended and been waited for. */
static void stage(const cprocess_child *child, const int from[5], int way) {
  hide();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int error = setsid() < 0 ? errno : keep_only(from, way);
  way = error == 0 ? GATE : way;
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  if (error == 0) error = separate(child);
  if (error == 0 && child->upper != NULL) error = lay(child);
  if (error == 0 && child->listener != NULL) error = give_way_out(way);
  if (error == 0 && chdir(child->directory) != 0) error = errno;
  sigaddset(&nothing, SIGTERM);
  sigaddset(&nothing, SIGALRM);
  sigprocmask(SIG_BLOCK, &nothing, NULL);
  pid_t program = error == 0 ? _Fork() : -1;
  if (program == 0) {
    /* Its parent has another pid namespace, which is seen as 0. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* What it sends to its own group must not end the one that waits for all of it. */
    setpgid(0, 0);
    if (child->tasks > 0) cprocess_bound_numbers(child->tasks);
    error = become(child);
  }
  if (error == 0 && program < 0) error = errno;
  if (error != 0) {
    ssize_t written = send(way, &error, sizeof error, MSG_NOSIGNAL);
    (void)written;
    _exit(127);
  }
  /* The first process of a namespace does not hear its own alarm. */
  alarm((unsigned)child->wall_seconds);
  close(way);
  close(RECORD);
  if (from[4] >= 0) close(FILTER);
  _exit(end_with_all(program));
}

/* Waits until the program has begun, or has not. */
static pid_t start_staged(const cprocess_child *child, const int from[5], int *failure) {
  int ends[2], listener = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return *failure = errno, -1;
  int way = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  close(ends[1]);
  if (way < 0) return *failure = errno, close(ends[0]), -1;
  pid_t pid = _Fork();
  if (pid == 0) stage(child, from, way);
  *failure = pid < 0 ? errno : 0;
  close(way);
  if (pid > 0) hear_of_stage(ends[0], &listener, failure);
  close(ends[0]);
  if (child->listener != NULL && *failure == 0) {
    *child->listener = listener;
  } else if (listener >= 0) {
    close(listener);
  }
  return pid;
}

pid_t cprocess_spawn(const cprocess_child *child, int *gate, int *failure) {
  /* Out of the way of 0 to 5, so that no dup2 overwrites one that is still needed. */
  const int wanted[5] = {child->input, child->output, child->error, child->record, child->filter};
  int from[5] = {-1, -1, -1, -1, -1};
  int ends[2] = {-1, -1};
  int other = -1, error = 0;
  if (child->supervised) {
    error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    other = error == 0 ? fcntl(ends[1], F_DUPFD_CLOEXEC, 10) : -1;
    if (error == 0 && other < 0) error = errno;
  }
  for (int index = 0; index < 5 && error == 0; index++) {
    if (wanted[index] < 0) continue;
    from[index] = fcntl(wanted[index], F_DUPFD_CLOEXEC, 10);
    if (from[index] < 0) error = errno;
  }
  pid_t pid = -1;
  if (error == 0) {
    /* No handler of ours may run in the copy. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (child->supervised) {
      pid = _Fork();
      if (pid == 0) supervise(child, from, other);
      if (pid < 0) error = errno;
    } else if (is_staged(child)) {
      pid = start_staged(child, from, &error);
    } else {
      pid = start_alone(child, from, &error);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  for (int index = 0; index < 5; index++)
    if (from[index] >= 0) close(from[index]);
  if (other >= 0) close(other);
  if (ends[1] >= 0) close(ends[1]);
  if (error != 0) {
    if (ends[0] >= 0) close(ends[0]);
    ends[0] = -1;
    if (pid > 0) cprocess_wait(pid);
    pid = -1;
  }
  *gate = ends[0];
  *failure = error;
  return pid;
}

int cprocess_begin(pid_t pid, int gate) {
  int error = 0;
  if (send(gate, "", 1, MSG_NOSIGNAL) != 1) error = errno;
  /* Nothing to read: the program has taken the place of what would have answered. */
  else
    while (read(gate, &error, sizeof error) < 0 && errno == EINTR) {}
  if (error != 0) cprocess_wait(pid);
  return error;
}

int cprocess_open_pid(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int cprocess_open_pipe(int *reader, int *writer) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  *reader = ends[0];
  *writer = ends[1];
  /* The end of ours only: programs expect to wait when they write. */
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int cprocess_open_flag(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cprocess_raise_flag(int flag) {
  uint64_t one = 1;
  ssize_t written = write(flag, &one, sizeof one);
  (void)written; /* A full counter is raised already. */
}

int cprocess_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void cprocess_share_arena(void) { mallopt(M_ARENA_MAX, 1); }
