#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "CTerminalRestoration.h"

enum { alternate_stack_size = 64 * 1024 };

static pthread_key_t stack_key;
static pthread_once_t stack_key_once = PTHREAD_ONCE_INIT;

static void release_stack(void *memory) {
  stack_t none;
  memset(&none, 0, sizeof none);
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, NULL);
  free(memory);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, release_stack); }

void terminal_restoration_protect_thread(void) {
  static _Thread_local int is_protected;
  if (is_protected) return;
  is_protected = 1;
  stack_t current;
  // Swift's backtrace handler may have given this thread an alternate stack already.
  if (sigaltstack(NULL, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_size = alternate_stack_size;
  stack.ss_sp = malloc(stack.ss_size);
  if (stack.ss_sp == NULL) return;
  if (sigaltstack(&stack, NULL) != 0) {
    free(stack.ss_sp);
    return;
  }
  // The thread may end long before the process, so its stack is freed with it.
  pthread_once(&stack_key_once, make_stack_key);
  pthread_setspecific(stack_key, stack.ss_sp);
}
