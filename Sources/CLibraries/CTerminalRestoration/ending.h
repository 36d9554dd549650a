// Shared by the files of this module.
#pragma once
#include <signal.h>

// The signals of a crash.
extern const int crash_signals[];
extern const int crash_signal_count;

// Ends the process by signal `number` at once, with the terminal restored. For handlers; if another
// thread is already ending the process, waits for the end.
void terminal_restoration_end(int number) __attribute__((noreturn));
