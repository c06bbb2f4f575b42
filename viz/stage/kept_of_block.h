// What the stages keep of a block beside their own facts (Kept::parts).
#pragma once

#include "viz/stage/block_accesses.h"
#include "viz/stage/block_part.h"
#include "viz/view.h"

#include <memory>
#include <optional>

namespace lockstep::viz {

struct KeptOfBlock {
    std::optional<BlockParts> parts{};
    std::shared_ptr<const BlockAccesses> accesses{};
};

inline KeptOfBlock& keptOfBlock(Kept& kept) {
    if (!std::any_cast<KeptOfBlock>(&kept.parts)) kept.parts = KeptOfBlock{};
    return std::any_cast<KeptOfBlock&>(kept.parts);
}

}  // namespace lockstep::viz
