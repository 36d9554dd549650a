#include "CThreads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

struct start {
  void (*body)(void *);
  void *context;
  int niceness;
};

enum { alternate_stack_size = 64 << 10 };

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  char alternate[alternate_stack_size];
  sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof alternate}, NULL);
  // On Linux this is the niceness of the calling thread alone.
  if (start.niceness > 0) setpriority(PRIO_PROCESS, 0, start.niceness);
  start.body(start.context);
  // `alternate` is gone once this function returns.
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  return NULL;
}

int own_thread_start(void (*body)(void *), void *context, int niceness) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (struct start){body, context, niceness};
  sigset_t all, before;
  sigfillset(&all);
  const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) {
    free(start);
    return failure;
  }
  pthread_detach(thread);
  return 0;
}
