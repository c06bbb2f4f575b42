// lockstep exec: compiles a CUDA program, runs it, and says what it did.
#pragma once

#include "program/compile.h"
#include "program/process.h"
#include "program/record.h"
#include "program/server_options.h"

#include <functional>

namespace lockstep::program {

struct ExecuteRequest {
    CompileRequest compile;  // its folder is made here
    std::vector<std::string> arguments;
    ServerOptions server;
    ProcessLimits limits;
    std::function<void(const Compiled&)> compiled;  // called before the program starts; may be empty
};

Expected<ProgramRecord> execute(ExecuteRequest request);

}  // namespace lockstep::program
