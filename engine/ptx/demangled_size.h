// How long the text behind a mangled name can get, before anybody asks for it: a name of 300 characters can
// stand for a text that fills any memory, each part repeating the part before it twice.
#pragma once

#include "base/integers.h"

#include <string_view>

namespace lockstep::ptx {

// An upper bound, close for the names that compilers make.
u64 demangledSizeBound(std::string_view mangled);

}  // namespace lockstep::ptx
