// Each buffer as a grid of its shape, what the warp touches now lit in its lanes' colors and what the block
// has touched before in grey; shared memory in its declared shape, or as rows of 32 banks. Where a block
// reads around the part of a matrix that it writes, as a stencil does, that part and its halo are outlined,
// and as much of the matrix is shown as they need.
#include "viz/stages/buffers/buffer_stage.h"

#include "base/text/punctuation.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/sentences/lane_lists.h"
#include "explain/sentences/sentence.h"
#include "viz/cursor/presentation.h"
#include "viz/facts/explained_run.h"
#include "viz/messages.h"
#include "viz/parts/loupe.h"
#include "viz/phrases.h"
#include "viz/stages/buffers/buffer_drawing.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kLanesAreActive = english("{1:Lane|Lanes} {0} {1:is|are} active.");
constexpr Words kBeforeThisStep = english("of values", "before this step");
constexpr Words kBeforeInBrief = english("of values", "before");

}  // namespace

BufferStage::BufferStage(const ViewInput& in, const CursorContext& here, const explain::BlockParts& parts)
    : in_(in),
      here_(here),
      parts_(parts),
      canvas_(in.size, in.metrics),
      exist_(explain::lanesOf(*here.block, in.cursor.warp)),
      touches_(in.run, in.cursor, here),
      accesses_(accessesOfBlock(in)),
      second_(explain::conflictingThreadAt(in.run, in.cursor, in.language)),
      own_(explain::threadElement(in.run, in.cursor, parts)) {}

Scene BufferStage::build() {
    const std::vector<Sheet> sheets = explain::sheetsOf(in_.run, in_.cursor.launch, parts_);
    if (sheets.empty()) return emptyScene(in_, kStageTitle, say(in_.language, kNoBuffers));
    const bool isPresented = in_.isPresented;
    Rect body = head(canvas_, in_, kStageTitle.in(in_.language), placeText(in_, here_));
    if (isPresented) body.height += kKey;  // which is not drawn
    constexpr f32 kIndexedFrom = 240;
    isIndexed_ = body.height >= kIndexedFrom;
    gutter_ = isIndexed_ ? widestNumber(sheets) + 6 : 0;
    keyY_ = body.bottom() - 18;
    constexpr f32 kOneLineKeyFrom = 900, kAboveTwoLines = 4;  // clear of the bars that arrays scroll by
    if (!isPresented && in_.size.width < kOneLineKeyFrom) body.height -= kAboveTwoLines;
    if (!isPresented) drawWhyOff(body);
    const std::vector<const Sheet*> few = fewElements(sheets, body);
    if (!few.empty()) body.height -= titleHeight() + fewCell_ + kApart;
    drawSheets(sheets, few, body);
    if (near_ && !isPresented) drawLoupe(body);
    if (secondAt_) draw(canvas_, *second_, *secondAt_, {body.x, body.y, body.width, keyY_ - 10 - body.y});
    if (!isPresented) drawKey({body.x + space::kInset, keyY_});
    const auto shapes = arrayShapes(in_.run, in_.cursor.launch);
    const std::string said = explain::sentenceAt(*in_.run.module, in_.run.recording, *here_.block,
                                                 in_.cursor.warp, in_.cursor.step, in_.profile, shapes)
                                 .in(in_.language),
                      lies = howTheCursorLies(sheets);
    Scene scene = std::move(canvas_).take(lies.empty() ? said : said + sentenceGap(in_.language) + lies);
    for (const Cut& cut : cuts_) {
        cut.seen.cutHits(scene, cut.firstHit, cut.endHit);
        cut.seen.cutCells(scene, cut.firstCell, cut.endCell);
    }
    scene.panes = std::move(panes_);
    return scene;
}

void BufferStage::drawSheets(const std::vector<Sheet>& sheets, const std::vector<const Sheet*>& few,
                             const Rect& body) {
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
        drawSheet(
            *sheet,
            {x, strip, gutter_ + f32(sheet->columns) * fewCell_ + 0.5f, titleHeight() + fewCell_ + 0.5f},
            widthOf(*sheet));
        x += widthOf(*sheet) + kGap;
    }
}

std::string BufferStage::howTheCursorLies(const std::vector<Sheet>& sheets) const {
    constexpr f32 kForSentence = 480;  // less has no room for a second one
    if (in_.size.width < kForSentence || !own_ || !here_.access || !here_.access->active.has(in_.cursor.lane))
        return {};
    const u64 address = here_.warp->address(*here_.access, in_.cursor.lane);
    for (const Sheet& sheet : sheets) {
        if (sheet.space != here_.access->space || !sheet.contains(address) || !sheet.part) continue;
        const u64 element = (address - sheet.base) / sheet.bytes;
        if (const auto own = explain::threadElementIn(*sheet.part, parts_, *own_))
            return explain::howItLies(in_.language, in_.cursor.lane, trace::writes(here_.access->kind),
                                      sheet.name, {element / sheet.columns, element % sheet.columns}, *own);
    }
    return {};
}

f32 BufferStage::widestNumber(const std::vector<Sheet>& sheets) const {
    f32 widest = 0;
    for (const Sheet& sheet : sheets)
        widest = std::max(
            widest, canvas_.width(std::to_string((sheet.rows() - 1) * (sheet.isMatrix ? 1 : sheet.columns)),
                                  kIndexStyle));
    return widest;
}

void BufferStage::drawWhyOff(Rect& body) {
    constexpr f32 kReason = 24, kFrom = 260;
    if (!here_.access || body.height < kFrom) return;
    const std::string why =
        explain::whyOthersAreOff(*in_.run.module, *here_.warp, in_.cursor.step, exist_, in_.language, 1);
    const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    const f32 room = body.width - 2 * space::kInset;
    const std::size_t begin = why.find_first_not_of(' ');
    if (begin == std::string::npos || canvas_.width(why, style) > room) return;
    body.height -= kReason;
    const LaneMask active = here_.step->active;
    const std::string off = why.substr(begin);
    const std::string both =
        say(in_.language, kLanesAreActive, explain::lanesInBrief(active, in_.language), active.count()) +
        sentenceGap(in_.language) + off;
    canvas_.text({body.x + space::kInset, keyY_ - kReason},
                 active.empty() || canvas_.width(both, style) > room ? off : both, style);
}

// Vectors of so few elements that they stand in a row of their own below those of many, with the largest
// cells that fit.
std::vector<const Sheet*> BufferStage::fewElements(const std::vector<Sheet>& sheets, const Rect& body) {
    constexpr f32 kFrom = 300, kFromSmall = 340;  // pixels of height that leave the others their room
    std::vector<const Sheet*> few;
    for (const Sheet& sheet : sheets)
        if (sheet.elements <= kWarpSize && !sheet.isMatrix) few.push_back(&sheet);
    if (few.size() == sheets.size() || body.height < kFrom) return {};
    const f32 least = body.height < kFromSmall ? kLargestCell : kNumbered;
    for (fewCell_ = kLargestCell; fewCell_ >= least; --fewCell_) {
        f32 wide = -kGap;
        for (const Sheet* sheet : few)
            wide += widthOf(*sheet) + kGap;
        if (wide <= body.width - 2 * space::kInset) return few;
    }
    return {};
}

f32 BufferStage::widthOf(const Sheet& sheet) const {
    const std::string shape = countText(sheet);
    const f32 title = canvas_.width(sheet.name, {.size = type::kTitle, .bold = true}) + 12 +
                      canvas_.width(shape, {.size = type::kCode});
    return std::max(title, gutter_ + f32(sheet.columns) * fewCell_);
}

// One above the other where that makes for clearly larger cells; else side by side.
void BufferStage::drawRow(const std::vector<const Sheet*>& wanted, const Rect& area) {
    constexpr f32 kClearlyAbove = 1.2f;
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
            drawSheet(
                sheet,
                {area.x, y, std::min(area.width, gutter_ + above * f32(sheet.shownColumns()) + 0.5f), height},
                area.width);
            y += height + kApart;
        }
        return;
    }
    if (room < 40 * f32(sheets.size())) return;
    f32 x = area.x;
    for (const Sheet& sheet : sheets) {
        const f32 width = room * SheetLayout::weightOf(sheet) / weights;
        drawSheet(sheet, {x, area.y, width, area.height}, width + (&sheet == &sheets.back() ? 0 : kGap - 6));
        x += width + kGap;
    }
}

void BufferStage::drawLoupe(const Rect& body) {
    constexpr f32 kBeside = 40, kAboveKey = 20;
    constexpr u32 kCharacters = 6;
    const Sheet& sheet = near_->sheet;
    if (sheet.rowsOfPlane() < sheet.rows()) return;
    const u64 columns = sheet.isMatrix ? sheet.columns : sheet.elements;
    const f32 left = right_ + kBeside;
    Loupe{.title = sheet.nameOf(near_->element),
          .note = say(in_.language, kBeforeThisStep),
          .noteInBrief = say(in_.language, kBeforeInBrief),
          .rows = sheet.isMatrix ? sheet.rows() : 1,
          .columns = columns,
          .row = near_->element / columns,
          .column = near_->element % columns,
          .cellOf =
              [&](u64 row, u64 column) {
                  const u64 element = row * columns + column;
                  if (element >= sheet.elements) return LoupeCell{.fill = role(RoleKind::Ground)};
                  const std::string value = valueOf(sheet, near_->before, element, kCharacters);
                  if (value.empty()) return LoupeCell{.fill = role(RoleKind::Inactive)};
                  return LoupeCell{.value = value,
                                   .hover = say(in_.language, kTouchHover, sheet.nameOf(element), value),
                                   .standsFor = cellOf(sheet, element, {})};
              }}
        .draw(canvas_,
              {left, near_->top, body.right() - space::kInset - left, keyY_ - kAboveKey - near_->top});
}

Scene buildBufferStage(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    ViewCache own;
    BlockCache& kept = blockCacheOf(in.cache ? *in.cache : own);
    if (!kept.parts) kept.parts = explain::blockParts(in.run, in.cursor, *flowOfBlock(in));
    return BufferStage(in, here, *kept.parts).build();
}

}  // namespace lockstep::viz
