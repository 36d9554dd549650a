// Libraries that are opened at first use: if linked, they would be loaded before `main`.
//
//     #define FUNCTIONS(EACH) EACH(name_first) EACH(name_second)
//     LIBRARY(NameFunctions, name_library, "libname.so.1", FUNCTIONS)
//
// Functions are called through the table alone: a call of one that the header declares would link
// its library. If that is absent or lacks one of them, there is no table. It is never closed.
#pragma once
#include <dlfcn.h>
#include <stddef.h>

#define LIBRARY_FIELD(name) __typeof__(name) *_Nonnull name;
#define LIBRARY_FIND(name) \
  if ((*(void **)&table.name = dlsym(library, #name)) == NULL) return NULL;

// Each module calls `open` once. Local, so that no symbol of a library replaces another's.
#define LIBRARY(Table, open, name, FUNCTIONS)                              \
  typedef struct __attribute__((swift_attr("@Sendable"))) Table {          \
    FUNCTIONS(LIBRARY_FIELD)                                               \
  } Table;                                                                 \
  static inline const Table *_Nullable open(void) {                        \
    static Table table;                                                    \
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);                  \
    if (library == NULL) return NULL;                                      \
    FUNCTIONS(LIBRARY_FIND)                                                \
    return &table;                                                         \
  }
