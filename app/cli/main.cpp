// The program `lockstep`.
#include "app/cli/cli.h"

int main(int argc, char** argv) { return lockstep::cli::runProgram(argc, argv); }
