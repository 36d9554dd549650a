#pragma once
#include <unilbrk.h>
