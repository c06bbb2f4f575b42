#include "explain/matrices/matmul_products.h"

#include "ptx/opcodes.h"

#include <algorithm>
#include <utility>

namespace lockstep::explain {
namespace {

bool multiplies(const ptx::Instruction& instruction) {
    const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
    return name == "fma" || name == "mad" || name == "mul";
}

}  // namespace

MatmulProducts::MatmulProducts(const Recorded& run, const trace::FocusBlock& block,
                               std::shared_ptr<const LazyFlow> flow, SideOf sideOf)
    : run_(run), block_(block), flow_(std::move(flow)), sideOf_(std::move(sideOf)) {}

const std::vector<MatmulProducts::Product>& MatmulProducts::of(Warp warp, Lane lane) const {
    const auto [found, isNew] = found_.try_emplace({warp.value, lane.value});
    if (isNew) found->second = find(warp, lane);
    return found->second;
}

std::vector<MatmulProducts::Product> MatmulProducts::find(Warp warp, Lane lane) const {
    std::vector<Product> products;
    const BlockFlow* flow = flow_->get();
    if (!flow) return products;
    const trace::WarpTrace& trace = block_.warps[warp.value];
    const auto factorOf = [&](u32 step, u32 operand) {
        const Origin origin = flow->originOf({warp, lane, step}, operand);
        const auto place = flow->loadedFrom(origin);
        const bool isOwn = place && origin.at.lane == lane;  // a shuffle may hand on another lane's
        return std::pair(isOwn ? sideOf_(place->space, place->address) : Side::Neither,
                         Factor{origin.at.step, origin.element});
    };
    for (u32 s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        if (!step.active.has(lane) || !multiplies(run_.module->at(step.pc))) continue;
        const auto [sideA, a] = factorOf(s, 1);
        if (sideA == Side::Neither) continue;
        const auto [sideB, b] = factorOf(s, 2);
        if (sideB == Side::Neither || sideA == sideB) continue;
        products.push_back(sideA == Side::M ? Product{a, b} : Product{b, a});
    }
    std::ranges::stable_sort(products, {}, &Product::ready);
    return products;
}

}  // namespace lockstep::explain
