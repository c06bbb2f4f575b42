// The program `lockstep`.
#include "app/cli/program.h"

int main(int argc, char** argv) { return lockstep::cli::runProgram(argc, argv); }
