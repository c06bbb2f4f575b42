// The registers of a line of code as the cursor's warp holds them: which instructions are the line's, and in
// which order their registers stand.
#pragma once

#include "explain/registers/warp_registers.h"
#include "viz/cursor/lookup.h"
#include "viz/view_options.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::viz {

// A line of the .cu (of that file), or of the PTX; of machine code the instruction that it came from.
struct CodePlace {
    SourceTab tab = SourceTab::Cuda;
    u32 file = 0, line = 0;
    std::optional<Pc> machine{};
};
// Where the step at the cursor stands in that tab, or in the PTX where there is no source.
CodePlace placeAtCursor(const run::Run& run, const CursorContext& here, SourceTab tab);
std::vector<Pc> instructionsAt(const run::Run& run, const CodePlace& place);

// Whose registers they name: of a line that was compiled into several functions, the one at the cursor.
ptx::FunctionId functionOfLine(const run::Run& run, const Cursor& cursor, std::span<const Pc> instructions);

// A warp that has been gone through once is kept as long as the cursor stays with it.
struct RegisterCache {
    std::unique_ptr<explain::WarpRegisters> of;
};
// After the cursor's step; those of the instruction at the cursor first, for a line may be a hundred
// instructions.
Expected<std::vector<explain::LaneRegister>> registersOfLine(const run::Run& run, const Cursor& cursor,
                                                             std::span<const Pc> instructions,
                                                             RegisterCache& cache);

}  // namespace lockstep::viz
