// The line from a program to lockstep.
#pragma once

#include "cudart/protocol.h"

#include <cstddef>
#include <string>

namespace lockstep::cudart {

struct Answered {
    Answer answer;
    std::string text;
};

// Is there a lockstep to ask? Not if the program was started by itself, or in a child process that it forked.
bool isConnected();
// caller: an address in the program's code. Without a connection: cudaErrorNoDevice.
Answered ask(Question question, const void* text = nullptr, std::size_t textBytes = 0);
int memoryFile();

}  // namespace lockstep::cudart
