#define _GNU_SOURCE
#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_descriptors(posix_spawn_file_actions_t *actions, int input, int output,
                           int errors) {
  int problem = input < 0
                    ? posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
                    : posix_spawn_file_actions_adddup2(actions, input, 0);
  const int written[] = {output, errors};
  for (int index = 0; index < 2 && problem == 0; index++)
    problem =
        written[index] < 0
            ? posix_spawn_file_actions_addopen(actions, index + 1, "/dev/null", O_WRONLY, 0)
            : posix_spawn_file_actions_adddup2(actions, written[index], index + 1);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  if (problem == 0) problem = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
  return problem;
}

static int set_attributes(posix_spawnattr_t *attributes, int in_session) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int problem = posix_spawnattr_setsigmask(attributes, &none);
  if (problem == 0) problem = posix_spawnattr_setsigdefault(attributes, &all);
  short session = in_session ? 0 : POSIX_SPAWN_SETSID;
  if (problem == 0)
    problem = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session);
  return problem;
}

static int start(pid_t *process, const char *file, char *const arguments[],
                 char *const environment[], int input, int output, int errors, int in_session) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int problem = posix_spawn_file_actions_init(&actions);
  if (problem != 0) return problem;
  problem = posix_spawnattr_init(&attributes);
  if (problem != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return problem;
  }
  problem = set_descriptors(&actions, input, output, errors);
  if (problem == 0) problem = set_attributes(&attributes, in_session);
  if (problem == 0)
    problem = posix_spawnp(process, file, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

int child_process_start(pid_t *process, const char *file, char *const arguments[],
                        char *const environment[], int input, int output, int errors) {
  return start(process, file, arguments, environment, input, output, errors, 0);
}

int child_process_start_on_terminal(pid_t *process, const char *file, char *const arguments[],
                                    char *const environment[], int input, int output) {
  return start(process, file, arguments, environment, input, output, output, 1);
}

int child_process_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int child_process_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }

int child_process_wait(pid_t process, int *status) {
  while (waitpid(process, status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int child_process_await_end(pid_t process) {
  siginfo_t information;
  while (waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int child_process_await_change(pid_t process, int *is_stopped) {
  siginfo_t information;
  while (waitid(P_PID, (id_t)process, &information, WEXITED | WSTOPPED | WNOWAIT) < 0) {
    if (errno != EINTR) return errno;
  }
  *is_stopped = information.si_code == CLD_STOPPED;
  // An ended process stays in the table; a stop is reported once.
  if (*is_stopped) waitid(P_PID, (id_t)process, &information, WSTOPPED | WNOHANG);
  return 0;
}
