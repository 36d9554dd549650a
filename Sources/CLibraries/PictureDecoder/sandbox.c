#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static void limit(int resource, unsigned long value) {
  struct rlimit limit;
  // Never more than before.
  if (getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY &&
      limit.rlim_max < value)
    value = limit.rlim_max;
  setrlimit(resource, &(struct rlimit){value, value});
}

void sandbox_limit(unsigned long memory, unsigned long seconds) {
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  // Sanitized builds take terabytes of address space.
  limit(RLIMIT_AS, memory);
#else
  (void)memory;
#endif
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  // The channel, two outputs that lead nowhere, the memory of one picture, and one to spare.
  limit(RLIMIT_NOFILE, 5);
  prctl(PR_SET_DUMPABLE, 0);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if defined(ARCHITECTURE)
#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
// The lower half of an argument, which comes first on both architectures.
#define LOAD_ARGUMENT(n) LOAD(args[n])
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// An error instead of the end: a C library can do without the calls it makes out of caution.
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW_CALL(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ALLOW
// Only for the channel, which is descriptor 0.
#define ALLOW_ON_CHANNEL(call)                                                 \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD_ARGUMENT(0),     \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), ALLOW, REFUSE
// Only for memory that is not executable.
#define ALLOW_DATA(call)                                                       \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD_ARGUMENT(2),     \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), ALLOW, REFUSE
#endif

int sandbox_close(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
#if defined(ARCHITECTURE)
  struct sock_filter rules[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      ALLOW_ON_CHANNEL(recvmsg),
      ALLOW_ON_CHANNEL(write),
      ALLOW_DATA(mmap),
      ALLOW_DATA(mprotect),
      ALLOW_CALL(munmap),
      ALLOW_CALL(mremap),
      ALLOW_CALL(madvise),
      ALLOW_CALL(brk),
      ALLOW_CALL(close),
      ALLOW_CALL(futex),
      ALLOW_CALL(clock_gettime),
      ALLOW_CALL(rt_sigreturn),
      ALLOW_CALL(exit),
      ALLOW_CALL(exit_group),
      REFUSE,
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}
