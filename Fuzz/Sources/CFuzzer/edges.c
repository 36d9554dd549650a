#include "CFuzzer.h"

// The linker names the beginnings and ends of these sections; absent ones have neither.
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern const uintptr_t __start___sancov_pcs[] __attribute__((weak, visibility("hidden")));
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

size_t fuzzer_edge_count(void) {
  if (!__start___sancov_cntrs || !__start___sancov_pcs) return 0;
  return (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
}

uint8_t fuzzer_edge_hits(size_t edge) { return __start___sancov_cntrs[edge]; }

// The table holds a pair for each edge: its address and whether it begins a function.
uintptr_t fuzzer_edge_address(size_t edge) {
  return __start___sancov_pcs[2 * edge] - (uintptr_t)__ehdr_start;
}
