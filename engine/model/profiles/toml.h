// toml++ as we use it: errors are values, and the text may be anything. Version 3.3 asserts, or with NDEBUG
// promises the optimizer, what a text like "[=]" violates, although the code that follows reports the error.
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
