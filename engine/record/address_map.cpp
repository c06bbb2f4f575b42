#include "record/address_map.h"

#include "base/check.h"
#include "base/device_addresses.h"
#include "ptx/analysis/shared_layout.h"
#include "record/recording_text.h"

#include <algorithm>

namespace lockstep::record {

using ptx::StateSpace;
using trace::Space;

namespace {

// An address of shared or local memory has 32 bits.
constexpr u64 kWindowBytes = u64{1} << 32;

}  // namespace

std::vector<AddressMap::Range>& AddressMap::rangesOf(StateSpace space) {
    switch (space) {
        case StateSpace::Shared: return shared_;
        case StateSpace::Local: return local_;
        case StateSpace::Const: return constant_;
        default: return global_;
    }
}

AddressMap::AddressMap(const ptx::Module& module, const RecordPlan& plan,
                       std::span<const BufferPlace> buffers, std::span<const u64> symbols,
                       u32 dynamicSharedBytes)
    : variables_(module.variables.size()) {
    CHECK_EQ(symbols.size(), kWindowSymbols + plan.symbols.size(), "there is a word for each symbol");
    sharedWindow_ = symbols[0];
    localWindow_ = symbols[1];
    const ptx::Function& entry = *module.findEntry(plan.entry);
    const ptx::FunctionId function{u32(&entry - module.functions.data())};
    for (const ptx::SharedLayout::Placed& placed :
         ptx::sharedLayout(module, entry, dynamicSharedBytes).variables)
        variables_[placed.variable.value] = placed.offsetBytes;
    u32 slot = u32(buffers.size());
    u64 localBytes = 0;
    for (u32 id = 0; id < module.variables.size(); ++id) {
        const ptx::Variable& variable = module.variables[id];
        if (variable.space == StateSpace::Global || variable.space == StateSpace::Const)
            variables_[id] = deviceAddressOf(slot++);
        if (variable.space == StateSpace::Local && variable.function == function) {
            localBytes = (localBytes + variable.alignBytes - 1) / variable.alignBytes * variable.alignBytes;
            variables_[id] = localBytes;
            localBytes += variable.sizeBytes;
        }
    }
    for (u32 i = 0; i < buffers.size(); ++i)
        global_.push_back({buffers[i].address, buffers[i].bytes, deviceAddressOf(i)});
    for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
        const ptx::VariableId id = plan.symbols[i];
        const ptx::Variable& variable = module.variables[id.value];
        rangesOf(variable.space)
            .push_back(
                {symbols[kWindowSymbols + i], std::max<u64>(variable.sizeBytes, 1), variables_[id.value]});
    }
    for (std::vector<Range>* ranges : {&global_, &constant_, &shared_, &local_})
        std::ranges::sort(*ranges, {}, &Range::from);
}

// An address outside every buffer is attributed to the nearest one.
u64 AddressMap::translate(const std::vector<Range>& ranges, u64 address) {
    const Range* nearest = nullptr;
    s64 least = 0;
    for (const Range& range : ranges) {
        const s64 below = s64(range.from - address), beyond = s64(address - (range.from + range.bytes - 1));
        const s64 distance = std::max<s64>({below, beyond, 0});
        if (!nearest || distance < least) nearest = &range, least = distance;
    }
    return nearest ? nearest->to + (address - nearest->from) : address;
}

u64 AddressMap::translate(Space space, const PlannedAddress& planned, u64 raw) const {
    if (planned.variable) return variables_[planned.variable->value] + u64(planned.offsetBytes);
    const u64 address = raw + u64(planned.offsetBytes);
    switch (space) {
        case Space::Shared: return translate(shared_, address);
        case Space::Local: return translate(local_, address);
        case Space::Constant: return translate(constant_, address);
        default: return translate(global_, address);
    }
}

Space AddressMap::spaceOf(u64& address) const {
    if (address - sharedWindow_ < kWindowBytes) {
        address -= sharedWindow_;
        return Space::Shared;
    }
    if (address - localWindow_ < kWindowBytes) {
        address -= localWindow_;
        return Space::Local;
    }
    return Space::Global;
}

}  // namespace lockstep::record
