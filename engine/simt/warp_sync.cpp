// Instructions that lanes of a warp execute together wherever they are: bar.warp.sync, shuffles, votes. A
// lane waits until all lanes of its member mask that have not exited have reached the same kind of
// instruction with the same mask.
#include "ptx/shuffle_lanes.h"
#include "simt/block_runner.h"
#include "simt/decode/frame_layout.h"
#include "simt/opcodes/lane_helpers.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::simt {

void BlockRunner::warpsMet(const WarpState& warp, u32 lanes) {
    memory_.syncWarp(warp.index(), lanes);
    if (observers_.globalShadow) observers_.globalShadow->warpSync(Warp{warp.index()}, {lanes});
}

// Lanes of the mask that have exited are not waited for. Those that bypassed the instruction should have
// reached it, and a lane should be in its own mask (CUDA C++ Programming Guide, "Warp Shuffle Functions" and
// similar). False: something was found.
bool BlockRunner::checkMembers(const WarpState& warp, const Op& op, u32 members, u32 here) {
    u32 round = 0;
    for (const WarpState::End& end : warp.ends)
        if (goesRound(op.pc, end.pc)) round |= end.lanes & members & ~here;
    if (round) reportDivergence(warp, op.pc, here, round);
    if (const u32 outside = here & ~members; outside && observers_.findings) {
        trace::Finding finding = memory_.finding(trace::FindingKind::DivergentBarrier, op.pc, warp.index(),
                                                 u32(std::countr_zero(outside)));
        finding.lanes = {outside};
        finding.detail = "mask";
        observers_.findings->add(finding);
        return false;
    }
    return !round;
}

// The value of a lane that takes no part in a shuffle is undefined (PTX ISA, "shfl.sync").
void BlockRunner::checkSources(const WarpState& warp, const Op& op, const u32* at, const std::byte* frame,
                               u32 lanes) {
    if (!observers_.findings) return;
    const std::optional<ptx::ShuffleMode> mode = ptx::shuffleModeOf(program_.rows[op.aux]->form);
    if (!mode) return;
    const u32* const by = reinterpret_cast<const u32*>(frame + at[3]);
    const u32* const clamp = reinterpret_cast<const u32*>(frame + at[4]);
    u32 readers = 0;
    trace::InactiveSource source;
    for (Lane lane : LaneMask{lanes}) {
        const u32 read = ptx::shuffleRead(*mode, lane.value, by[lane.value], clamp[lane.value]).lane;
        if (lanes >> read & 1) continue;
        if (!readers) source = {.lane = read, .hasExited = !(warp.paths.alive() >> read & 1)};
        readers |= 1u << lane.value;
    }
    if (!readers) return;
    if (writer_) writer_->giveUp();
    trace::Finding finding = memory_.finding(trace::FindingKind::InactiveLane, op.pc, warp.index(),
                                             u32(std::countr_zero(readers)));
    finding.lanes = {readers};
    finding.detail = detailOf(source);
    observers_.findings->add(finding);
}

void BlockRunner::tellMeeting(const WarpState& warp, const Op& op, const std::byte* frame, u32 group) {
    if (!writer_->isKnown(warp.index(), op.at[op.operands - 1], group)) return writer_->giveUp();
    if (op.execute)
        writer_->lanes(warp.index(), op, frame, group);
    else
        writer_->warpsMet(warp.index(), op, group);
}

bool BlockRunner::syncWarp(WarpState& warp, const Op& op, u32 active) {
    WarpPaths& paths = warp.paths;
    std::byte* frame = paths.activation().frame;
    const u32* members = reinterpret_cast<const u32*>(frame + op.at[op.operands - 1]);
    u32 left = active, waiting = 0;
    while (left) {  // a group for each member mask; nearly always one
        const u32 mask = members[std::countr_zero(left)];
        u32 group = 0;
        for (Lane lane : LaneMask{left})
            group |= u32(members[lane.value] == mask) << lane.value;
        left &= ~group;
        if (mask & paths.alive() & ~group) {
            waiting |= group;
            continue;
        }
        const bool areRight = mask == group || checkMembers(warp, op, mask, group);
        if (op.execute && group != ~0u && areRight) checkSources(warp, op, op.at.data(), frame, group);
        if (writer_) tellMeeting(warp, op, frame, group);
        if (op.execute)
            op.execute(op.at.data(), frame, group);
        else
            warpsMet(warp, group);
    }
    if (!waiting) return true;

    if (writer_) writer_->giveUp();
    // Suspends the lanes that must wait, one path per member mask; the others continue.
    while (waiting) {
        const u32 mask = members[std::countr_zero(waiting)];
        u32 group = 0;
        for (Lane lane : LaneMask{waiting})
            group |= u32(members[lane.value] == mask) << lane.value;
        waiting &= ~group;
        paths.splitWaiting(group, Path::State::AtWarpSync, mask);
        completeGroup(warp, op, mask, false);
    }
    return paths.running.mask != 0;
}

bool BlockRunner::completeGroup(WarpState& warp, const Op& op, u32 members, bool force) {
    std::vector<Path>& others = warp.paths.others();
    std::vector<std::size_t> group;
    u32 here = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
        const Path& path = others[i];
        if (path.state != Path::State::AtWarpSync || path.waitsFor != members) continue;
        if (program_.ops[path.op].aux != op.aux && program_.ops[path.op].execute != op.execute) continue;
        group.push_back(i);
        here |= path.mask;
    }
    if (group.empty() || (!force && (members & warp.paths.alive() & ~here))) return false;
    const bool areRight = !force && (members == here || checkMembers(warp, op, members, here));
    executeTogether(warp, group, areRight);
    if (!op.execute) warpsMet(warp, here);
    for (std::size_t i : group) {
        others[i].state = Path::State::Ready;
        ++others[i].op;
    }
    warp.paths.merge();
    return true;
}

// Lanes at different instructions, or in different calls, have their operands in different registers: they
// are gathered in a temporary frame for one instruction.
void BlockRunner::executeTogether(WarpState& warp, const std::vector<std::size_t>& group, bool areRight) {
    const std::vector<Path>& others = warp.paths.others();
    const Op& first = program_.ops[others[group.front()].op];
    if (!first.execute) return;
    const OpcodeRow& row = *program_.rows[first.aux];
    constexpr u32 kSlot = 16 * kWarpSize;
    staging_.assign(kSlot * kMostOperands, std::byte{0});
    u32 at[kMostOperands], lanes = 0;
    for (u32 i = 0; i < kMostOperands; ++i)
        at[i] = i * kSlot;
    const auto copy = [](Storage storage, std::byte* to, const std::byte* from, u32 mask) {
        if (storage == Storage::Predicate) {
            u32 bits, old;
            std::memcpy(&bits, from, sizeof bits);
            std::memcpy(&old, to, sizeof old);
            old = (old & ~mask) | (bits & mask);
            std::memcpy(to, &old, sizeof old);
            return;
        }
        const u32 bytes = storage == Storage::Lanes32 ? 4 : 8, runs = storage == Storage::Lanes128 ? 2 : 1;
        for (u32 run = 0; run < runs; ++run)
            for (Lane lane : LaneMask{mask})
                std::memcpy(to + run * 8 * kWarpSize + lane.value * bytes,
                            from + run * 8 * kWarpSize + lane.value * bytes, bytes);
    };
    for (std::size_t i : group) {
        const Path& path = others[i];
        const Op& op = program_.ops[path.op];
        const std::byte* frame = warp.paths.activation(path.activation).frame;
        lanes |= path.mask;
        for (u32 operand = row.results; operand < op.operands; ++operand)
            copy(row.operands[operand], staging_.data() + at[operand], frame + op.at[operand], path.mask);
    }
    if (areRight && lanes != ~0u) checkSources(warp, first, at, staging_.data(), lanes);
    first.execute(at, staging_.data(), lanes);
    for (std::size_t i : group) {
        const Path& path = others[i];
        const Op& op = program_.ops[path.op];
        std::byte* frame = warp.paths.activation(path.activation).frame;
        for (u32 operand = 0; operand < row.results; ++operand)
            copy(row.operands[operand], frame + op.at[operand], staging_.data() + at[operand], path.mask);
    }
}

// Groups that became complete because lanes exited; with force, the first group as it is.
bool BlockRunner::completeWarpSyncs(WarpState& warp, bool force) {
    bool any = false;
    for (std::size_t i = 0; i < warp.paths.others().size();) {
        const Path path = warp.paths.others()[i];
        if (path.state == Path::State::AtWarpSync &&
            completeGroup(warp, program_.ops[path.op], path.waitsFor, force)) {
            any = true;
            if (force) return true;
            i = 0;
        } else {
            ++i;
        }
    }
    return any;
}

}  // namespace lockstep::simt
