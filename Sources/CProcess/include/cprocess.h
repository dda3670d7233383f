#pragma once
#include <stdint.h>
#include <sys/types.h>

/* An overlay over a folder that the program reads besides, as it is seen at another place. Absolute paths. */
typedef struct {
  const char *_Nonnull lower;
  const char *_Nullable cover; /* as of a child; or NULL */
  const char *_Nullable upper; /* takes what is written, beside `work`; NULL for both if nothing may be written, and then there is a cover */
  const char *_Nullable work;
  const char *_Nonnull place;  /* an empty folder */
} cprocess_layer;

/* A program in a session and group of its own, without a terminal, as if the person had started it fresh: default signal handlers, no
   blocked signals, no descriptors but those named here.
   Supervised, it may outlive us: a copy of this process that makes system calls only starts it when it may begin, waits for it, writes how
   it ended, and ends the whole group when its time is over. Else it is killed when the thread that started it ends, and in any case when
   its time is over. Marked in either case (`cprocess_mark`). */
typedef struct {
  const char *_Nonnull path;      /* absolute */
  char *_Nullable const *_Nonnull arguments;   /* NULL at the end */
  char *_Nullable const *_Nonnull environment; /* NULL at the end; exactly this */
  const char *_Nonnull directory;
  int input, output, error;       /* become 0, 1, 2 of the program */
  int supervised;
  int record;                     /* for the exit record: { "exit-code": 0 }; or -1 */
  int inherits_record;            /* whether the program gets the record as 3 and writes it itself (bubblewrap); else the supervisor does */
  int filter;                     /* a filter of system calls, which becomes CPROCESS_FILTER of the program; or -1 */
  const char *_Nullable upper;    /* an empty folder: the program sees `directory` and what it changes there lies here; NULL for neither */
  const char *_Nullable cover;    /* a folder whose files and folders the program sees in place of those of `directory`; outside of it, or NULL */
  const char *_Nullable work;     /* an empty folder beside it, on the same file system; not supervised */
  const cprocess_layer *_Nullable layers; /* laid in the same namespaces as `upper`, without which there are none */
  int layer_count;
  int *_Nullable listener;        /* of one with a network of its own: becomes what listens at 127.0.0.1:CPROCESS_PROXY there, close-on-exec; NULL for
                                     the network that we have. Not supervised */
  int processes;                  /* most that it may start; a supervisor that sees more ends the group, others are counted by whoever waits. 0 for any */
  int tasks;                      /* most processes and threads over an overlay: there are no numbers for more. 0 for any */
  uint64_t wall_seconds;          /* after which the group is killed */
  uint64_t memory_bytes;          /* RLIMIT_AS of the program; 0 as inherited, so for all below */
  uint64_t file_bytes;            /* RLIMIT_FSIZE */
  uint64_t cpu_seconds;           /* RLIMIT_CPU */
  uint64_t open_files;            /* RLIMIT_NOFILE */
} cprocess_child;

/* The descriptor at which a program finds its filter. */
enum { CPROCESS_FILTER = 5 };

/* The port at which a program with a network of its own finds its proxy. */
enum { CPROCESS_PROXY = 3128 };

/* The pid of the program or its supervisor, which is also the group's; its exit code is the program's, or 128 and the signal. -1 with the
   errno of what failed, the program's exec included.
   gate: of a supervisor, which waits there until it may begin, so that word of it can be left before anything happens; closed before
   that, or with our death, it ends. Else -1. */
pid_t cprocess_spawn(const cprocess_child *_Nonnull child, int *_Nonnull gate, int *_Nonnull failure);

/* Marks this process, and so whatever will come of it, as one that Assent ran: no way of starting programs takes the mark away. 0, or -1
   with errno. System calls only. */
int cprocess_mark(void);
/* Whether this process came of one that was marked. */
int cprocess_is_marked(void);

/* A filter of system calls in the form that bubblewrap reads: what containers deny, new user namespaces included. Of one child only. -1
   with errno. Close-on-exec.
   reaches_sockets: whether it may connect to sockets by their paths; without, it makes none but connected pairs.
   makes_links: whether it may give files second names. */
int cprocess_open_filter(int reaches_sockets, int makes_links);

/* How many processes came of one and are still there, itself not counted; not more than `most` and one. System calls only. */
int cprocess_count(pid_t pid, int most);
/* Lets the pid namespace of this process, which must be a new one, have so many numbers; root is bound by it, too. 0, or an errno: ENOSYS
   before Linux 6.14. */
int cprocess_bound_numbers(int most);

/* Lets a supervisor start its program. 0, or the errno of what failed; then the supervisor is gone and waited for. */
int cprocess_begin(pid_t pid, int gate);

/* A descriptor that becomes readable when the process ends; -1 with errno. Close-on-exec. */
int cprocess_open_pid(pid_t pid);

/* A pipe whose reading end does not wait; -1 with errno. Close-on-exec. */
int cprocess_open_pipe(int *_Nonnull reader, int *_Nonnull writer);

/* A counter that poll can wait for; close-on-exec. */
int cprocess_open_flag(void);
void cprocess_raise_flag(int flag);

/* Waits for the end of a child and says how: the exit code, or 128 and the signal; -1 with errno. */
int cprocess_wait(pid_t pid);

/* Threads that come from now on allocate in one arena: each of their own reserves 64 MB of addresses. */
void cprocess_share_arena(void);
