// Each buffer as a grid of its shape, what the warp touches now lit in its lanes' colours and what the block has touched before
// in grey; shared memory in its declared shape, or as rows of 32 banks.
#include "viz/stage/buffer_stage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/device_addresses.h"
#include "model/sentence.h"
#include "viz/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/navigation.h"
#include "viz/numbers.h"
#include "viz/phrases.h"
#include "viz/shared_arrays.h"
#include "viz/stage/zoomed.h"

namespace lockstep::viz {
namespace {

using namespace message;

// A piece of memory as rows and columns of elements.
struct Sheet {
    std::string name;
    u64 base = 0, elements = 0, columns = 1;
    u32 bytes = 4;
    trace::Space space = trace::Space::Global;
    ptx::Type type = ptx::Type::F32;
    const Buffer* buffer = nullptr;
    bool isVector = false;  // folded, so that it can be seen: its columns are ours to choose
    bool isMatrix = false;  // its columns are those that the kernel's source or the caller gave it
    u64 rows() const { return (elements + columns - 1) / columns; }
    bool contains(u64 address) const { return address >= base && address < base + elements * bytes; }
};

std::vector<Sheet> sheetsOf(const ViewInput& in) {
    std::vector<Sheet> sheets;
    const auto& buffers = in.run.recording.initial;
    for (u32 b = 0; b < buffers.size(); ++b) {
        const Buffer& buffer = buffers[b];
        u64 elements = 1;
        for (const u64 extent : buffer.shape) elements *= extent;
        if (elements == 0) continue;
        const bool isVector = buffer.shape.size() <= 1;
        sheets.push_back({buffer.name, deviceAddressOf(b), elements, isVector ? std::min<u64>(elements, kWarpSize) : buffer.shape.back(), info(buffer.type).bytes, trace::Space::Global, ptxType(buffer.type), &buffer, isVector, !isVector});
    }
    for (const SharedArray& array : sharedArrays(in.run, in.cursor.launch)) {
        if (array.elements() == 0) continue;
        const bool isMatrix = array.shape.size() > 1;
        const u64 bankRow = 32 * 4 / std::min(4u, std::max(1u, array.elementBytes));  // a row of 32 banks
        sheets.push_back({array.name, array.base, array.elements(), isMatrix ? array.columns() : std::min<u64>(array.elements(), bankRow), array.elementBytes, trace::Space::Shared, array.elementBytes == 8 ? ptx::Type::F64 : ptx::Type::F32, nullptr, false, isMatrix});
    }
    return sheets;
}

struct Touch { LaneMask lanes; bool writes = false; };

class BufferStage {
public:
    BufferStage(const ViewInput& in, const Here& here) : in_(in), here_(here), canvas_(in.size, in.metrics), exist_(lanesOf(*here.block, in.cursor.warp)) {}

    Scene build() {
        const std::vector<Sheet> sheets = sheetsOf(in_);
        if (sheets.empty()) return emptyScene(in_, kStageTitle, say(in_.language, kNoBuffers));
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), placeText(in_, here_));
        std::vector<const Sheet*> global, shared;
        for (const Sheet& sheet : sheets) (sheet.space == trace::Space::Shared ? shared : global).push_back(&sheet);
        const f32 sharedHeight = shared.empty() ? 0 : global.empty() ? body.height - 40 : std::clamp(body.height * 0.36f, 90.0f, 300.0f);
        const Rect upper{body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset, body.height - sharedHeight - 44};
        constexpr f32 kLow = 90;
        if (upper.height < kLow) {  // no room for two rows
            global.insert(global.end(), shared.begin(), shared.end());
            drawRow(global, {upper.x, upper.y, upper.width, body.height - 44});
        } else {
            drawRow(global, upper);
            if (!shared.empty()) drawRow(shared, {upper.x, upper.bottom() + 10, upper.width, sharedHeight - 10});
        }
        drawKey({body.x + space::kInset, body.bottom() - 18});
        const auto shapes = arrayShapes(in_.run, in_.cursor.launch);
        Scene scene = std::move(canvas_).take(model::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step, in_.profile, shapes).in(in_.language));
        for (const auto& [zoomed, first, end] : cuts_) zoomed.cutHits(scene, first, end);
        scene.panes = std::move(panes_);
        return scene;
    }

private:
    static constexpr f32 kTitle = 24, kApart = 12, kGap = 28, kLargestCell = 34, kNumbered = 16;

    // How large cells can be where the sheets stand side by side, each as wide as its share of the columns, or one above the other.
    struct Fit { f32 beside = kLargestCell, above = kLargestCell; f32 best() const { return std::max(beside, above); } };
    static f32 weightOf(const Sheet& sheet) { return std::clamp(f32(std::min<u64>(sheet.columns, 128)), 8.0f, 64.0f); }
    static f32 weightOf(const std::vector<Sheet>& sheets) {
        return std::accumulate(sheets.begin(), sheets.end(), 0.0f, [](f32 sum, const Sheet& sheet) { return sum + weightOf(sheet); });
    }
    static Fit fitOf(const std::vector<Sheet>& sheets, const Rect& area) {
        const f32 weights = weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
        Fit fit;
        f32 rows = 0;
        for (const Sheet& sheet : sheets) {
            fit.beside = std::min({fit.beside, room * weightOf(sheet) / weights / f32(sheet.columns), (area.height - kTitle) / f32(sheet.rows())});
            fit.above = std::min(fit.above, area.width / f32(sheet.columns));
            rows += f32(sheet.rows());
        }
        fit.above = std::min(fit.above, (area.height - f32(sheets.size()) * kTitle - f32(sheets.size() - 1) * kApart) / rows);
        return fit;
    }

    // 32 elements of a vector to a row, as a warp reads them, or more where that makes for clearly larger cells.
    static std::vector<Sheet> folded(const std::vector<const Sheet*>& sheets, const Rect& area) {
        constexpr f32 kClearly = 1.3f;
        std::vector<Sheet> chosen;
        f32 best = 0;
        for (u64 columns = kWarpSize; columns <= 8 * kWarpSize; columns *= 2) {
            std::vector<Sheet> tried;
            for (const Sheet* sheet : sheets) tried.push_back(*sheet);
            for (Sheet& sheet : tried)
                if (sheet.isVector) sheet.columns = std::min(sheet.elements, columns);
            const f32 cell = fitOf(tried, area).best();
            if (chosen.empty() || cell > kClearly * best) best = cell, chosen = std::move(tried);
        }
        return chosen;
    }

    // One above the other where that makes for clearly larger cells; else side by side.
    void drawRow(const std::vector<const Sheet*>& wanted, const Rect& area) {
        if (wanted.empty() || area.height < 50) return;
        const std::vector<Sheet> sheets = folded(wanted, area);
        const auto [beside, above] = fitOf(sheets, area);
        const f32 weights = weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
        if (above > 1.2f * beside) {
            f32 y = area.y;
            for (const Sheet& sheet : sheets) {
                const f32 height = kTitle + above * f32(sheet.rows()) + 0.5f;
                drawSheet(sheet, {area.x, y, std::min(area.width, above * f32(sheet.columns) + 0.5f), height}, area.width);
                y += height + kApart;
            }
            return;
        }
        if (room < 40 * f32(sheets.size())) return;
        f32 x = area.x;
        for (const Sheet& sheet : sheets) {
            const f32 width = room * weightOf(sheet) / weights;
            drawSheet(sheet, {x, area.y, width, area.height}, width + (&sheet == &sheets.back() ? 0 : kGap - 6));
            x += width + kGap;
        }
    }

    // Elements that the cursor's step touches.
    std::map<u64, Touch> touchedNow(const Sheet& sheet) const {
        std::map<u64, Touch> touched;
        if (!here_.access || here_.access->space != sheet.space) return touched;
        for (const Lane lane : here_.access->active) {
            const u64 address = here_.warp->address(*here_.access, lane);
            for (u64 at = address; at < address + here_.access->widthBytes; at += sheet.bytes)
                if (sheet.contains(at)) {
                    Touch& touch = touched[(at - sheet.base) / sheet.bytes];
                    touch.lanes = touch.lanes | LaneMask::of(lane);
                    touch.writes = trace::writes(here_.access->kind);
                }
        }
        return touched;
    }

    // What the block has touched up to now, with the value it last saw there.
    std::map<u64, std::string> touchedBefore(const Sheet& sheet) const {
        struct Seen { u32 order; std::string value; };
        std::map<u64, Seen> seen;
        const u32 now = here_.step->order;
        for (const trace::WarpTrace& warp : here_.block->warps)
            for (const trace::Step& step : warp.steps) {
                if (step.order > now) break;
                if (step.access == trace::Step::kNone) continue;
                const trace::StoredAccess& access = warp.accesses[step.access];
                if (access.space != sheet.space) continue;
                for (const Lane lane : access.active) {
                    const u64 address = warp.address(access, lane);
                    const auto value = warp.value(access, lane);
                    for (u32 at = 0; at + sheet.bytes <= access.widthBytes; at += sheet.bytes) {
                        if (!sheet.contains(address + at)) continue;
                        Seen& s = seen[(address + at - sheet.base) / sheet.bytes];
                        if (s.value.empty() || s.order <= step.order) s = {step.order, valueText(value.subspan(at, sheet.bytes), typeOf(sheet, access.pc), 6)};
                    }
                }
            }
        std::map<u64, std::string> values;
        for (auto& [element, s] : seen) values.emplace(element, std::move(s.value));
        return values;
    }
    ptx::Type typeOf(const Sheet& sheet, Pc pc) const {
        if (sheet.buffer) return sheet.type;
        const ptx::Type written = elementType(*in_.run.module, pc);
        return ptx::bytesOf(written) == sheet.bytes ? written : sheet.type;
    }

    // titleRoom: from the area's left edge.
    void drawSheet(const Sheet& sheet, const Rect& area, f32 titleRoom) {
        const std::string shape = sheet.isMatrix ? fmt::format("{} × {}", sheet.rows(), sheet.columns) : say(in_.language, kElements, grouped(sheet.elements));
        const f32 wide = canvas_.textWithin({area.x, area.y + 10}, titleRoom, sheet.name, shrunkToFit(canvas_, titleRoom, {.size = type::kTitle, .bold = true}, sheet.name));
        const TextStyle shapeStyle{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        if (canvas_.width(shape, shapeStyle) <= titleRoom - wide - 10) canvas_.text({area.x + wide + 10, area.y + 10}, shape, shapeStyle);
        const Rect grid{area.x, area.y + kTitle, area.width, area.height - kTitle};
        const std::map<u64, Touch> now = touchedNow(sheet);
        // Whole if its cells can still be seen, else the rows around what is touched.
        f32 cell = std::min(grid.width / f32(sheet.columns), kLargestCell);
        u64 columns = sheet.columns, firstColumn = 0;
        if (cell < 3) {
            cell = std::max(cell, 3.0f);
            columns = std::min<u64>(columns, u64(grid.width / cell));
        }
        if (cell * f32(sheet.rows()) > grid.height) {
            const f32 shrunk = grid.height / f32(sheet.rows());
            if (shrunk >= 4) cell = shrunk;
        }
        u64 rows = std::clamp<u64>(u64(grid.height / cell), 1, sheet.rows());
        const u64 focus = now.empty() ? lastTouched(sheet) : now.begin()->first;
        u64 firstRow = 0;
        if (rows < sheet.rows()) firstRow = std::min<u64>(focus / sheet.columns > rows / 3 ? focus / sheet.columns - rows / 3 : 0, sheet.rows() - rows);
        if (columns < sheet.columns) firstColumn = std::min<u64>(focus % sheet.columns > columns / 4 ? focus % sheet.columns - columns / 4 : 0, sheet.columns - columns);
        // Of those, the ones that are seen under the magnifier.
        const Zoomed zoomed(in_.state, grid);
        const Point corner = zoomed.at(Point{grid.x, grid.y});
        cell *= zoomed.zoom;
        const auto [fromRow, endRow] = cellsBetween(corner.y, cell, rows, grid.y, grid.bottom());
        const auto [fromColumn, endColumn] = cellsBetween(corner.x, cell, columns, grid.x, grid.right());
        panes_.push_back(grid);
        const std::size_t firstHit = canvas_.scene().hits.size();
        if (zoomed.on()) canvas_.clip(grid);
        const std::map<u64, std::string> before = touchedBefore(sheet);
        const auto valueOf = [&](u64 element) {
            const auto seen = before.find(element);
            if (seen != before.end()) return seen->second;
            return sheet.buffer && element < sheet.buffer->count() ? numberText(sheet.buffer->valueAt(element), isFloatElement(sheet.buffer->type), 6) : std::string();
        };
        // Numbers in all cells or in none, and of one size: those that happen to be short would look like something special.
        std::size_t longest = 0;
        for (u64 r = fromRow; r < endRow && cell >= kNumbered; ++r)
            for (u64 c = fromColumn; c < endColumn; ++c)
                if (const u64 element = (firstRow + r) * sheet.columns + firstColumn + c; element < sheet.elements) longest = std::max(longest, valueOf(element).size());
        TextStyle digits{.mono = true, .align = Align::Centre};
        digits.size = cell < kNumbered ? 0 : fittingSize(canvas_, std::string(longest, '0'), cell - 4, {.bold = true, .mono = true}, valueSize(cell));
        const auto valueIn = [&](const Rect& box, Role fill, const std::string& value, bool bold) {
            valueCell(canvas_, box, fill);
            if (digits.size == 0) return;
            digits.bold = bold, digits.role = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill);
            canvas_.text(box.centre(), value, digits);
        };
        std::optional<Rect> ours;
        for (u64 r = fromRow; r < endRow; ++r)
            for (u64 c = fromColumn; c < endColumn; ++c) {
                const u64 element = (firstRow + r) * sheet.columns + firstColumn + c;
                if (element >= sheet.elements) continue;
                const Rect box{corner.x + f32(c) * cell, corner.y + f32(r) * cell, cell, cell};
                const auto touch = now.find(element);
                const auto seen = before.find(element);
                const std::string value = valueOf(element);
                const std::string name = fmt::format("{}[{}]", sheet.name, sheet.isMatrix ? fmt::format("{}][{}", element / sheet.columns, element % sheet.columns) : std::to_string(element));
                if (touch != now.end()) {
                    const Lane lane = touch->second.lanes.has(in_.cursor.lane) ? in_.cursor.lane : touch->second.lanes.lowest();
                    valueIn(box, warpRole(in_.cursor.warp, lane, exist_), value, true);
                    if (touch->second.lanes.has(in_.cursor.lane) && !ours) ours = box;
                    Cursor go = in_.cursor;
                    go.lane = lane;
                    canvas_.hit(box, {.hover = say(in_.language, kTouchHoverLanes, name, value, lanesText(touch->second.lanes), in_.cursor.warp.value, verbOf(here_.access->kind).in(in_.language), touch->second.lanes.count()), .go = go});
                } else {
                    valueIn(box, role(seen != before.end() ? RoleKind::Wasted : RoleKind::Raised), value, false);
                    if (cell >= 8) canvas_.hit(box, {.hover = value.empty() ? name : say(in_.language, kTouchHover, name, value)});
                }
            }
        if (ours) cursorBox(canvas_, ours->inset(cell > 12 ? 1 : 0), cell > 20 ? radius::kControl : 2);
        if (zoomed.on()) {
            canvas_.unclip();
            cuts_.push_back({zoomed, firstHit, canvas_.scene().hits.size()});
        }
        if (firstRow || firstColumn) {
            const std::string from = say(in_.language, kShownFrom, grouped(firstRow * sheet.columns + firstColumn));
            const TextStyle style{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
            if (canvas_.width(from, style) + wide + canvas_.width(shape, {.size = type::kCode}) + 30 < area.width) canvas_.text({area.right(), area.y + 10}, from, style);
        }
    }

    // Where the warp touched this sheet last before the cursor.
    u64 lastTouched(const Sheet& sheet) const {
        for (u32 s = in_.cursor.step + 1; s-- > 0;) {
            if (here_.warp->steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = here_.warp->accesses[here_.warp->steps[s].access];
            if (access.space != sheet.space || access.active.empty()) continue;
            if (const u64 address = here_.warp->address(access, access.active.lowest()); sheet.contains(address)) return (address - sheet.base) / sheet.bytes;
        }
        return 0;
    }

    void drawKey(Point at) {
        const Role colour = warpRole(in_.cursor.warp);
        const KeyRow rows[] = {{[colour](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = colour, .radius = 2}); }, say(in_.language, kTouchedNow)},
                               {[](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2}); }, say(in_.language, kTouchedByBlock)},
                               {[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)}};
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, rows);
    }

    const ViewInput& in_;
    const Here& here_;
    Canvas canvas_;
    std::vector<Rect> panes_;
    struct Cut { Zoomed zoomed; std::size_t first, end; };
    std::vector<Cut> cuts_;
    u32 exist_;
};

}  // namespace

Scene buildBufferStage(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    return BufferStage(in, here).build();
}

}  // namespace lockstep::viz
