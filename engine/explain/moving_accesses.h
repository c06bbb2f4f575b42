// The accesses of a block that move values which the flow follows, and their values one by one.
#pragma once

#include "explain/block_flow.h"
#include "explain/memory_flow.h"
#include "ptx/module.h"

namespace lockstep::explain {

// Visits (warp, step, access), warp by warp; of cp.async the side in shared memory.
template <class Visit> void forEachMovingAccess(const trace::FocusBlock& block, Visit&& visit) {
    using trace::Space;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 step = 0; step < block.warps[w].steps.size(); ++step) {
            const AccessRange range = accessesOf(block.warps[w], step);
            for (u32 i = range.first; i < range.end; ++i) {
                const trace::StoredAccess& access = block.warps[w].accesses[i];
                const bool isCopysLoad =
                    access.kind == trace::AccessKind::AsyncCopy && access.space != Space::Shared;
                if (!isCopysLoad && access.space != Space::Constant && access.space != Space::Param &&
                    !access.active.empty())
                    visit(Warp{w}, step, access);
            }
        }
}

// An element of a lane's access.
struct MovedValue {
    const trace::StoredAccess* access = nullptr;
    ThreadStep thread;
    u32 element = 0, bytes = 0;
};
template <class Visit>
void forEachValue(const ptx::Module& module, Warp warp, u32 step, const trace::StoredAccess& access,
                  Visit&& visit) {
    const u32 bytes = access.kind == trace::AccessKind::AsyncCopy
                          ? access.widthBytes
                          : ptx::bytesOf(module.at(access.pc).types[0]);
    for (const Lane lane : access.active)
        for (u32 at = 0; bytes && at + bytes <= access.widthBytes; at += bytes)
            visit(MovedValue{&access, {warp, lane, step}, at / bytes, bytes});
}

}  // namespace lockstep::explain
