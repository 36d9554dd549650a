#pragma once
#include <unicase.h>
#include <unictype.h>
#include <unilbrk.h>
#include <uninorm.h>
#include <uniwidth.h>
#include <wchar.h>

// <wchar.h> declares wcwidth only under _XOPEN_SOURCE, which Swift's import of the C library does
// not set. It is declared here, beside libunistring, for the same reader: the width table.
extern int wcwidth(wchar_t);

// The normal forms are macros for addresses of objects whose type is not told.
static inline uninorm_t uninorm_compatibility_decomposition(void) { return UNINORM_NFKD; }
