#include "simt/warp_state.h"

#include "simt/memory/address_space.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simt {

WarpState::WarpState(const Program& program, const GridShape& shape, u32 index)
    : slots(program),
      program_(&program),
      shape_(shape),
      index_(index),
      lanes_(LaneMask::firstLanes(u32(std::min<u64>(shape.block.count() - u64{index} * kWarpSize, kWarpSize)))
                 .bits),
      entry_(makeFrame(program.functions[0], 0)) {
    for (const Op& op : program.prologue)
        op.execute(op.at.data(), entry_.at, LaneMask::all().bits);
}

WarpState::Frame WarpState::roomFor(u32 bytes) {
    constexpr std::size_t kLine = 64;
    Frame frame;
    frame.bytes = u32((bytes + kLine - 1) / kLine * kLine);
    frame.room = std::make_unique<std::byte[]>(frame.bytes + kLine);
    frame.at = frame.room.get() + (kLine - reinterpret_cast<std::uintptr_t>(frame.room.get()) % kLine);
    return frame;
}

void WarpState::extendFrame(std::span<const std::byte> by) {
    Frame longer = roomFor(entry_.bytes + u32(by.size()));
    std::memcpy(longer.at, entry_.at, entry_.bytes);
    std::ranges::copy(by, longer.at + entry_.bytes);
    longer.serial = entry_.serial;
    entry_ = std::move(longer);
}

WarpState::Frame WarpState::makeFrame(const FunctionCode& code, u32 depth) const {
    Frame frame = roomFor(code.frameBytes);
    std::memcpy(frame.at, code.initialFrame.data(), code.frameBytes);
    for (const SpecialSlot& slot : code.specials)
        writeSpecial(frame.at, slot, shape_, block_, index_);
    for (const auto& local : code.localAddresses) {
        const u64 address =
            u64{depth} * program_->localBytesPerCall + local.offsetBytes + (local.generic ? kLocalWindow : 0);
        std::fill_n(reinterpret_cast<u64*>(frame.at + local.at), kWarpSize, address);
    }
    return frame;
}

void WarpState::enterBlock(Frame& frame, const FunctionCode& code) const {
    if (frame.serial == serial_) return;
    frame.serial = serial_;
    for (const SpecialSlot& slot : code.specials)
        if (slot.changesWithBlock) writeSpecial(frame.at, slot, shape_, block_, index_);
    for (const auto& range : code.clearedAtStart)
        std::memset(frame.at + range.at, 0, range.bytes);
}

void WarpState::enterBlock(Dim3 block, u64 serial) {
    block_ = block;
    serial_ = serial;
    enterBlock(entry_, program_->functions[0]);
}

void WarpState::beginBlock(Dim3 block, u64 serial) {
    entry_.serial = 0;  // decisions of scripts may have written what is to be cleared
    enterBlock(block, serial);
    spins = yields = 0;
    rest = Rest::No;
    ends.clear();
    paths.start(lanes_, program_->functions[0].firstOp, entry_.at);
    for (SlotState& slot : slots.slots)
        slot.mask = 0;
}

void WarpState::endedAt(u32 pc, u32 lanes) {
    for (End& end : ends) {
        if (end.pc != pc) continue;
        end.lanes |= lanes;
        return;
    }
    ends.push_back({pc, lanes});
}

std::byte* WarpState::frameOf(u32 function, u32 depth) {
    if (called_.size() < depth) called_.resize(depth);
    std::vector<Frame>& frames = called_[depth - 1];
    if (frames.empty()) frames.resize(program_->functions.size());
    if (!frames[function].at) frames[function] = makeFrame(program_->functions[function], depth);
    enterBlock(frames[function], program_->functions[function]);
    return frames[function].at;
}

}  // namespace lockstep::simt
