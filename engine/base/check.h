// CHECK(condition, "why it must hold"): our own mistakes abort here; the user's mistakes are Faults
// (fault.h).
#pragma once

namespace lockstep {

[[noreturn]] void checkFailed(const char* condition, const char* why, const char* file, int line);

}  // namespace lockstep

#define CHECK(condition, why)                                             \
    do {                                                                  \
        if (!(condition)) [[unlikely]]                                    \
            ::lockstep::checkFailed(#condition, why, __FILE__, __LINE__); \
    } while (false)
