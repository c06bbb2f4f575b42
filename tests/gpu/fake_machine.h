// For tests: a machine with fake NVIDIA libraries, for the worker processes that the test starts.
#pragma once

#include "cuda/worker/worker.h"

#include <cstdlib>
#include <string>

namespace lockstep {

class FakeMachine {
public:
    // orders: as in orders.h
    explicit FakeMachine(const std::string& orders) {
        setenv("LOCKSTEP_LIBCUDA", FAKE_DRIVER, 1);
        setenv("LOCKSTEP_CUPTI", FAKE_CUPTI, 1);
        setenv("FAKE_GPU", orders.c_str(), 1);
    }
    FakeMachine(const FakeMachine&) = delete;
    FakeMachine& operator=(const FakeMachine&) = delete;
    ~FakeMachine() {
        for (const char* name : {"LOCKSTEP_LIBCUDA", "LOCKSTEP_CUPTI", "FAKE_GPU"})
            unsetenv(name);
    }
    cuda::WorkerCommand command() const { return {TEST_GPU_WORKER, {}}; }
};

}  // namespace lockstep
