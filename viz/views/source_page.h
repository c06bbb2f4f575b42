// What a tab of the source view shows: lines, what each of them cost, and which of them is the cursor's.
#pragma once

#include "run/machine/machine_lines.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::viz {

// What the view says of a line while it counts nothing, as before the question of a lesson is answered.
inline constexpr Words kLineNumber = english("Line {0}");

// Cost of one shown line.
struct LineCost {
    u64 executions = 0, lanes = 0, sectors = 0, wavefronts = 0, divergent = 0;
};

struct SourcePage {
    std::vector<std::string_view> lines;
    std::vector<LineCost> costs;             // by line, from 0
    std::vector<std::optional<Pc>> firstPc;  // an instruction of the line
    u32 current = 0;                         // 1-based; 0: none
    u32 centre = 0;                          // where there is no current line: what is shown in its place
    std::vector<run::MachineLine> machine;   // of machine code: what `lines` are of
    std::vector<bool> lit;                   // of machine code: lines that the current source line became
};

SourcePage cudaPage(const ViewInput& in, u32 file, const explain::SourceLine& current);
SourcePage ptxPage(const ViewInput& in, const CursorContext& here);
SourcePage machinePage(const ViewInput& in, const CursorContext& here, const explain::SourceLine& current);

}  // namespace lockstep::viz
