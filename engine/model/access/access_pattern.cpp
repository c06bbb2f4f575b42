#include "model/access/access_pattern.h"

#include <fmt/format.h>

#include <bit>

namespace lockstep::model {
namespace {

constexpr u32 kLongestRow = 65536;

Unexpected wrong(Message message) { return fail(FaultKind::Usage, std::move(message)); }

Expected<void> check(const RowLayout& rows) {
    if (rows.elements == 0 || rows.elements > kLongestRow || rows.padding > kLongestRow)
        return wrong(Message(english("a row of {0} {0:element|elements} and {1} of padding: 1 to {2} "
                                     "{2:element|elements} and up to "
                                     "{2} of padding are possible"),
                             rows.elements, rows.padding, kLongestRow));
    if (rows.swizzled && !std::has_single_bit(rows.elements))
        return wrong(Message(english("a swizzled row has a power of two of elements, so that column ^ row "
                                     "stays within it; {0} is none"),
                             rows.elements));
    return {};
}

// Rows begin at multiples of `length`; C's division rounds towards 0, a row below 0 must not.
s64 rowOf(s64 index, s64 length) { return index >= 0 ? index / length : -((-index + length - 1) / length); }

// "tid", "tid * 2 + 5", "17".
std::string evenly(s64 first, s64 step) {
    if (step == 0) return fmt::format("{}", first);
    std::string text = step == 1 ? "tid" : step == -1 ? "-tid" : fmt::format("tid * {}", step);
    if (step < 0)
        return first == 0 ? text
                          : fmt::format("{} - tid{}", first, step == -1 ? "" : fmt::format(" * {}", -step));
    if (first != 0) text += fmt::format(" {} {}", first > 0 ? '+' : '-', first > 0 ? first : -first);
    return text;
}

}  // namespace

s64 RowLayout::place(s64 index) const {
    const s64 row = rowOf(index, elements), column = index - row * s64{elements};
    return row * (s64{elements} + padding) + (swizzled ? column ^ (row & (s64{elements} - 1)) : column);
}

bool RowLayout::isUsed(s64 place) const {
    const s64 pitch = s64{elements} + padding;
    return place - rowOf(place, pitch) * pitch < s64{elements};
}

Expected<AccessQuery> queryOf(const AccessPattern& pattern) {
    if (const Expected<void> checked = check(pattern.rows); !checked) return Unexpected{checked.error()};
    AccessQuery query{
        .space = pattern.space, .operation = pattern.operation, .widthBytes = pattern.widthBytes};
    if (!pattern.expression.empty()) {
        // The expression yields an element index; the rows map it to a position.
        Expected<LaneOffsets> offsets = offsetsOf(pattern.expression, 1);
        if (!offsets) return Unexpected{offsets.error()};
        for (std::optional<s64>& offset : *offsets)
            offset = pattern.rows.place(*offset) * s64{pattern.widthBytes};
        query.offsets = *offsets;
    }
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (pattern.moved[lane]) query.offsets[lane] = *pattern.moved[lane] * s64{pattern.widthBytes};
        if (pattern.off.has(Lane{lane})) query.offsets[lane].reset();
    }
    if (const Expected<void> checked = checkQuery(query); !checked) return Unexpected{checked.error()};
    return query;
}

std::optional<AccessPattern> patternOf(const trace::WarpAccess& access, u64 zero) {
    if (access.kind != trace::AccessKind::Load && access.kind != trace::AccessKind::Store)
        return std::nullopt;
    AccessPattern pattern{
        .space = access.space == trace::Space::Shared ? trace::Space::Shared : trace::Space::Global,
        .operation = access.kind,
        .widthBytes = access.widthBytes,
        .expression = {},
        .off = ~access.active};
    bool isEven = access.active == LaneMask::all();
    for (const Lane lane : access.active) {
        const s64 offset = s64(access.addresses[lane.value] - zero);
        if (offset % s64{access.widthBytes} != 0) return std::nullopt;
        pattern.moved[lane.value] = offset / s64{access.widthBytes};
    }
    for (u32 lane = 2; lane < kWarpSize && isEven; ++lane)
        isEven = *pattern.moved[lane] - *pattern.moved[lane - 1] == *pattern.moved[1] - *pattern.moved[0];
    if (isEven) {
        pattern.expression = evenly(*pattern.moved[0], *pattern.moved[1] - *pattern.moved[0]);
        pattern.moved = {};
    }
    return pattern;
}

}  // namespace lockstep::model
