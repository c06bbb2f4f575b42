// The exception for a syntax error within the parser; parse() catches it.
#pragma once

#include "base/fault.h"

namespace lockstep::ptx {

struct SyntaxError {
    Fault fault;
};

}  // namespace lockstep::ptx
