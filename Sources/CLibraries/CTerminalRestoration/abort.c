#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// Takes the place of the C library's `abort` for the program and the libraries it loads, such as
// Swift's runtime when an allocation fails.
//
// libdispatch blocks SIGABRT on its threads. glibc's `abort` unblocked it before raising it; newer
// ones (seen in 2.41 and 2.43) do not, and end the process past the handler that gives the terminal
// back.
__attribute__((noreturn, visibility("default"))) void abort(void) {
  sigset_t aborting;
  sigemptyset(&aborting);
  sigaddset(&aborting, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &aborting, NULL);
  raise(SIGABRT);
  // The signal is ignored, or its handler has returned.
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
  _exit(128 + SIGABRT);
}
