// What Linux and macOS do differently and Swift cannot call: functions that its C modules leave out, and
// macros that it cannot read.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <crt_externs.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>
#else
#include <sys/syscall.h>
long syscall(long number, ...);
extern char **environ;
#endif

/// fork(2): for processes with one thread.
static inline pid_t platform_fork(void) { return fork(); }

/// The variables of this process, as programs that it starts get them.
static inline char **platform_environment(void) {
#if defined(__APPLE__)
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

/// The flag of open(2) for a folder that may be searched, but not listed.
static inline int platform_search_flag(void) {
#if defined(__APPLE__)
  return O_SEARCH;
#else
  // O_PATH, which fcntl.h has for GNU sources only.
  return 010000000;
#endif
}

/// A rename that replaces nothing; -1 with errno: EEXIST if the new name is taken.
static inline int platform_rename_new(int folder, const char *old_name, const char *new_name) {
#if defined(__APPLE__)
  return renameatx_np(folder, old_name, folder, new_name, RENAME_EXCL);
#else
  // RENAME_NOREPLACE
  return (int)syscall(SYS_renameat2, folder, old_name, folder, new_name, 1U);
#endif
}

/// Writes the path of this program, without links, to `path`, which has room for PATH_MAX bytes.
/// Returns its length, or -1.
static inline long platform_program_path(char *path) {
#if defined(__APPLE__)
  char name[PATH_MAX];
  uint32_t size = sizeof name;
  if (_NSGetExecutablePath(name, &size) != 0 || !realpath(name, path)) return -1;
  return (long)strlen(path);
#else
  return readlink("/proc/self/exe", path, PATH_MAX);
#endif
}

#if defined(__APPLE__)
/// The bytes of memory that this process holds; 0 if the system does not report them.
static inline unsigned long platform_resident(void) {
  struct mach_task_basic_info info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  kern_return_t result = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
  return result == KERN_SUCCESS ? (unsigned long)info.resident_size : 0;
}
#endif
