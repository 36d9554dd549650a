#ifndef C_TEST_PROCESS_H
#define C_TEST_PROCESS_H

/// How many tests run at once, unless the environment says otherwise.
extern const char *const tideline_test_width;

/// How many frames of this thread's stack can be found by frame pointers, this one included; `most`
/// if an async function is among them. glibc keeps no frame pointers where a thread starts, so what
/// is found there may point anywhere.
int tideline_stack_depth(int most);

#endif
