#include "CTestWidth.h"

#include <stdlib.h>

const char *const tideline_test_width = "8";

// Swift Testing would begin all tests at once: one that waits for an answer is then behind the work
// of hundreds, beyond the time that an exchange may take. It reads this before its first test.
__attribute__((constructor)) static void set_test_width(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", tideline_test_width, 0);
}
