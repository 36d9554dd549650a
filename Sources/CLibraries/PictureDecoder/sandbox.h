// Keeps a decoder from everything but decoding.
#pragma once

// Limits memory, time, files and processes, before anything hostile is read: `memory` in bytes of
// address space, `seconds` of processor time.
void sandbox_limit(unsigned long memory, unsigned long seconds);

// From now on only system calls for memory and for messages of the channel are allowed. Returns 0,
// or the errno of a system that has no such filter: the limits have to suffice then.
int sandbox_close(void);
