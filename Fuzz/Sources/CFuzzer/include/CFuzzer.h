#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's driver, without its own `main`.
int LLVMFuzzerRunDriver(
  int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

// Edges that the compiler has instrumented; 0 where the program is built without.
size_t fuzzer_edge_count(void);
// How often an edge was passed, modulo 256.
uint8_t fuzzer_edge_hits(size_t edge);
// Where an edge stands in the file of the program.
uintptr_t fuzzer_edge_address(size_t edge);

#endif
