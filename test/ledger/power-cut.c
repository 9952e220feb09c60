/*
 * Preloaded into a process: copies each file below FREIGHT_TEST_FOLDER into FREIGHT_TEST_DISK, under its inode, when it
 * is synced, as it is then: a power cut leaves no more than that. FREIGHT_TEST_WRITES: the process is killed after so
 * many writes to those files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_inside(const char *name) {
  const char *folder = getenv("FREIGHT_TEST_FOLDER");
  return strncmp(name, folder, strlen(folder)) == 0;
}

static int name_of(int fd, char *name) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, PATH_MAX - 1);
  name[length < 0 ? 0 : length] = 0;
  return is_inside(name);
}

static void kept_name(const struct stat *file, char *kept) {
  snprintf(kept, PATH_MAX, "%s/%llu", getenv("FREIGHT_TEST_DISK"), (unsigned long long)file->st_ino);
}

static int keep(int fd, int result) {
  char name[PATH_MAX], kept[PATH_MAX];
  struct stat file;
  if (result != 0 || !name_of(fd, name) || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return result;
  kept_name(&file, kept);
  int from = open(name, O_RDONLY), to = open(kept, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (from < 0 || to < 0) abort();
  for (off_t left = file.st_size; left > 0;) {
    ssize_t done = sendfile(to, from, NULL, left);
    if (done <= 0) abort();
    left -= done;
  }
  close(from);
  close(to);
  return result;
}

static void count(int fd) {
  static long writes;
  const char *most = getenv("FREIGHT_TEST_WRITES");
  char name[PATH_MAX];
  if (most && name_of(fd, name) && ++writes > atol(most)) kill(getpid(), SIGKILL);
}

int fsync(int fd) { return keep(fd, REAL(fsync)(fd)); }
int fdatasync(int fd) { return keep(fd, REAL(fdatasync)(fd)); }

/* The next file may get the same inode. */
int unlink(const char *name) {
  char kept[PATH_MAX];
  struct stat file;
  if (is_inside(name) && stat(name, &file) == 0) {
    kept_name(&file, kept);
    REAL(unlink)(kept);
  }
  return REAL(unlink)(name);
}

ssize_t write(int fd, const void *data, size_t size) {
  count(fd);
  return REAL(write)(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  count(fd);
  return REAL(pwrite64)(fd, data, size, at);
}
