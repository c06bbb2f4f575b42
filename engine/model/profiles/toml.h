// toml++ as we use it: errors are values, and nothing is taken for granted about the text. Version 3.3
// asserts, or with NDEBUG promises the optimiser, what a text like "[=]" breaks, although the code behind
// reports the mistake.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expression) static_assert(true)
#ifdef NDEBUG
#undef NDEBUG
#include <toml++/toml.h>
#define NDEBUG
#else
#include <toml++/toml.h>
#endif
