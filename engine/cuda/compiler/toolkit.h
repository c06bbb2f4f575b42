// The two CUDA toolkit programs that compile PTX to machine code and list it: ptxas and nvdisasm. Found at
// run time; without them the program uses its model of the compiler.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>

namespace lockstep::cuda {

struct Toolkit {
    std::filesystem::path ptxas, nvdisasm;
};

// Search order: the folder that LOCKSTEP_TOOLKIT names, and then nowhere else; where scripts/get-ptxas puts
// them (the version that the model was derived from); bin/ of CUDA_HOME and CUDA_PATH; /usr/local/cuda/bin;
// /opt/cuda/bin; the folders of PATH. A Fault says how to get what is missing.
Expected<Toolkit> findToolkit();
// Whether it is such a Fault.
bool lacksToolkit(const Fault& why);

// Of ptxas: "13.0.88". Starts it, which takes some milliseconds. Fault: it does not work here.
Expected<std::string> versionOf(const Toolkit& toolkit);
// Changes when another ptxas takes this one's place; does not start it.
std::string identityOf(const Toolkit& toolkit);

}  // namespace lockstep::cuda
