#include "explain/matrices/tile_pipeline.h"

#include "explain/moving_accesses.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace lockstep::explain {
namespace {

using trace::Space;

bool fillsShared(const trace::StoredAccess& access) {
    return access.space == Space::Shared &&
           (access.kind == trace::AccessKind::Store || access.kind == trace::AccessKind::AsyncCopy);
}

class Builder {
public:
    Builder(const Recorded& run, const CursorContext& here, const Cursor& cursor, const BlockFlow& flow)
        : module_(*run.module), block_(*here.block), warp_(*here.warp), at_(cursor), flow_(flow) {}

    std::optional<TilePipeline> build() {
        numberTiles();
        if (numbers_.size() < 2) return std::nullopt;
        pipeline_.tiles.resize(numbers_.size());
        pipeline_.steps = u32(warp_.steps.size());
        findUses();
        findLoads();
        const bool multiplies = std::ranges::any_of(
            pipeline_.tiles, [](const TilePipeline::Tile& tile) { return !tile.multiply.empty(); });
        return multiplies ? std::optional(std::move(pipeline_)) : std::nullopt;
    }

private:
    std::string_view opcodeAt(u32 step) const {
        return ptx::opcodeTable()[module_.at(warp_.steps[step].pc).opcode].name;
    }
    // Where what a lane stores in shared memory was loaded; none: it is made up.
    std::optional<Origin> loadOf(ThreadStep store, const trace::StoredAccess& access) const {
        const Origin origin = flow_.originOfStored(store, 0, std::min<u32>(4, access.widthBytes));
        const auto place = origin.kind == Origin::Kind::Load ? flow_.loadedFrom(origin) : std::nullopt;
        return place && place->space == Space::Global ? std::optional(origin) : std::nullopt;
    }

    // A tile is what is loaded for one barrier interval's stores, whichever warp makes them.
    void numberTiles() {
        std::set<u32> phases;
        forEachMovingAccess(block_, [&](Warp w, u32 step, const trace::StoredAccess& access) {
            if (!fillsShared(access)) return;
            const u32 phase = block_.warps[w.value].phaseOf(step);
            if (phases.contains(phase)) return;
            for (const Lane lane : access.active)
                if (loadOf({w, lane, step}, access)) return (void)phases.insert(phase);
        });
        for (const u32 phase : phases)
            numbers_.emplace(phase, u32(numbers_.size()));
    }

    static void extend(TilePipeline::Span& span, u32 step) {
        if (span.empty())
            span = {step, step + 1};
        else
            span = {std::min(span.begin, step), std::max(span.end, step + 1)};
    }

    // The multiply-adds of the cursor's lane, by who left in shared memory what they multiply.
    void findUses() {
        std::unordered_map<u64, std::optional<u32>> tiles;  // by step and element of the load
        const auto tileOf = [&](const Origin& load) {
            const auto [known, isNew] = tiles.try_emplace(u64{load.at.step} << 8 | load.element);
            if (isNew) {
                const WrittenBy writer = flow_.writtenBy(load.at, load.element);
                if (writer.kind == WrittenBy::Kind::Store)
                    if (const auto number =
                            numbers_.find(block_.warps[writer.at.warp.value].phaseOf(writer.at.step));
                        number != numbers_.end())
                        known->second = number->second;
            }
            return known->second;
        };
        for (u32 step = 0; step < warp_.steps.size(); ++step) {
            if (!warp_.steps[step].active.has(at_.lane)) continue;
            const std::string_view opcode = opcodeAt(step);
            if (opcode != "fma" && opcode != "mad" && opcode != "mul") continue;
            for (const u32 operand : {1u, 2u}) {
                const Origin factor = flow_.originOf({at_.warp, at_.lane, step}, operand);
                if (factor.kind != Origin::Kind::Load || factor.at.lane != at_.lane) continue;
                if (const std::optional<u32> tile = tileOf(factor))
                    extend(pipeline_.tiles[*tile].multiply, step);
            }
        }
    }

    // Of the whole warp. What cp.async loads is there once the warp has waited for it.
    void findLoads() {
        std::vector<bool> isAsynchronous(pipeline_.tiles.size());
        for (u32 step = 0; step < warp_.steps.size(); ++step) {
            const AccessRange range = accessesOf(warp_, step);
            for (u32 i = range.first; i < range.end; ++i) {
                const trace::StoredAccess& access = warp_.accesses[i];
                const auto number = numbers_.find(warp_.phaseOf(step));
                if (!fillsShared(access) || number == numbers_.end()) continue;
                for (const Lane lane : access.active)
                    if (const auto load = loadOf({at_.warp, lane, step}, access)) {
                        extend(pipeline_.tiles[number->second].load, load->at.step);
                        extend(pipeline_.tiles[number->second].load, step);
                        isAsynchronous[number->second] =
                            isAsynchronous[number->second] || load->at.step == step;
                    }
            }
        }
        for (u32 t = 0; t < pipeline_.tiles.size(); ++t) {
            TilePipeline::Tile& tile = pipeline_.tiles[t];
            if (!isAsynchronous[t] || tile.multiply.empty()) continue;
            u32 last = tile.multiply.begin;
            for (u32 step = tile.load.end; step < tile.multiply.begin; ++step)
                if (module_.at(warp_.steps[step].pc).name.starts_with("cp.async.wait")) last = step + 1;
            tile.load.end = std::max(tile.load.end, last);
        }
    }

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    const trace::WarpTrace& warp_;
    Cursor at_;
    const BlockFlow& flow_;
    std::map<u32, u32> numbers_;  // of tiles, by the barrier interval in which they are stored
    TilePipeline pipeline_;
};

}  // namespace

bool TilePipeline::overlaps() const {
    for (std::size_t t = 0; t + 1 < tiles.size(); ++t)
        if (!tiles[t].multiply.empty() && !tiles[t + 1].load.empty() &&
            tiles[t + 1].load.begin < tiles[t].multiply.end &&
            tiles[t + 1].load.end > tiles[t].multiply.begin)
            return true;
    return false;
}

std::optional<u32> TilePipeline::loadedAt(u32 step) const {
    const auto found =
        std::ranges::find_if(tiles, [&](const Tile& tile) { return tile.load.contains(step); });
    return found == tiles.end() ? std::nullopt : std::optional(u32(found - tiles.begin()));
}

std::optional<u32> TilePipeline::multipliedAt(u32 step) const {
    const auto found =
        std::ranges::find_if(tiles, [&](const Tile& tile) { return tile.multiply.contains(step); });
    return found == tiles.end() ? std::nullopt : std::optional(u32(found - tiles.begin()));
}

std::optional<TilePipeline> tilePipeline(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy) {
    const CursorContext here = lookUp(run, cursor);
    const BlockFlow* flow = here.warp ? lazy.get() : nullptr;
    return flow ? Builder(run, here, cursor, *flow).build() : std::nullopt;
}

}  // namespace lockstep::explain
