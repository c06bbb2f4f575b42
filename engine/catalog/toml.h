// toml++ as we use it: errors are values, and nothing is taken for granted about the text. In 3.3 a table
// header such as
// [=] fails an assertion, or with NDEBUG an assumption of the optimiser's, although the code after it reports
// the mistake.
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
