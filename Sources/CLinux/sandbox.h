// What a process gives up for good: a seccomp filter, and the Landlock calls, which have no wrappers
// in the C library. Both hold for what the process starts, too.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// fcntl.h has it for GNU sources only.
#define LINUX_O_PATH 010000000

// What the filter leaves to a process.
#define LINUX_MAY_START_PROGRAMS 1u
/// Stream sockets of IP: what a server on this machine needs.
#define LINUX_MAY_USE_STREAMS 2u
/// Sockets of this machine and of IP, and those that names are looked up with.
#define LINUX_MAY_CONNECT 4u

#if defined(__x86_64__)
#define LINUX_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define LINUX_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/// Calls that neither program ever makes, and that reach other processes, the machine's settings or
/// the parts of a kernel where most of its holes were. Those that this kernel's headers do not know
/// yet are left out.
static const unsigned int linux_forbidden[] = {
    // Other processes and their memory.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
    // Namespaces and mounts.
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
#ifdef SYS_fsopen
    SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_move_mount, SYS_open_tree,
#endif
    SYS_mknodat, SYS_open_by_handle_at, SYS_fanotify_init, SYS_quotactl, SYS_acct,
#ifdef SYS_mknod
    SYS_mknod,
#endif
    // The kernel itself.
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_syslog, SYS_personality,
    SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    // Keys that the kernel keeps, clock and names of the machine.
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
};

/// Forbids the calls above, and starting programs and making sockets but for what `may` leaves, to all
/// threads or this one. A forbidden call ends with EPERM.
/// Returns 0, or -1 with errno where the kernel has no such filters.
static inline int linux_forbid(unsigned int may, _Bool all_threads) {
#ifndef LINUX_AUDIT_ARCH
  errno = ENOSYS;
  return -1;
#else
  enum { calls = sizeof linux_forbidden / sizeof *linux_forbidden };
  struct sock_filter code[2 * calls + 64];
  unsigned short count = 0;
#define PUT(...) code[count++] = (struct sock_filter)__VA_ARGS__
#define LOAD(member) \
  PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, member)))
#define REFUSE(code) PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code)))
#define ALLOW() PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))
// The next so many steps are only for a value that equals, or has one of the bits.
#define IF_EQUAL(value, steps) PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (steps)))
#define IF_BITS(value, steps) PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), 0, (steps)))
#define UNLESS_EQUAL(value, steps) PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (steps), 0))

  // Calls of another architecture, which the same processor has, have other numbers.
  LOAD(arch);
  UNLESS_EQUAL(LINUX_AUDIT_ARCH, 1);
  REFUSE(EPERM);
  LOAD(nr);
#ifdef __x86_64__
  // So have those of x32.
  PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
  REFUSE(EPERM);
#endif
  for (int index = 0; index < calls; index++) {
    IF_EQUAL(linux_forbidden[index], 1);
    REFUSE(EPERM);
  }
  if (!(may & LINUX_MAY_START_PROGRAMS)) {
    IF_EQUAL(SYS_execve, 1);
    REFUSE(EPERM);
    IF_EQUAL(SYS_execveat, 1);
    REFUSE(EPERM);
  }
#ifdef SYS_clone3
  // Its flags lie in memory, where no filter looks; the C library then uses clone(2).
  IF_EQUAL(SYS_clone3, 1);
  REFUSE(ENOSYS);
#endif
  IF_EQUAL(SYS_clone, 4);
  LOAD(args[0]);
  IF_BITS(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
              | CLONE_NEWCGROUP, 1);
  REFUSE(EPERM);
  ALLOW();
  // Typing into the terminal, for the shell that comes after.
  IF_EQUAL(SYS_ioctl, 5);
  LOAD(args[1]);
  UNLESS_EQUAL(TIOCSTI, 2);
  UNLESS_EQUAL(0x541Cu /* TIOCLINUX */, 1);
  ALLOW();
  REFUSE(EPERM);
  if (may & LINUX_MAY_CONNECT) {
    IF_EQUAL(SYS_socket, 7);
    LOAD(args[0]);
    UNLESS_EQUAL(AF_UNIX, 4);
    UNLESS_EQUAL(AF_NETLINK, 3);
    UNLESS_EQUAL(AF_INET, 2);
    UNLESS_EQUAL(AF_INET6, 1);
    REFUSE(EPERM);
    ALLOW();
  } else if (may & LINUX_MAY_USE_STREAMS) {
    IF_EQUAL(SYS_socket, 9);
    LOAD(args[0]);
    UNLESS_EQUAL(AF_INET, 2);
    UNLESS_EQUAL(AF_INET6, 1);
    REFUSE(EPERM);
    LOAD(args[1]);
    PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xFu));
    UNLESS_EQUAL(SOCK_STREAM, 1);
    REFUSE(EPERM);
    ALLOW();
  } else {
    IF_EQUAL(SYS_socket, 1);
    REFUSE(EPERM);
  }
  ALLOW();
#undef PUT
#undef LOAD
#undef REFUSE
#undef ALLOW
#undef IF_EQUAL
#undef IF_BITS
#undef UNLESS_EQUAL
  struct sock_fprog program = {count, code};
  // No mitigation of speculation is wanted: it slows all down, and nothing foreign runs in here.
  unsigned long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  if (all_threads) flags |= SECCOMP_FILTER_FLAG_TSYNC;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (result > 0) errno = ESRCH;
  return result == 0 ? 0 : -1;
#endif
}

/// Makes a call without arguments; its errno, or 0. For tests of what is forbidden.
static inline int linux_try(unsigned int call) {
  return syscall(call, 0L, 0L, 0L, 0L, 0L, 0L) < 0 ? errno : 0;
}

// Landlock: what a thread and those it starts may do with files. Its numbers stand here because
// headers older than the kernel do not have them. Kernel, include/uapi/linux/landlock.h.
#define LINUX_FILE_EXECUTE (1ull << 0)
#define LINUX_FILE_WRITE (1ull << 1)
#define LINUX_FILE_READ (1ull << 2)
#define LINUX_FOLDER_LIST (1ull << 3)
#define LINUX_FOLDER_REMOVE_FILE (1ull << 5)
#define LINUX_FOLDER_MAKE_FOLDER (1ull << 7)
#define LINUX_FOLDER_MAKE_FILE (1ull << 8)
#define LINUX_FOLDER_MAKE_SOCKET (1ull << 9)
#define LINUX_FILE_REFER (1ull << 13)
#define LINUX_FILE_TRUNCATE (1ull << 14)
#define LINUX_FILE_IOCTL (1ull << 15)
/// The rights that a file can have; all others are those of folders.
#define LINUX_FILE_RIGHTS \
  (LINUX_FILE_EXECUTE | LINUX_FILE_WRITE | LINUX_FILE_READ | LINUX_FILE_TRUNCATE | LINUX_FILE_IOCTL)

struct linux_landlock_ruleset {
  unsigned long long files, network, scopes;
};

struct linux_landlock_beneath {
  unsigned long long allowed;
  int parent;
} __attribute__((packed));

/// The version of the kernel's Landlock; -1 where it has none.
static inline int linux_landlock_version(void) { return (int)syscall(444, (void *)0, 0UL, 1U); }

/// A new ruleset, which refuses what it names and no rule allows; -1 with errno.
static inline int linux_landlock_create(struct linux_landlock_ruleset ruleset) {
  // Older kernels refuse a structure that is longer than theirs, unless the rest is 0.
  return (int)syscall(444, &ruleset, sizeof ruleset, 0U);
}

/// Allows a ruleset what lies below the folder `path`, or of these rights what the file has; -1 with errno.
static inline int linux_landlock_allow(int ruleset, const char *path, unsigned long long allowed) {
  struct linux_landlock_beneath rule = {allowed, open(path, LINUX_O_PATH | O_CLOEXEC)};
  if (rule.parent < 0) return -1;
  struct stat status;
  // The kernel refuses a rule that gives a file the rights of a folder.
  if (fstat(rule.parent, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= LINUX_FILE_RIGHTS;
  int result = (int)syscall(445, ruleset, 1, &rule, 0U);
  int code = errno;
  close(rule.parent);
  errno = code;
  return result;
}

/// Makes a ruleset hold for this thread and those it starts; -1 with errno.
static inline int linux_landlock_restrict(int ruleset) { return (int)syscall(446, ruleset, 0U); }
