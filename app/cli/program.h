// The whole program behind main().
#pragma once

namespace lockstep::cli {

// The exit status: 0 done, 1 ran but the kernel is wrong, 2 usage or input error.
int runProgram(int argc, char** argv);

}  // namespace lockstep::cli
