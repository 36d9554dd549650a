#pragma once
#include <fribidi/fribidi.h>

// Macros that Swift does not import, as functions.

/// Above zero for characters read from right to left, below zero for those read from left to right,
/// zero for those without a strong direction.
static inline int CFriBidi_direction(FriBidiChar scalar) {
  FriBidiCharType type = fribidi_get_bidi_type(scalar);
  if (!FRIBIDI_IS_STRONG(type)) return 0;
  return FRIBIDI_IS_RTL(type) ? 1 : -1;
}

/// Whether a character can change the order of a line: a right-to-left letter, or an Arabic number.
static inline int CFriBidi_can_reorder(FriBidiChar scalar) {
  FriBidiCharType type = fribidi_get_bidi_type(scalar);
  return FRIBIDI_IS_RTL(type) || FRIBIDI_IS_ARABIC(type);
}
