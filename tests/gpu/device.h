// What the fake driver and the worker process that opens it share: the fake GPU's memory, and a machine that
// runs PTX on it.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace fake {

// Allocations by slot: each begins at deviceAddressOf(slot), so that the emulator runs kernels on them as
// they are.
using Memory = std::map<unsigned, std::vector<std::byte>>;

struct PtxLaunch {
    const char *ptx, *kernel;
    unsigned grid[3], block[3], sharedBytes;
    void** arguments;                   // as cuLaunchKernel has them
    const unsigned long long* control;  // of the module's variable, where it has the recorder's
};

}  // namespace fake

// Of the worker process, which the driver looks up at run time: a CUresult. As on hardware, it does not come
// back from a kernel that waits at a barrier for ever.
extern "C" int fakeGpuRun(const fake::PtxLaunch& launch, fake::Memory& memory);
