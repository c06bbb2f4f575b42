// Instructions down, 32 lanes across, filled where active: divergence as it happens, and where the two paths
// meet again.
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "explain/branches.h"
#include "explain/cursor/navigation.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/source/unrolled.h"
#include "model/branches/branch_lines.h"
#include "viz/cursor/lookup.h"
#include "viz/facts/branch_note.h"
#include "viz/facts/findings_on_show.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/scene/wheel.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace lockstep::viz {
namespace {

// On one line as people write it: compilers put tabs between operation and operands.
std::string instructionText(const ptx::Module& module, Pc pc) {
    std::string text;
    for (const char c : module.textOf(pc))
        if (const bool blank = c == ' ' || c == '\t' || c == '\n';
            !blank || (!text.empty() && text.back() != ' '))
            text += blank ? ' ' : c;
    return text;
}

// A parameter's name begins with that of its kernel, which is longer than all else: "[f_param_0]" becomes
// "[param_0]".
std::string withoutKernel(std::string text) {
    constexpr std::string_view kParameter = "_param_";
    const std::size_t name = text.find('[') + 1, end = text.find(kParameter, name);
    return name == 0 || end == std::string::npos ? text : text.erase(name, end + 1 - name);
}

// What fits of it: of a branch without its guard, and then without what kind of branch it is, so that its
// target can be read.
std::string fittingInstruction(const Canvas& canvas, f32 room, const TextStyle& style,
                               const ptx::Module& module, Pc pc) {
    std::string whole = instructionText(module, pc);
    if (!explain::isBranch(module, pc))
        return firstFitting(canvas, room, style, {whole, withoutKernel(whole)});
    const std::size_t opcode = whole.starts_with("@") ? whole.find(' ') + 1 : 0,
                      target = whole.rfind(' ') + 1;
    const std::string bare = whole.substr(opcode);
    return firstFitting(canvas, room, style,
                        {whole, bare, bare.substr(0, bare.find_first_of(". ")) + " " + whole.substr(target),
                         "→ " + whole.substr(target)});
}

using namespace message;

constexpr f32 kRow = 20, kTitle = 28,
              kTitledFrom = 260;  // the source line above the columns, and the height from which it has room
constexpr Words kActiveHead = english("lanes");
constexpr Words kAverage = english(
    "Warp {4}, {0} {0:instruction|instructions}: on average {1} of {2} {2:lane|lanes} active ({3}%).");
constexpr Words kLanesMissing =
    english("{1:Lane|Lanes} {0} {1:does|do} not exist: warp {2} has only {3} {3:thread|threads}.");
constexpr Words kMoreReasons = english("{0} {0:lane|lanes} more, inactive for other reasons");
constexpr Words kCopy = english("copy {0} of {1}, unrolled");
constexpr Words kCopyBrief = english("unrolled {0}/{1}");
constexpr Words kSplitInBrief = english("diverges, reconverges");
constexpr Words kKeySplit = english("diverges; reconverges at the bracket's end");

std::string_view nameAt(const ViewInput& in, Pc pc) {
    return pc.value < in.run.module->instructions.size() ? in.run.module->at(pc).name : std::string_view();
}

// A block of 40 threads has a second warp of 8.
std::string lanesMissing(const ViewInput& in, u32 exist) {
    return say(in.language, kLanesMissing, explain::lanesText(~LaneMask::firstLanes(exist), in.language),
               kWarpSize - exist, in.cursor.warp.value, exist);
}

std::string sentenceOf(const ViewInput& in, const CursorContext& here) {
    const u32 warp = in.cursor.warp.value, exist = explain::lanesOf(*here.block, in.cursor.warp);
    if (const auto split = explain::divergenceAt(*in.run.module, *here.warp, in.cursor.step)) {
        const Pc meet = model::reconvergenceBeforeTheEnd(*in.run.module, here.step->pc);
        const int others = (split->path & ~split->taken).count();
        if (meet == kNoPc) return say(in.language, kSplitToEnd, warp, split->taken.count(), others);
        return say(in.language, kSplitHere, warp, split->taken.count(), others,
                   explain::reconvergenceInWords(*in.run.module, here.step->pc, in.language));
    }
    const int on = here.step->active.count();
    if (on == 0)
        return explain::isBranch(*in.run.module, here.step->pc)
                   ? say(in.language, kNoLaneTakesIt, warp)
                   : say(in.language, kNoLaneHere, warp, nameAt(in, here.step->pc));
    if (u32(on) == exist) {
        const std::string all = exist == 1
                                    ? say(in.language, kOnlyLaneHere, warp, nameAt(in, here.step->pc))
                                    : say(in.language, kAllLanesHere, exist, warp, nameAt(in, here.step->pc));
        return exist < kWarpSize ? all + sentenceGap(in.language) + lanesMissing(in, exist) : all;
    }
    return say(in.language, kLanesHere, on, exist, warp, nameAt(in, here.step->pc)) +
           explain::whyOthersAreOff(*in.run.module, *here.warp, in.cursor.step, exist, in.language);
}

constexpr Words kLastDivergence = english("Last divergence, line {0}. {1}");

// How much of the warp its instructions use.
std::string averageOf(const ViewInput& in, const CursorContext& here) {
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    u64 on = 0;
    for (u32 step = 0; step < here.warp->steps.size(); ++step)
        on += u64(explain::lanesAtWork(*in.run.module, *here.warp, step).count());
    const f64 average = f64(on) / f64(here.warp->steps.size());
    return say(in.language, kAverage, here.warp->steps.size(), fmt::format("{:.1f}", average), exist,
               percentOf(on, here.warp->steps.size() * exist), in.cursor.warp.value);
}

// What the machine makes of the branch at the cursor, else of the one at which the warp diverged last.
std::string noteOfBranches(const ViewInput& in, const CursorContext& here) {
    if (std::optional<std::string> note = branchNote(in.run, in.cursor.launch, here.step->pc, in.language))
        return *std::move(note);
    const ptx::Module& module = *in.run.module;
    for (u32 step = in.cursor.step; step-- > 0;) {
        const trace::Step& at = here.warp->steps[step];
        if (at.active.empty() || !explain::isConditionalBranch(module, at.pc) ||
            at.active == explain::lanesAt(module, *here.warp, step))
            continue;
        const std::optional<std::string> note = branchNote(in.run, in.cursor.launch, at.pc, in.language);
        if (!note) break;
        return say(in.language, kLastDivergence, explain::lineOf(module, at.pc).line, *note);
    }
    return say(in.language, kDivergenceNote);
}

struct Columns {
    f32 step, line, text, textWidth, lanes, cell, count;
};

Columns columnsOf(f32 width, u32 lanes) {
    Columns c{};
    c.step = space::kInset + 34;  // right ends
    c.line = c.step + 44;
    c.text = c.line + 26;
    const f32 right = 64;  // count and fork
    // In a narrow picture the squares give way, so that at least the operation can be read.
    constexpr f32 kNarrow = 560, kLeastText = 120, kLeastCell = 5.5f, kCell = 9;
    if (width < kNarrow) c.step = 8 + 30, c.line = c.step + 30, c.text = c.line + 20;
    c.cell = std::clamp((width - c.text - right - 190) / 32, kCell, 20.0f);
    if (width < kNarrow)
        c.cell = std::clamp((width - c.text - right - 12 - kLeastText) / 32, kLeastCell, kCell);
    c.lanes = width - right - f32(std::max(lanes, 4u)) * c.cell;
    c.textWidth = c.lanes - c.text - 12;
    c.count = width - right + 10;
    return c;
}

// What the marks mean, and the note on branches: beside each other, or in a narrow picture one above the
// other.
class Foot {
public:
    Foot(Canvas& canvas, const ViewInput& in, const CursorContext& here, const Rect& body)
        : canvas_(canvas), in_(in), body_(body), counts_(kJumpOrStay.in(in.language)) {
        const Role warp = warpRole(in.cursor.warp, Lane{0}, 32);
        const auto box = [&](const Words& words, const RectStyle& style) {
            marks_.push_back(
                {[style](Canvas& c, Point p) {
                     c.rect(Rect{p.x - kMark / 2, p.y - kMark / 2, kMark, kMark}.inset(0.5f), style);
                 },
                 say(in.language, words)});
        };
        box(kKeyOn, {.fill = warp, .radius = 2});
        box(kKeyHeldBack, {.stroke = {warp, 1.5f}, .radius = 2});
        box(kKeyOff, {.stroke = {role(RoleKind::Line)}, .radius = 2});
        std::ranges::move(keysOfFound(in, kMark), std::back_inserter(marks_));
        f32 wide = canvas.width(counts_, kStyle);
        for (const KeyRow& mark : marks_)
            wide += kMark + kGap + canvas.width(mark.text, kStyle) + kApart;
        const f32 begin = body.width - space::kInset - wide;
        isBeside_ = begin >= body.width * 0.4f && body.width < kSplitKeyed;
        keyX_ = isBeside_ ? begin : space::kInset;
        const std::string note = noteOfBranches(in, here);
        const f32 room = isBeside_ ? begin - space::kInset - 24 : body.width - 2 * space::kInset;
        note_ = canvas.wrap(note, room, kStyle);
        if (body.height < kLowBody && note_.size() > 1)
            note_ = {canvas.cut(say(in.language, kDivergenceNote), room, kStyle)};
        else
            std::ranges::copy(canvas.wrap(averageOf(in, here), room, kStyle),
                              std::inserter(note_, note_.begin()));
        if (body.height < kReasonsFrom) return;
        for (const std::string& reason : reasonsOf(in, here))
            for (std::string& line : canvas.wrap(reason, body.width - 2 * space::kInset, kReasonStyle))
                reasons_.push_back(std::move(line));
    }
    f32 height() const { return 10 + kLine * f32(note_.size() + (isBeside_ ? 0 : 1)) + reasonsHeight(); }
    // Once all else is drawn: of marks that do not occur it says nothing.
    void draw(bool hasCounts) {
        marks_ = drawnOf(canvas_, marks_);
        if (!hasCounts) counts_.clear();
        f32 y = body_.bottom() - height() + 14;
        for (const std::string& reason : reasons_) {
            canvas_.text({space::kInset, y}, reason, kReasonStyle);
            y += kReasonLine;
        }
        if (!reasons_.empty()) y += kReasonsApart;
        drawKey({keyX_, isBeside_ ? body_.bottom() - 12 : y});
        if (!isBeside_) y += kLine;
        for (const std::string& line : note_) {
            canvas_.text({space::kInset, y}, line, kStyle);
            y += kLine;
        }
    }

private:
    // Why lanes are off at the cursor, a line for each reason, and which lanes the warp lacks.
    static std::vector<std::string> reasonsOf(const ViewInput& in, const CursorContext& here) {
        const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
        std::vector<std::string> lines;
        int left = 0;
        for (const explain::InactiveLanes& off : explain::inactiveLanes(
                 *in.run.module, *here.warp, in.cursor.step, LaneMask::firstLanes(exist))) {
            if (lines.size() < kMostReasons)
                lines.push_back(explain::inactiveLanesInWords(*in.run.module, off, in.language));
            else
                left += off.lanes.count();
        }
        if (left > 0) lines.push_back(say(in.language, kMoreReasons, left));
        if (exist < kWarpSize) lines.push_back(lanesMissing(in, exist));
        return lines;
    }
    f32 reasonsHeight() const {
        return reasons_.empty() ? 0 : kReasonLine * f32(reasons_.size()) + kReasonsApart;
    }

    // In brief where the line has no room for more.
    std::string splitText(f32 left) const {
        f32 wide = 0;
        for (const KeyRow& mark : marks_)
            wide += kMark + kGap + canvas_.width(mark.text, kStyle) + kApart;
        if (!counts_.empty()) wide += canvas_.width(counts_, kStyle) + kApart;
        const std::string whole = say(in_.language, kKeySplit);
        return left + wide + kMark + kGap + canvas_.width(whole, kStyle) <= body_.width - 4
                   ? whole
                   : say(in_.language, kSplitInBrief);
    }

    void drawKey(Point at) {
        const std::vector<KeyRow> forked = drawnOf(
            canvas_, std::vector<KeyRow>{
                         {[](Canvas& c, Point p) { fork(c, p, role(RoleKind::Text)); }, splitText(at.x)}});
        canvas_.key({at.x, at.y - kLine / 2, body_.width - at.x, kLine});
        const auto add = [&](const KeyRow& mark) {
            if (at.x + kMark + kGap + canvas_.width(mark.text, kStyle) > body_.width - 4) return;
            mark.draw(canvas_, {at.x + kMark / 2, at.y});
            at.x += kMark + kGap;
            at.x += canvas_.text(at, mark.text, kStyle) + kApart;
        };
        for (const KeyRow& mark : marks_)
            add(mark);
        if (!counts_.empty() && at.x + canvas_.width(counts_, kStyle) <= body_.width - 4)
            at.x += canvas_.text(at, counts_, kStyle) + kApart;
        for (const KeyRow& mark : forked)
            add(mark);
    }

    static constexpr std::size_t kMostReasons = 4;
    static constexpr f32 kReasonsFrom = 260, kReasonLine = 18, kReasonsApart = 6;
    static constexpr f32 kMark = 12, kGap = 6, kApart = 16, kLine = 16, kLowBody = 220,
                         kSplitKeyed =
                             640 /* from here on the key has a line of its own, with all its marks */;
    inline static const TextStyle kReasonStyle{.size = type::kCode};
    inline static const TextStyle kStyle{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    Canvas& canvas_;
    const ViewInput& in_;
    Rect body_;
    std::string counts_;
    std::vector<KeyRow> marks_;
    bool isBeside_ = true;
    f32 keyX_ = 0;
    std::vector<std::string> note_, reasons_;
};

}  // namespace

Scene buildLanes(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kLanesTitle, why);
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kLanesTitle.in(in.language), placeText(in, here));
    const ptx::Module& module = *in.run.module;
    const trace::WarpTrace& warp = *here.warp;
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    const Columns c = columnsOf(body.width, exist);
    Foot foot(canvas, in, here, body);
    f32 heads = body.y;
    explain::UnrolledLines unrolled(module);
    if (const explain::SourceLine line = explain::lineOf(module, here.step->pc);
        line.line && body.height >= kTitledFrom && !explain::textOfLine(module, line).empty()) {
        const TextStyle aside{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const std::optional<explain::LineCopy> copy = unrolled.copyAt(here.step->pc);
        const TextStyle source{.bold = true, .mono = true};
        const f32 wide = canvas.text({space::kInset, heads + 20}, say(in.language, kLine, line.line),
                                     {.size = type::kCode, .role = role(RoleKind::TextSecond)}) +
                         12;
        f32 room = body.width - wide - 2 * space::kInset;
        if (copy) {
            const f32 left = room - 12 - canvas.width(explain::textOfLine(module, line), source);
            room -= 12 + canvas.text({body.width - space::kInset, heads + 20},
                                     firstFitting(canvas, left, aside,
                                                  {say(in.language, kCopy, copy->number, copy->of),
                                                   say(in.language, kCopyBrief, copy->number, copy->of)}),
                                     aside);
        }
        canvas.textWithin({space::kInset + wide, heads + 20}, room, explain::textOfLine(module, line),
                          source);
        heads += kTitle;
    }
    const f32 top = heads + 34, bottom = body.bottom() - foot.height();
    const u32 rows = std::max(1u, u32((bottom - top) / kRow)), steps = u32(warp.steps.size());
    const s64 above = rows / 3, wanted = s64(in.cursor.step) - above - s64(in.state.pan.y / kRow);
    const u32 first = u32(std::clamp<s64>(wanted, 0, std::max<s64>(0, s64(steps) - rows))),
              last = std::min(steps, first + rows);
    keepScrolled(in, f32(s64(in.cursor.step) - above - s64(first)) * kRow);

    const TextStyle headStyle{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
    canvas.text({c.step, heads + 18}, std::string(kColumnStep.in(in.language)), headStyle);
    canvas.text({c.line, heads + 18}, std::string(kColumnLine.in(in.language)), headStyle);
    const TextStyle textHead{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    if (canvas.width(kColumnInstruction.in(in.language), textHead) <= c.textWidth)
        canvas.text({c.text, heads + 18}, std::string(kColumnInstruction.in(in.language)), textHead);
    canvas.text({c.count, heads + 18}, std::string(kActiveHead.in(in.language)),
                {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    const TextStyle number{
        .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    for (u32 lane = 0; lane < exist; ++lane) {
        const bool ours = lane == in.cursor.lane.value;
        if (c.cell < 15 && lane % 4 && !ours) continue;
        if (c.cell < 15 && !ours && std::abs(int(lane) - int(in.cursor.lane.value)) < 2) continue;
        TextStyle style = number;
        if (ours) style.bold = true, style.role = role(RoleKind::Text);
        canvas.text({c.lanes + (f32(lane) + 0.5f) * c.cell, heads + 18}, std::to_string(lane), style);
    }

    const TextStyle code{.size = type::kCode, .mono = true};
    f32 widest = 0;
    for (u32 s = first; s < last; ++s)
        widest = std::max(widest, canvas.width(instructionText(module, warp.steps[s].pc), code));
    const f32 source = c.text + widest + 20,
              sourceRoom = c.text + c.textWidth -
                           source;  // what was written, where there is room beside what it became

    const std::vector<FoundAt> found = findingsOfWarp(in.run, in.cursor);
    struct Bracket {
        f32 from, to;
        bool meets;
    };  // from a branch that splits the warp to where its paths meet, or on below
    std::vector<Bracket> brackets;
    bool hasCounts = false;  // of lanes that jump and that do not
    explain::SourceLine previous;
    std::optional<explain::LineCopy> copyBefore;
    const TextStyle small{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    for (u32 s = first; s < last; ++s) {
        const trace::Step& step = warp.steps[s];
        const f32 y = top + f32(s - first) * kRow, middle = y + kRow / 2;
        const bool current = s == in.cursor.step;
        Cursor go = in.cursor;
        go.step = s;
        if (current) canvas.rect({0, y, body.width, kRow}, {.fill = role(RoleKind::Raised)});
        const explain::SourceLine line = explain::lineOf(module, step.pc);
        if (in.onlyHere && std::ranges::find(*in.onlyHere, line) != in.onlyHere->end())
            canvas.rect({0, y + 1, 4, kRow - 2}, {.fill = role(RoleKind::Text)});
        if (current)
            cursorChip(canvas, {c.step + 6, middle}, std::to_string(s + 1),
                       {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Right}, 0, kRow - 3);
        else
            canvas.text({c.step, middle}, std::to_string(s + 1),
                        {.size = type::kAxis,
                         .mono = true,
                         .align = Align::Right,
                         .role = role(RoleKind::TextThird)});
        if (line.line && (line != previous || s == first)) {
            canvas.text({c.line, middle}, std::to_string(line.line),
                        {.size = type::kAxis,
                         .mono = true,
                         .align = Align::Right,
                         .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
            if (sourceRoom >= 110)
                canvas.textWithin({source, middle}, sourceRoom, explain::textOfLine(module, line),
                                  {.size = type::kAxis,
                                   .mono = true,
                                   .role = role(current ? RoleKind::Text : RoleKind::TextThird)});
        }
        const std::optional<explain::LineCopy> copy = unrolled.copyAt(step.pc);
        const std::string copyText = copy ? say(in.language, kCopy, copy->number, copy->of) : std::string();
        if (copy && line == previous && s > first && copy->number != (copyBefore ? copyBefore->number : 0) &&
            sourceRoom >= 110)
            canvas.textWithin({source, middle}, sourceRoom,
                              firstFitting(canvas, sourceRoom, small,
                                           {copyText, say(in.language, kCopyBrief, copy->number, copy->of)}),
                              small);
        if (copy || line != previous) copyBefore = copy;
        previous = line;
        const std::string hover = instructionText(module, step.pc) + (copy ? "\n" + copyText : "");
        const auto split = explain::divergenceAt(module, warp, s);
        const LaneMask path = explain::pathAt(module, warp, s);
        const TextStyle written{
            .size = type::kCode,
            .bold = current,
            .mono = true,
            .role = role(current || step.access != trace::Step::kNone || split ? RoleKind::Text
                                                                               : RoleKind::TextSecond)};
        const std::string instruction = fittingInstruction(canvas, c.textWidth, written, module, step.pc);
        canvas.textWithin({c.text, middle}, c.textWidth, instruction,
                          shrunkToFit(canvas, c.textWidth, written, instruction));
        canvas.hit({0, y, c.lanes, kRow}, {.hover = hover, .go = go});
        const f32 tall = kRow - 4;
        for (u32 l = 0; l < exist; ++l) {
            const Lane lane{l};
            const Rect cell{c.lanes + f32(l) * c.cell + 0.5f, y + 2, c.cell - 1, tall};
            if (step.active.has(lane))
                canvas.rect(cell, {.fill = warpRole(in.cursor.warp, lane, exist), .radius = 2});
            else if (path.has(lane))
                canvas.rect(cell.inset(0.75f),
                            {.stroke = {warpRole(in.cursor.warp, lane, exist), 1.5f}, .radius = 2});
            else
                canvas.rect(cell.inset(0.5f), {.stroke = {role(RoleKind::Line)}, .radius = 2});
        }
        // Lanes of this row: one hit each for the current step, whose values are shown; else the row.
        if (current) {
            for (u32 l = 0; l < exist; ++l) {
                Cursor lane = go;
                lane.lane = Lane{l};
                canvas.hit({c.lanes + f32(l) * c.cell, y, c.cell, kRow},
                           {.hover = {},
                            .hoverLater = [in, here, l] { return laneSentence(in, here, Lane{l}); },
                            .go = lane});
            }
            cursorBox(canvas, {c.lanes + f32(in.cursor.lane.value) * c.cell + 0.5f, y + 2, c.cell - 1, tall},
                      3);
        } else {
            canvas.hit({c.lanes, y, 32 * c.cell, kRow}, {.hover = hover, .go = go});
        }
        if (const auto mark = std::ranges::find(found, s, &FoundAt::step); mark != found.end())
            for (const Lane lane : mark->lanes) {
                if (lane.value >= exist) continue;
                const Rect cell{c.lanes + f32(lane.value) * c.cell, y, c.cell, kRow};
                Cursor wrong = go;
                wrong.lane = lane;
                // Of many lanes one has the sign, all are underlined.
                constexpr int kFew = 4;
                canvas.rect({cell.x + 0.5f, cell.bottom() - 2, cell.width - 1, 2},
                            {.fill = roleOfFound(mark->isRemark())});
                if (mark->lanes.count() <= kFew || lane == mark->go(in.cursor).lane)
                    drawFound(canvas, cell.centre(), std::clamp(c.cell, 8.0f, 14.0f), mark->isRemark());
                canvas.hit(
                    cell,
                    {.hover = {}, .hoverLater = [mark = *mark, in] { return mark.hover(in); }, .go = wrong});
            }
        const int on = step.active.count(), heldBack = (path & ~step.active).count();
        const bool jumps = heldBack > 0 && explain::isBranch(module, step.pc);
        hasCounts |= jumps;
        const std::string count = jumps             ? std::to_string(on) + "|" + std::to_string(heldBack)
                                  : u32(on) < exist ? std::to_string(on)
                                                    : "";
        if (heldBack > 0)
            canvas.hit({c.count - 6, y, body.width - c.count + 6, kRow},
                       {.hover = jumps && on == 0 ? say(in.language, kNoneJumpsHover, heldBack)
                                                  : say(in.language, jumps ? kJumpsHover : kGuardHover, on,
                                                        on + heldBack, heldBack),
                        .go = go});
        canvas.text({c.count + (split ? 16.0f : 0.0f), middle}, count,
                    {.size = type::kAxis,
                     .bold = split.has_value(),
                     .mono = true,
                     .role = role(split ? RoleKind::Text : RoleKind::TextSecond)});
        if (split) {
            fork(canvas, {c.count + 6, middle}, role(RoleKind::Text));
            // Down to where the paths meet again.
            const Pc meet = module.reconvergence(step.pc);
            u32 end = s + 1;
            while (end < steps &&
                   !(warp.steps[end].pc == meet && (warp.steps[end].active & split->path) == split->path))
                ++end;
            brackets.push_back({.from = middle,
                                .to = end < last ? top + (f32(end - first) + 0.5f) * kRow : bottom,
                                .meets = end < last});
        }
    }
    for (const Bracket& bracket : brackets) {
        const f32 x = std::min(c.text - 10, c.lanes - 8);
        const Stroke stroke{role(RoleKind::TextSecond), 1.5f};
        canvas.line({x, bracket.from}, {x, bracket.to}, stroke);
        canvas.line({x, bracket.from}, {x + 6, bracket.from}, stroke);
        if (bracket.meets) canvas.line({x, bracket.to}, {x + 6, bracket.to}, stroke, 6);
    }
    foot.draw(hasCounts);
    return std::move(canvas).take(sentenceOf(in, here));
}

}  // namespace lockstep::viz
