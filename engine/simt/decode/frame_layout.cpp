#include "simt/decode/frame_layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::simt {
namespace {

bool changesWithBlock(ptx::Special special) {
    using enum ptx::Special;
    return special == CtaidX || special == CtaidY || special == CtaidZ || special == SmId ||
           special == ClusterIdX || special == ClusterIdY || special == ClusterIdZ;
}

template <class T> void fill(std::byte* at, u64 bits) {
    const T value = T(bits);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(at + lane * sizeof value, &value, sizeof value);
}

}  // namespace

FrameLayout::FrameLayout(const ptx::Function& function) : function_(function) {
    for (const ptx::Register& r : function.registers)
        registers_.push_back({storageOfType(r.type, ptx::bytesOf(r.type)), {}});
}

u32 FrameLayout::allocate(Storage storage) {
    if (storage ==
        Storage::Predicate) {  // 32 predicates share the space of one vector, which keeps vectors aligned
        if (!predicateRoom_) {
            nextPredicate_ = allocate(Storage::Lanes32);
            predicateRoom_ = kWarpSize;
        }
        --predicateRoom_;
        return std::exchange(nextPredicate_, nextPredicate_ + 4);
    }
    return std::exchange(bytes_, bytes_ + bytesOfStorage(storage));
}

u32 FrameLayout::registerAt(ptx::RegisterId id) {
    RegisterSlot& slot = registers_[id.value];
    if (!slot.at) slot.at = allocate(slot.storage);
    return *slot.at;
}

u32 FrameLayout::constant(u64 bits, Storage storage) {
    if (storage == Storage::Predicate) bits = bits & 1;
    if (storage == Storage::Lanes32) bits &= 0xffffffffu;
    auto [entry, isNew] = constants_.try_emplace({bits, storage}, 0);
    if (isNew) entry->second = allocate(storage);
    return entry->second;
}

u32 FrameLayout::special(ptx::Special special) {
    for (const SpecialSlot& slot : specials_)
        if (slot.special == special) return slot.at;
    const u32 at = allocate(storageOfType(ptx::typeOf(special), ptx::bytesOf(ptx::typeOf(special))));
    specials_.push_back({special, at, changesWithBlock(special)});
    return at;
}

u32 FrameLayout::localAddress(u32 offsetBytes, bool generic) {
    for (const auto& slot : localAddresses_)
        if (slot.offsetBytes == offsetBytes && slot.generic == generic) return slot.at;
    localAddresses_.push_back({allocate(Storage::Lanes64), offsetBytes, generic});
    return localAddresses_.back().at;
}

u32 FrameLayout::carry() {
    if (!carry_) carry_ = allocate(Storage::Predicate);
    return *carry_;
}

u32 FrameLayout::scratch(Storage storage) {
    std::vector<u32>& slots = scratch_[u32(storage)];
    u32& used = scratchUsed_[u32(storage)];
    if (used == slots.size()) slots.push_back(allocate(storage));
    return slots[used++];
}

LaneBytes FrameLayout::laneBytes(u32 sizeBytes) {
    LaneBytes bytes{bytes_, std::max(sizeBytes, 1u)};
    bytes_ += bytes.strideBytes() * kWarpSize;
    return bytes;
}

void FrameLayout::finish(FunctionCode& code) const {
    code.frameBytes = (bytes_ + 63) / 64 * 64;
    code.initialFrame.assign(code.frameBytes, std::byte{0});
    for (const auto& [value, at] : constants_) {
        std::byte* to = code.initialFrame.data() + at;
        const auto [bits, storage] = value;
        code.constants.push_back(at);
        if (storage == Storage::Predicate) {
            const u32 mask = bits ? 0xffffffffu : 0;
            std::memcpy(to, &mask, sizeof mask);
        } else if (storage == Storage::Lanes32) {
            fill<u32>(to, bits);
        } else {
            fill<u64>(to, bits);  // of 128 bits: the low words; the high ones stay zero
        }
    }
    for (const RegisterSlot& slot : registers_)
        code.registers.push_back(slot.at.value_or(FunctionCode::kNowhere));
    code.specials = specials_;
    code.localAddresses = localAddresses_;
}

}  // namespace lockstep::simt
