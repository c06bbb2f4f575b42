// Goes through the accesses once, then sorts the touches by element.
#include "explain/access/block_accesses.h"

#include "base/device_addresses.h"
#include "explain/access/block_events.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"

#include <algorithm>

namespace lockstep::explain {

BlockAccesses::BlockAccesses(const Recorded& run, const Cursor& cursor) {
    for (u32 b = 0; b < run.recording.initial.size(); ++b) {
        const Buffer& buffer = run.recording.initial[b];
        Region& region = regions_.emplace_back(Region{
            .base = deviceAddressOf(b), .elements = 1, .bytes = std::max(1u, info(buffer.type).bytes)});
        for (const u64 extent : buffer.shape)
            region.elements *= extent;
    }
    Region& shared = regions_.emplace_back();
    u64 sharedBytes = 0;
    for (const SharedArray& array : sharedArrays(run, cursor.launch)) {
        shared.bytes = std::min(shared.bytes, std::max(1u, array.elementBytes));
        sharedBytes = std::max(sharedBytes, array.base + array.sizeBytes);
    }
    shared.elements = sharedBytes / shared.bytes;
    for (Region& region : regions_)
        region.pages.assign(region.elements / kPage + 1, kNone);

    const CursorContext here = lookUp(run, cursor);
    if (!here.block) return;
    // In the order of the events, then in the order of the elements. Lanes of one instruction are one touch.
    struct Filed {
        u32 slot = 0;
        Touch touch;
    };
    std::vector<Filed> filed;
    std::vector<u32> last;  // by slot: the number of its last touch in `filed`, + 1
    const auto add = [&](u32 slot, const Touch& touch, Lane lane) {
        if (slot >= begins_.size())
            begins_.resize(slot / kPage * kPage + kPage, 0), last.resize(begins_.size(), 0);
        u32 number = last[slot];
        if (number == 0 || filed[number - 1].touch.order != touch.order) {
            filed.push_back({slot, touch});
            number = last[slot] = u32(filed.size());
            ++begins_[slot];
        }
        filed[number - 1].touch.lanes = filed[number - 1].touch.lanes | LaneMask::of(lane);
    };
    forEachTouch(*here.block, add);
    u32 sum = 0;
    for (u32& begin : begins_)
        sum += std::exchange(begin, sum);
    begins_.push_back(sum);
    touches_.resize(sum);
    std::vector<u32> next(begins_);
    for (const Filed& one : filed)
        touches_[next[one.slot]++] = one.touch;
}

template <class Each> void BlockAccesses::forEachTouch(const trace::FocusBlock& block, Each&& each) {
    u32 pages = 0;
    for (const BlockEvent& event : blockEvents(block)) {
        const trace::WarpTrace& warp = block.warps[event.warp];
        const trace::StoredAccess& access = *event.access;
        const Touch touch{event.order, event.step, Warp{event.warp}, LaneMask{}, access.kind};
        const u64 width = std::max<u32>(1, access.widthBytes);
        for (const Lane lane : access.active) {
            const u64 address = warp.address(access, lane);
            const std::optional<std::size_t> number = regionOf(access.space, address);
            if (!number) continue;
            Region& region = regions_[*number];
            const u64 first = region.elementAt(address), end = region.elementAt(address + width - 1) + 1;
            for (u64 element = first; element < std::min(end, region.elements); ++element) {
                u32& page = region.pages[element / kPage];
                if (page == kNone) page = pages++;
                each(page * kPage + u32(element % kPage), touch, lane);
            }
        }
    }
}

std::optional<std::size_t> BlockAccesses::regionOf(trace::Space space, u64 address) const {
    std::size_t number = regions_.size() - 1;
    if (space != trace::Space::Shared) {
        const std::optional<u32> buffer = bufferOfAddress(address);
        if (space != trace::Space::Global || !buffer || *buffer >= number) return std::nullopt;
        number = *buffer;
    }
    const Region& region = regions_[number];
    return address >= region.base && region.elementAt(address) < region.elements ? std::optional(number)
                                                                                 : std::nullopt;
}

std::span<const BlockAccesses::Touch> BlockAccesses::of(trace::Space space, u64 address) const {
    const std::optional<std::size_t> number = regionOf(space, address);
    if (!number) return {};
    const u64 element = regions_[*number].elementAt(address);
    const u32 page = regions_[*number].pages[element / kPage];
    if (page == kNone) return {};
    const u32 slot = page * kPage + u32(element % kPage);
    return std::span(touches_).subspan(begins_[slot], begins_[slot + 1] - begins_[slot]);
}

std::optional<BlockAccesses::Nearest> BlockAccesses::nearest(trace::Space space, u64 address,
                                                             u32 order) const {
    const std::span<const Touch> all = of(space, address);
    if (all.empty()) return std::nullopt;
    const auto after = std::ranges::lower_bound(all, order, {}, &Touch::order);
    const bool isBefore = after == all.end() ||
                          (after != all.begin() && order - std::prev(after)->order < after->order - order);
    return Nearest{isBefore ? *std::prev(after) : *after, all.size() - 1};
}

}  // namespace lockstep::explain
