#include "program/runtime_error.h"

namespace lockstep::program {

std::string nameOfError(s64 error) {
#define LOCKSTEP_NAME(number, name, text) \
    case number: return #name;
    switch (error) { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_NAME) }
#undef LOCKSTEP_NAME
    return std::to_string(error);
}

}  // namespace lockstep::program
