#include "explain/arrays/thread_element.h"

#include "base/device_addresses.h"
#include "base/text/words.h"

#include <fmt/format.h>

#include <array>

namespace lockstep::explain {
namespace {

constexpr Words kReads = english("Lane {0} reads {1}, {3} its own element {2}.");
constexpr Words kReadsOwn = english("Lane {0} reads its own element, {1}.");
constexpr Words kWritesOwn = english("Lane {0} writes its own element, {1}.");

struct Direction {
    int rows, columns;
    Words words;
};
constexpr std::array kDirections{Direction{-1, 0, english("above")}, Direction{1, 0, english("below")},
                                 Direction{0, -1, english("left of")}, Direction{0, 1, english("right of")}};

}  // namespace

std::optional<ThreadElement> threadElement(const Recorded& run, const Cursor& cursor,
                                           const BlockParts& parts) {
    const CursorContext here = lookUp(run, cursor);
    std::optional<ThreadElement> last;
    if (!here.warp || parts.buffers.empty()) return last;
    for (u32 s = 0; s < here.warp->steps.size(); ++s) {
        if (here.warp->steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = here.warp->accesses[here.warp->steps[s].access];
        if (access.space != trace::Space::Global || !trace::writes(access.kind) ||
            !access.active.has(cursor.lane))
            continue;
        const u64 address = here.warp->address(access, cursor.lane);
        const std::optional<u32> number = bufferOfAddress(address);
        if (!number || !parts.buffers.contains(*number)) continue;
        const Buffer& buffer = run.recording.initial[*number];
        const u64 element = (address - deviceAddressOf(*number)) / info(buffer.type).bytes;
        last = ThreadElement{element / buffer.shape[1], element % buffer.shape[1]};
        if (s >= cursor.step) break;
    }
    return last;
}

std::optional<ThreadElement> threadElementIn(const BlockPart& part, const BlockParts& parts,
                                             ThreadElement own) {
    const CellRange &there = part.own,
                    &written = parts.buffers.begin()->second.own;  // the same in each of them
    // One element is the whole block's.
    if (written.endRow - written.firstRow == 1 && written.endColumn - written.firstColumn == 1)
        return std::nullopt;
    if (!written.contains(own.row, own.column) ||
        there.endRow - there.firstRow != written.endRow - written.firstRow ||
        there.endColumn - there.firstColumn != written.endColumn - written.firstColumn)
        return std::nullopt;
    return ThreadElement{there.firstRow + own.row - written.firstRow,
                         there.firstColumn + own.column - written.firstColumn};
}

std::string howItLies(Language language, Lane lane, bool writes, const std::string& array,
                      ThreadElement touched, ThreadElement own) {
    const auto name = [&](ThreadElement cell) {
        return fmt::format("{}[{}][{}]", array, cell.row, cell.column);
    };
    const s64 rows = s64(touched.row) - s64(own.row), columns = s64(touched.column) - s64(own.column);
    if (rows == 0 && columns == 0)
        return say(language, writes ? kWritesOwn : kReadsOwn, lane.value, name(own));
    if (writes) return {};
    for (const Direction& direction : kDirections)
        if (rows == direction.rows && columns == direction.columns)
            return say(language, kReads, lane.value, name(touched), name(own), direction.words.in(language));
    return {};
}

}  // namespace lockstep::explain
