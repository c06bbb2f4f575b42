#include "witness/record/tile_spans.h"

#include "ptx/opcodes.h"

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

// Forward through the block: of each register, where its value was loaded.
struct Held {
    s64 globalStep = -1;  // from global memory
    s64 phase = -1;       // from shared memory: the interval in which it was put there
};
using Lanes = std::array<Held, 32>;

std::vector<const ptx::Operand*> elementsOf(const ptx::Operand& operand) {
    std::vector<const ptx::Operand*> elements;
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand))
        for (const ptx::Operand& element : vector->elements)
            elements.push_back(&element);
    else
        elements.push_back(&operand);
    return elements;
}

struct Put {  // into shared memory, by one warp in one step
    u32 warp = 0, step = 0, loadStep = 0, phase = 0;
};

}  // namespace

TileSpans::Span TileSpans::loadOf(const BlockFacts& block, u32 warp, u32 lane, u32 tile) const {
    const auto found = loads.find({warp, tile});
    if (found == loads.end()) return {};
    Span span = found->second;
    const trace::WarpTrace& trace = block.block().warps[warp];
    const ptx::Module& module = *block.run().run().module;
    const auto multiply = multiplies.find({warp, lane, tile});
    bool isAsynchronous = false;
    for (u32 s = span.begin; s < span.end; ++s)
        for (const trace::StoredAccess* access : accessesOf(trace, s))
            isAsynchronous = isAsynchronous || access->kind == AccessKind::AsyncCopy;
    if (!isAsynchronous || multiply == multiplies.end()) return span;
    u32 end = multiply->second.begin;
    for (u32 s = span.end; s < multiply->second.begin; ++s)
        if (module.at(trace.steps[s].pc).name.starts_with("cp.async.wait")) end = s + 1;
    span.end = std::max(span.end, end);
    return span;
}

TileSpans tileSpansOf(const BlockFacts& facts) {
    const trace::FocusBlock& block = facts.block();
    const ptx::Module& module = *facts.run().run().module;
    std::vector<std::tuple<u32, u32, u32>> steps;  // order, warp, step
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s)
            steps.emplace_back(block.warps[w].steps[s].order, w, s);
    std::ranges::sort(steps);
    std::vector<std::map<u32, Lanes>> registers(block.warps.size());
    std::map<u64, u32> shared;  // by address: interval
    std::vector<Put> puts;
    std::map<std::tuple<u32, u32, u32>, TileSpans::Span> uses;  // by warp, lane and interval
    const auto idOf = [](const ptx::Operand& operand) -> std::optional<u32> {
        const auto* r = std::get_if<ptx::RegisterOperand>(&operand);
        return r ? std::optional(r->id.value) : std::nullopt;
    };
    for (const auto& [order, w, s] : steps) {
        const trace::WarpTrace& warp = block.warps[w];
        const trace::Step& step = warp.steps[s];
        if (step.active.empty()) continue;
        const auto operands = module.operandsOf(module.at(step.pc));
        const std::string_view opcode = ptx::opcodeTable()[module.at(step.pc).opcode].name;
        const u32 phase = facts.phaseOf(w, s);
        bool isLoad = false;
        for (const trace::StoredAccess* access : accessesOf(warp, s)) {
            const u32 width = access->widthBytes;
            for (const Lane lane : access->active) {
                const u64 address = warp.address(*access, lane);
                if (access->kind == AccessKind::AsyncCopy && access->space == Space::Shared) {
                    for (u32 at = 0; at < width; at += 4)
                        shared[address + at] = phase;
                    if (std::ranges::any_of(accessesOf(warp, s), [&](const trace::StoredAccess* other) {
                            return other->space == Space::Global && other->active.has(lane);
                        }))
                        puts.push_back({w, s, s, phase});
                } else if (opcode == "st" && access->space == Space::Shared) {
                    const auto elements = elementsOf(operands[1]);
                    const u32 bytes = width / u32(elements.size());
                    for (u32 i = 0; i < elements.size(); ++i) {
                        shared[address + i * bytes] = phase;
                        const auto id = idOf(*elements[i]);
                        if (id && registers[w][*id][lane.value].globalStep >= 0)
                            puts.push_back({w, s, u32(registers[w][*id][lane.value].globalStep), phase});
                    }
                } else if (opcode == "ld") {
                    isLoad = true;
                    const auto elements = elementsOf(operands[0]);
                    const u32 bytes = width / u32(elements.size());
                    for (u32 i = 0; i < elements.size(); ++i)
                        if (const auto id = idOf(*elements[i])) {
                            Held held;
                            if (access->space == Space::Global) held.globalStep = s;
                            if (const auto at = shared.find(address + i * bytes);
                                access->space == Space::Shared && at != shared.end())
                                held.phase = at->second;
                            registers[w][*id][lane.value] = held;
                        }
                }
            }
        }
        if (isLoad || operands.empty() || opcode == "st") continue;
        const bool isProduct = opcode == "fma" || opcode == "mad" || opcode == "mul";
        for (const Lane lane : step.active) {
            for (u32 operand = 1; isProduct && operand <= 2 && operand < operands.size(); ++operand)
                if (const auto id = idOf(operands[operand]))
                    if (const s64 from = registers[w][*id][lane.value].phase; from >= 0)
                        uses[{w, lane.value, u32(from)}].take(s);
            const auto result = idOf(operands[0]);
            if (!result) continue;
            const auto source = opcode == "mov" && operands.size() == 2 ? idOf(operands[1]) : std::nullopt;
            registers[w][*result][lane.value] = source ? registers[w][*source][lane.value] : Held{};
        }
    }
    std::map<u32, u32> numbers;
    for (const Put& put : puts)
        numbers.emplace(put.phase, 0);
    TileSpans spans;
    for (auto& [phase, number] : numbers)
        number = spans.tiles++;
    for (const Put& put : puts)
        spans.loads[{put.warp, numbers.at(put.phase)}].take(put.step),
            spans.loads[{put.warp, numbers.at(put.phase)}].take(put.loadStep);
    for (const auto& [key, span] : uses)
        if (const auto number = numbers.find(std::get<2>(key)); number != numbers.end())
            spans.multiplies[{std::get<0>(key), std::get<1>(key), number->second}] = span;
    return spans;
}

}  // namespace lockstep::witness
