// Each buffer as a grid of its shape, what the warp touches now lit in its lanes' colours and what the block has touched before
// in grey; shared memory in its declared shape, or as rows of 32 banks. Where a block reads around the part of a matrix that it writes, as
// a stencil does, that part and its halo are outlined, and as much of the matrix is shown as they need.
#include "viz/stage/buffer_stage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "base/device_addresses.h"
#include "model/sentence.h"
#include "viz/lanes_off.h"
#include "viz/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/navigation.h"
#include "viz/numbers.h"
#include "viz/phrases.h"
#include "viz/presented.h"
#include "viz/shared_arrays.h"
#include "viz/stage/block_accesses.h"
#include "viz/stage/kept_of_block.h"
#include "viz/stage/own_cell.h"
#include "viz/stage/second_thread.h"
#include "viz/stage/zoomed.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kKeyOwnPart{"this block's cells", "本线程块负责的单元"};
constexpr Words kKeyHalo{"halo: cells of its neighbours", "光环：相邻线程块的单元"};
constexpr Words kKeyReadBefore{"read since the last store", "上次写入之后读过"};
constexpr Words kKeyReadByLane{"the same, by the cursor's lane", "其中光标通道读的"};
// The same where the key has little room.
constexpr Words kTouchedNowInBrief{"now", "正在访问"};
constexpr Words kTouchedInBrief{"before", "访问过"};
constexpr Words kOwnPartInBrief{"block's own", "本块"};
constexpr Words kHaloInBrief{"halo", "光环"};
constexpr Words kReadInBrief{"read for the store", "读过"};
constexpr Words kReadByLaneInBrief{"by the cursor's lane", "光标通道读"};
constexpr Words kKeyOwnCell{"cell of the cursor's lane", "光标通道自己的单元"};
constexpr Words kOwnCellInBrief{"own cell", "自己的单元"};
constexpr Words kNeverUsedHover{"{0}: this block neither writes nor reads it.", "{0}：这个线程块既不写也不读它。"};
constexpr Words kHaloHover{"Halo: it belongs to a neighbouring block.", "光环：属于相邻的线程块。"};
constexpr Words kReadBeforeHover{"Read since their last store by {2:lane|lanes} {0} of warp {1}.", "线程束 {1} 的 {2} 个通道在上次写入之后读过：{0}。"};

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
    const BlockPart* part = nullptr;  // what of it is the block's own
    CellRange window{};     // what of it is shown
    u64 rows() const { return (elements + columns - 1) / columns; }
    bool contains(u64 address) const { return address >= base && address < base + elements * bytes; }
    u64 shownRows() const { return window.endRow - window.firstRow; }
    u64 shownColumns() const { return window.endColumn - window.firstColumn; }
    void showAll() { window = {0, rows(), 0, columns}; }
};

std::vector<Sheet> sheetsOf(const ViewInput& in, const BlockParts& parts) {
    std::vector<Sheet> sheets;
    const auto& buffers = in.run.recording.initial;
    for (u32 b = 0; b < buffers.size(); ++b) {
        const Buffer& buffer = buffers[b];
        u64 elements = 1;
        for (const u64 extent : buffer.shape) elements *= extent;
        if (elements == 0) continue;
        const bool isVector = buffer.shape.size() <= 1;
        sheets.push_back({buffer.name, deviceAddressOf(b), elements, isVector ? std::min<u64>(elements, kWarpSize) : buffer.shape.back(), info(buffer.type).bytes, trace::Space::Global, ptxType(buffer.type), &buffer, isVector, !isVector});
        if (const auto part = parts.buffers.find(b); part != parts.buffers.end()) sheets.back().part = &part->second;
    }
    const std::vector<SharedArray> arrays = sharedArrays(in.run, in.cursor.launch);
    for (std::size_t a = 0; a < arrays.size(); ++a) {
        const SharedArray& array = arrays[a];
        if (array.elements() == 0) continue;
        const bool isMatrix = array.shape.size() > 1;
        const u64 bankRow = 32 * 4 / std::min(4u, std::max(1u, array.elementBytes));  // a row of 32 banks
        sheets.push_back({array.name, array.base, array.elements(), isMatrix ? array.columns() : std::min<u64>(array.elements(), bankRow), array.elementBytes, trace::Space::Shared, array.elementBytes == 8 ? ptx::Type::F64 : ptx::Type::F32, nullptr, false, isMatrix});
        if (isMatrix && a < parts.shared.size() && parts.shared[a]) sheets.back().part = &*parts.shared[a];
    }
    for (Sheet& sheet : sheets) sheet.showAll();
    return sheets;
}

constexpr u32 kBriefCharacters = 3;

// In so few characters where that can be: "57" of 57.31, "4.8" of 4.83, "0" of 0.0.
std::string inBrief(const std::string& value) {
    const f64 number = std::strtod(value.c_str(), nullptr);
    if (value.empty() || !std::isfinite(number) || std::abs(number) >= 1000 || value.find('.') == std::string::npos) return value;
    std::string text = fmt::format("{:.{}f}", number, std::abs(number) < 9.95 ? 1 : 0);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

struct Touch { LaneMask lanes; bool writes = false; };

class BufferStage {
public:
    BufferStage(const ViewInput& in, const Here& here, const BlockParts& parts)
        : in_(in), here_(here), parts_(parts), canvas_(in.size, in.metrics), exist_(lanesOf(*here.block, in.cursor.warp)), sources_(sourcesNow()), accesses_(accessesOfBlock(in)), second_(secondThreadAt(in)), own_(ownCell(in.run, in.cursor, parts)) {}

    Scene build() {
        const std::vector<Sheet> sheets = sheetsOf(in_, parts_);
        if (sheets.empty()) return emptyScene(in_, kStageTitle, say(in_.language, kNoBuffers));
        const bool isPresented = in_.state.option == kPresented;
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
            if (std::ranges::find(few, &sheet) == few.end()) (sheet.space == trace::Space::Shared ? shared : global).push_back(&sheet);
        const f32 sharedHeight = shared.empty() ? 0 : global.empty() ? body.height - 40 : std::clamp(body.height * 0.36f, 90.0f, 300.0f);
        const Rect upper{body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset, body.height - sharedHeight - 44};
        constexpr f32 kLow = 90;
        const Rect whole{upper.x, upper.y, upper.width, body.height - 44}, lower{upper.x, upper.bottom() + 10, upper.width, sharedHeight - 10};
        std::vector<const Sheet*> all = global;
        all.insert(all.end(), shared.begin(), shared.end());
        // What goes in, what the block keeps of it, what comes out.
        std::ranges::stable_partition(all, [&](const Sheet* sheet) { return !(sheet->part && sheet->part->halo.empty() && sheet->space == trace::Space::Global); });
        if (upper.height < kLow || (!shared.empty() && !global.empty() && isClearer(all, whole, {{global, upper}, {shared, lower}}))) {
            drawRow(all, whole);
        } else {
            drawRow(global, upper);
            if (!shared.empty()) drawRow(shared, lower);
        }
        f32 x = upper.x;
        for (const Sheet* sheet : few) {
            drawSheet(*sheet, {x, strip, gutter_ + f32(sheet->columns) * kLargestCell + 0.5f, titleHeight() + kLargestCell + 0.5f}, widthOf(*sheet));
            x += widthOf(*sheet) + kGap;
        }
        if (!isPresented) drawKey({body.x + space::kInset, keyY_});
        const auto shapes = arrayShapes(in_.run, in_.cursor.launch);
        const std::string said = model::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step, in_.profile, shapes).in(in_.language), lies = howTheCursorLies(sheets);
        Scene scene = std::move(canvas_).take(lies.empty() ? said : said + (in_.language == Language::English ? " " : "") + lies);
        for (const auto& [zoomed, first, end] : cuts_) zoomed.cutHits(scene, first, end);
        scene.panes = std::move(panes_);
        return scene;
    }

private:
    // How what the cursor's lane touches lies to its own cell.
    std::string howTheCursorLies(const std::vector<Sheet>& sheets) const {
        constexpr f32 kForSentence = 480;  // less has no room for a second one
        if (in_.size.width < kForSentence || !own_ || !here_.access || !here_.access->active.has(in_.cursor.lane)) return {};
        const u64 address = here_.warp->address(*here_.access, in_.cursor.lane);
        for (const Sheet& sheet : sheets) {
            if (sheet.space != here_.access->space || !sheet.contains(address) || !sheet.part) continue;
            const u64 element = (address - sheet.base) / sheet.bytes;
            if (const auto own = ownCellIn(*sheet.part, parts_, *own_)) return howItLies(in_.language, in_.cursor.lane, trace::writes(here_.access->kind), sheet.name, {element / sheet.columns, element % sheet.columns}, *own);
        }
        return {};
    }

    static constexpr f32 kTitle = 24, kIndices = 14, kKey = 26, kApart = 12, kGap = 28, kLargestCell = 34, kNumbered = 16;
    f32 titleHeight() const { return kTitle + (isIndexed_ ? kIndices : 0); }
    // Of the numbers left of the rows.
    static constexpr TextStyle kIndexStyle{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
    f32 widestNumber(const std::vector<Sheet>& sheets) const {
        f32 widest = 0;
        for (const Sheet& sheet : sheets) widest = std::max(widest, canvas_.width(std::to_string((sheet.rows() - 1) * (sheet.isMatrix ? 1 : sheet.columns)), kIndexStyle));
        return widest;
    }

    // Above the key, where lanes sit out the access at the cursor: why most of them do.
    void drawWhyOff(Rect& body) {
        constexpr f32 kReason = 18, kFrom = 260;
        if (!here_.access || body.height < kFrom) return;
        const std::string why = whyOthersAreOff(*in_.run.module, *here_.warp, in_.cursor.step, exist_, in_.language, 1);
        const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const std::size_t begin = why.find_first_not_of(' ');
        if (begin == std::string::npos || canvas_.width(why, style) > body.width - 2 * space::kInset) return;
        body.height -= kReason;
        canvas_.text({body.x + space::kInset, keyY_ - kReason - 3}, why.substr(begin), style);
    }

    // Vectors of so few elements that they stand in a row of their own, with cells as large as they get, below those of many.
    std::vector<const Sheet*> fewElements(const std::vector<Sheet>& sheets, const Rect& body) const {
        constexpr f32 kFrom = 300;  // pixels of height that leave the others their room
        std::vector<const Sheet*> few;
        f32 wide = 0;
        for (const Sheet& sheet : sheets)
            if (sheet.elements <= kWarpSize && !sheet.isMatrix) few.push_back(&sheet), wide += widthOf(sheet) + kGap;
        return few.size() == sheets.size() || body.height < kFrom || wide - kGap > body.width - 2 * space::kInset ? std::vector<const Sheet*>() : few;
    }
    f32 widthOf(const Sheet& sheet) const {
        const std::string shape = say(in_.language, kElements, grouped(sheet.elements));
        const f32 title = canvas_.width(sheet.name, {.size = type::kTitle, .bold = true}) + 12 + canvas_.width(shape, {.size = type::kCode});
        return std::max(title, gutter_ + f32(sheet.columns) * kLargestCell);
    }

    // How large cells can be where the sheets stand side by side, each as wide as its share of the columns, or one above the other.
    struct Fit { f32 beside = kLargestCell, above = kLargestCell; f32 best() const { return std::max(beside, above); } };
    static f32 weightOf(const Sheet& sheet) { return std::clamp(f32(std::min<u64>(sheet.shownColumns(), 128)), 8.0f, 64.0f); }
    static f32 weightOf(const std::vector<Sheet>& sheets) {
        return std::accumulate(sheets.begin(), sheets.end(), 0.0f, [](f32 sum, const Sheet& sheet) { return sum + weightOf(sheet); });
    }
    Fit fitOf(const std::vector<Sheet>& sheets, const Rect& area) const {
        const f32 weights = weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
        Fit fit;
        f32 rows = 0;
        for (const Sheet& sheet : sheets) {
            fit.beside = std::min({fit.beside, (room * weightOf(sheet) / weights - gutter_) / f32(sheet.shownColumns()), (area.height - titleHeight()) / f32(sheet.shownRows())});
            fit.above = std::min(fit.above, (area.width - gutter_) / f32(sheet.shownColumns()));
            rows += f32(sheet.shownRows());
        }
        fit.above = std::min(fit.above, (area.height - f32(sheets.size()) * titleHeight() - f32(sheets.size() - 1) * kApart) / rows);
        return fit;
    }

    // 32 elements of a vector to a row, as a warp reads them, or more where that makes for clearly larger cells.
    std::vector<Sheet> folded(const std::vector<const Sheet*>& sheets, const Rect& area) const {
        constexpr f32 kClearly = 1.3f;
        std::vector<Sheet> chosen;
        f32 best = 0;
        for (u64 columns = kWarpSize; columns <= 8 * kWarpSize; columns *= 2) {
            std::vector<Sheet> tried;
            for (const Sheet* sheet : sheets) tried.push_back(*sheet);
            for (Sheet& sheet : tried)
                if (sheet.isVector) sheet.columns = std::min(sheet.elements, columns), sheet.showAll();
            const f32 cell = fitOf(tried, area).best();
            if (chosen.empty() || cell > kClearly * best) best = cell, chosen = std::move(tried);
        }
        return chosen;
    }

    // As they are to be drawn: where the cells of the whole would be too small for digits, the block's part of a matrix and a little more.
    std::vector<Sheet> fitted(const std::vector<const Sheet*>& wanted, const Rect& area) const {
        std::vector<Sheet> sheets = folded(wanted, area);
        if (fitOf(sheets, area).best() >= kNumbered) return sheets;
        constexpr u64 kMargin = 1;
        for (Sheet& sheet : sheets)
            if (sheet.part && sheet.buffer) {
                const CellRange around = partAround(sheet);
                sheet.window = {around.firstRow - std::min(around.firstRow, kMargin), std::min(around.endRow + kMargin, sheet.rows()),
                                around.firstColumn - std::min(around.firstColumn, kMargin), std::min(around.endColumn + kMargin, sheet.columns)};
            }
        return sheets;
    }
    // The same place in all matrices of one shape.
    CellRange partAround(const Sheet& sheet) const {
        CellRange whole = sheet.part->around(sheet.columns);
        for (const auto& [number, part] : parts_.buffers) {
            const CellRange range = part.around(sheet.columns);
            whole = {std::min(whole.firstRow, range.firstRow), std::max(whole.endRow, range.endRow), std::min(whole.firstColumn, range.firstColumn), std::max(whole.endColumn, range.endColumn)};
        }
        return whole;
    }

    // Whether the cells are clearly larger with all sheets in one row than with the least of these rows.
    bool isClearer(const std::vector<const Sheet*>& all, const Rect& whole, const std::vector<std::pair<std::vector<const Sheet*>, Rect>>& rows) const {
        constexpr f32 kClearly = 1.15f;
        f32 least = kLargestCell;
        for (const auto& [sheets, area] : rows) least = std::min(least, fitOf(fitted(sheets, area), area).best());
        return fitOf(fitted(all, whole), whole).best() > kClearly * least;
    }

    // Of matrices of which a part is shown, the rows around it that have room, as many above as below where there are so many.
    static void showMoreRows(std::vector<Sheet>& sheets, u64 most) {
        for (Sheet& sheet : sheets) {
            if (!sheet.part || !sheet.buffer || sheet.shownRows() >= most) continue;
            const u64 rows = std::min(most, sheet.rows()), more = rows - sheet.shownRows();
            sheet.window.firstRow = std::min(sheet.window.firstRow - std::min(sheet.window.firstRow, more / 2), sheet.rows() - rows);
            sheet.window.endRow = sheet.window.firstRow + rows;
        }
    }

    static constexpr f32 kClearlyAbove = 1.2f;
    // One above the other where that makes for clearly larger cells; else side by side.
    void drawRow(const std::vector<const Sheet*>& wanted, const Rect& area) {
        if (wanted.empty() || area.height < 50) return;
        std::vector<Sheet> sheets = fitted(wanted, area);
        const auto [beside, above] = fitOf(sheets, area);
        if (above <= kClearlyAbove * beside) showMoreRows(sheets, u64(std::max(0.0f, area.height - titleHeight()) / beside));
        const f32 weights = weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
        if (above > kClearlyAbove * beside) {
            f32 y = area.y;
            for (const Sheet& sheet : sheets) {
                const f32 height = titleHeight() + above * f32(sheet.shownRows()) + 0.5f;
                drawSheet(sheet, {area.x, y, std::min(area.width, gutter_ + above * f32(sheet.shownColumns()) + 0.5f), height}, area.width);
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

    // What the lanes have read since they last wrote: at a store of theirs, what they write comes of it.
    struct Source { LaneMask lanes; trace::Space space; u64 address = 0; u32 bytes = 0; };
    std::vector<Source> sourcesNow() const {
        std::vector<Source> sources;
        constexpr std::size_t kMost = 2048;  // of a loop that only reads, the end
        LaneMask waiting = here_.access && trace::writes(here_.access->kind) ? here_.access->active : LaneMask::firstLanes(exist_);
        for (u32 s = in_.cursor.step; s-- > 0 && !waiting.empty() && sources.size() < kMost;) {
            if (here_.warp->steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = here_.warp->accesses[here_.warp->steps[s].access];
            if (access.space != trace::Space::Global && access.space != trace::Space::Shared) continue;
            if (trace::writes(access.kind)) {
                waiting = waiting & ~access.active;
                continue;
            }
            for (const Lane lane : access.active & waiting) sources.push_back({LaneMask::of(lane), access.space, here_.warp->address(access, lane), access.widthBytes});
        }
        return sources;
    }
    std::map<u64, LaneMask> readBefore(const Sheet& sheet) const {
        std::map<u64, LaneMask> read;
        for (const Source& source : sources_)
            for (u64 at = source.address; source.space == sheet.space && at < source.address + source.bytes; at += sheet.bytes)
                if (sheet.contains(at)) {
                    LaneMask& lanes = read[(at - sheet.base) / sheet.bytes];
                    lanes = lanes | source.lanes;
                }
        return read;
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
    struct Seen { u32 order = 0; std::span<const std::byte> value{}; ptx::Type type = ptx::Type::F32; };
    std::map<u64, Seen> touchedBefore(const Sheet& sheet) const {
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
                        if (s.value.empty() || s.order <= step.order) s = {step.order, value.subspan(at, sheet.bytes), typeOf(sheet, access.pc)};
                    }
                }
            }
        return seen;
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
        const Rect grid{area.x + gutter_, area.y + titleHeight(), area.width - gutter_, area.height - titleHeight()};
        const std::map<u64, Touch> now = touchedNow(sheet);
        // Whole if its cells can still be seen, else the rows around what is touched.
        u64 columns = sheet.shownColumns(), firstColumn = sheet.window.firstColumn;
        f32 cell = std::min(grid.width / f32(columns), kLargestCell);
        if (cell < 3) {
            cell = std::max(cell, 3.0f);
            columns = std::min<u64>(columns, u64(grid.width / cell));
        }
        if (cell * f32(sheet.shownRows()) > grid.height) {
            const f32 shrunk = grid.height / f32(sheet.shownRows());
            if (shrunk >= 4) cell = shrunk;
        }
        u64 rows = std::clamp<u64>(u64(grid.height / cell), 1, sheet.shownRows()), firstRow = sheet.window.firstRow;
        const u64 focus = now.empty() ? lastTouched(sheet) : now.begin()->first;
        // So that a third of what is shown lies before what is touched.
        const auto startAt = [](u64 wanted, u64 before, u64 first, u64 end, u64 count) { return std::clamp<u64>(wanted > before ? wanted - before : 0, first, end - count); };
        if (rows < sheet.shownRows()) firstRow = startAt(focus / sheet.columns, rows / 3, firstRow, sheet.window.endRow, rows);
        if (columns < sheet.shownColumns()) firstColumn = startAt(focus % sheet.columns, columns / 4, firstColumn, sheet.window.endColumn, columns);
        const bool isPart = sheet.part && (rows < sheet.rows() || columns < sheet.columns);
        const std::string named = isPart ? say(in_.language, kPartOf, firstRow, firstRow + rows - 1, firstColumn, firstColumn + columns - 1, shape) : shape;
        for (const std::string& text : {named, shape})
            if (canvas_.width(text, shapeStyle) <= titleRoom - wide - 10) {
                canvas_.text({area.x + wide + 10, area.y + 10}, text, shapeStyle);
                break;
            }
        // Of those, the ones that are seen under the magnifier.
        const Zoomed zoomed(in_.state, grid);
        const Point corner = zoomed.at(Point{grid.x, grid.y});
        cell *= zoomed.zoom;
        const auto [fromRow, endRow] = cellsBetween(corner.y, cell, rows, grid.y, grid.bottom());
        const auto [fromColumn, endColumn] = cellsBetween(corner.x, cell, columns, grid.x, grid.right());
        if (isIndexed_) drawIndices(sheet, grid, corner, cell, {firstRow + fromRow, firstRow + endRow, firstColumn + fromColumn, firstColumn + endColumn}, {firstRow, 0, firstColumn, 0});
        panes_.push_back(grid);
        const std::size_t firstHit = canvas_.scene().hits.size();
        if (zoomed.on()) canvas_.clip(grid);
        const std::map<u64, Seen> before = touchedBefore(sheet);
        const std::map<u64, LaneMask> read = readBefore(sheet);
        u32 characters = 6;
        const auto valueOf = [&](u64 element) {
            const auto seen = before.find(element);
            const u32 most = characters > kBriefCharacters ? characters : 8;
            const std::string value = seen != before.end() ? valueText(seen->second.value, seen->second.type, most)
                                      : sheet.buffer && element < sheet.buffer->count() ? numberText(sheet.buffer->valueAt(element), isFloatElement(sheet.buffer->type), most) : std::string();
            return characters > kBriefCharacters ? value : inBrief(value);
        };
        // Numbers in all cells or in none, and of one size: those that happen to be short would look like something special. Shorter ones
        // where longer ones have no room.
        TextStyle digits{.mono = true, .align = Align::Centre};
        digits.size = 0;
        for (characters = 6; cell >= kNumbered && digits.size == 0 && characters >= kBriefCharacters; --characters) {
            std::size_t longest = 0;
            for (u64 r = fromRow; r < endRow; ++r)
                for (u64 c = fromColumn; c < endColumn; ++c)
                    if (const u64 element = (firstRow + r) * sheet.columns + firstColumn + c; element < sheet.elements) longest = std::max(longest, valueOf(element).size());
            digits.size = fittingSize(canvas_, std::string(longest, '0'), cell - (characters > kBriefCharacters ? 7 : 3), {.bold = true, .mono = true}, valueSize(cell));
            if (digits.size > 0) break;
        }
        const u32 shownCharacters = std::max(characters, kBriefCharacters);
        const auto valueIn = [&](const Rect& box, Role fill, u64 element, bool bold) {
            valueCell(canvas_, box, fill);
            if (digits.size == 0) return;
            characters = shownCharacters;
            digits.bold = bold, digits.role = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill);
            canvas_.text(box.centre(), valueOf(element), digits);
            characters = 6;
        };
        characters = 6;
        const auto isHalo = [&](u64 element) { return sheet.part && sheet.part->halo.contains(element); };
        // Of a tile with a halo: its corners, and places whose cells would lie outside of the matrix.
        const bool isTile = sheet.part && !sheet.part->halo.empty() && sheet.space == trace::Space::Shared;
        const auto isNeverUsed = [&](u64 element) { return isTile && accesses_->of(sheet.space, sheet.base + element * sheet.bytes).empty(); };
        std::vector<std::pair<Rect, bool>> marked;  // what was read for what is written; whether by the cursor's lane
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
                    valueIn(box, warpRole(in_.cursor.warp, lane, exist_), element, true);
                    if (touch->second.lanes.has(in_.cursor.lane) && !ours) ours = box;
                    Cursor go = in_.cursor;
                    go.lane = lane;
                    canvas_.hit(box, {.hover = say(in_.language, kTouchHoverLanes, name, value, lanesText(touch->second.lanes), in_.cursor.warp.value, verbOf(here_.access->kind).in(in_.language), touch->second.lanes.count()), .go = go});
                } else if (isNeverUsed(element)) {
                    ghostCell(canvas_, box, false);
                    hasUnused_ = true;
                    canvas_.hit(box, {.hover = say(in_.language, kNeverUsedHover, name)});
                } else {
                    valueIn(box, role(seen != before.end() ? RoleKind::Wasted : RoleKind::Raised), element, false);
                    const std::string held = value.empty() ? name : say(in_.language, kTouchHover, name, value);
                    const std::string separator = in_.language == Language::English ? " " : "";
                    const auto reader = read.find(element);
                    if (reader != read.end()) marked.emplace_back(box, reader->second.has(in_.cursor.lane));
                    const std::string said = held + (isHalo(element) ? separator + say(in_.language, kHaloHover) : "") + (reader == read.end() ? "" : separator + say(in_.language, kReadBeforeHover, lanesText(reader->second), in_.cursor.warp.value, reader->second.count()));
                    if (Hit hit = leadingTo(in_, *accesses_, sheet.space, sheet.base + element * sheet.bytes, here_.step->order, said); cell >= 8 || hit.go) canvas_.hit(box, std::move(hit));
                }
            }
        const f32 inset = cell > 12 ? 1 : 0;
        for (const auto& [box, byCursor] : marked)
            if (!byCursor) canvas_.rect(box.inset(inset + 0.75f), {.stroke = {warpRole(in_.cursor.warp), line::kUnread}, .radius = cell > 12 ? 2.0f : 0.0f});
        for (const auto& [box, byCursor] : marked)
            if (byCursor) canvas_.rect(box.inset(inset + 1), {.stroke = {role(RoleKind::Text), line::kTile}, .radius = cell > 12 ? 2.0f : 0.0f});
        hasSources_ |= !marked.empty();
        if (sheet.part) {
            const auto isOwn = [&](u64 row, u64 column) { return sheet.part->own.contains(row, column); };
            const auto isOfBlock = [&](u64 row, u64 column) { return isOwn(row, column) || isHalo(row * sheet.columns + column); };
            const CellRange visible{firstRow + fromRow, firstRow + endRow, firstColumn + fromColumn, firstColumn + endColumn};
            const Point origin{corner.x - f32(firstColumn) * cell, corner.y - f32(firstRow) * cell};
            if (!sheet.part->halo.empty()) drawOutline(isOfBlock, visible, origin, cell, {role(RoleKind::Text), line::kNext, Dash::Dashed}), hasHalo_ = true;
            drawOutline(isOwn, visible, origin, cell, {role(RoleKind::Text), line::kTile});
            hasPart_ = true;
        }
        if (second_ && second_->isAt(sheet.space, sheet.base, sheet.elements * sheet.bytes)) {
            const u64 element = (second_->address - sheet.base) / sheet.bytes, row = element / sheet.columns, column = element % sheet.columns;
            const bool isSeen = row >= firstRow + fromRow && row < firstRow + endRow && column >= firstColumn + fromColumn && column < firstColumn + endColumn;
            if (isSeen) draw(canvas_, *second_, {corner.x + f32(column - firstColumn) * cell, corner.y + f32(row - firstRow) * cell, cell, cell}, {0, 0, in_.size.width, in_.size.height});
        }
        if (own_ && sheet.part) {
            const std::optional<OwnCell> own = ownCellIn(*sheet.part, parts_, *own_);
            const Rect box = own ? Rect{corner.x + (f32(own->column) - f32(firstColumn)) * cell, corner.y + (f32(own->row) - f32(firstRow)) * cell, cell, cell} : Rect{};
            const bool isSeen = own && own->row >= firstRow + fromRow && own->row < firstRow + endRow && own->column >= firstColumn + fromColumn && own->column < firstColumn + endColumn;
            if (isSeen && cell >= kForOwnCell) drawOwnCell(canvas_, box), hasOwnCell_ = true;
        }
        if (ours) cursorBox(canvas_, ours->inset(inset), cell > 20 ? radius::kControl : 2);
        if (zoomed.on()) {
            canvas_.unclip();
            cuts_.push_back({zoomed, firstHit, canvas_.scene().hits.size()});
        }
        if ((firstRow || firstColumn) && !isPart) {
            const std::string from = say(in_.language, kShownFrom, grouped(firstRow * sheet.columns + firstColumn));
            const TextStyle style{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
            if (canvas_.width(from, style) + wide + canvas_.width(shape, {.size = type::kCode}) + 30 < area.width) canvas_.text({area.right(), area.y + 10}, from, style);
        }
    }

    // Numbers of rows and columns beside those that are seen, as many as have room. Of a vector: what its rows begin with.
    void drawIndices(const Sheet& sheet, const Rect& grid, Point corner, f32 cell, const CellRange& seen, const CellRange& first) {
        const auto apart = [&](f32 room) {
            u64 step = 1;
            while (f32(step) * cell < room) step *= 2;
            return step;
        };
        TextStyle style = kIndexStyle;
        style.align = Align::Centre;
        const u64 everyColumn = apart(canvas_.width(std::to_string(seen.endColumn), style) + 5), everyRow = apart(12);
        for (u64 c = seen.firstColumn; c < seen.endColumn; ++c)
            if (const f32 x = corner.x + (f32(c - first.firstColumn) + 0.5f) * cell; c % everyColumn == 0 && x > grid.x && x < grid.right()) canvas_.text({x, grid.y - 8}, std::to_string(c), style);
        style.align = Align::Right;
        for (u64 r = seen.firstRow; r < seen.endRow; ++r)
            if (const f32 y = corner.y + (f32(r - first.firstRow) + 0.5f) * cell; r % everyRow == 0 && y > grid.y && y < grid.bottom()) canvas_.text({grid.x - 5, y}, std::to_string(sheet.isMatrix ? r : r * sheet.columns), style);
    }

    // The edge of the cells of a set, as far as they are seen: lines as long as they go straight. origin: where row 0 and column 0 begin.
    template <class Contains>
    void drawOutline(Contains&& contains, const CellRange& seen, Point origin, f32 cell, const Stroke& stroke) {
        const auto isIn = [&](u64 row, u64 column) { return row >= seen.firstRow && row < seen.endRow && column >= seen.firstColumn && column < seen.endColumn && contains(row, column); };
        for (const bool across : {true, false}) {
            const u64 firstLine = across ? seen.firstRow : seen.firstColumn, endLine = across ? seen.endRow : seen.endColumn;
            const u64 first = across ? seen.firstColumn : seen.firstRow, end = across ? seen.endColumn : seen.endRow;
            for (u64 at = firstLine; at <= endLine; ++at) {
                std::optional<u64> from;
                for (u64 i = first; i <= end; ++i) {
                    const auto side = [&](u64 which) { return across ? isIn(which, i) : isIn(i, which); };
                    const bool isEdge = i < end && (at > firstLine && side(at - 1)) != (at < endLine && side(at));
                    if (isEdge && !from) from = i;
                    if (isEdge || !from) continue;
                    const auto point = [&](u64 along) { return across ? Point{origin.x + f32(along) * cell, origin.y + f32(at) * cell} : Point{origin.x + f32(at) * cell, origin.y + f32(along) * cell}; };
                    canvas_.line(point(*from), point(i), stroke);
                    from.reset();
                }
            }
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

    // In brief where not all of it has room.
    void drawKey(Point at) {
        const f32 room = in_.size.width - 2 * space::kInset;
        const std::vector<KeyRow> rows = keys(false);
        keyRow(canvas_, at, room, keyRowWidth(canvas_, rows) <= room ? rows : keys(true));
    }
    std::vector<KeyRow> keys(bool inBrief) const {
        const Role colour = warpRole(in_.cursor.warp);
        const auto words = [&](const Words& whole, const Words& brief) { return say(in_.language, inBrief ? brief : whole); };
        std::vector<KeyRow> rows{{[colour](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = colour, .radius = 2}); }, words(kTouchedNow, kTouchedNowInBrief)},
                                 {[](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2}); }, words(kTouchedByBlock, kTouchedInBrief)}};
        const auto outlined = [&](Stroke stroke, f32 radius, const Words& whole, const Words& brief) {
            rows.push_back({[stroke, radius](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.stroke = stroke, .radius = radius}); }, words(whole, brief)});
        };
        if (hasPart_) outlined({role(RoleKind::Text), line::kTile}, 0, kKeyOwnPart, kOwnPartInBrief);
        if (hasHalo_) outlined({role(RoleKind::Text), line::kNext, Dash::Dashed}, 0, kKeyHalo, kHaloInBrief);
        if (hasOwnCell_) rows.push_back({[](Canvas& c, Point p) { drawOwnCell(c, {p.x - 6, p.y - 6, 12, 12}); }, words(kKeyOwnCell, kOwnCellInBrief)});
        if (hasUnused_) rows.push_back({[](Canvas& c, Point p) { ghostCell(c, {p.x - 8, p.y - 7, 16, 14}, false); }, say(in_.language, kKeyPadding)});
        if (hasSources_) {
            outlined({colour, line::kUnread}, 2, kKeyReadBefore, kReadInBrief);
            outlined({role(RoleKind::Text), line::kTile}, 2, kKeyReadByLane, kReadByLaneInBrief);
        }
        rows.push_back({[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)});
        return rows;
    }

    static constexpr f32 kForOwnCell = 6;
    // A point: in the middle of a small cell, in the corner of one with a value.
    static void drawOwnCell(Canvas& canvas, const Rect& cell) {
        const bool isLarge = cell.width >= kNumbered;
        const f32 radius = std::clamp(cell.width * 0.22f, 1.5f, 3.0f);
        const Point at = isLarge ? Point{cell.right() - radius - 3, cell.y + radius + 3} : cell.centre();
        canvas.rect({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, {.fill = role(RoleKind::Cursor), .radius = radius});
    }

    const ViewInput& in_;
    const Here& here_;
    const BlockParts& parts_;
    Canvas canvas_;
    std::vector<Rect> panes_;
    struct Cut { Zoomed zoomed; std::size_t first, end; };
    std::vector<Cut> cuts_;
    u32 exist_;
    std::vector<Source> sources_;
    std::shared_ptr<const BlockAccesses> accesses_;
    std::optional<SecondThread> second_;
    std::optional<OwnCell> own_;  // of the cursor's lane
    bool isIndexed_ = true;
    f32 gutter_ = 0, keyY_ = 0;  // left of the sheets, for numbers; where the key stands
    bool hasPart_ = false, hasHalo_ = false, hasSources_ = false, hasUnused_ = false, hasOwnCell_ = false;  // drawn, and so in the key
};

}  // namespace

Scene buildBufferStage(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    Kept own;
    KeptOfBlock& kept = keptOfBlock(in.kept ? *in.kept : own);
    if (!kept.parts) kept.parts = blockParts(in.run, in.cursor);
    return BufferStage(in, here, *kept.parts).build();
}

}  // namespace lockstep::viz
