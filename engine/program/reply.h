// What lockstep answers to a question of the runtime library's.
#pragma once

#include "cudart/protocol.h"

#include <string>

namespace lockstep::program {

struct Reply {
    cudart::Answer answer{};
    std::string text{};
};

}  // namespace lockstep::program
