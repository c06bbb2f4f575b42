// What a block leaves in the run's buffers, for the rules of the shapes.
#include "explain/moving_accesses.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

constexpr std::size_t kMostOutputs = 8192;
constexpr std::size_t kMostNodes =
    400'000;  // of the graph: a fifth of a second; those of the first outputs are enough

// Whether the access leaves something in global memory.
bool isOutput(const trace::StoredAccess& access) {
    return access.space == trace::Space::Global && trace::writes(access.kind);
}

}  // namespace

BlockValues::BlockValues(const ptx::Module& module, std::span<const Buffer> buffers,
                         const trace::FocusBlock& block, const BlockFlow& flow)
    : graph(module, buffers, block, flow) {
    gather();
    findDataDependence();
}

void BlockValues::gather() {
    const trace::FocusBlock& block = graph.block();
    std::size_t accesses = 0;
    forEachMovingAccess(block, [&](Warp, u32, const trace::StoredAccess& a) { accesses += isOutput(a); });
    const std::size_t every = std::max<std::size_t>(1, accesses * kWarpSize / kMostOutputs);
    std::map<ValueGraph::Cell, std::pair<u32, std::size_t>> last;  // by element: order, and where in outputs
    std::size_t number = 0;
    forEachMovingAccess(block, [&](Warp w, u32 step, const trace::StoredAccess& access) {
        if (!isOutput(access) || number++ % every != 0 || graph.size() > kMostNodes) return;
        const trace::WarpTrace& warp = block.warps[w.value];
        forEachValue(graph.module(), w, step, access, [&](const MovedValue& value) {
            const u32 at = value.element * value.bytes;
            const auto cell = graph.cellAt(warp.address(access, value.thread.lane) + at);
            if (!cell) return;
            Output output{*cell, graph.stored(value.thread, at, value.bytes), value.thread, access.kind,
                          graph.isPlacedByData(value.thread)};
            if (access.kind != trace::AccessKind::Store) return outputs.push_back(output);
            const u32 order = warp.steps[step].order;
            const auto [known, isFirst] = last.try_emplace(*cell, order, outputs.size());
            if (isFirst)
                outputs.push_back(output);
            else if (order >= known->second.first)
                known->second.first = order, outputs[known->second.second] = output;
        });
    });
}

// Each branch, and each guard of another instruction, asked once, where it comes first.
void BlockValues::findDataDependence() {
    const trace::FocusBlock& block = graph.block();
    std::set<u32> asked;
    for (u32 w = 0; w < block.warps.size() && !isSteered; ++w)
        for (u32 s = 0; s < block.warps[w].steps.size() && !isSteered; ++s) {
            const trace::Step& step = block.warps[w].steps[s];
            if (step.active.empty() || !graph.module().at(step.pc).guard.present) continue;
            if (!asked.insert(step.pc.value).second) continue;
            const ThreadStep at{Warp{w}, step.active.lowest(), s};
            isSteered = !graph.flow().loadsBehind(graph.flow().originOfGuard(at)).empty();
        }
}

const Fold* BlockValues::foldOf(const Output& output) const {
    const auto [known, isNew] = folds_.try_emplace(output.value);
    if (isNew && room_ > 0) {
        known->second = explain::foldOf(graph, output.value, std::min<std::size_t>(room_, 100'000));
        room_ -= std::min(room_, known->second ? 2 * known->second->terms.size() + 1 : 1);
    }
    return known->second ? &*known->second : nullptr;
}

const std::vector<ValueGraph::Cell>& BlockValues::elementsBehind(const Output& output) const {
    const auto [known, isNew] = behind_.try_emplace(output.value);
    if (isNew && room_ > 0) {
        known->second = graph.elementsBehind(output.value, std::min<std::size_t>(room_, 4096));
        room_ -= std::min(room_, known->second.size() + 1);
    }
    return known->second;
}

std::optional<u64> BlockValues::columnsOf(u32 buffer) const {
    const Buffer& b = graph.buffers()[buffer];
    return b.shape.size() > 1 && b.shape.back() > 0 ? std::optional(b.shape.back()) : std::nullopt;
}

ShapedBuffer BlockValues::shaped(u32 buffer, std::optional<u64> columns) const {
    const u64 count = graph.buffers()[buffer].count();
    const u64 width = std::max<u64>(1, columnsOf(buffer).value_or(columns.value_or(count)));
    return {buffer, (count + width - 1) / width, width};
}

}  // namespace lockstep::explain
