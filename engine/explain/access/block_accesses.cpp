// Notes once which pages each access touches. Which of a page's accesses touch an element is looked up when
// it is asked for: a picture asks for few of the elements that a block touches millions of times.
#include "explain/access/block_accesses.h"

#include "base/device_addresses.h"
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
    block_ = here.block;
    if (!block_) return;
    events_ = blockEvents(*block_);
    std::vector<std::pair<u32, u32>> filed;  // page and event, in the order of the events
    filed.reserve(events_.size());
    std::vector<Stretch> stretches;
    for (const trace::WarpTrace& warp : block_->warps)
        footprints_.emplace_back(warp.layouts.size());
    for (u32 e = 0; e < events_.size(); ++e) {
        stretchesOf(events_[e], stretches);
        for (const Stretch& stretch : stretches)
            file(stretch, e, filed);
    }
    footprints_ = {};
    begins_.assign(pages_.size() + 1, 0);
    for (const auto& [page, event] : filed)
        ++begins_[page + 1];
    for (std::size_t page = 0; page < pages_.size(); ++page)
        begins_[page + 1] += begins_[page];
    onPages_.resize(filed.size());
    std::vector<u32> next(begins_);
    for (const auto& [page, event] : filed)
        onPages_[next[page]++] = event;
}

const BlockAccesses::Footprint& BlockAccesses::footprintOf(const BlockEvent& event) {
    const trace::StoredAccess& access = *event.access;
    Footprint& print = footprints_[event.warp][access.layout];
    const u64 width = std::max<u32>(1, access.widthBytes);
    if (print.width == width && print.active == access.active) return print;
    print.width = width, print.active = access.active;
    print.bytes.clear();
    const trace::LaneAddresses& distances = block_->warps[event.warp].layouts[access.layout].distances;
    for (const Lane lane : access.active)
        print.bytes.emplace_back(s64(distances[lane.value]), s64(distances[lane.value] + width));
    if (!std::ranges::is_sorted(print.bytes)) std::ranges::sort(print.bytes);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < print.bytes.size(); ++i)
        if (print.bytes[i].first <= print.bytes[kept].second)
            print.bytes[kept].second = std::max(print.bytes[kept].second, print.bytes[i].second);
        else
            print.bytes[++kept] = print.bytes[i];
    print.bytes.resize(std::min(print.bytes.size(), kept + 1));
    return print;
}

// Where all lanes stay within one region. False: they do not.
bool BlockAccesses::stretchesAtOnce(const BlockEvent& event, std::vector<Stretch>& stretches) {
    const trace::StoredAccess& access = *event.access;
    const std::vector<std::pair<s64, s64>>& bytes = footprintOf(event).bytes;
    if (bytes.empty()) return true;
    const std::optional<std::size_t> number = regionOf(access.space, access.base + u64(bytes.front().first));
    if (!number) return false;
    const Region& region = regions_[*number];
    const auto elementAt = [&](s64 byte) { return region.elementAt(access.base + u64(byte)); };
    if (elementAt(bytes.back().second - 1) >= region.elements) return false;
    for (const auto& [first, end] : bytes)
        if (const Stretch one{*number, elementAt(first), elementAt(end - 1) + 1};
            !stretches.empty() && one.first <= stretches.back().end)
            stretches.back().end = std::max(stretches.back().end, one.end);
        else
            stretches.push_back(one);
    return true;
}

// What the lanes of an access touch, ascending and without overlaps: mostly one stretch, or a few.
void BlockAccesses::stretchesOf(const BlockEvent& event, std::vector<Stretch>& stretches) {
    stretches.clear();
    if (stretchesAtOnce(event, stretches)) return;
    const trace::StoredAccess& access = *event.access;
    const trace::WarpTrace& warp = block_->warps[event.warp];
    const u64 width = std::max<u32>(1, access.widthBytes);
    std::optional<std::size_t> number;  // mostly the same for all lanes
    for (const Lane lane : access.active) {
        const u64 address = warp.address(access, lane);
        if (!number ||
            address - regions_[*number].base >= regions_[*number].elements * regions_[*number].bytes)
            number = regionOf(access.space, address);
        if (!number) continue;
        const Region& region = regions_[*number];
        const Stretch one{*number, region.elementAt(address),
                          std::min(region.elementAt(address + width - 1) + 1, region.elements)};
        Stretch* const last = stretches.empty() ? nullptr : &stretches.back();
        if (last && last->region == one.region && one.first >= last->first && one.first <= last->end)
            last->end = std::max(last->end, one.end);
        else
            stretches.push_back(one);
    }
    const auto before = [](const Stretch& a, const Stretch& b) {
        return a.region != b.region ? a.region < b.region : a.first < b.first;
    };
    if (stretches.size() < 2) return;
    if (!std::ranges::is_sorted(stretches, before)) std::ranges::sort(stretches, before);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < stretches.size(); ++i)
        if (Stretch& last = stretches[kept];
            stretches[i].region == last.region && stretches[i].first <= last.end)
            last.end = std::max(last.end, stretches[i].end);
        else
            stretches[++kept] = stretches[i];
    stretches.resize(kept + 1);
}

void BlockAccesses::file(const Stretch& stretch, u32 event, std::vector<std::pair<u32, u32>>& filed) {
    for (u64 first = stretch.first; first < stretch.end;) {
        u32& number = regions_[stretch.region].pages[first / kPage];
        if (number == kNone) number = u32(pages_.size()), pages_.emplace_back();
        Page& page = pages_[number];
        const u64 end = std::min(stretch.end, (first / kPage + 1) * kPage);
        for (u64 element = first; element < end; ++element)
            page.touched |= 1u << element % kPage, ++page.counts[element % kPage];
        // Another stretch of the same access may have brought it here.
        if (filed.empty() || filed.back() != std::pair(number, event)) filed.emplace_back(number, event);
        first = end;
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

// None: the block never touches it.
std::optional<BlockAccesses::Place> BlockAccesses::placeOf(trace::Space space, u64 address) const {
    const std::optional<std::size_t> number = regionOf(space, address);
    if (!number) return std::nullopt;
    const Region& region = regions_[*number];
    const u64 element = region.elementAt(address);
    const u32 page = region.pages[element / kPage], bit = u32(element % kPage);
    if (page == kNone || !(pages_[page].touched >> bit & 1)) return std::nullopt;
    return Place{&region, page, bit, region.base + element * region.bytes};
}

std::span<const u32> BlockAccesses::eventsOn(u32 page) const {
    return std::span(onPages_).subspan(begins_[page], begins_[page + 1] - begins_[page]);
}

LaneMask BlockAccesses::lanesAt(const BlockEvent& event, const Place& place) const {
    const trace::StoredAccess& access = *event.access;
    if ((access.space == trace::Space::Shared) != (place.region == &regions_.back())) return {};
    const trace::LaneAddresses& distances = block_->warps[event.warp].layouts[access.layout].distances;
    const u64 width = std::max<u32>(1, access.widthBytes), most = width + place.region->bytes - 1,
              from = place.address + place.region->bytes - 1 - access.base;
    // A lane touches it that begins less than `most` before the element's last byte.
    u32 lanes = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        lanes |= u32(from - distances[lane] < most) << lane;
    return LaneMask{lanes} & access.active;
}

BlockAccesses::Touch BlockAccesses::touchOf(const BlockEvent& event, LaneMask lanes) const {
    return {event.order, event.step, Warp{event.warp}, lanes, event.access->kind};
}

bool BlockAccesses::touches(trace::Space space, u64 address) const {
    return placeOf(space, address).has_value();
}

std::vector<BlockAccesses::Touch> BlockAccesses::of(trace::Space space, u64 address) const {
    std::vector<Touch> all;
    const std::optional<Place> place = placeOf(space, address);
    if (!place) return all;
    for (const u32 e : eventsOn(place->page))
        if (const LaneMask lanes = lanesAt(events_[e], *place); !lanes.empty())
            all.push_back(touchOf(events_[e], lanes));
    return all;
}

std::optional<BlockAccesses::Touch> BlockAccesses::next(trace::Space space, u64 address, u32 order) const {
    const std::optional<Place> place = placeOf(space, address);
    if (!place) return std::nullopt;
    const std::span<const u32> events = eventsOn(place->page);
    const auto orderOf = [this](u32 e) { return events_[e].order; };
    for (auto e = std::ranges::upper_bound(events, order, {}, orderOf); e != events.end(); ++e)
        if (const LaneMask lanes = lanesAt(events_[*e], *place); !lanes.empty())
            return touchOf(events_[*e], lanes);
    return std::nullopt;
}

std::optional<BlockAccesses::Nearest> BlockAccesses::nearest(trace::Space space, u64 address,
                                                             u32 order) const {
    const std::optional<Place> place = placeOf(space, address);
    if (!place) return std::nullopt;
    const std::span<const u32> events = eventsOn(place->page);
    const auto orderOf = [this](u32 e) { return events_[e].order; };
    const auto middle = std::ranges::lower_bound(events, order, {}, orderOf);
    std::optional<Touch> found;
    for (auto e = middle; e != events.end() && !found; ++e)
        if (const LaneMask lanes = lanesAt(events_[*e], *place); !lanes.empty())
            found = touchOf(events_[*e], lanes);
    // One before it only where that is nearer.
    for (auto e = middle; e != events.begin();) {
        const BlockEvent& event = events_[*--e];
        if (found && found->order >= order && order - event.order >= found->order - order) break;
        if (const LaneMask lanes = lanesAt(event, *place); !lanes.empty()) {
            found = touchOf(event, lanes);
            break;
        }
    }
    return Nearest{*found, pages_[place->page].counts[place->bit] - std::size_t{1}};
}

}  // namespace lockstep::explain
