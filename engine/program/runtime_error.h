// The errors of the CUDA runtime, under their own names.
#pragma once

#include "base/integers.h"
#include "cudart/errors.h"

#include <string>

namespace lockstep::program {

#define LOCKSTEP_ERROR(number, name, text) name = number,
enum RuntimeError : s32 { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_ERROR) };
#undef LOCKSTEP_ERROR

// Its number, if it has no name.
std::string nameOfError(s64 error);

}  // namespace lockstep::program
