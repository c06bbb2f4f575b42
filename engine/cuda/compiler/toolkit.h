// The two CUDA toolkit programs that compile PTX to machine code and list it: ptxas and nvdisasm. Found at
// run time; without them the program uses its model of the compiler.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>

namespace lockstep::cuda {

struct Toolkit {
    std::filesystem::path ptxas, nvdisasm;
    std::string version;  // of ptxas: "13.0.88"
};

// Search order: the folder that LOCKSTEP_TOOLKIT names, and then nowhere else; where scripts/get-ptxas puts
// them (the version that the model was derived from); bin/ of CUDA_HOME and CUDA_PATH; /usr/local/cuda/bin;
// /opt/cuda/bin; the folders of PATH. A Fault says how to get what is missing.
Expected<Toolkit> findToolkit();

}  // namespace lockstep::cuda
