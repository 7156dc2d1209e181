// System calls that Swift cannot name: those with a variable number of arguments, and those that
// the C library declares for GNU sources only.
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

int prctl(int option, ...);
void *memmem(const void *bytes, size_t count, const void *wanted, size_t wanted_count);
long syscall(long number, ...);
int setgroups(size_t count, const gid_t *groups);
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);

/// A message of recvmmsg(2), and how many bytes it had.
struct linux_mmsghdr {
  struct msghdr header;
  unsigned int count;
};

/// recvmmsg(2) that does not wait; the number of messages, or -1 with errno.
static inline int linux_recvmmsg(int socket, struct linux_mmsghdr *messages, unsigned int count) {
  return (int)syscall(SYS_recvmmsg, socket, messages, count, MSG_DONTWAIT, (struct timespec *)0);
}

/// prctl(2) with one argument; the rest is 0.
static inline int linux_prctl(int option, unsigned long argument) {
  return prctl(option, argument, 0UL, 0UL, 0UL);
}

/// prctl(2) about one ambient capability, or all with PR_CAP_AMBIENT_CLEAR_ALL.
static inline int linux_prctl_ambient(unsigned long action, unsigned long capability) {
  return prctl(PR_CAP_AMBIENT, action, capability, 0UL, 0UL);
}

/// The effective, permitted and inheritable capabilities of this thread, in that order.
static inline int linux_capget(unsigned long long sets[3]) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
  int result = (int)syscall(SYS_capget, &header, data);
  sets[0] = data[0].effective | (unsigned long long)data[1].effective << 32;
  sets[1] = data[0].permitted | (unsigned long long)data[1].permitted << 32;
  sets[2] = data[0].inheritable | (unsigned long long)data[1].inheritable << 32;
  return result;
}

/// Empties the effective, permitted and inheritable capabilities of this thread.
static inline int linux_capclear(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
  return (int)syscall(SYS_capset, &header, data);
}
