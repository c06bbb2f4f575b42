// How a mistake in the text leaves the parser; parse() catches it, nobody else sees it.
#pragma once

#include "base/fault.h"

namespace lockstep::ptx {

struct SyntaxError {
    Fault fault;
};

}  // namespace lockstep::ptx
