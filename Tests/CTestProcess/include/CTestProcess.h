#ifndef C_TEST_PROCESS_H
#define C_TEST_PROCESS_H

/// How many tests run at once, unless the environment says otherwise.
extern const char *const tideline_test_width;

#endif
