// The two programs of the CUDA toolkit that turn PTX into machine code and show it: ptxas and nvdisasm. They
// are found at run time; without them the program works as well, on what its model says of machine code.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>

namespace lockstep::cuda {

struct Toolkit {
    std::filesystem::path ptxas, nvdisasm;
    std::string version;  // of ptxas: "13.0.88"
};

// Where they are looked for, in this order: the folder that LOCKSTEP_TOOLKIT names, and then nowhere else;
// where scripts/get-ptxas puts them (the version that the model was learned from); bin/ of CUDA_HOME and
// CUDA_PATH; /usr/local/cuda/bin; /opt/cuda/bin; the folders of PATH. A Fault says how to get what is
// missing.
Expected<Toolkit> findToolkit();

}  // namespace lockstep::cuda
