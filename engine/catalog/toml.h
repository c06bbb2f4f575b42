// toml++ as we use it: errors are values.
#pragma once

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
