// The stages: layouts of the data and of the threads that work on it. Which one shows a block follows from
// what it does (explain/shape.h); a family of the catalog may prefer one, and the user may choose another.
#pragma once

#include "viz/view.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct BuiltStage {
    std::string_view name;  // "matmul", as family.toml has it
    Scene scene;
};
// None: nothing but the buffers shows this block.
std::optional<BuiltStage> buildShapedStage(const ViewInput& in);
// "matmul", "transpose", ... in the order of StageOptions::stage, which counts them from 1.
std::vector<std::string_view> stageNames();
std::optional<u8> findStage(std::string_view name);
// The way to draw after this one, of those that show any kernel (StageOptions::stage).
u8 nextStage(u8 stage);
// Each buffer as a grid, shared memory in rows of banks.
Scene buildAnyStage(const ViewInput& in);

}  // namespace lockstep::viz
