// Parts of ncurses and the C library that Swift cannot import: ncurses keeps its windows and
// capability names in mutable globals, which Swift 6 forbids, its attributes expand to macros with
// arguments, it returns the pointer -1 for a string that does not exist, tiparm is variadic, and
// Swift's Glibc module lacks wcwidth and memfd_create.
#pragma once
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdint.h>
#include <term.h>
#include <wchar.h>

extern int wcwidth(wchar_t character);
static inline int curses_column_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

extern int memfd_create(const char *name, unsigned int flags);
// A file in memory that started programs do not inherit; -1 with errno.
static inline int curses_memory_file(void) { return memfd_create("curses", 1); }

static inline WINDOW *curses_current_screen(void) { return curscr; }
static inline WINDOW *curses_next_screen(void) { return newscr; }

// The names of capabilities in the order of compiled entries, ended by NULL.
static inline const char *terminfo_boolean_name(int index) { return boolnames[index]; }
static inline const char *terminfo_number_name(int index) { return numnames[index]; }
static inline const char *terminfo_string_name(int index) { return strnames[index]; }

// A string capability; NULL if the entry has none.
static inline const char *terminfo_string(const char *name) {
  const char *value = tigetstr((NCURSES_CONST char *)name);
  return value == (const char *)-1 ? NULL : value;
}

// A string capability with two numbers filled in; valid until the next call.
static inline const char *terminfo_expand(const char *value, int first, int second) {
  return tiparm(value, first, second);
}

static inline TERMINAL *terminfo_current(void) { return cur_term; }

static inline attr_t curses_bold(void) { return WA_BOLD; }
static inline attr_t curses_dim(void) { return WA_DIM; }
static inline attr_t curses_italic(void) { return WA_ITALIC; }
static inline attr_t curses_underline(void) { return WA_UNDERLINE; }
static inline attr_t curses_reverse(void) { return WA_REVERSE; }
static inline int curses_color_count(void) { return COLORS; }
static inline int curses_pair_count(void) { return COLOR_PAIRS; }
