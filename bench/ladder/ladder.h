// Ladders of kernels: one computation made faster step by step, timed beside the vendor's library.
#pragma once

#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

struct Rung {
    std::string name;
    std::function<void(int)> launch;            // the argument counts the launches: inputs may alternate
    std::function<std::string()> mistake = {};  // after one launch: what is wrong with the result, or nothing
    bool isReference = false;
};

struct Ladder {
    std::string name, what;
    double work;              // of one launch: floating-point operations, or bytes read and written
    std::string unit;         // "TFLOP/s" or "GB/s"
    int batch;                // launches between two events
    std::vector<Rung> rungs;  // the reference comes first
};

struct Timing {
    double low, median, high;  // quartiles and median, milliseconds of one launch
};

// Ends the program with a message if a call of the CUDA runtime failed.
void require(cudaError_t error);

template <class T> T* allocate(std::size_t count) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, count * sizeof(T)));
    return static_cast<T*>(memory);
}

// Runs every rung once and checks its result, then all of them in turn, `rounds` times after two rounds to
// warm up: clocks and temperature are the same for all.
std::vector<Timing> measure(const Ladder& ladder, int rounds);

Ladder matmulLadder();
Ladder transposeLadder();
Ladder reductionLadder(int exponent);  // of 2^exponent numbers
