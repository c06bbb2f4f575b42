// A kernel launch as host code writes it, with as much of it as constants tell.
#pragma once

#include "base/dim3.h"
#include "base/integers.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::source {

// What a launch hangs on that the text does not tell: a variable and where it got its value.
struct NotKnown {
    std::string variable;
    u32 line = 0;
};

struct LaunchArgument {
    enum class Kind : u8 { NotKnown, Buffer, Integer, Real } kind = Kind::NotKnown;
    enum class Contents : u8 { Zero, Iota, Constant, Random } contents = Contents::Random;
    u64 bytes = 0;    // of Buffer, from where the argument points
    f64 real = 0;     // of Real, and of a buffer's Constant
    s64 integer = 0;  // of Integer
    NotKnown cause = {};
    std::string type = {};  // as host code declares it, as far as it does: "float*", "int"
};

struct Launch {
    std::string kernel;  // "mm", as the launch writes it
    std::string entry;   // "mm<16>": with its template arguments, as far as they are known
    bool isEntryKnown = true;
    std::string file;
    u32 line = 0;
    std::optional<Dim3> grid, block;
    std::optional<u32> sharedBytes = 0;
    std::vector<LaunchArgument> arguments;
    NotKnown gridCause = {}, blockCause = {}, sharedCause = {}, entryCause = {};
    bool isCooperative = false;

    bool isConstant() const;      // grid, block, shared memory and every argument are known
    std::string written() const;  // "mm<16><<<(4, 4), (16, 16)>>>"; "?" for what is not known
};

}  // namespace lockstep::source
