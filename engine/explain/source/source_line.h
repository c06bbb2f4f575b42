// The line of source text that an instruction is shown at.
#pragma once

#include "base/text/language.h"
#include "ptx/module.h"

#include <string>
#include <string_view>

namespace lockstep::explain {

// The line of the .cu that an instruction came from: of inlined code the innermost one whose text is known.
// (model::SourceLine is the line of the kernel's own file, to which figures are counted.) line 0: none.
struct SourceLine {
    u32 file = 0, line = 0;
    bool operator==(const SourceLine&) const = default;
};
SourceLine lineOf(const ptx::Module& module, Pc pc);
// Text of that line without its indentation; empty if not known.
std::string_view textOfLine(const ptx::Module& module, SourceLine line);
// "line 7"; "instruction 12" where it has no line.
std::string lineInWords(const ptx::Module& module, Pc pc, Language language);
// The same of where both paths of a branch reconverge, as its source has it; the branch must have such a
// place. The line's number: 0 where it has none.
u32 reconvergenceLine(const ptx::Module& module, Pc branch);
std::string reconvergenceInWords(const ptx::Module& module, Pc branch, Language language);
// The line, or where it has no room the side of its assignment that an access is on: "… = tile[x][y];",
// "out[i] = …".
std::string lineOrSide(std::string_view line, bool writes, bool fits);
// "tiled_bounds.cu" of "kernels/matmul/tiled_bounds.cu".
std::string_view fileName(std::string_view path);

}  // namespace lockstep::explain
