// The stage of any kernel while it is drawn: its parts are in files of their own (one sheet, its heading, the
// key).
#pragma once

#include "explain/arrays/sheet_touches.h"
#include "explain/arrays/thread_element.h"
#include "explain/numbers.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/frame.h"
#include "viz/parts/block_cache.h"
#include "viz/parts/conflicting_thread.h"
#include "viz/parts/cut_array.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/sheet_layout.h"
#include "viz/parts/zoomed.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::viz {

// A sheet, where it stands and what of it is seen. Rows and columns count from the array's first ones.
struct SheetOnShow {
    const Sheet& sheet;
    Rect grid;                 // that its cells may fill
    explain::CellRange shown;  // of its cells, until it is panned or zoomed
    explain::CellRange seen{};
    Pane pane{};
    Zoomed zoomed{};
    Rect view{};     // where cells are seen
    Point corner{};  // of the first of `shown`
    f32 cell = 0;
    std::map<u64, LaneMask> now{}, read{};
    std::map<u64, explain::SheetTouches::Seen> before{};
    f32 digits = 0;  // size of the numbers in all cells; 0: there are none
    u32 characters = 0;

    Rect boxOf(u64 row, u64 column) const {
        return {corner.x + f32(s64(column) - s64(shown.firstColumn)) * cell,
                corner.y + f32(s64(row) - s64(shown.firstRow)) * cell, cell, cell};
    }
};

class BufferStage {
public:
    BufferStage(const ViewInput& in, const CursorContext& here, const explain::BlockParts& parts);
    Scene build();

private:
    static constexpr f32 kTitle = 24, kIndices = 14, kKey = 26, kBehindName = 10,
                         kApart = SheetLayout::kApart, kGap = SheetLayout::kGap,
                         kLargestCell = SheetLayout::kLargestCell, kNumbered = SheetLayout::kNumbered;
    // Of the numbers left of the rows.
    static constexpr TextStyle kIndexStyle{
        .size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};

    // ---- Where sheets stand (buffer_stage.cpp)
    SheetLayout layout() const { return {parts_, gutter_, titleHeight()}; }
    f32 titleHeight() const { return kTitle + (isIndexed_ ? kIndices : 0); }
    f32 widestNumber(const std::vector<Sheet>& sheets) const;
    std::vector<const Sheet*> fewElements(const std::vector<Sheet>& sheets, const Rect& body);
    f32 widthOf(const Sheet& sheet) const;
    void drawSheets(const std::vector<Sheet>& sheets, const std::vector<const Sheet*>& few, const Rect& body);
    void drawRow(const std::vector<const Sheet*>& wanted, const Rect& area);
    // Above the key, where lanes sit out the access at the cursor: why most of them do.
    void drawWhyOff(Rect& body);
    // How what the cursor's lane touches lies to its own element.
    std::string howTheCursorLies(const std::vector<Sheet>& sheets) const;
    // Right of all sheets, where there is room: what stands around the element that the cursor's lane
    // accesses.
    void drawLoupe(const Rect& body);

    // ---- One sheet (buffer_sheet.cpp)
    // titleRoom: from the area's left edge.
    void drawSheet(const Sheet& sheet, const Rect& area, f32 titleRoom);
    // Whole if its cells can still be seen, else the rows around what is touched.
    SheetOnShow showOf(const Sheet& sheet, const Rect& grid) const;
    // Where pan and magnifier take it.
    void place(SheetOnShow& on) const;
    void chooseDigits(SheetOnShow& on) const;
    void drawCells(SheetOnShow& on);
    void drawCell(SheetOnShow& on, u64 element, const Rect& box);
    static ValueCell cellOf(const Sheet& sheet, u64 element, const Rect& box);
    void drawTouched(SheetOnShow& on, u64 element, const Rect& box, LaneMask lanes);
    void drawUntouched(SheetOnShow& on, u64 element, const Rect& box);
    void drawValue(const SheetOnShow& on, const Rect& box, Role fill, u64 element, bool isBold);
    void drawReads(const SheetOnShow& on);
    void drawParts(const SheetOnShow& on);
    void markConflict(const SheetOnShow& on);
    void markOwn(const SheetOnShow& on);
    std::string saidOf(const SheetOnShow& on, u64 element, const std::string& value) const;
    // As the block left it or saw it last, else as the buffer began.
    static std::string valueOf(const Sheet& sheet, const std::map<u64, explain::SheetTouches::Seen>& before,
                               u64 element, u32 most);
    static std::string shortValue(const SheetOnShow& on, u64 element, u32 characters);
    // The edge of the cells of a set, as far as they are seen: lines as long as they go straight.
    template <class Contains>
    void drawOutline(const SheetOnShow& on, Contains&& contains, const Stroke& stroke);

    // ---- Its heading (buffer_heading.cpp)
    void drawHeading(const SheetOnShow& on, const Rect& area, f32 room);
    std::string countText(const Sheet& sheet) const;
    static CutArray cutOf(const Sheet& sheet, const explain::CellRange& shown);
    static std::string indicesOf(const Sheet& sheet, const explain::CellRange& shown);
    // Which part of the array is shown, from the longest to the shortest way to say it; none: all of it.
    std::vector<std::string> partNames(const Sheet& sheet, const std::string& size,
                                       const explain::CellRange& shown) const;
    // Behind the array's name: which part of it is shown, in smaller letters rather than not at all; else how
    // large it is.
    // Returns its width.
    f32 drawShape(Point at, f32 room, TextStyle style, const std::vector<std::string>& parts,
                  const std::vector<std::string>& shapes);
    // Numbers of rows and columns beside those that are seen, as many as have room. Of a vector: what its
    // rows begin with.
    void drawIndices(const SheetOnShow& on);

    // ---- What marks mean (buffer_key.cpp)
    // In brief where not all of it has room.
    void drawKey(Point at);
    std::vector<KeyRow> keys(bool inBrief) const;
    static constexpr Stroke kPartLine{role(RoleKind::TextSecond), line::kTile},
        kHaloLine{role(RoleKind::TextSecond), line::kNext, Dash::Dashed};
    // A frame in the warp's color; with a bar at its lower edge what the cursor's lane has read.
    static void drawRead(Canvas& canvas, const Rect& box, Role color, bool byCursor);
    static constexpr f32 kForDiamond = 18, kForDiamondBesideDigits = 26, kForThreadElement = 6;
    // A point: in the middle of a small cell, in the corner of one with a value.
    static void drawThreadElement(Canvas& canvas, const Rect& cell);

    const ViewInput& in_;
    const CursorContext& here_;
    const explain::BlockParts& parts_;
    Canvas canvas_;
    std::vector<Pane> panes_;
    struct Cut {
        Zoomed seen;
        std::size_t firstHit, endHit, firstCell, endCell;
    };
    std::vector<Cut> cuts_;
    u32 exist_;
    explain::SheetTouches touches_;
    std::shared_ptr<const explain::BlockAccesses> accesses_;
    std::optional<explain::ConflictingThread> second_;
    std::optional<Rect> secondAt_;  // where it is drawn once all else is
    // What the cursor's lane accesses, in cells that are too small for numbers.
    struct Near {
        Sheet sheet;
        u64 element = 0;
        std::map<u64, explain::SheetTouches::Seen> before;
        f32 top = 0;
    };
    std::optional<Near> near_;
    // Of the sheet that is drawn: what the cursor's lane touches, and what was read for what is written (by
    // the cursor's lane: true).
    std::optional<std::pair<Rect, u64>> ours_;
    std::vector<std::pair<Rect, bool>> marked_;
    f32 right_ = 0;                              // of the cells and titles of all sheets
    std::optional<explain::ThreadElement> own_;  // of the cursor's lane
    bool isIndexed_ = true;
    bool isAtomic_ = here_.access && trace::isAtomic(here_.access->kind);
    f32 gutter_ = 0, keyY_ = 0;   // left of the sheets, for numbers; where the key stands
    f32 fewCell_ = kLargestCell;  // of the vectors of few elements
    bool hasPart_ = false, hasHalo_ = false, hasSources_ = false, hasCursorsSources_ = false,
         hasUnused_ = false,
         hasOwnCell_ = false;  // drawn, and so in the key
};

}  // namespace lockstep::viz
