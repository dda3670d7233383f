#pragma once
#include <stddef.h>
#include <sys/types.h>

/* --- libvips, opened at run time, so that the program starts without it and runs where it is missing --- */

/* An object of libvips: a source, an operation or an image. */
typedef void *cvips_object;

/* Opens libvips and its loaders. No thread is started and no picture opened. NULL, or why it cannot be used. Once in a process. */
const char *_Nullable cvips_open(void);
/* Prepares all operations, so that no child must do it again. */
void cvips_warm(void);
/* The version, such as "8.14.1". */
const char *_Nonnull cvips_version(void);
/* The threads of one operation. */
void cvips_set_threads(int threads);
/* What went wrong, for people, a line each. */
const char *_Nonnull cvips_errors(void);

/* A file by its descriptor, which stays open. NULL if it cannot be read. */
cvips_object _Nullable cvips_source(int descriptor);
/* The picture of a source; options such as "n=-1". Each picture is opened once. in_order: whether it is read from top to bottom only. */
cvips_object _Nullable cvips_load(cvips_object _Nonnull source, const char *_Nonnull options, int in_order);
/* A picture whose pixels are numbers, row by row. */
cvips_object _Nullable cvips_matrix(int width, int height, const double *_Nonnull numbers);
/* The same picture with its pixels in memory, so that it can be read in any order. */
cvips_object _Nullable cvips_in_memory(cvips_object _Nonnull image);

/* An operation by its name, such as "crop". NULL if there is none. */
cvips_object _Nullable cvips_operation(const char *_Nonnull name);
/* One that makes a picture of a file smaller while it is read; options as for a source. */
cvips_object _Nullable cvips_thumbnail(cvips_object _Nonnull source, const char *_Nonnull options);
/* Whether it reads its pictures from top to bottom only. */
int cvips_is_in_order(cvips_object _Nonnull operation);
/* Arguments by their names. 0, or -1 if there is none of that name and type. */
int cvips_set_integer(cvips_object _Nonnull operation, const char *_Nonnull name, int value);
int cvips_set_number(cvips_object _Nonnull operation, const char *_Nonnull name, double value);
int cvips_set_numbers(cvips_object _Nonnull operation, const char *_Nonnull name, const double *_Nonnull values, int count);
/* A text, or the name of a choice. */
int cvips_set_word(cvips_object _Nonnull operation, const char *_Nonnull name, const char *_Nonnull value);
int cvips_set_image(cvips_object _Nonnull operation, const char *_Nonnull name, cvips_object _Nonnull image);
int cvips_set_images(cvips_object _Nonnull operation, const char *_Nonnull name, cvips_object _Nonnull const *_Nonnull images, int count);
/* The picture that an operation makes, whose pixels are computed when they are read. NULL if it fails. */
cvips_object _Nullable cvips_made(cvips_object _Nonnull operation);

/* Reads all pixels. 0, or -1. */
int cvips_read(cvips_object _Nonnull image);
/* Writes a picture to a descriptor; the suffix says how, such as ".jpg[Q=92]". 0, or -1. */
int cvips_save(cvips_object _Nonnull image, int descriptor, const char *_Nonnull suffix);
/* Writes the fields of the header to a descriptor as lines, "width: 640", as vipsheader does. 0, or -1. */
int cvips_print_fields(cvips_object _Nonnull image, int descriptor);

/* Whether the program was started with this word alone. Without /proc, nothing else can tell. */
int cvips_is_asked(const char *_Nonnull word);

/* Lets go of all that was made. Some loaders tell of damage only now, on standard error. */
void cvips_close(void);

/* --- Descriptors between processes --- */

/* The most descriptors of one message: SCM_MAX_FD of Linux. */
enum { CVIPS_MESSAGE_DESCRIPTORS = 253 };

/* A connected pair of sockets that keep messages apart. Close-on-exec. 0, or -1 with errno. */
int cvips_socket_pair(int *_Nonnull mine, int *_Nonnull other);
/* Sends a message with descriptors, without waiting. 0, or -1 with errno. */
int cvips_send(int socket, const void *_Nonnull bytes, size_t size, const int *_Nonnull descriptors, int count);
/* The size of a message that came, 0 at the end, or -1 with errno: EMSGSIZE if it or its descriptors were cut off. The descriptors are
   close-on-exec. Without waiting. */
ssize_t cvips_receive(int socket, void *_Nonnull bytes, size_t size, int *_Nonnull descriptors, int *_Nonnull count);

/* --- A child for one picture --- */

typedef struct {
  int output, errors;               /* become 1 and 2 */
  const int *_Nonnull descriptors;  /* the only others that stay open */
  int count;
  size_t memory_bytes;              /* RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CPU; 0 as inherited */
  size_t file_bytes;
  size_t cpu_seconds;
} cvips_child;

/* Forks, in a process of one thread. 0 in the child, which has the descriptors above alone, its limits, and system calls for reading files,
   threads and memory only. -1 with errno. */
pid_t cvips_fork(const cvips_child *_Nonnull child);
/* Whether a child has ended: its pid and its exit code, or 128 and the signal. 0 if none has, -1 if there is none. */
pid_t cvips_reap(int *_Nonnull code);
/* Becomes readable when a child ends; without waiting. One thread only. */
int cvips_open_signals(void);
void cvips_clear_signals(int signals);
