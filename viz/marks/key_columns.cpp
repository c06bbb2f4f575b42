#include "viz/marks/key_columns.h"

#include <algorithm>

namespace lockstep::viz {

f32 keyInColumns(Canvas& canvas, const Rect& area, std::span<const KeyRow> rows,
                 std::span<const KeyRow> inBrief) {
    constexpr f32 kLeastRow = 20;  // as keyColumn() has them at their closest
    if (f32(rows.size()) * kLeastRow <= area.height + 0.5f)
        return keyColumn(canvas, {area.x, area.y}, area.width, area.height, rows);
    const std::size_t inFirst = (inBrief.size() + 1) / 2;
    const f32 half = area.width / 2;
    const f32 first = keyColumn(canvas, {area.x, area.y}, half - 4, area.height, inBrief.first(inFirst));
    keyColumn(canvas, {area.x + half, area.y}, half, area.height, inBrief.subspan(inFirst));
    return first;
}

}  // namespace lockstep::viz
