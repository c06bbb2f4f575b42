// The PTX of one of the program's files. A kernel with something that is not understood is left out, the
// others stay.
#pragma once

#include "base/text/message.h"
#include "ptx/module.h"

#include <map>
#include <memory>
#include <string>

namespace lockstep::program {

struct ReadCode {
    std::unique_ptr<ptx::Module> module;     // empty: nothing of it can be read
    Message whyNot;                          // then
    std::map<std::string, Message> refused;  // kernels whose bodies cannot be read, by their names in PTX
};

ReadCode readCode(std::string text);

}  // namespace lockstep::program
