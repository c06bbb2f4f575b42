// Finds the rectangle that a block writes, and follows what it reads around it into shared memory.
#include "explain/arrays/block_part.h"

#include "base/device_addresses.h"
#include "explain/access/block_events.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using trace::Space;

// The rectangle that these elements fill; none where they leave some of it out.
std::optional<CellRange> rectangleOf(const std::set<u64>& elements, u64 columns) {
    if (elements.empty()) return std::nullopt;
    CellRange range{*elements.begin() / columns, *elements.rbegin() / columns + 1, columns, 0};
    for (const u64 element : elements)
        range.firstColumn = std::min(range.firstColumn, element % columns),
        range.endColumn = std::max(range.endColumn, element % columns + 1);
    return (range.endRow - range.firstRow) * (range.endColumn - range.firstColumn) == elements.size()
               ? std::optional(range)
               : std::nullopt;
}

// The halo reaches less far than the part itself.
bool isNear(const BlockPart& part, u64 columns) {
    const CellRange &own = part.own, around = part.around(columns);
    const u64 rows = own.endRow - own.firstRow, across = own.endColumn - own.firstColumn;
    return own.firstRow - around.firstRow < rows && around.endRow - own.endRow < rows &&
           own.firstColumn - around.firstColumn < across && around.endColumn - own.endColumn < across;
}

struct Touched {
    std::set<u64> read, written;
};

// By the number of the buffer, those of two dimensions.
std::map<u32, Touched> touchedMatrices(const Recorded& run, const trace::FocusBlock& block) {
    std::map<u32, Touched> touched;
    for (const trace::WarpTrace& warp : block.warps)
        for (const trace::StoredAccess& access : warp.accesses) {
            if (access.space != Space::Global || access.active.empty()) continue;
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                const std::optional<u32> number = bufferOfAddress(address);
                if (!number || *number >= run.recording.initial.size()) continue;
                const Buffer& buffer = run.recording.initial[*number];
                if (buffer.shape.size() != 2 || address < deviceAddressOf(*number)) continue;
                const u64 bytes = info(buffer.type).bytes,
                          first = (address - deviceAddressOf(*number)) / bytes;
                Touched& of = touched[*number];
                for (u64 element = first;
                     element < std::min(first + std::max<u64>(1, access.widthBytes / bytes), buffer.count());
                     ++element)
                    (trace::writes(access.kind) ? of.written : of.read).insert(element);
            }
        }
    return touched;
}

// What each place of a shared array holds at the end of those elements that a thread read from a buffer and
// stored as they were.
std::map<u64, u64> placesOf(const trace::FocusBlock& block, const BlockFlow& flow, const SharedArray& array,
                            u32 buffer, u64 bytes) {
    std::map<u64, u64> elementAt;
    forEachTouch(block, array, [&](const ArrayTouch& touch) {
        const BlockEvent& e = touch.event;
        if (e.access->kind != trace::AccessKind::Store || touch.bytes != bytes) return;
        const Origin origin =
            flow.originOfStored({Warp{e.warp}, touch.lane, e.step}, touch.firstByte, touch.bytes);
        const auto from = flow.loadedFrom(origin);
        if (from && from->space == Space::Global && origin.bytes == bytes &&
            bufferOfAddress(from->address) == buffer)
            elementAt[touch.place] = (from->address - deviceAddressOf(buffer)) / bytes;
    });
    return elementAt;
}

}  // namespace

CellRange BlockPart::around(u64 columns) const {
    CellRange range = own;
    for (const u64 element : halo) {
        range.firstRow = std::min(range.firstRow, element / columns),
        range.endRow = std::max(range.endRow, element / columns + 1);
        range.firstColumn = std::min(range.firstColumn, element % columns),
        range.endColumn = std::max(range.endColumn, element % columns + 1);
    }
    return range;
}

BlockParts blockParts(const Recorded& run, const Cursor& cursor) {
    return blockParts(run, cursor, LazyFlow(run, cursor));
}
BlockParts blockParts(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy) {
    BlockParts parts;
    const CursorContext here = lookUp(run, cursor);
    if (!here.block) return parts;
    constexpr std::size_t kMostAccesses = 20'000;  // of a block; a stencil makes a few thousand
    std::size_t accesses = 0;
    for (const trace::WarpTrace& warp : here.block->warps)
        accesses += warp.accesses.size();
    if (accesses > kMostAccesses) return parts;
    const std::map<u32, Touched> touched = touchedMatrices(run, *here.block);
    const auto& buffers = run.recording.initial;
    const auto writtenAsAWhole = [&](const auto& entry) {
        return !entry.second.written.empty() && entry.second.written.size() < buffers[entry.first].count() &&
               rectangleOf(entry.second.written, buffers[entry.first].shape[1]);
    };
    const auto result = std::ranges::find_if(touched, writtenAsAWhole);
    if (result == touched.end()) return parts;
    const std::vector<u64>& shape = buffers[result->first].shape;
    const CellRange own = *rectangleOf(result->second.written, shape[1]);
    const u64 ownCount = result->second.written.size();
    for (const auto& [number, of] : touched) {
        if (buffers[number].shape != shape) continue;
        BlockPart part{own, {}};
        u64 within = of.written.size();
        for (const u64 element : of.read) {
            if (own.contains(element / shape[1], element % shape[1]))
                ++within;
            else
                part.halo.insert(element);
        }
        if (number != result->first && (within < ownCount || !isNear(part, shape[1]))) continue;
        parts.buffers.emplace(number, std::move(part));
    }
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    const BlockFlow* flow = arrays.empty() ? nullptr : lazy.get();
    for (const SharedArray& array : arrays) {
        std::optional<BlockPart>& part = parts.shared.emplace_back();
        if (!flow) continue;
        for (const auto& [number, of] : parts.buffers) {
            const u64 bytes = info(buffers[number].type).bytes;
            if (number == result->first || array.elementBytes != bytes) continue;
            std::set<u64> places, halo;
            for (const auto& [place, element] : placesOf(*here.block, *flow, array, number, bytes))
                (own.contains(element / shape[1], element % shape[1]) ? places : halo).insert(place);
            if (const auto held = rectangleOf(places, std::max<u64>(1, array.columns())))
                part = BlockPart{*held, std::move(halo)};
        }
    }
    return parts;
}

}  // namespace lockstep::explain
