#pragma once
#include <sys/types.h>

/* What the system does with files by descriptors, and the C library of Swift does not show. Nothing here follows a link. */

/* A file below a folder: a path that leads out of it or through a link fails with EXDEV or ELOOP, and so does one onto another mount
   unless `other_mounts` is not 0. Close-on-exec. */
int cfiles_open_below(int folder, const char *_Nonnull path, int flags, mode_t mode, int other_mounts);

/* The number of the mount that a file lies on, by a path from a folder or, where that is empty, of the descriptor itself; a link is not
   followed. Also what is bound from the same device has another. 0 where nothing is known. */
unsigned long long cfiles_mount(int folder, const char *_Nonnull path);

/* A descriptor of which only the place is known: nothing of the file is read or changed. For `flags` above. */
int cfiles_place_only(void);

/* A file in a folder that has no name yet, open for writing; -1 with errno, EOPNOTSUPP where the file system has none such.
   Close-on-exec. */
int cfiles_open_unnamed(int folder, mode_t mode);
/* Its name in a folder; fails with EEXIST rather than replace. */
int cfiles_name(int file, int folder, const char *_Nonnull name);

/* rename(2) that fails with EEXIST rather than replace; and one in which both names change places. */
int cfiles_rename_new(int from_folder, const char *_Nonnull from, int to_folder, const char *_Nonnull to);
int cfiles_exchange(int one_folder, const char *_Nonnull one, int other_folder, const char *_Nonnull other);

/* The names of extended attributes, each with a NUL behind it: how many bytes; -1 with errno. */
ssize_t cfiles_attributes(int file, char *_Nullable names, size_t size);
ssize_t cfiles_attribute(int file, const char *_Nonnull name, void *_Nullable value, size_t size);
int cfiles_set_attribute(int file, const char *_Nonnull name, const void *_Nullable value, size_t size);
int cfiles_remove_attribute(int file, const char *_Nonnull name);
/* The same by a path, such as that of a descriptor that is only a place. */
int cfiles_set_attribute_at(const char *_Nonnull path, const char *_Nonnull name, const void *_Nullable value, size_t size);
int cfiles_remove_attribute_at(const char *_Nonnull path, const char *_Nonnull name);

/* Whatever was written to the file system of a folder is on the disk. */
int cfiles_sync_all(int folder);
