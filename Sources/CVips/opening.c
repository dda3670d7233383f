/* libvips by dlopen. What is declared here is of the headers of libvips 8.13 and later and GLib 2.70 and later, whose ABI does not
   change; `libvips-dev` itself would bring over a hundred packages to a machine that only runs the program. */
#define _GNU_SOURCE
#include "cvips.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef size_t type; /* GType */
typedef struct { type type; uint64_t data[2]; } value; /* GValue */
typedef struct { void *class; const char *name; unsigned flags; type value_type; } property; /* GParamSpec */

/* GType: fundamental types of GLib, shifted by two. */
enum { INTEGER = 6 << 2, BOOLEAN = 5 << 2, NUMBER = 15 << 2, CHOICE = 12 << 2, TEXT = 16 << 2, OBJECT = 20 << 2 };
enum { IN_ORDER = 1 }; /* VIPS_OPERATION_SEQUENTIAL, VIPS_ACCESS_SEQUENTIAL */

#define FUNCTIONS \
  F(int, vips_init, (const char *)) \
  F(const char *, vips_version_string, (void)) \
  F(void, vips_concurrency_set, (int)) \
  F(void, vips_cache_set_max, (int)) \
  F(const char *, vips_error_buffer, (void)) \
  F(void, vips_error, (const char *, const char *, ...)) \
  F(void *, vips_source_new_from_descriptor, (int)) \
  F(void *, vips_target_new_to_descriptor, (int)) \
  F(void *, vips_source_map_blob, (void *)) \
  F(const char *, vips_foreign_find_load_source, (void *)) \
  F(void *, vips_image_new_from_source, (void *, const char *, ...)) \
  F(void *, vips_image_new_matrix_from_array, (int, int, const double *, int)) \
  F(void *, vips_image_copy_memory, (void *)) \
  F(int, vips_image_write_to_target, (void *, const char *, void *, ...)) \
  F(char **, vips_image_get_fields, (void *)) \
  F(type, vips_image_get_typeof, (void *, const char *)) \
  F(type, vips_blob_get_type, (void)) \
  F(int, vips_image_get, (void *, const char *, value *)) \
  F(const char *, vips_enum_nick, (type, int)) \
  F(int, vips_image_get_as_string, (void *, const char *, char **)) \
  F(int, vips_avg, (void *, double *, ...)) \
  F(void *, vips_operation_new, (const char *)) \
  F(int, vips_operation_get_flags, (void *)) \
  F(int, vips_cache_operation_buildp, (void **)) \
  F(int, vips_object_set_argument_from_string, (void *, const char *, const char *)) \
  F(void, vips_value_set_array_double, (value *, const double *, int)) \
  F(void, vips_value_set_array_image, (value *, int)) \
  F(void **, vips_value_get_array_image, (const value *, int *)) \
  F(property *, g_object_class_find_property, (void *, const char *)) \
  F(void, g_object_set_property, (void *, const char *, const value *)) \
  F(void, g_object_get_property, (void *, const char *, value *)) \
  F(void, vips_object_unref_outputs, (void *)) \
  F(type, g_type_from_name, (const char *)) \
  F(void *, vips_class_map_all, (type, void *(*)(void *, void *), void *)) \
  F(void *, g_object_ref, (void *)) \
  F(void, g_object_unref, (void *)) \
  F(type, g_type_fundamental, (type)) \
  F(int, g_value_type_transformable, (type, type)) \
  F(value *, g_value_init, (value *, type)) \
  F(void, g_value_unset, (value *)) \
  F(void, g_value_set_int, (value *, int)) \
  F(void, g_value_set_double, (value *, double)) \
  F(void, g_value_set_object, (value *, void *)) \
  F(void, g_value_set_boxed, (value *, const void *)) \
  F(void *, g_value_get_object, (const value *)) \
  F(void, g_strfreev, (char **)) \
  F(void, g_free, (void *))

#define F(result, name, arguments) static result(*name) arguments;
FUNCTIONS
#undef F

const char *cvips_open(void) {
  static char reason[512];
  void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) return snprintf(reason, sizeof reason, "%s", dlerror()), reason;
  const char *missing = NULL;
#define F(result, name, arguments) \
  *(void **)&name = dlsym(library, #name); \
  if (name == NULL) missing = #name;
  FUNCTIONS
#undef F
  if (missing != NULL) return snprintf(reason, sizeof reason, "libvips has no %s", missing), reason;
  if (vips_init("assent") != 0) return snprintf(reason, sizeof reason, "libvips: %s", vips_error_buffer()), reason;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  /* Each child computes one picture: what it gives back to the system it must fetch again, page by page. */
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
  /* A request may have a thousand descriptors. */
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) files.rlim_cur = files.rlim_max, setrlimit(RLIMIT_NOFILE, &files);
  return NULL;
}

static void *look_at(void *class, void *nothing) {
  (void)class, (void)nothing;
  return NULL;
}

void cvips_warm(void) { vips_class_map_all(g_type_from_name("VipsOperation"), look_at, NULL); }

const char *cvips_version(void) { return vips_version_string(); }
void cvips_set_threads(int threads) { vips_concurrency_set(threads); }
const char *cvips_errors(void) { return vips_error_buffer(); }

/* --- What was made --- */

/* Loaders tell of damage when they are closed, so that all must be let go before the process ends. */
static struct { void *object; int is_operation; } *held;
static size_t held_count, held_room;

static void *hold(void *object, int is_operation) {
  if (object == NULL) return NULL;
  if (held_count == held_room) {
    held_room = held_room == 0 ? 64 : 2 * held_room;
    held = realloc(held, held_room * sizeof *held);
    if (held == NULL) abort();
  }
  held[held_count].object = object;
  held[held_count++].is_operation = is_operation;
  return object;
}

void cvips_close(void) {
  while (held_count > 0) {
    held_count--;
    if (held[held_count].is_operation) vips_object_unref_outputs(held[held_count].object);
    g_object_unref(held[held_count].object);
  }
}

/* --- Pictures --- */

cvips_object cvips_source(int descriptor) {
  /* libvips stops the process at an empty file (8.14). */
  struct stat status;
  if (fstat(descriptor, &status) == 0 && status.st_size == 0) return vips_error("VipsForeignLoad", "an empty file is no picture\n"), NULL;
  return hold(vips_source_new_from_descriptor(descriptor), 0);
}

cvips_object cvips_load(cvips_object source, const char *options, int in_order) {
  return hold(
    in_order ? vips_image_new_from_source(source, options, "access", IN_ORDER, NULL) : vips_image_new_from_source(source, options, NULL), 0);
}

cvips_object cvips_matrix(int width, int height, const double *numbers) {
  return hold(vips_image_new_matrix_from_array(width, height, numbers, width * height), 0);
}

cvips_object cvips_in_memory(cvips_object image) { return hold(vips_image_copy_memory(image), 0); }

int cvips_read(cvips_object image) {
  double average;
  return vips_avg(image, &average, NULL);
}

int cvips_save(cvips_object image, int descriptor, const char *suffix) {
  void *target = vips_target_new_to_descriptor(descriptor);
  return hold(target, 0) == NULL ? -1 : vips_image_write_to_target(image, suffix, target, NULL);
}

int cvips_print_fields(cvips_object image, int descriptor) {
  char **names = vips_image_get_fields(image);
  FILE *out = fdopen(descriptor, "w");
  if (names == NULL || out == NULL) return -1;
  for (char **name = names; *name != NULL; name++) {
    char *text = NULL;
    type kind = vips_image_get_typeof(image, *name);
    value got = {0};
    /* Its bytes would be written. */
    if (kind == vips_blob_get_type()) {
      fprintf(out, "%s: binary data\n", *name);
      continue;
    }
    /* Its number would be. */
    if (g_type_fundamental(kind) == CHOICE && vips_image_get(image, *name, &got) == 0) {
      fprintf(out, "%s: %s\n", *name, vips_enum_nick(kind, (int)got.data[0]));
      continue;
    }
    if (vips_image_get_as_string(image, *name, &text) != 0) return -1;
    fprintf(out, "%s: %s\n", *name, text);
    g_free(text);
  }
  g_strfreev(names);
  return fflush(out) == 0 ? 0 : -1;
}

/* --- Operations --- */

cvips_object cvips_operation(const char *name) { return vips_operation_new(name); }
int cvips_is_in_order(cvips_object operation) { return (vips_operation_get_flags(operation) & IN_ORDER) != 0; }

/* The type of an argument; 0, with a word of why, if there is none of this name. */
static type type_of(cvips_object operation, const char *name) {
  property *found = g_object_class_find_property(*(void **)operation, name);
  if (found == NULL) vips_error("assent", "no argument %s\n", name);
  return found == NULL ? 0 : found->value_type;
}

/* Sets an argument of another type than the value's only where GLib changes one into the other. */
static int set(cvips_object operation, const char *name, const value *given) {
  type wanted = type_of(operation, name);
  if (wanted == 0) return -1;
  if (!g_value_type_transformable(given->type, wanted)) return vips_error("assent", "another type of %s\n", name), -1;
  g_object_set_property(operation, name, given);
  return 0;
}

int cvips_set_integer(cvips_object operation, const char *name, int number) {
  value given = {0};
  g_value_set_int(g_value_init(&given, INTEGER), number);
  return set(operation, name, &given);
}

int cvips_set_number(cvips_object operation, const char *name, double number) {
  value given = {0};
  g_value_set_double(g_value_init(&given, NUMBER), number);
  return set(operation, name, &given);
}

int cvips_set_numbers(cvips_object operation, const char *name, const double *numbers, int count) {
  type wanted = type_of(operation, name);
  if (wanted == 0 || g_type_fundamental(wanted) == OBJECT) return -1;
  value given = {0};
  g_value_init(&given, wanted);
  vips_value_set_array_double(&given, numbers, count);
  int result = set(operation, name, &given);
  g_value_unset(&given);
  return result;
}

int cvips_set_word(cvips_object operation, const char *name, const char *word) {
  type wanted = type_of(operation, name);
  if (wanted == 0) return -1;
  /* Other types could name files. */
  type kind = g_type_fundamental(wanted);
  if (kind != TEXT && kind != CHOICE) return vips_error("assent", "%s is no word\n", name), -1;
  return vips_object_set_argument_from_string(operation, name, word);
}

int cvips_set_image(cvips_object operation, const char *name, cvips_object image) {
  type wanted = type_of(operation, name);
  if (wanted == 0 || g_type_fundamental(wanted) != OBJECT) return -1;
  value given = {0};
  g_value_set_object(g_value_init(&given, wanted), image);
  int result = set(operation, name, &given);
  g_value_unset(&given);
  return result;
}

int cvips_set_images(cvips_object operation, const char *name, cvips_object const *images, int count) {
  type wanted = type_of(operation, name);
  if (wanted == 0 || g_type_fundamental(wanted) == OBJECT) return -1;
  value given = {0};
  g_value_init(&given, wanted);
  vips_value_set_array_image(&given, count);
  void **places = vips_value_get_array_image(&given, NULL);
  for (int index = 0; index < count; index++) places[index] = g_object_ref(images[index]);
  int result = set(operation, name, &given);
  g_value_unset(&given);
  return result;
}

cvips_object cvips_thumbnail(cvips_object source, const char *options) {
  const char *name = "thumbnail_source";
  value given = {0};
  cvips_object operation;
  if (vips_foreign_find_load_source(source) != NULL) {
    operation = vips_operation_new(name);
    if (operation == NULL || cvips_set_image(operation, "source", source) != 0) return NULL;
  } else {
    /* A loader that knows bytes in memory only. */
    void *bytes = vips_source_map_blob(source);
    operation = bytes == NULL ? NULL : vips_operation_new("thumbnail_buffer");
    if (operation == NULL) return NULL;
    g_value_set_boxed(g_value_init(&given, type_of(operation, "buffer")), bytes);
    g_object_set_property(operation, "buffer", &given);
  }
  if (options[0] != 0 && cvips_set_word(operation, "option_string", options) != 0) return NULL;
  return operation;
}

cvips_object cvips_made(cvips_object operation) {
  if (vips_cache_operation_buildp(&operation) != 0) return NULL;
  hold(operation, 1);
  type wanted = type_of(operation, "out");
  if (wanted == 0) return NULL;
  value made = {0};
  g_value_init(&made, wanted);
  g_object_get_property(operation, "out", &made);
  /* The value has a reference of its own. */
  return hold(g_value_get_object(&made), 0);
}
