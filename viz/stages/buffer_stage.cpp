// Each buffer as a grid of its shape, what the warp touches now lit in its lanes' colors and what the block
// has touched before in grey; shared memory in its declared shape, or as rows of 32 banks. Where a block
// reads around the part of a matrix that it writes, as a stencil does, that part and its halo are outlined,
// and as much of the matrix is shown as they need.
#include "viz/stages/buffer_stage.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/arrays/sheet_touches.h"
#include "explain/arrays/thread_element.h"
#include "explain/cursor/navigation.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/numbers.h"
#include "explain/sentences/sentence.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/facts/explained_run.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/diamond.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/block_cache.h"
#include "viz/parts/conflicting_thread.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/loupe.h"
#include "viz/parts/sheet_layout.h"
#include "viz/parts/zoomed.h"
#include "viz/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kKeyAtomic = english("atomic: read-modify-write in one operation");
constexpr Words kAtomicInBrief = english("atomic");
constexpr Words kKeyOwnPart = english("this block's cells");
constexpr Words kKeyHalo = english("halo: cells of neighboring blocks");
constexpr Words kKeyReadBefore = english("value already read");
constexpr Words kKeyReadByLane = english("the same, by the cursor's lane");
constexpr Words kKeyReadByLaneAlone = english("value already read by the cursor's lane");
// The same where the key has little room.
constexpr Words kTouchedNowInBrief = english("now");
constexpr Words kTouchedInBrief = english("before");
constexpr Words kOwnPartInBrief = english("this block's part");
constexpr Words kHaloInBrief = english("halo");
constexpr Words kReadInBrief = english("already read");
constexpr Words kReadByLaneInBrief = english("by the cursor's lane");
constexpr Words kKeyThreadElement = english("cell of the cursor's lane");
constexpr Words kThreadElementInBrief = english("own element");
// Of a matrix of which a part is shown, where there is room for numbers alone (kPartOf says it whole).
constexpr Words kPartOfBriefly = english("[{0}–{1}][{2}–{3}] of {4}");
constexpr Words kPartOfPlanes = english("[{0}][{1}–{2}][{3}–{4}] of {5}");
constexpr Words kElementsPart = english("elements {0}–{1} of {2}");
constexpr Words kElementsPartBriefly = english("[{0}–{1}] of {2}");
constexpr Words kElementPart = english("element {0} of {1}");
constexpr Words kElementPartBriefly = english("[{0}] of {1}");
constexpr Words kNeverUsedHover = english("{0}: this block neither writes nor reads it.");
constexpr Words kHaloHover = english("Halo: a cell of a neighboring block.");
constexpr Words kHaloCopyHover = english("Halo: a copy of a neighboring block's cell.");
constexpr Words kReadBeforeHover = english("{2:Lane|Lanes} {0} of warp {1} {2:has|have} read this value.");

constexpr u32 kBriefCharacters = 3, kLoupeCharacters = 6;

// In so few characters where that can be: "57" of 57.31, "4.8" of 4.83, "0" of 0.0.
std::string inBrief(const std::string& value) {
    const f64 number = std::strtod(value.c_str(), nullptr);
    if (value.empty() || !std::isfinite(number) || std::abs(number) >= 1000 ||
        value.find('.') == std::string::npos)
        return value;
    std::string text = fmt::format("{:.{}f}", number, std::abs(number) < 9.95 ? 1 : 0);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

class BufferStage {
public:
    BufferStage(const ViewInput& in, const CursorContext& here, const explain::BlockParts& parts)
        : in_(in),
          here_(here),
          parts_(parts),
          canvas_(in.size, in.metrics),
          exist_(explain::lanesOf(*here.block, in.cursor.warp)),
          touches_(in.run, in.cursor, here),
          accesses_(accessesOfBlock(in)),
          second_(explain::conflictingThreadAt(in.run, in.cursor, in.language)),
          own_(explain::threadElement(in.run, in.cursor, parts)) {}

    Scene build() {
        const std::vector<Sheet> sheets = explain::sheetsOf(in_.run, in_.cursor.launch, parts_);
        if (sheets.empty()) return emptyScene(in_, kStageTitle, say(in_.language, kNoBuffers));
        const bool isPresented = in_.isPresented;
        Rect body = head(canvas_, in_, kStageTitle.in(in_.language), placeText(in_, here_));
        if (isPresented) body.height += kKey;  // which is not drawn
        constexpr f32 kIndexedFrom = 240;
        isIndexed_ = body.height >= kIndexedFrom;
        gutter_ = isIndexed_ ? widestNumber(sheets) + 6 : 0;
        keyY_ = body.bottom() - 18;
        if (!isPresented) drawWhyOff(body);
        const std::vector<const Sheet*> few = fewElements(sheets, body);
        if (!few.empty()) body.height -= titleHeight() + kLargestCell + kApart;
        const f32 strip = body.bottom() - 30;
        std::vector<const Sheet*> global, shared;
        for (const Sheet& sheet : sheets)
            if (std::ranges::find(few, &sheet) == few.end())
                (sheet.space == trace::Space::Shared ? shared : global).push_back(&sheet);
        const f32 sharedHeight = shared.empty()   ? 0
                                 : global.empty() ? body.height - 40
                                                  : std::clamp(body.height * 0.36f, 90.0f, 300.0f);
        const Rect upper{body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset,
                         body.height - sharedHeight - 44};
        constexpr f32 kLow = 90;
        const Rect whole{upper.x, upper.y, upper.width, body.height - 44},
            lower{upper.x, upper.bottom() + 10, upper.width, sharedHeight - 10};
        std::vector<const Sheet*> all = global;
        all.insert(all.end(), shared.begin(), shared.end());
        // What goes in, what the block keeps of it, what comes out.
        std::ranges::stable_partition(all, [&](const Sheet* sheet) {
            const bool isKept = sheet->part && sheet->part->halo.empty();
            return !isKept || sheet->space != trace::Space::Global;
        });
        if (upper.height < kLow || (!shared.empty() && !global.empty() &&
                                    layout().isClearer(all, whole, {{global, upper}, {shared, lower}}))) {
            drawRow(all, whole);
        } else {
            drawRow(global, upper);
            if (!shared.empty()) drawRow(shared, lower);
        }
        f32 x = upper.x;
        for (const Sheet* sheet : few) {
            drawSheet(*sheet,
                      {x, strip, gutter_ + f32(sheet->columns) * kLargestCell + 0.5f,
                       titleHeight() + kLargestCell + 0.5f},
                      widthOf(*sheet));
            x += widthOf(*sheet) + kGap;
        }
        if (near_ && !isPresented) drawLoupe(body);
        if (secondAt_) draw(canvas_, *second_, *secondAt_, {body.x, body.y, body.width, keyY_ - 10 - body.y});
        if (!isPresented) drawKey({body.x + space::kInset, keyY_});
        const auto shapes = arrayShapes(in_.run, in_.cursor.launch);
        const std::string said = explain::sentenceAt(*in_.run.module, in_.run.recording, *here_.block,
                                                     in_.cursor.warp, in_.cursor.step, in_.profile, shapes)
                                     .in(in_.language),
                          lies = howTheCursorLies(sheets);
        Scene scene = std::move(canvas_).take(lies.empty() ? said : said + sentenceGap(in_.language) + lies);
        for (const auto& [zoomed, first, end] : cuts_)
            zoomed.cutHits(scene, first, end);
        scene.panes = std::move(panes_);
        return scene;
    }

private:
    // How what the cursor's lane touches lies to its own element.
    std::string howTheCursorLies(const std::vector<Sheet>& sheets) const {
        constexpr f32 kForSentence = 480;  // less has no room for a second one
        if (in_.size.width < kForSentence || !own_ || !here_.access ||
            !here_.access->active.has(in_.cursor.lane))
            return {};
        const u64 address = here_.warp->address(*here_.access, in_.cursor.lane);
        for (const Sheet& sheet : sheets) {
            if (sheet.space != here_.access->space || !sheet.contains(address) || !sheet.part) continue;
            const u64 element = (address - sheet.base) / sheet.bytes;
            if (const auto own = explain::threadElementIn(*sheet.part, parts_, *own_))
                return explain::howItLies(in_.language, in_.cursor.lane, trace::writes(here_.access->kind),
                                          sheet.name, {element / sheet.columns, element % sheet.columns},
                                          *own);
        }
        return {};
    }

    static constexpr f32 kTitle = 24, kIndices = 14, kKey = 26, kBehindName = 10,
                         kApart = SheetLayout::kApart, kGap = SheetLayout::kGap,
                         kLargestCell = SheetLayout::kLargestCell, kNumbered = SheetLayout::kNumbered;
    SheetLayout layout() const { return {parts_, gutter_, titleHeight()}; }
    f32 titleHeight() const { return kTitle + (isIndexed_ ? kIndices : 0); }
    // Of the numbers left of the rows.
    static constexpr TextStyle kIndexStyle{
        .size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
    f32 widestNumber(const std::vector<Sheet>& sheets) const {
        f32 widest = 0;
        for (const Sheet& sheet : sheets)
            widest = std::max(widest, canvas_.width(std::to_string((sheet.rows() - 1) *
                                                                   (sheet.isMatrix ? 1 : sheet.columns)),
                                                    kIndexStyle));
        return widest;
    }

    // Above the key, where lanes sit out the access at the cursor: why most of them do.
    void drawWhyOff(Rect& body) {
        constexpr f32 kReason = 24, kFrom = 260;
        if (!here_.access || body.height < kFrom) return;
        const std::string why =
            explain::whyOthersAreOff(*in_.run.module, *here_.warp, in_.cursor.step, exist_, in_.language, 1);
        const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const std::size_t begin = why.find_first_not_of(' ');
        if (begin == std::string::npos || canvas_.width(why, style) > body.width - 2 * space::kInset) return;
        body.height -= kReason;
        canvas_.text({body.x + space::kInset, keyY_ - kReason}, why.substr(begin), style);
    }

    // Vectors of so few elements that they stand in a row of their own, with cells as large as they get,
    // below those of many.
    std::vector<const Sheet*> fewElements(const std::vector<Sheet>& sheets, const Rect& body) const {
        constexpr f32 kFrom = 300;  // pixels of height that leave the others their room
        std::vector<const Sheet*> few;
        f32 wide = 0;
        for (const Sheet& sheet : sheets)
            if (sheet.elements <= kWarpSize && !sheet.isMatrix)
                few.push_back(&sheet), wide += widthOf(sheet) + kGap;
        return few.size() == sheets.size() || body.height < kFrom ||
                       wide - kGap > body.width - 2 * space::kInset
                   ? std::vector<const Sheet*>()
                   : few;
    }
    f32 widthOf(const Sheet& sheet) const {
        const std::string shape = countText(sheet);
        const f32 title = canvas_.width(sheet.name, {.size = type::kTitle, .bold = true}) + 12 +
                          canvas_.width(shape, {.size = type::kCode});
        return std::max(title, gutter_ + f32(sheet.columns) * kLargestCell);
    }

    static constexpr f32 kClearlyAbove = 1.2f;
    // One above the other where that makes for clearly larger cells; else side by side.
    void drawRow(const std::vector<const Sheet*>& wanted, const Rect& area) {
        if (wanted.empty() || area.height < 50) return;
        std::vector<Sheet> sheets = layout().fitted(wanted, area);
        const auto [beside, above] = layout().fitOf(sheets, area);
        if (above <= kClearlyAbove * beside)
            SheetLayout::showMoreRows(sheets, u64(std::max(0.0f, area.height - titleHeight()) / beside));
        const f32 weights = SheetLayout::weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
        if (above > kClearlyAbove * beside) {
            f32 y = area.y;
            for (const Sheet& sheet : sheets) {
                const f32 height = titleHeight() + above * f32(sheet.shownRows()) + 0.5f;
                drawSheet(sheet,
                          {area.x, y,
                           std::min(area.width, gutter_ + above * f32(sheet.shownColumns()) + 0.5f), height},
                          area.width);
                y += height + kApart;
            }
            return;
        }
        if (room < 40 * f32(sheets.size())) return;
        f32 x = area.x;
        for (const Sheet& sheet : sheets) {
            const f32 width = room * SheetLayout::weightOf(sheet) / weights;
            drawSheet(sheet, {x, area.y, width, area.height},
                      width + (&sheet == &sheets.back() ? 0 : kGap - 6));
            x += width + kGap;
        }
    }

    // titleRoom: from the area's left edge.
    void drawSheet(const Sheet& sheet, const Rect& area, f32 titleRoom) {
        const std::string shape = sheet.isMatrix ? sheet.shapeText() : countText(sheet),
                          size = sheet.sizeText();
        // Smaller where the name and how large the array is have no room side by side.
        const auto widthAt = [&](f32 letters, f32 small) {
            return canvas_.width(sheet.name, {.size = letters, .bold = true}) + kBehindName +
                   canvas_.width(size, {.size = small});
        };
        TextStyle nameStyle{.size = type::kTitle, .bold = true},
            shapeStyle{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        for (const auto& [letters, small] :
             {std::pair{type::kTitle, type::kCode}, {type::kBody, type::kAxis}, {type::kAxis, type::kAxis}}) {
            nameStyle.size = letters, shapeStyle.size = small;
            if (widthAt(letters, small) <= titleRoom) break;
        }
        const f32 wide = canvas_.textWithin({area.x, area.y + 10}, titleRoom, sheet.name, nameStyle);
        right_ = std::max(right_, area.x + wide);
        const Rect grid{area.x + gutter_, area.y + titleHeight(), area.width - gutter_,
                        area.height - titleHeight()};
        const std::map<u64, LaneMask> now = touches_.now(sheet);
        // Whole if its cells can still be seen, else the rows around what is touched.
        u64 columns = sheet.shownColumns(), firstColumn = sheet.window.firstColumn;
        f32 cell = std::min(grid.width / f32(columns), kLargestCell);
        if (cell < 3) {
            cell = std::max(cell, 3.0f);
            columns = std::clamp<u64>(u64(std::max(0.0f, grid.width) / cell), 1, columns);
        }
        if (cell * f32(sheet.shownRows()) > grid.height) {
            const f32 shrunk = grid.height / f32(sheet.shownRows());
            if (shrunk >= 4) cell = shrunk;
        }
        u64 rows = std::clamp<u64>(u64(std::max(0.0f, grid.height) / cell), 1, sheet.shownRows()),
            firstRow = sheet.window.firstRow;
        const u64 focus = now.empty() ? touches_.last(sheet) : now.begin()->first;
        // So that a third of what is shown lies before what is touched.
        const auto startAt = [](u64 wanted, u64 before, u64 first, u64 end, u64 count) {
            return std::clamp<u64>(wanted > before ? wanted - before : 0, first, end - count);
        };
        if (rows < sheet.shownRows())
            firstRow = startAt(focus / sheet.columns, rows / 3, firstRow, sheet.window.endRow, rows);
        if (columns < sheet.shownColumns())
            firstColumn =
                startAt(focus % sheet.columns, columns / 4, firstColumn, sheet.window.endColumn, columns);
        drawShape(area, titleRoom - wide - kBehindName, area.x + wide + kBehindName, shapeStyle,
                  partNames(sheet, shape, {firstRow, firstRow + rows, firstColumn, firstColumn + columns}),
                  {shape, size});
        // Of those, the ones that are seen under the magnifier.
        const Zoomed zoomed(in_.state, grid);
        const Point corner = zoomed.at(Point{grid.x, grid.y});
        cell *= zoomed.zoom;
        const auto [fromRow, endRow] = cellsBetween(corner.y, cell, rows, grid.y, grid.bottom());
        const auto [fromColumn, endColumn] = cellsBetween(corner.x, cell, columns, grid.x, grid.right());
        if (isIndexed_)
            drawIndices(
                sheet, grid, corner, cell,
                {firstRow + fromRow, firstRow + endRow, firstColumn + fromColumn, firstColumn + endColumn},
                {firstRow, 0, firstColumn, 0});
        panes_.push_back(grid);
        const std::size_t firstHit = canvas_.scene().hits.size();
        if (zoomed.on()) canvas_.clip(grid);
        const std::map<u64, explain::SheetTouches::Seen> before = touches_.before(sheet);
        const std::map<u64, LaneMask> read = touches_.readBefore(sheet);
        u32 characters = 6;
        const auto valueWithin = [&](u64 element, u32 most) { return valueOf(sheet, before, element, most); };
        const auto shortValue = [&](u64 element) {
            const bool isBrief = characters <= kBriefCharacters;
            const std::string value = valueWithin(element, isBrief ? 8 : characters);
            return isBrief ? inBrief(value) : value;
        };
        // Numbers in all cells or in none, and of one size: those that happen to be short would look like
        // something special. Shorter ones where longer ones have no room.
        TextStyle digits{.mono = true, .align = Align::Centre};
        digits.size = 0;
        for (characters = 6; cell >= kNumbered && digits.size == 0 && characters >= kBriefCharacters;
             --characters) {
            std::size_t longest = 0;
            for (u64 r = fromRow; r < endRow; ++r)
                for (u64 c = fromColumn; c < endColumn; ++c)
                    if (const u64 element = (firstRow + r) * sheet.columns + firstColumn + c;
                        element < sheet.elements)
                        longest = std::max(longest, shortValue(element).size());
            digits.size = fittingSize(canvas_, std::string(longest, '0'),
                                      cell - (characters > kBriefCharacters ? 7 : 3),
                                      {.bold = true, .mono = true}, valueSize(cell));
            if (digits.size > 0) break;
        }
        const u32 shownCharacters = std::max(characters, kBriefCharacters);
        const auto valueIn = [&](const Rect& box, Role fill, u64 element, bool bold) {
            valueCell(canvas_, box, fill);
            if (digits.size == 0) return;
            characters = shownCharacters;
            digits.bold = bold,
            digits.role = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill);
            canvas_.text(box.centre(), shortValue(element), digits);
            characters = 6;
        };
        characters = 6;
        const auto isHalo = [&](u64 element) { return sheet.part && sheet.part->halo.contains(element); };
        // Of a tile with a halo: its corners, and places whose cells would lie outside of the matrix.
        const bool isTile = sheet.part && !sheet.part->halo.empty() && sheet.space == trace::Space::Shared;
        const auto isNeverUsed = [&](u64 element) {
            return isTile && accesses_->of(sheet.space, sheet.base + element * sheet.bytes).empty();
        };
        std::vector<std::pair<Rect, bool>>
            marked;  // what was read for what is written; whether by the cursor's lane
        std::optional<Rect> ours;
        u64 oursElement = 0;
        for (u64 r = fromRow; r < endRow; ++r)
            for (u64 c = fromColumn; c < endColumn; ++c) {
                const u64 element = (firstRow + r) * sheet.columns + firstColumn + c;
                if (element >= sheet.elements) continue;
                const Rect box{corner.x + f32(c) * cell, corner.y + f32(r) * cell, cell, cell};
                const auto touch = now.find(element);
                const auto seen = before.find(element);
                // Under the mouse there is room for all digits of what a cell says as "1.007M".
                const std::string value = valueWithin(element, explain::kInSentence);
                const std::string name = sheet.nameOf(element);
                if (touch != now.end()) {
                    const Lane lane =
                        touch->second.has(in_.cursor.lane) ? in_.cursor.lane : touch->second.lowest();
                    const Role fill = warpRole(in_.cursor.warp, lane, exist_);
                    valueIn(box, fill, element, true);
                    if (isAtomic_ && cell >= kForDiamond)
                        diamond(canvas_, {box.right() - 7, box.y + 7}, inkOn(fill));
                    if (touch->second.has(in_.cursor.lane) && !ours) ours = box, oursElement = element;
                    Cursor go = in_.cursor;
                    go.lane = lane;
                    canvas_.hit(box, {.hover = say(
                                          in_.language, value.empty() ? kTouchHoverUnknown : kTouchHoverLanes,
                                          name, value, explain::lanesText(touch->second, in_.language),
                                          in_.cursor.warp.value,
                                          verbFor(sheet.space, here_.access->kind).in(in_.language),
                                          touch->second.count()),
                                      .go = go});
                } else if (isNeverUsed(element)) {
                    ghostCell(canvas_, box, false);
                    hasUnused_ = true;
                    canvas_.hit(box, {.hover = say(in_.language, kNeverUsedHover, name)});
                } else {
                    valueIn(box, role(seen != before.end() ? RoleKind::Wasted : RoleKind::Raised), element,
                            false);
                    const bool isUnwritten =
                        value.empty() && seen == before.end() && sheet.space == trace::Space::Shared &&
                        !accesses_->of(sheet.space, sheet.base + element * sheet.bytes).empty();
                    const std::string held = isUnwritten     ? say(in_.language, kTileEmpty, name)
                                             : value.empty() ? name
                                                             : say(in_.language, kTouchHover, name, value);
                    const bool isEnglish = in_.language == Language::English;
                    const std::string stop = isEnglish ? ". " : "。", separator = isEnglish ? " " : "";
                    const auto reader = read.find(element);
                    if (reader != read.end()) marked.emplace_back(box, reader->second.has(in_.cursor.lane));
                    std::string said = held;
                    if (isHalo(element))
                        said.append(stop).append(say(
                            in_.language, sheet.space == trace::Space::Shared ? kHaloCopyHover : kHaloHover));
                    if (reader != read.end())
                        said.append(isHalo(element) ? separator : stop)
                            .append(say(in_.language, kReadBeforeHover,
                                        explain::lanesText(reader->second, in_.language),
                                        in_.cursor.warp.value, reader->second.count()));
                    if (Hit hit = linkTo(in_, *accesses_, sheet.space, sheet.base + element * sheet.bytes,
                                         here_.step->order, said);
                        cell >= 8 || hit.go)
                        canvas_.hit(box, std::move(hit));
                }
            }
        const f32 inset = cell > 12 ? 1 : 0;
        for (const auto& [box, byCursor] : marked) {
            drawRead(canvas_, box.inset(inset + 0.75f), warpRole(in_.cursor.warp), byCursor);
            (byCursor ? hasCursorsSources_ : hasSources_) = true;
        }
        if (sheet.part) {
            const auto isOwn = [&](u64 row, u64 column) { return sheet.part->own.contains(row, column); };
            const auto isOfBlock = [&](u64 row, u64 column) {
                return isOwn(row, column) || isHalo(row * sheet.columns + column);
            };
            const explain::CellRange visible{firstRow + fromRow, firstRow + endRow, firstColumn + fromColumn,
                                             firstColumn + endColumn};
            const Point origin{corner.x - f32(firstColumn) * cell, corner.y - f32(firstRow) * cell};
            if (!sheet.part->halo.empty())
                drawOutline(isOfBlock, visible, origin, cell, kHaloLine), hasHalo_ = true;
            drawOutline(isOwn, visible, origin, cell, kPartLine);
            hasPart_ = true;
        }
        if (second_ && second_->isAt(sheet.space, sheet.base, sheet.elements * sheet.bytes)) {
            const u64 element = (second_->address - sheet.base) / sheet.bytes, row = element / sheet.columns,
                      column = element % sheet.columns;
            const bool isSeen = row >= firstRow + fromRow && row < firstRow + endRow &&
                                column >= firstColumn + fromColumn && column < firstColumn + endColumn;
            if (isSeen)
                secondAt_ = Rect{corner.x + f32(column - firstColumn) * cell,
                                 corner.y + f32(row - firstRow) * cell, cell, cell};
        }
        if (own_ && sheet.part) {
            const std::optional<explain::ThreadElement> own =
                explain::threadElementIn(*sheet.part, parts_, *own_);
            const Rect box = own ? Rect{corner.x + (f32(own->column) - f32(firstColumn)) * cell,
                                        corner.y + (f32(own->row) - f32(firstRow)) * cell, cell, cell}
                                 : Rect{};
            const bool isSeen = own && own->row >= firstRow + fromRow && own->row < firstRow + endRow &&
                                own->column >= firstColumn + fromColumn &&
                                own->column < firstColumn + endColumn;
            if (isSeen && cell >= kForThreadElement) drawThreadElement(canvas_, box), hasOwnCell_ = true;
        }
        right_ = std::max(right_, corner.x + f32(columns) * cell);
        if (ours && digits.size == 0 && !zoomed.on()) near_ = Near{sheet, oursElement, before, area.y};
        if (ours) cursorBox(canvas_, ours->inset(inset), cell > 20 ? radius::kControl : 2);
        if (zoomed.on()) {
            canvas_.unclip();
            cuts_.push_back({zoomed, firstHit, canvas_.scene().hits.size()});
        }
    }

    // Right of all sheets, where there is room: what stands around the element that the cursor's lane
    // accesses.
    void drawLoupe(const Rect& body) {
        constexpr f32 kApart = 40, kAboveKey = 20;
        const Sheet& sheet = near_->sheet;
        if (sheet.rowsOfPlane() < sheet.rows()) return;
        const u64 columns = sheet.isMatrix ? sheet.columns : sheet.elements;
        const f32 left = right_ + kApart;
        Loupe{.title = sheet.nameOf(near_->element),
              .rows = sheet.isMatrix ? sheet.rows() : 1,
              .columns = columns,
              .row = near_->element / columns,
              .column = near_->element % columns,
              .cellOf =
                  [&](u64 row, u64 column) {
                      const u64 element = row * columns + column;
                      if (element >= sheet.elements) return LoupeCell{.fill = role(RoleKind::Ground)};
                      const std::string value = valueOf(sheet, near_->before, element, kLoupeCharacters);
                      if (value.empty()) return LoupeCell{.fill = role(RoleKind::Inactive)};
                      return LoupeCell{.value = value,
                                       .hover = say(in_.language, kTouchHover, sheet.nameOf(element), value)};
                  }}
            .draw(canvas_,
                  {left, near_->top, body.right() - space::kInset - left, keyY_ - kAboveKey - near_->top});
    }

    // As the block left it or saw it last, else as the buffer began.
    static std::string valueOf(const Sheet& sheet, const std::map<u64, explain::SheetTouches::Seen>& before,
                               u64 element, u32 most) {
        if (const auto seen = before.find(element); seen != before.end())
            return seen->second.size == 0 ? std::string()
                                          : explain::valueText(seen->second.value(), seen->second.type, most);
        return sheet.buffer && element < sheet.buffer->count()
                   ? explain::numberText(sheet.buffer->valueAt(element),
                                         explain::isFloatElement(sheet.buffer->type), most)
                   : std::string();
    }

    std::string countText(const Sheet& sheet) const {
        const u64 each = sheet.components();
        return each > 1
                   ? say(in_.language, kElementsOfBytes, grouped(sheet.sourceElements()), each * sheet.bytes)
                   : say(in_.language, kElements, grouped(sheet.elements));
    }

    // Which part of the array is shown, from the longest to the shortest way to say it; none: all of it.
    std::vector<std::string> partNames(const Sheet& sheet, const std::string& shape,
                                       const explain::CellRange& shown) const {
        const Language l = in_.language;
        const u64 lastRow = shown.endRow - 1, lastColumn = shown.endColumn - 1;
        if (shown.firstRow == 0 && shown.endRow >= sheet.rows() && shown.firstColumn == 0 &&
            shown.endColumn >= sheet.columns)
            return {};
        if (!sheet.isMatrix) {
            const u64 first = (shown.firstRow * sheet.columns + shown.firstColumn) / sheet.components(),
                      end = std::min(lastRow > shown.firstRow ? shown.endRow * sheet.columns
                                                              : lastRow * sheet.columns + shown.endColumn,
                                     sheet.elements),
                      last = (std::max(end, u64{1}) - 1) / sheet.components();
            const std::string from = grouped(first), to = grouped(last), of = grouped(sheet.sourceElements());
            if (first == 0 && last + 1 >= sheet.sourceElements()) return {};
            if (first == last) return {say(l, kElementPart, from, of), say(l, kElementPartBriefly, from, of)};
            return {say(l, kElementsPart, from, to, of), say(l, kElementsPartBriefly, from, to, of)};
        }
        if (const u64 plane = sheet.rowsOfPlane(); plane < sheet.rows()) {
            const u64 firstPlane = shown.firstRow / plane, lastPlane = lastRow / plane;
            const bool isWithinOne = firstPlane == lastPlane;
            return {
                say(l, kPartOfPlanes,
                    isWithinOne ? std::to_string(firstPlane) : fmt::format("{}–{}", firstPlane, lastPlane),
                    isWithinOne ? shown.firstRow % plane : 0, isWithinOne ? lastRow % plane : plane - 1,
                    shown.firstColumn, lastColumn, shape)};
        }
        return {partText(l, {shown.firstRow, shown.endRow - shown.firstRow},
                         {shown.firstColumn, shown.endColumn - shown.firstColumn}, shape),
                say(l, kPartOfBriefly, shown.firstRow, lastRow, shown.firstColumn, lastColumn, shape)};
    }

    // Behind the array's name: which part of it is shown, in smaller letters rather than not at all; else how
    // large it is.
    void drawShape(const Rect& area, f32 room, f32 left, TextStyle style,
                   const std::vector<std::string>& parts, const std::vector<std::string>& shapes) {
        const auto draw = [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
                if (const f32 wide = canvas_.width(text, style); wide <= room) {
                    canvas_.text({left, area.y + 10}, text, style);
                    right_ = std::max(right_, left + wide);
                    return true;
                }
            return false;
        };
        const f32 size = style.size;
        if (draw(parts)) return;
        style.size = type::kAxis;
        if (draw(parts)) return;
        style.size = size;
        if (!parts.empty()) {
            std::vector<std::string> some;
            some.reserve(shapes.size());
            for (const std::string& shape : shapes)
                some.push_back(say(in_.language, kPartOfSize, shape));
            if (draw(some)) return;
            style.size = type::kAxis;
            draw(some);
            return;  // the size alone would call a part the whole
        }
        draw(shapes);
    }

    // Numbers of rows and columns beside those that are seen, as many as have room. Of a vector: what its
    // rows begin with.
    void drawIndices(const Sheet& sheet, const Rect& grid, Point corner, f32 cell,
                     const explain::CellRange& seen, const explain::CellRange& first) {
        const auto apart = [&](f32 room) {
            u64 step = 1;
            while (f32(step) * cell < room)
                step *= 2;
            return step;
        };
        // As the source counts, where its elements are vectors that rows begin and end with.
        const u64 each = sheet.columns % sheet.components() == 0 ? sheet.components() : 1;
        TextStyle style = kIndexStyle;
        style.align = Align::Centre;
        const u64 everyColumn = apart(canvas_.width(std::to_string(seen.endColumn), style) + 5),
                  everyRow = apart(12);
        for (u64 c = seen.firstColumn; c < seen.endColumn; ++c)
            if (const f32 x = corner.x + (f32(c - first.firstColumn) + 0.5f) * cell;
                c % everyColumn == 0 && c % each == 0 && x > grid.x && x < grid.right())
                canvas_.text({x, grid.y - 8}, std::to_string(c / each), style);
        style.align = Align::Right;
        for (u64 r = seen.firstRow; r < seen.endRow; ++r)
            if (const f32 y = corner.y + (f32(r - first.firstRow) + 0.5f) * cell;
                r % everyRow == 0 && y > grid.y && y < grid.bottom())
                canvas_.text(
                    {grid.x - 5, y},
                    std::to_string(sheet.isMatrix ? r % sheet.rowsOfPlane() : r * sheet.columns / each),
                    style);
    }

    // The edge of the cells of a set, as far as they are seen: lines as long as they go straight. origin:
    // where row 0 and column 0 begin.
    template <class Contains>
    void drawOutline(Contains&& contains, const explain::CellRange& seen, Point origin, f32 cell,
                     const Stroke& stroke) {
        const auto isIn = [&](u64 row, u64 column) {
            return row >= seen.firstRow && row < seen.endRow && column >= seen.firstColumn &&
                   column < seen.endColumn && contains(row, column);
        };
        for (const bool across : {true, false}) {
            const u64 firstLine = across ? seen.firstRow : seen.firstColumn,
                      endLine = across ? seen.endRow : seen.endColumn;
            const u64 first = across ? seen.firstColumn : seen.firstRow,
                      end = across ? seen.endColumn : seen.endRow;
            for (u64 at = firstLine; at <= endLine; ++at) {
                std::optional<u64> from;
                for (u64 i = first; i <= end; ++i) {
                    const auto side = [&](u64 which) { return across ? isIn(which, i) : isIn(i, which); };
                    const bool isEdge =
                        i < end && (at > firstLine && side(at - 1)) != (at < endLine && side(at));
                    if (isEdge && !from) from = i;
                    if (isEdge || !from) continue;
                    const auto point = [&](u64 along) {
                        return across ? Point{origin.x + f32(along) * cell, origin.y + f32(at) * cell}
                                      : Point{origin.x + f32(at) * cell, origin.y + f32(along) * cell};
                    };
                    canvas_.line(point(*from), point(i), stroke);
                    from.reset();
                }
            }
        }
    }

    // In brief where not all of it has room.
    void drawKey(Point at) {
        const f32 room = in_.size.width - 2 * space::kInset;
        const std::vector<KeyRow> rows = drawnOf(canvas_, keys(false));
        keyRow(canvas_, at, room, keyRowWidth(canvas_, rows) <= room ? rows : drawnOf(canvas_, keys(true)));
    }
    std::vector<KeyRow> keys(bool inBrief) const {
        const Role color = warpRole(in_.cursor.warp);
        const auto words = [&](const Words& whole, const Words& brief) {
            return say(in_.language, inBrief ? brief : whole);
        };
        std::vector<KeyRow> rows{
            {[color](Canvas& c, Point p) {
                 c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = color, .radius = 2});
             },
             words(kTouchedNow, kTouchedNowInBrief)},
            {[](Canvas& c, Point p) {
                 c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2});
             },
             words(kTouchedByBlock, kTouchedInBrief)}};
        const auto outlined = [&](Stroke stroke, const Words& whole, const Words& brief) {
            rows.push_back({[stroke](Canvas& c, Point p) {
                                c.line({p.x - 8, p.y - 5}, {p.x + 7, p.y - 5}, stroke);
                                c.line({p.x + 7, p.y - 5}, {p.x + 7, p.y + 5}, stroke);
                                c.line({p.x - 8, p.y + 5}, {p.x + 7, p.y + 5}, stroke);
                                c.line({p.x - 8, p.y - 5}, {p.x - 8, p.y + 5}, stroke);
                            },
                            words(whole, brief)});
        };
        if (hasPart_) outlined(kPartLine, kKeyOwnPart, kOwnPartInBrief);
        if (hasHalo_) outlined(kHaloLine, kKeyHalo, kHaloInBrief);
        if (hasOwnCell_)
            rows.push_back({[](Canvas& c, Point p) {
                                drawThreadElement(c, {p.x - 6, p.y - 6, 12, 12});
                            },
                            words(kKeyThreadElement, kThreadElementInBrief)});
        if (hasUnused_)
            rows.push_back({[](Canvas& c, Point p) {
                                ghostCell(c, {p.x - 8, p.y - 7, 16, 14}, false);
                            },
                            say(in_.language, kKeyPadding)});
        const auto addRead = [&](bool byCursor, const Words& whole, const Words& brief) {
            rows.push_back({[color, byCursor](Canvas& c, Point p) {
                                drawRead(c, {p.x - 6, p.y - 6, 12, 12}, color, byCursor);
                            },
                            words(whole, brief)});
        };
        if (hasSources_) addRead(false, kKeyReadBefore, kReadInBrief);
        if (hasCursorsSources_)
            addRead(true, hasSources_ ? kKeyReadByLane : kKeyReadByLaneAlone, kReadByLaneInBrief);
        if (isAtomic_)
            rows.push_back({[color](Canvas& c, Point p) {
                                c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = color, .radius = 2});
                                diamond(c, p, inkOn(color));
                            },
                            words(kKeyAtomic, kAtomicInBrief)});
        rows.push_back({[](Canvas& c, Point p) {
                            cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
                        },
                        say(in_.language, kKeyCursor)});
        return rows;
    }

    static constexpr Stroke kPartLine{role(RoleKind::TextSecond), line::kTile},
        kHaloLine{role(RoleKind::TextSecond), line::kNext, Dash::Dashed};
    // A frame in the warp's color; with a bar at its lower edge what the cursor's lane has read.
    static void drawRead(Canvas& canvas, const Rect& box, Role color, bool byCursor) {
        canvas.rect(box, {.stroke = {color, line::kUnread}, .radius = box.width > 9 ? 2.0f : 0.0f});
        const f32 tall = std::max(1.5f, std::min(4.0f, box.height * 0.3f));
        if (byCursor) canvas.rect({box.x, box.bottom() - tall, box.width, tall}, {.fill = color});
    }

    static constexpr f32 kForDiamond = 18;
    static constexpr f32 kForThreadElement = 6;
    // A point: in the middle of a small cell, in the corner of one with a value.
    static void drawThreadElement(Canvas& canvas, const Rect& cell) {
        const bool isLarge = cell.width >= kNumbered;
        const f32 radius = std::clamp(cell.width * 0.22f, 1.5f, 3.0f);
        const Point at = isLarge ? Point{cell.right() - radius - 3, cell.y + radius + 3} : cell.centre();
        canvas.rect({at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                    {.fill = role(RoleKind::Cursor), .radius = radius});
    }

    const ViewInput& in_;
    const CursorContext& here_;
    const explain::BlockParts& parts_;
    Canvas canvas_;
    std::vector<Rect> panes_;
    struct Cut {
        Zoomed zoomed;
        std::size_t first, end;
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
    f32 right_ = 0;                              // of the cells and titles of all sheets
    std::optional<explain::ThreadElement> own_;  // of the cursor's lane
    bool isIndexed_ = true;
    bool isAtomic_ = here_.access && trace::isAtomic(here_.access->kind);
    f32 gutter_ = 0, keyY_ = 0;  // left of the sheets, for numbers; where the key stands
    bool hasPart_ = false, hasHalo_ = false, hasSources_ = false, hasCursorsSources_ = false,
         hasUnused_ = false,
         hasOwnCell_ = false;  // drawn, and so in the key
};

}  // namespace

Scene buildBufferStage(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    ViewCache own;
    BlockCache& kept = blockCacheOf(in.cache ? *in.cache : own);
    if (!kept.parts) kept.parts = explain::blockParts(in.run, in.cursor, *flowOfBlock(in));
    return BufferStage(in, here, *kept.parts).build();
}

}  // namespace lockstep::viz
