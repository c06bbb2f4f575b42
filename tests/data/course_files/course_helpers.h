#pragma once
#include <string>
__device__ inline float twice(float x) { return 2 * x; }
inline std::string nameOf(int n) { return std::to_string(n); }
