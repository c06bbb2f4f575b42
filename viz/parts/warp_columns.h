// Beside the sums of a reduction, a column a warp: which of its lanes add in a round, and whether it diverges
// there or sits it out.
#pragma once

#include "base/lane_mask.h"
#include "base/text/text.h"
#include "viz/cursor/cursor.h"
#include "viz/scene/canvas.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

struct WarpInRound {
    LaneMask adding;             // or storing the result
    LaneMask inVain;             // of these: no result is made of what they add
    u32 lanes = 0;               // that the warp has
    std::optional<Cursor> go{};  // where it begins; none: it does nothing
    bool isWhole() const { return u32(adding.count()) == lanes; }
};

class WarpColumns {
public:
    static constexpr f32 kInVainAlpha = 0.3f;  // of lanes whose sums are not part of the result

    // Columns for so many warps, each with its lanes and how many of them add, or with the number alone.
    static std::vector<WarpColumns> thatFit(const Canvas& canvas, u32 warps, f32 most,
                                            Language language);  // the widest first; may be empty
    f32 width() const { return column_ * f32(warps_); }

    // Title and the warps' names; `title` and `names`: the middles of their lines.
    void drawHead(Canvas& canvas, f32 left, f32 title, f32 names) const;
    // said: of each warp, by number. Lanes are faint ahead of the cursor.
    void drawRow(Canvas& canvas, f32 left, const Rect& row, std::span<const WarpInRound> warps, bool ahead,
                 const std::function<std::string(u32 warp)>& said) const;
    // Where a lane stands in its warp's strip; none where there are no strips.
    std::optional<Rect> laneAt(f32 left, const Rect& row, Warp warp, Lane lane) const;

private:
    WarpColumns(u32 warps, f32 lane, f32 column, Language language)
        : warps_(warps), language_(language), lane_(lane), column_(column) {}
    Rect strip(f32 left, const Rect& row, u32 warp) const;

    u32 warps_;
    Language language_;
    f32 lane_ = 0, column_ = 0;  // widths; lane_ 0: no strips
};

}  // namespace lockstep::viz
