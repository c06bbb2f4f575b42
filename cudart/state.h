// What the runtime library knows in the program's process: modules, kernels, variables, allocations and the
// state of errors.
#pragma once

#include "cudart/protocol.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cudart {

struct Allocation {
    std::uint64_t bytes = 0;
    char* here = nullptr;  // where the host reads and writes it
    std::size_t mappedBytes = 0;
    Memory memory = Memory::Device;
};

struct Kernel {
    std::uint64_t module = 0;
    std::string name{};
    bool isKnown = false;  // facts and sizes are
    FunctionFacts facts{};
    std::vector<std::uint32_t> parameterBytes{};
    std::optional<std::uint64_t> enabledShared{};  // by cudaFuncSetAttribute()

    std::uint64_t mostDynamicShared(const Device& device) const {
        return enabledShared.value_or(device.sharedPerBlock -
                                      std::min(device.sharedPerBlock, facts.sharedBytes));
    }
};

struct Variable {
    std::uint64_t module = 0;
    std::string name{};
    bool isKnown = false;
    std::uint64_t address = 0, bytes = 0;
};

struct State {
    std::recursive_mutex mutex;
    Device device{};
    std::vector<std::uint64_t> modules;
    std::map<const void*, Kernel> kernels;            // by the host's stub
    std::map<const void*, Variable> variables;        // by the host's shadow
    std::map<std::uint64_t, Allocation> allocations;  // by device address
    std::map<const void*, void*> managed;             // by the host's shadow
    bool isStickyTold = false;
    int lastError = 0, sticky = 0, pending = 0;  // pending: becomes sticky at the next synchronization
    std::string printed, assertions;             // by kernels, not yet shown
};
State& state();

}  // namespace lockstep::cudart
