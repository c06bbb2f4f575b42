// A PTX text whose line table numbers its own instructions, so that machine code maps back to each of them.
// The table that the compiler wrote names lines of the .cu file, of which one may hold twenty loads. Code is
// the same with either (the catalog's in all its instances, ptxas 13.0 for cc 9.0).
#pragma once

#include "ptx/module.h"

#include <string>
#include <string_view>

namespace lockstep::sass {

inline constexpr std::string_view kPcFile = "lockstep.pc";

// The Module's text with `.loc 1 <pc + 1> 0` before every instruction, in place of its own .file and .loc
// lines.
std::string withPcLines(const ptx::Module& module);

}  // namespace lockstep::sass
