/* What confines a process: the words of filters of system calls, and limits. For the C of this module and of CVips. */
#pragma once
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#if defined __x86_64__
enum { MACHINE = AUDIT_ARCH_X86_64 };
#elif defined __aarch64__
enum { MACHINE = AUDIT_ARCH_AARCH64 };
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_HIGH(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + 4)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define IF(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), (skip), 0)
#define IF_NOT(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, (skip))
#define IF_BITS(bits, skip) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, (skip))
#define COUNT(array) (sizeof(array) / sizeof *(array))
/* IF and IF_NOT jump over `skip` instructions where the value is equal, or is not; IF_BITS where none of the bits is set. */

/* Adds instructions to `code`, of which there are `n`. */
#define ADD(...) \
  do { \
    const struct sock_filter part[] = {__VA_ARGS__}; \
    memcpy(code + n, part, sizeof part); \
    n += COUNT(part); \
  } while (0)

/* Lowers a limit of this process; 0 leaves it as it is. 0, or -1 with errno. */
static inline int limit(int resource, uint64_t value) {
  if (value == 0) return 0;
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -1;
  rlim_t wanted = now.rlim_max != RLIM_INFINITY && now.rlim_max < value ? now.rlim_max : (rlim_t)value;
  struct rlimit limits = {wanted, wanted};
  return setrlimit(resource, &limits);
}

/* Bounds the processor time; 0 leaves it as it is. SIGXCPU ends the process, which tells why, and SIGKILL a second later what has not
   ended by it. 0, or -1 with errno. */
static inline int limit_processor(uint64_t seconds) {
  if (seconds == 0) return 0;
  struct rlimit limits;
  if (limit(RLIMIT_CPU, seconds + 1) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return -1;
  if (limits.rlim_cur > seconds) limits.rlim_cur = (rlim_t)seconds;
  return setrlimit(RLIMIT_CPU, &limits);
}
