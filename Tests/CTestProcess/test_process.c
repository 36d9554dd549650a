#include "CTestProcess.h"

#include <signal.h>
#include <stdlib.h>

const char *const tideline_test_width = "8";

// All that tests change of the process they share, before the first of them and any thread.
__attribute__((constructor)) static void set_up_test_process(void) {
  // Swift Testing would begin all tests at once: one that waits for an answer is then behind the work
  // of hundreds, beyond the time that an exchange may take.
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", tideline_test_width, 0);
  // A program that ends without reading its input must not end the tests.
  signal(SIGPIPE, SIG_IGN);
}
