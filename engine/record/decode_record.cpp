#include "record/decode_record.h"

#include "base/check.h"
#include "trace/block_recorder.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace lockstep::record {

using ptx::StateSpace;
using trace::AccessKind;
using trace::Space;

namespace {

Space spaceOf(StateSpace space) {
    switch (space) {
        case StateSpace::Shared: return Space::Shared;
        case StateSpace::Local: return Space::Local;
        case StateSpace::Const: return Space::Constant;
        default: return Space::Global;
    }
}

// One lane's column, read from the top. The clock has 32 bits: it is unwrapped from segment to segment.
class Column {
public:
    Column(std::span<const u32> region, u32 lane, u64 capacityWords, u64 lastWord)
        : region_(region), lane_(lane) {
        const u32 wanted = region[lastWord * kWarpSize + lane];
        cameToAnEnd_ = wanted != 0;
        end_ = cameToAnEnd_ ? std::min<u64>(wanted & ~kWantedBit, capacityWords) : capacityWords;
        isWhole_ = cameToAnEnd_ && (wanted & ~kWantedBit) <= capacityWords;
    }

    u32 word(u64 index) const { return region_[(at_ + index) * kWarpSize + lane_]; }
    u64 stamp() const { return stamp_; }
    bool isWhole() const { return isWhole_; }
    void startClockAt(u64 stamp) { stamp_ = stamp; }

    // The segment that begins here; nullptr: the column ends, or the rest did not fit.
    const Segment* find(const RecordPlan& plan) {
        segment_ = nullptr;
        if (at_ + 2 >= end_) return nullptr;
        const u32 number = word(0);
        if (number == 0 || number > plan.segments.size()) return nullptr;
        const Segment& segment = plan.segments[number - 1];
        if (at_ + segment.words > end_) return nullptr;
        stamp_ += s64(s32(word(2) - u32(stamp_)));
        return segment_ = &segment;
    }
    const Segment* segment() const { return segment_; }
    u64 at() const { return at_; }
    void moveTo(u64 at) { at_ = at; }
    u32 cameFrom = 0;  // number of its last group, from 1

private:
    std::span<const u32> region_;
    u32 lane_;
    u64 at_ = 0, end_ = 0, stamp_ = 0;
    bool cameToAnEnd_ = false, isWhole_ = false;
    const Segment* segment_ = nullptr;
};

// Lanes of a warp that executed a segment together.
struct Group {
    u64 stamp = 0;
    u32 warp = 0;
    LaneMask lanes;
    const Segment* segment = nullptr;
    std::array<u32, kWarpSize> at{};  // of each lane's first word
};

class BlockDecoder {
public:
    BlockDecoder(const RecordedLaunch& recorded, Dim3 block, std::span<const u32> region)
        : recorded_(recorded),
          map_(recorded.module, recorded.plan, recorded.buffers, recorded.symbols,
               recorded.launch.dynamicSharedBytes),
          threads_(u32(recorded.launch.block.count())),
          wordsPerWarp_(wordsPerWarp(recorded.plan, recorded.capacityWords)),
          region_(region),
          recorder_(recorded.id, block, threads_),
          waiting_((threads_ + kWarpSize - 1) / kWarpSize) {
        CHECK_GE(region.size(), waiting_.size() * wordsPerWarp_, "the block's region is all there");
    }

    trace::FocusBlock decode() && {
        for (u32 warp = 0; warp < waiting_.size(); ++warp)
            readWarp(warp);
        std::ranges::stable_sort(groups_, {}, [](const Group& g) { return std::pair(g.stamp, g.warp); });
        for (const Group& group : groups_)
            tell(group);
        trace::FocusBlock block = std::move(recorder_).finish();
        block.truncated |= !isWhole_;
        return block;
    }

private:
    std::span<const u32> regionOf(u32 warp) const {
        return region_.subspan(warp * wordsPerWarp_, wordsPerWarp_);
    }

    // Regroups the lanes: those with the earliest next segment form a group.
    void readWarp(u32 warp) {
        constexpr u64 kFirstStamp = u64{1} << 40;  // so that no lane's clock is below 0
        std::vector<Column> columns;
        const u32 lanes = std::min(threads_ - warp * kWarpSize, kWarpSize);
        for (u32 lane = 0; lane < lanes; ++lane) {
            Column& column = columns.emplace_back(regionOf(warp), lane, recorded_.capacityWords,
                                                  recorded_.capacityWords + recorded_.plan.longestSegment);
            isWhole_ &= column.isWhole();
            if (!firstClock_) firstClock_ = kFirstStamp | column.word(2);
            column.startClockAt(*firstClock_);
            column.find(recorded_.plan);
        }
        for (;;) {
            const Column* first = nullptr;
            for (const Column& column : columns)
                if (column.segment() && (!first || column.stamp() < first->stamp())) first = &column;
            if (!first) return;
            Group group{
                .stamp = first->stamp(), .warp = warp, .lanes = {}, .segment = first->segment(), .at = {}};
            const LaneMask together{first->word(1)};
            const u32 from = first->cameFrom;
            for (u32 lane = 0; lane < lanes; ++lane) {
                Column& column = columns[lane];
                const bool isIn = together.has(Lane{lane}) && column.segment() == group.segment &&
                                  column.word(1) == together.bits && column.stamp() == group.stamp;
                if (isIn && (!group.segment->onlyEnds || column.cameFrom == from))
                    add(group, columns, Lane{lane});
            }
            CHECK(!group.lanes.empty() && group.lanes.has(Lane{u32(first - columns.data())}),
                  "a lane is active where it writes");
            finish(group, columns);
            endAtOnce(group, columns);
        }
    }

    static void add(Group& group, const std::vector<Column>& columns, Lane lane) {
        group.lanes = group.lanes | LaneMask::of(lane);
        group.at[lane.value] = u32(columns[lane.value].at());
    }
    void finish(const Group& group, std::vector<Column>& columns) {
        groups_.push_back(group);
        for (Lane lane : group.lanes) {
            Column& column = columns[lane.value];
            column.moveTo(column.at() + group.segment->words);
            column.cameFrom = u32(groups_.size());
            column.find(recorded_.plan);
        }
    }
    // Lanes that have exited together do not wait for others that exit at the same place: only the recorder's
    // code there made them wait.
    void endAtOnce(const Group& group, std::vector<Column>& columns) {
        const Segment* next = columns[group.lanes.lowest().value].segment();
        if (!next || !next->onlyEnds) return;
        Group end{.stamp = group.stamp, .warp = group.warp, .lanes = {}, .segment = next, .at = {}};
        for (Lane lane : group.lanes)
            if (columns[lane.value].segment() == next) add(end, columns, lane);
        if (end.lanes == group.lanes) finish(end, columns);
    }

    u32 word(const Group& group, u32 lane, u32 index) const {
        return regionOf(group.warp)[(u64{group.at[lane]} + index) * kWarpSize + lane];
    }
    u64 wordsAt(const Group& group, u32 lane, u32 index, bool two) const {
        return word(group, lane, index) | (two ? u64{word(group, lane, index + 1)} << 32 : 0);
    }

    void tell(const Group& group) {
        const Warp warp{group.warp};
        std::size_t next = 0;
        u32 guard = 0;
        for (u32 pc = group.segment->first.value; pc < group.segment->end.value; ++pc) {
            const ptx::Instruction& instruction = recorded_.module.at(Pc{pc});
            LaneMask active = group.lanes;
            if (instruction.guard.present) {
                for (Lane lane : group.lanes)
                    if (!(word(group, lane.value, group.segment->guardWord) >> guard & 1))
                        active = active & ~LaneMask::of(lane);
                ++guard;
            }
            recorder_.step(warp, Pc{pc}, active);
            tellBarrier(warp, instruction, active);
            for (; next < group.segment->accesses.size() && group.segment->accesses[next].pc == Pc{pc};
                 ++next)
                if (!active.empty()) tellAccess(group, group.segment->accesses[next], active);
        }
    }

    // A warp's phase ends where it first reaches a block-wide barrier; lanes that arrive later reach the same
    // one.
    void tellBarrier(Warp warp, const ptx::Instruction& instruction, LaneMask active) {
        const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name, form = instruction.form;
        if (active.empty() || opcode != "bar" || form.starts_with("bar.warp") ||
            form.starts_with("bar.arrive"))
            return;
        const std::span<const ptx::Operand> operands = recorded_.module.operandsOf(instruction);
        const bool reduces = form.starts_with("bar.red");
        const std::size_t usual =
            reduces ? 3 : 1;  // bar.red result, number, predicate; optionally a thread count
        if (operands.size() > usual) return;
        const auto* number =
            operands.size() > reduces ? std::get_if<ptx::ImmediateOperand>(&operands[reduces]) : nullptr;
        LaneMask& waiting = waiting_[warp.value][number ? u32(number->bits) : 0];
        const bool isFirst = waiting.empty() || !(waiting & active).empty();
        if (isFirst) recorder_.barrier(warp);
        waiting = isFirst ? active : waiting | active;
    }

    void tellAccess(const Group& group, const PlannedAccess& planned, LaneMask active) {
        trace::WarpAccess access{.pc = planned.pc,
                                 .active = active,
                                 .space = spaceOf(planned.space),
                                 .kind = planned.kind,
                                 .widthBytes = u8(planned.widthBytes()),
                                 .addresses = {}};
        readValues(group, planned, active);
        if (planned.kind == AccessKind::AsyncCopy) return tellCopy(group, planned, access);
        if (planned.space != StateSpace::Generic) return tellOneSpace(group, planned.address, access);
        for (LaneMask left = active; !left.empty();) {  // one space at a time
            const auto rawOf = [&](Lane lane) { return rawAddress(group, planned.address, lane); };
            u64 address = rawOf(left.lowest()) + u64(planned.address.offsetBytes);
            access.space = map_.spaceOf(address);
            access.active = {};
            for (Lane lane : left) {
                u64 own = rawOf(lane) + u64(planned.address.offsetBytes);
                if (map_.spaceOf(own) != access.space) continue;
                access.active = access.active | LaneMask::of(lane);
                access.addresses[lane.value] = map_.translate(access.space, {}, own);
            }
            recorder_.access(Warp{group.warp}, access, values_.data());
            left = left & ~access.active;
        }
    }

    void tellOneSpace(const Group& group, const PlannedAddress& address, trace::WarpAccess access) {
        for (Lane lane : access.active)
            access.addresses[lane.value] =
                map_.translate(access.space, address, rawAddress(group, address, lane));
        recorder_.access(Warp{group.warp}, access, values_.data());
    }

    // A load from global memory, if there is something to read, and a store to shared memory.
    void tellCopy(const Group& group, const PlannedAccess& planned, trace::WarpAccess access) {
        trace::WarpAccess reading = access;
        if (planned.sourceBytes)
            for (Lane lane : access.active)
                if (valueOf(group, *planned.sourceBytes, lane, false) == 0)
                    reading.active = reading.active & ~LaneMask::of(lane);
        if (!reading.active.empty()) tellOneSpace(group, planned.address, reading);
        access.space = Space::Shared;
        tellOneSpace(group, planned.sharedAddress, access);
    }

    u64 rawAddress(const Group& group, const PlannedAddress& address, Lane lane) const {
        if (address.word == kNoWord) return 0;
        if (address.wide) return wordsAt(group, lane.value, address.word, true);
        return u64(s64(s32(word(group, lane.value, address.word))));
    }

    u64 valueOf(const Group& group, const PlannedValue& value, Lane lane, bool two) const {
        return value.word == kNoWord ? value.constant : wordsAt(group, lane.value, value.word, two);
    }

    void readValues(const Group& group, const PlannedAccess& planned, LaneMask active) {
        values_.fill(std::byte{0});
        const u32 bytes = planned.elementBytes, width = planned.widthBytes();
        for (Lane lane : active) {
            for (u32 i = 0; i < planned.values.size(); ++i) {
                const u64 value = valueOf(group, planned.values[i], lane, bytes > 4);
                std::memcpy(values_.data() + lane.value * width + i * bytes, &value, bytes);
            }
            if (!planned.sourceBytes) continue;
            const u64 read = valueOf(group, *planned.sourceBytes, lane, false);
            for (u64 i = read; i < width; ++i)
                values_[lane.value * width + i] = std::byte{0};
        }
    }

    const RecordedLaunch& recorded_;
    AddressMap map_;
    u32 threads_;
    u64 wordsPerWarp_;
    std::span<const u32> region_;
    trace::BlockRecorder recorder_;
    std::vector<std::map<u32, LaneMask>> waiting_;  // by warp, number of the barrier
    std::vector<Group> groups_;
    std::optional<u64> firstClock_;
    bool isWhole_ = true;
    std::array<std::byte, 32 * kWarpSize> values_{};
};

}  // namespace

u64 wantedWords(const RecordedLaunch& recorded, std::span<const u32> region) {
    const u32 threads = u32(recorded.launch.block.count());
    const u64 perWarp = wordsPerWarp(recorded.plan, recorded.capacityWords),
              last = recorded.capacityWords + recorded.plan.longestSegment;
    u64 most = 0;
    for (u32 thread = 0; thread < threads; ++thread)
        most = std::max<u64>(
            most, region[thread / kWarpSize * perWarp + last * kWarpSize + thread % kWarpSize] & ~kWantedBit);
    return most;
}

trace::FocusBlock decodeBlock(const RecordedLaunch& recorded, Dim3 block, std::span<const u32> region) {
    return BlockDecoder(recorded, block, region).decode();
}

}  // namespace lockstep::record
