#ifndef C_TEST_WIDTH_H
#define C_TEST_WIDTH_H

/// How many tests run at once, where the environment does not say.
extern const char *const tideline_test_width;

#endif
