// Preloaded into a node by `ObservedDisk`: notes what it does to the files of one directory, in the order in which that happens, and can make
// the n-th write or sync of one file fail with EIO. Environment:
//   DISK_FOLDER  the directory, without a slash at its end
//   DISK_LOG     where to append records; may be unset
//   DISK_STALL   a file: while it is there, syncs of ledger.db-wal wait; may be unset
//   DISK_FAULT   "write NAME N" or "sync NAME N": which operation fails, once; may be unset. NAME "." is the directory itself
// With a log nothing is really synced: the log is what the power cut is replayed from, and it is faster.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder, *stall;
static size_t folder_length;
static int log_descriptor = -1;
static char fault_operation[16], fault_name[256];
static long fault_at, fault_seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void start(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  real_open = dlsym(RTLD_NEXT, "open64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  const char *log = getenv("DISK_LOG"), *fault = getenv("DISK_FAULT");
  folder = getenv("DISK_FOLDER");
  stall = getenv("DISK_STALL");
  folder_length = folder == NULL ? 0 : strlen(folder);
  if (log != NULL) log_descriptor = real_open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fault != NULL) sscanf(fault, "%15s %255s %ld", fault_operation, fault_name, &fault_at);
}

// The name of a file inside the folder, "." for the folder, NULL for whatever else. The index of the log of changes does not outlast a power cut.
static const char *inside(const char *path) {
  if (folder == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == 0) return ".";
  size_t length = strlen(path);
  if (path[folder_length] != '/' || (length > 4 && strcmp(path + length - 4, "-shm") == 0)) return NULL;
  return path + folder_length + 1;
}

static const char *name_of(int descriptor, char *path, size_t size) {
  char link[64];
  if (folder == NULL) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return inside(path);
}

static uint64_t inode_of(int descriptor) {
  struct stat found;
  return fstat(descriptor, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

// A record is a line of text and `size` bytes. One append writes all of it, so that those of other processes come between two.
static void note(const void *data, size_t size, const char *format, ...) {
  if (log_descriptor < 0) return;
  char line[1024];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  struct iovec parts[2] = {{line, length}, {(void *)data, size}};
  if (real_writev(log_descriptor, parts, 2) != (ssize_t)(length + size)) abort();
}

static int is_faulty(const char *operation, const char *name) {
  if (strcmp(operation, fault_operation) != 0 || strcmp(name, fault_name) != 0) return 0;
  return ++fault_seen == fault_at;
}

static ssize_t any_write(int descriptor, const struct iovec *parts, int count, off64_t offset) {
  char path[4096];
  const char *name = name_of(descriptor, path, sizeof path);
  if (name == NULL) return offset < 0 ? real_writev(descriptor, parts, count) : real_pwritev(descriptor, parts, count, offset);
  pthread_mutex_lock(&mutex);
  ssize_t written = -1;
  int error = EIO;
  if (!is_faulty("write", name)) {
    off64_t at = offset;
    if (at < 0) {
      struct stat found;
      int flags = fcntl(descriptor, F_GETFL);
      at = (flags & O_APPEND) && fstat(descriptor, &found) == 0 ? found.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    written = offset < 0 ? real_writev(descriptor, parts, count) : real_pwritev(descriptor, parts, count, offset);
    error = errno;
    size_t left = written < 0 ? 0 : (size_t)written;
    for (int i = 0; i < count && left > 0; i++) {
      size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
      note(parts[i].iov_base, size, "write %lu %ld %zu\n", inode_of(descriptor), (long)at, size);
      at += size;
      left -= size;
    }
  }
  pthread_mutex_unlock(&mutex);
  errno = error;
  return written;
}

ssize_t write(int descriptor, const void *data, size_t size) {
  struct iovec part = {(void *)data, size};
  char path[4096];
  if (name_of(descriptor, path, sizeof path) == NULL) return real_write(descriptor, data, size);
  return any_write(descriptor, &part, 1, -1);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t offset) {
  struct iovec part = {(void *)data, size};
  return any_write(descriptor, &part, 1, offset);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset) { return pwrite64(descriptor, data, size, offset); }

ssize_t writev(int descriptor, const struct iovec *parts, int count) { return any_write(descriptor, parts, count, -1); }

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
  return any_write(descriptor, parts, count, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return any_write(descriptor, parts, count, offset);
}

int fsync(int descriptor) {
  char path[4096];
  const char *name = name_of(descriptor, path, sizeof path);
  if (name == NULL) return real_fsync(descriptor);
  while (stall != NULL && strcmp(name, "ledger.db-wal") == 0 && access(stall, F_OK) == 0) usleep(10000);
  pthread_mutex_lock(&mutex);
  int isFailed = is_faulty("sync", name);
  struct stat found;
  if (fstat(descriptor, &found) == 0 && S_ISDIR(found.st_mode)) {
    note(NULL, 0, "%s %s\n", isFailed ? "lostnames" : "syncnames", name);
  } else {
    note(NULL, 0, "%s %lu\n", isFailed ? "lost" : "sync", inode_of(descriptor));
  }
  int result = isFailed ? -1 : log_descriptor >= 0 ? 0 : real_fsync(descriptor);
  int error = isFailed ? EIO : errno;
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

int fdatasync(int descriptor) { return fsync(descriptor); }

int ftruncate64(int descriptor, off64_t size) {
  char path[4096];
  const char *name = name_of(descriptor, path, sizeof path);
  if (name == NULL) return real_ftruncate(descriptor, size);
  pthread_mutex_lock(&mutex);
  int result = real_ftruncate(descriptor, size), error = errno;
  if (result == 0) note(NULL, 0, "truncate %lu %ld\n", inode_of(descriptor), (long)size);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list values;
    va_start(values, flags);
    mode = va_arg(values, mode_t);
    va_end(values);
  }
  const char *name = inside(path);
  if (name == NULL || (flags & O_ACCMODE) == O_RDONLY) return real_open(path, flags, mode);
  pthread_mutex_lock(&mutex);
  int isNew = access(path, F_OK) != 0;
  int descriptor = real_open(path, flags, mode), error = errno;
  if (descriptor >= 0 && isNew) note(NULL, 0, "create %lu %s\n", inode_of(descriptor), name);
  if (descriptor >= 0 && !isNew && (flags & O_TRUNC)) note(NULL, 0, "truncate %lu 0\n", inode_of(descriptor));
  pthread_mutex_unlock(&mutex);
  errno = error;
  return descriptor;
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list values;
    va_start(values, flags);
    mode = va_arg(values, mode_t);
    va_end(values);
  }
  return open64(path, flags, mode);
}

int rename(const char *from, const char *to) {
  const char *from_name = inside(from), *to_name = inside(to);
  if (from_name == NULL || to_name == NULL) return real_rename(from, to);
  pthread_mutex_lock(&mutex);
  int result = real_rename(from, to), error = errno;
  if (result == 0) note(NULL, 0, "rename %s %s\n", from_name, to_name);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

int unlink(const char *path) {
  const char *name = inside(path);
  if (name == NULL) return real_unlink(path);
  pthread_mutex_lock(&mutex);
  int result = real_unlink(path), error = errno;
  if (result == 0) note(NULL, 0, "unlink %s\n", name);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}
