#include "viz/stages/divergence/divergence_stage.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "explain/sentences/sentence.h"
#include "model/branches/branch_lines.h"
#include "viz/cursor/presentation.h"
#include "viz/facts/branch_note.h"
#include "viz/facts/explained_run.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/marks/group_sign.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/phrases.h"
#include "viz/stages/buffers/buffer_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kInstructions = english("how many", "instructions");
constexpr Words kActiveHead = english("lanes");
constexpr Words kPathHead = english("of lanes that diverge", "path");
constexpr Words kReadsALane = english("loads per lane");
constexpr Words kReadsOfLane = english("Lane {0} reads memory {1} {1:time|times}.");
constexpr Words kStepHover = english("Step {0}: {1} {1:lane|lanes} active, 1 warp instruction.");
constexpr Words kStretchHover =
    english("Steps {0} to {1}: {2} {2:lane|lanes} active, {3} warp {3:instruction|instructions}.");
constexpr Words kLaneWorks = english("Lane {0} is active here: {1} {1:instruction|instructions}.");
constexpr Words kLaneGoesWay = english("Lane {0} reaches the branch here and takes path {1}.");
constexpr Words kGroup = english("{0}: {1} {1:lane|lanes}");
constexpr Words kKeyWorks = english("active");
constexpr Words kKeyWaits = english("waits to reconverge");
constexpr Words kKeyToCome = english("to come");
constexpr Words kKeyReturned = english("nothing left to do");
constexpr Words kLaneReturned = english("Lane {0} has nothing left to do but return.");
constexpr Words kKeyParts = english("diverges, until its lanes reconverge"),
                kKeyPartsForGood = english("diverges");
constexpr Words kBranchCounts = english(
    "Branch at {0}, in the whole grid: warps reached it {1} {1:time|times} and diverged {2} {2:time|times}.");
constexpr Words kBranchOfSample = english(
    "Branch at {0}, in the blocks that ran: warps reached it {1} {1:time|times} and diverged {2} "
    "{2:time|times}.");
constexpr Words kSlots =
    english("Warp {0}, whole run: {1} {1:instruction|instructions}, {2} of {3} lane slots used ({4}%).");
constexpr Words kSlotsSoFar =
    english("Warp {0}, so far: {1} {1:instruction|instructions}, {2} of {3} lane slots used ({4}%).");
constexpr Words kSlotsApart = english("From branch to reconvergence: {0} of {1} ({2}%).");
constexpr Words kSlotsToEnd = english("From the branch on: {0} of {1} ({2}%).");
constexpr Words kRowsAsRun =
    english("Paths in the order in which warp {0} executed them, the first at the top.");
// What the block's warps do at the branch: in words where all of them have room for it, else in figures.
constexpr Words kWarpsThere = english("At the branch, lanes of each warp of the block:");
constexpr Words kWarpInWords = english("warp {0}: {1} {1:takes|take} it, {2} {2:falls|fall} through");
constexpr Words kWarpsInFigures = english("By warp, lanes that take the branch | fall through:");
// The same where both ways have a line of their own.
constexpr Words kWarpToLines = english("warp {0}: {1} to line {3}, {2} to line {4}");
constexpr Words kWarpsToLinesInFigures = english("By warp, lanes that go to line {0} | to line {1}:");
constexpr Words kWarpThereToLines =
    english("Warp {0}: {1} {1:lane goes|lanes go} to line {3}, {2} to line {4}. Click to show this warp.");
constexpr Words kWarpThere = english(
    "Warp {0}: {1} {1:lane takes|lanes take} the branch, {2} {2:falls|fall} through. Click to show this "
    "warp.");
// Where a branch is the first of several that part the lanes further.
constexpr Words kWarpPaths = english("warp {0}: {1} {1:lane|lanes}, {2} {2:path|paths}");
constexpr Words kWarpsPathsInFigures = english("By warp, lanes at the branch / paths they take:");
constexpr Words kWarpTherePaths = english(
    "Warp {0}: {1} {1:lane reaches|lanes reach} the branch and {1:takes|take} {2} {2:path|paths}. "
    "Click to show this warp.");
constexpr Words kPartsInTurn = english(
    "From step {3} ({0}) on, {1} groups of lanes run one after another: {2}% of the lane slots are used "
    "until "
    "they reconverge.");
constexpr Words kSomeWait = english(
    "From step {2} ({0}) on, lanes that are done wait for the others: {1}% of the lane slots are used until "
    "they reconverge.");
// The same at a step behind the reconvergence.
constexpr Words kPartsWereInTurn = english(
    "From step {3} ({0}) on, {1} groups of lanes ran one after another: {2}% of the lane slots were used "
    "until they reconverged.");
constexpr Words kSomeWaited = english(
    "From step {2} ({0}) on, lanes that were done waited for the others: {1}% of the lane slots were used "
    "until they reconverged.");
constexpr Words kPartsToEnd =
    english("The warp does not reconverge after {0}: {1}% of the lane slots are used from there on.");
constexpr Words kUsedFromHere = english("{0}% of the lane slots are used from there on.");  // of the same
constexpr Words kStaysWhole = english(
    "Its {0} {0:lane takes|lanes take} one path at {1}, other warps of the block another: no warp diverges.");
constexpr Words kNeverParts =
    english("The warp never diverges: its lanes take the same path at every branch.");
constexpr Words kRowsAbove = english("{0} {0:row|rows} above");
constexpr Words kRowsBelow = english("{0} {0:row|rows} below");

constexpr f32 kHeads = 24, kLeastPitch = 18, kLargestPitch = 40, kReads = 30, kFact = 16, kMostData = 340,
              kToComeAlpha = 0.35f;

struct Columns {
    f32 line, text, textWidth, letters, lanes, cell, count, bar, barWidth;
};

// counts, bars: the width of what stands above them.
Columns columnsOf(f32 width, u32 lanes, f32 counts, f32 bars) {
    constexpr f32 kRoomy = 760, kNarrow = 560, kLargestCell = 24, kLeastCell = 5;
    Columns c{};
    const f32 inset = width < kNarrow ? 8 : space::kInset;
    c.line = inset + 20 + 28;  // right end; the bracket stands left of it
    c.text = c.line + 10;
    c.barWidth = width < kRoomy ? 34 : std::min(120.0f, width * 0.1f);
    const f32 beforeBar = std::max(34.0f, counts + 8),
              right = beforeBar + 8 + std::max(c.barWidth + 34, bars) + inset,
              leastText = width < kNarrow  ? 60
                          : width < kRoomy ? 190
                                           : 240;  // a condition is to be read to its end
    c.cell = std::clamp((width - c.text - leastText - 34 - right) / 32, kLeastCell, kLargestCell);
    c.lanes = width - right - f32(std::max(lanes, 4u)) * c.cell;
    c.letters = c.lanes - 6;
    c.textWidth = c.lanes - 34 - c.text;
    c.count = width - right + 8;
    c.bar = width - right + 8 + beforeBar;
    return c;
}

class DivergenceStage {
public:
    DivergenceStage(const ViewInput& in, const explain::DivergenceFacts& facts, const CursorContext& here)
        : in_(in),
          facts_(facts),
          here_(here),
          module_(*in.run.module),
          canvas_(in.size, in.metrics),
          isPresented_(in.isPresented),
          parting_(facts.partingAt(in.cursor.step)),
          now_(facts.stretchAt(in.cursor.step)) {}

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), placeText(in_, here_));
        const auto wide = [&](const Words& head) {
            return canvas_.width(head.in(in_.language), {.size = type::kAxis});
        };
        c_ = columnsOf(body.width, facts_.exist, wide(kActiveHead), wide(kInstructions));
        const f32 below = layOutBelow(body);
        const f32 room = body.height - kHeads - below;
        if (room < 2 * kLeastPitch) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        chooseRows(room);
        if (dataHeight_ > 0)
            dataHeight_ +=
                std::clamp(room - f32(endRow_ - firstRow_) * pitch_ - kFact, 0.0f, kMostData - dataHeight_);
        top_ = body.y + kHeads;
        drawHeads(body.y);
        for (std::size_t row = firstRow_; row < endRow_; ++row)
            drawRow(row, body);
        drawBrackets();
        const f32 y = top_ + f32(endRow_ - firstRow_) * pitch_ +
                      (endRow_ - firstRow_ < facts_.stretches.size() ? kFact : 0) + 6;
        if (readsHeight_ > 0) drawReads(y);
        drawBelow(body);
        Scene scene = std::move(canvas_).take(sentence());
        scene.animating = in_.motion < 1 && isBegun(now_);
        return scene;
    }

private:
    // ---- What stands below the rows: least important first to go where it is low.
    f32 layOutBelow(const Rect& body) {
        if (isPresented_) return kFact + keyStrip(in_.size.width);
        constexpr f32 kWithReads = 320, kWithFacts = 240, kWithData = 460;
        readsHeight_ =
            body.height >= kWithReads && facts_.exist > 0 && *std::ranges::max_element(facts_.reads) > 0
                ? kReads
                : 0;
        if (body.height >= kWithFacts) facts();
        if (body.height >= kWithFacts && parting_) warpsHeight_ = kFact + 10;
        dataHeight_ = body.height >= kWithData ? std::clamp(body.height * 0.24f, 120.0f, 190.0f) : 0;
        return readsHeight_ + f32(lines_.size()) * kFact + warpsHeight_ + keyStrip(in_.size.width) +
               dataHeight_ + 12;
    }

    void facts() {
        const TextStyle style{.size = type::kAxis};
        const f32 room = in_.size.width - 2 * space::kInset;
        const auto add = [&](const std::string& text) {
            for (std::string& line : canvas_.wrap(text, room, style))
                lines_.push_back(std::move(line));
        };
        std::string counts =
            say(in_.language, in_.run.recording.complete ? kSlots : kSlotsSoFar, in_.cursor.warp.value,
                grouped(here_.warp->steps.size()), grouped(facts_.used), grouped(facts_.slots),
                percentOf(facts_.used, facts_.slots));
        if (!parting_) return add(counts);
        for (const model::BranchReport& branch : in_.run.report.branches)
            if (branch.launch == in_.cursor.launch && branch.pc == parting_->pc)
                add(say(in_.language, in_.run.recording.sample ? kBranchOfSample : kBranchCounts,
                        placeOf(parting_->pc), branch.executions, branch.divergent) +
                    sentenceGap(in_.language) + say(in_.language, kRowsAsRun, in_.cursor.warp.value));
        if (parting_->groups.size() > 1)
            counts += sentenceGap(in_.language) +
                      say(in_.language, parting_->meets ? kSlotsApart : kSlotsToEnd, grouped(parting_->used),
                          grouped(parting_->slots), percentOf(parting_->used, parting_->slots));
        add(counts);
        if (parting_->groups.size() > 1)
            add(branchNote(in_.run, in_.cursor.launch, parting_->pc, in_.language)
                    .value_or(say(in_.language, kDivergenceNote)));
    }

    void drawBelow(const Rect& body) {
        const f32 key = keyStrip(in_.size.width);
        f32 y = body.bottom() - dataHeight_ - key;
        drawKeys({body.x + space::kInset, y + key / 2});
        if (isPresented_) return;
        y -= warpsHeight_;
        if (warpsHeight_ > 0) drawWarps(y + warpsHeight_ / 2);
        y -= f32(lines_.size()) * kFact;
        for (const std::string& line : lines_) {
            canvas_.text({body.x + space::kInset, y + kFact / 2}, line,
                         {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
            y += kFact;
        }
        if (dataHeight_ <= 0) return;
        const Rect area{body.x, body.bottom() - dataHeight_, body.width, dataHeight_};
        canvas_.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
        ViewInput data = in_;
        data.size = {area.width, area.height};
        data.titled = false;
        data.state = {};
        canvas_.include(buildBufferStage(data), area);
    }

    // What each warp of the block does at the branch; a click goes to that warp.
    void drawWarps(f32 middle) {
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)},
            plain{.size = type::kAxis}, mono{.size = type::kAxis, .mono = true};
        const auto warps = explain::warpsAtBranch(module_, *here_.block, parting_->pc);
        const auto [jumped, wentOn] = waysOf(parting_->pc);
        const bool haveLines = jumped != wentOn && jumped != 0 && wentOn != 0,
                   havePaths = parting_->paths.size() == warps.size();
        const auto lanesOfWarp = [&](u32 w) { return warps[w]->jump + warps[w]->goOn; };
        const auto said = [&, jumped = jumped, wentOn = wentOn](u32 w, const Words& lines, const Words& words,
                                                                const Words& paths) {
            return havePaths   ? say(in_.language, paths, w, lanesOfWarp(w), parting_->paths[w])
                   : haveLines ? say(in_.language, lines, w, warps[w]->jump, warps[w]->goOn, jumped, wentOn)
                               : say(in_.language, words, w, warps[w]->jump, warps[w]->goOn);
        };
        const auto inWords = [&](u32 w) { return said(w, kWarpToLines, kWarpInWords, kWarpPaths); };
        const std::string inFigures = havePaths   ? say(in_.language, kWarpsPathsInFigures)
                                      : haveLines ? say(in_.language, kWarpsToLinesInFigures, jumped, wentOn)
                                                  : say(in_.language, kWarpsInFigures);
        f32 needed = canvas_.width(say(in_.language, kWarpsThere), style) + 8;
        for (u32 w = 0; w < warps.size(); ++w)
            if (warps[w]) needed += canvas_.width(inWords(w), plain) + 24;
        const bool fits = needed <= in_.size.width - 2 * space::kInset;
        const TextStyle& chipStyle = fits ? plain : mono;
        f32 x =
            space::kInset +
            canvas_.text({space::kInset, middle}, fits ? say(in_.language, kWarpsThere) : inFigures, style) +
            8;
        for (u32 w = 0; w < warps.size(); ++w) {
            if (!warps[w]) continue;
            const std::string text = fits ? inWords(w)
                                     : havePaths
                                         ? fmt::format("{}: {} / {}", w, lanesOfWarp(w), parting_->paths[w])
                                         : fmt::format("{}: {}|{}", w, warps[w]->jump, warps[w]->goOn);
            if (x + canvas_.width(text, chipStyle) + 24 > in_.size.width - space::kInset) break;
            const bool ours = Warp{w} == in_.cursor.warp;
            const f32 wide = ours ? cursorChip(canvas_, {x, middle}, text, chipStyle)
                                  : chip(canvas_, {x, middle}, text, chipStyle);
            Cursor go = in_.cursor;
            go.warp = Warp{w}, go.step = warps[w]->step;
            go.lane = Lane{std::min(go.lane.value, explain::lanesOf(*here_.block, go.warp) - 1)};
            canvas_.hit({x, middle - 10, wide, 20},
                        {.hover = said(w, kWarpThereToLines, kWarpThere, kWarpTherePaths), .go = go});
            x += wide + 6;
        }
    }

    // Lines at which lanes go on that take the branch, and those that do not; 0: not known.
    std::pair<u32, u32> waysOf(Pc branch) const {
        const ptx::Function& function = module_.functions[module_.functionOf(branch).value];
        const std::vector<u32>& ways = function.blocks[function.blockOf(branch)].successors;
        if (ways.size() != 2 || ways[0] >= function.blocks.size()) return {};
        const Pc target = function.blocks[ways[0]].first;
        const model::BranchLines lines = model::branchLines(branch, target, module_);
        return {lines.taken.value_or(explain::lineOf(module_, target).line),
                lines.onwards.value_or(explain::lineOf(module_, Pc(branch.value + 1)).line)};
    }

    void drawKeys(Point at) {
        const Role mine = warpRole(in_.cursor.warp),
                   faint = warpRole(in_.cursor.warp, Lane{0}, 0, kToComeAlpha);
        std::vector<KeyRow> rows;
        if (isLettered(parting_))
            for (u32 g = 0; g < parting_->groups.size(); ++g)
                rows.push_back({[fill = g > 0 && isYetToRun(g) ? faint : mine, g](Canvas& canvas, Point p) {
                                    groupSign(canvas, {p.x - 6, p.y - 6, 12, 12}, g, fill);
                                },
                                say(in_.language, kGroup, groupLetter(g), parting_->groups[g].count())});
        else
            rows.push_back({[mine](Canvas& canvas, Point p) {
                                groupSign(canvas, {p.x - 6, p.y - 6, 12, 12}, 0, mine);
                            },
                            say(in_.language, kKeyWorks)});
        rows.push_back({[](Canvas& canvas, Point p) {
                            canvas.rect({p.x - 5.5f, p.y - 5.5f, 11, 11},
                                        {.stroke = {role(RoleKind::Line)}, .radius = 2});
                        },
                        say(in_.language, kKeyWaits)});
        if (std::optional<KeyRow> toCome = keyOfToCome(faint)) rows.push_back(std::move(*toCome));
        rows.push_back(
            {[](Canvas& canvas, Point p) { returned(canvas, p, 12); }, say(in_.language, kKeyReturned)});
        if (parting_ && parting_->groups.size() > 1)
            rows.push_back({[](Canvas& canvas, Point p) { fork(canvas, p, role(RoleKind::Text)); },
                            say(in_.language, parting_->meets ? kKeyParts : kKeyPartsForGood)});
        rows.push_back({[](Canvas& canvas, Point p) {
                            cursorBox(canvas, {p.x - 6, p.y - 5, 12, 10}, 3);
                        },
                        say(in_.language, kKeyCursor)});
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, drawnOf(canvas_, rows));
    }

    // The faint signs that are drawn, side by side: what they stand for runs later.
    std::optional<KeyRow> keyOfToCome(Role faint) const {
        std::vector<u32> groups;
        for (u32 g = 0; g < kGroupSigns; ++g) {
            const KeyRow row{[faint, g](Canvas& canvas, Point p) {
                                 groupSign(canvas, {p.x - 6, p.y - 6, 12, 12}, g, faint);
                             },
                             {}};
            if (!drawnOf(canvas_, std::span(&row, 1)).empty()) groups.push_back(g);
        }
        if (groups.empty()) return std::nullopt;
        return KeyRow{[faint, groups](Canvas& canvas, Point p) {
                          constexpr f32 kWidest = 20, kLargest = 12;
                          const f32 each = kWidest / f32(groups.size()), side = std::min(kLargest, each - 1);
                          f32 x = p.x - f32(groups.size()) * std::min(each, kLargest + 1) / 2;
                          for (const u32 g : groups) {
                              groupSign(canvas, {x, p.y - side / 2, side, side}, g, faint);
                              x += std::min(each, kLargest + 1);
                          }
                      },
                      say(in_.language, kKeyToCome)};
    }

    // Whether no row up to the cursor's shows the group's sign.
    bool isYetToRun(u32 group) const {
        for (std::size_t row = firstRow_; row < endRow_ && row <= now_; ++row) {
            const explain::Stretch& stretch = facts_.stretches[row];
            if (stretch.parting && &facts_.partings[*stretch.parting] == parting_ &&
                !(stretch.lanes & parting_->groups[group]).empty())
                return false;
        }
        return true;
    }

    // Groups that the warp runs while all others wait.
    std::size_t groupsAlone() const {
        return std::size_t(std::ranges::count_if(parting_->groups, [&](LaneMask group) {
            return std::ranges::any_of(facts_.stretches, [&](const explain::Stretch& stretch) {
                return stretch.kind == explain::Stretch::Kind::Way &&
                       &facts_.partings[*stretch.parting] == parting_ && stretch.lanes == group;
            });
        }));
    }

    // ---- Rows
    void chooseRows(f32 room) {
        const std::size_t all = facts_.stretches.size();
        std::size_t most = std::max<std::size_t>(1, std::size_t(room / kLeastPitch));
        if (most < all)
            most = std::max<std::size_t>(
                1, std::size_t((room - kFact) / kLeastPitch));  // and how many are left out
        const std::size_t count = std::min(all, most);
        firstRow_ = firstAround(now_, count, all);
        endRow_ = firstRow_ + count;
        pitch_ = std::min(kLargestPitch, (room - (count < all ? kFact : 0)) / f32(count));
        side_ = std::max(3.0f, std::min(c_.cell - 1.5f, pitch_ - 5));
        for (const explain::Stretch& stretch : facts_.stretches)
            longest_ = std::max(longest_, stretch.instructions());
    }

    f32 rowTop(std::size_t row) const { return top_ + f32(row - firstRow_) * pitch_; }
    Rect cellAt(std::size_t row, u32 lane) const {
        const Point centre{c_.lanes + (f32(lane) + 0.5f) * c_.cell, rowTop(row) + pitch_ / 2};
        return {centre.x - side_ / 2, centre.y - side_ / 2, side_, side_};
    }

    bool isLettered(const explain::Parting* parting) const {
        return parting && parting->groups.size() > 1 && parting->groups.size() <= kGroupSigns;
    }
    u32 groupOf(const explain::Stretch& stretch, Lane lane) const {
        if (!stretch.parting || !isLettered(&facts_.partings[*stretch.parting])) return 0;
        const std::vector<LaneMask>& groups = facts_.partings[*stretch.parting].groups;
        for (u32 g = 0; g < groups.size(); ++g)
            if (groups[g].has(lane)) return g;
        return 0;
    }
    std::string lettersOf(const explain::Stretch& stretch) const {
        if (stretch.kind != explain::Stretch::Kind::Way || !isLettered(&facts_.partings[*stretch.parting]))
            return {};
        const explain::Parting& parting = facts_.partings[*stretch.parting];
        std::string letters;
        for (u32 g = 0; g < parting.groups.size(); ++g)
            if (!(parting.groups[g] & stretch.lanes).empty()) letters += groupLetter(g);
        return letters.size() <= 3 ? letters : std::string();
    }

    std::string placeOf(Pc pc) const { return explain::lineInWords(module_, pc, in_.language); }

    // The line that stands for a stretch: the first that touches memory, else the one with the most
    // instructions.
    explain::SourceLine lineFor(const explain::Stretch& stretch) const {
        std::map<u32, u32> instructions;
        explain::SourceLine shown;
        for (u32 s = stretch.first; s < stretch.end; ++s) {
            const explain::SourceLine line = explain::lineOf(module_, here_.warp->steps[s].pc);
            if (line.line == 0) continue;
            const u32 access = here_.warp->steps[s].access;
            if (access != trace::Step::kNone && isData(here_.warp->accesses[access].space)) return line;
            if (++instructions[line.line] > instructions[shown.line]) shown = line;
        }
        return shown;
    }
    static bool isData(trace::Space space) {
        return space == trace::Space::Global || space == trace::Space::Shared;
    }

    bool isBegun(std::size_t row) const {
        return row == now_ && facts_.stretches[row].first == in_.cursor.step;
    }

    void drawHeads(f32 y) {
        const TextStyle style{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)},
            left{.size = type::kAxis, .role = role(RoleKind::TextThird)};
        const f32 middle = y + kHeads / 2 + 1;
        canvas_.text({c_.line, middle}, std::string(kColumnLine.in(in_.language)), style);
        const bool hasLetters = std::ranges::any_of(
            facts_.stretches, [&](const explain::Stretch& stretch) { return !lettersOf(stretch).empty(); });
        if (hasLetters) canvas_.textWithin({c_.letters, middle}, 34, kPathHead.in(in_.language), style);
        canvas_.text({c_.count, middle}, std::string(kActiveHead.in(in_.language)), left);
        canvas_.textWithin({c_.bar, middle}, in_.size.width - c_.bar - 4, kInstructions.in(in_.language),
                           left);
        for (u32 lane = 0; lane < facts_.exist; ++lane) {
            const bool ours = lane == in_.cursor.lane.value;
            const u32 every = c_.cell < 8 ? 8 : c_.cell < 15 ? 4 : 1;
            if (!ours && (lane % every || (every > 1 && std::abs(int(lane) - int(in_.cursor.lane.value)) <
                                                            (every > 4 ? 4 : 2))))
                continue;
            TextStyle number{.size = type::kAxis,
                             .bold = ours,
                             .mono = true,
                             .align = Align::Centre,
                             .role = role(ours ? RoleKind::Text : RoleKind::TextThird)};
            canvas_.text({c_.lanes + (f32(lane) + 0.5f) * c_.cell, middle}, std::to_string(lane), number);
        }
    }

    void drawRow(std::size_t row, const Rect& body) {
        const explain::Stretch& stretch = facts_.stretches[row];
        const bool isCurrent = row == now_;
        const f32 y = rowTop(row), middle = y + pitch_ / 2;
        if (isCurrent) canvas_.rect({body.x, y, body.width, pitch_}, {.fill = role(RoleKind::Raised)});
        Cursor go = in_.cursor;
        if (!isCurrent) go.step = stretch.first;
        const explain::SourceLine line =
            isCurrent ? explain::lineOf(module_, here_.step->pc) : lineFor(stretch);
        const Role ink = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond);
        if (line.line)
            canvas_.text({c_.line, middle}, std::to_string(line.line),
                         {.size = type::kAxis, .mono = true, .align = Align::Right, .role = ink});
        canvas_.textWithin({c_.text, middle}, c_.textWidth, explain::textOfLine(module_, line),
                           {.size = type::kAxis, .bold = isCurrent, .mono = true, .role = ink});
        if (const std::string letters = lettersOf(stretch); !letters.empty())
            canvas_.text({c_.letters, middle}, letters,
                         {.size = type::kCode, .bold = true, .align = Align::Right});
        const std::string hover = stretch.first + 1 == stretch.end
                                      ? say(in_.language, kStepHover, stretch.end, stretch.lanes.count())
                                      : say(in_.language, kStretchHover, stretch.first + 1, stretch.end,
                                            stretch.lanes.count(), stretch.instructions());
        canvas_.hit({body.x, y, body.width, pitch_}, {.hover = hover, .go = go});
        for (u32 lane = 0; lane < facts_.exist; ++lane)
            drawLane(row, Lane{lane}, go);
        canvas_.text({c_.count, middle}, std::to_string(stretch.lanes.count()),
                     {.size = type::kAxis, .bold = isCurrent, .mono = true, .role = ink});
        drawCost(row, middle);
        if (isCurrent && in_.cursor.lane.value < facts_.exist)
            cursorBox(canvas_, cellAt(row, in_.cursor.lane.value), 3);
    }

    void drawLane(std::size_t row, Lane lane, Cursor go) {
        const explain::Stretch& stretch = facts_.stretches[row];
        const Rect cell = cellAt(row, lane.value);
        const bool on = stretch.lanes.has(lane);
        go.lane = lane;
        // Of a run that is cut, what is left to do is not known.
        if (!on && in_.run.recording.complete && facts_.hasReturned(row, lane))
            return drawReturned(row, lane, go);
        // What parts or meets does so as the cursor comes here: the squares of lanes that come on grow, of
        // those that go off shrink.
        const bool before = row > 0 && facts_.stretches[row - 1].lanes.has(lane);
        const f32 grown = !isBegun(row) || on == before ? (on ? 1.0f : 0.0f)
                          : on                          ? ease(in_.motion)
                                                        : 1 - ease(in_.motion);
        if (grown < 1)
            canvas_.rect(cell.inset(0.5f),
                         {.stroke = {role(RoleKind::Line)}, .radius = side_ > 12 ? 2.0f : 0.0f});
        if (grown > 0)
            groupSign(canvas_, cell.inset((1 - grown) * side_ / 2), on ? groupOf(stretch, lane) : 0,
                      warpRole(in_.cursor.warp, lane, facts_.exist, row > now_ ? kToComeAlpha : 1));
        const Rect area{c_.lanes + f32(lane.value) * c_.cell, rowTop(row), c_.cell, pitch_};
        if (on && stretch.kind == explain::Stretch::Kind::Branch &&
            isLettered(&facts_.partings[*stretch.parting]))
            canvas_.hit(area, {.hover = say(in_.language, kLaneGoesWay, lane.value,
                                            groupLetter(groupOf(stretch, lane))),
                               .go = go});
        else if (on)
            canvas_.hit(
                area, {.hover = say(in_.language, kLaneWorks, lane.value, stretch.instructions()), .go = go});
        else
            canvas_.hit(area,
                        {.hover = {}, .hoverLater = [in = in_, go] { return sentenceAt(in, go); }, .go = go});
    }
    // A dash where its square would be.
    static void returned(Canvas& canvas, Point centre, f32 side) {
        canvas.line({centre.x - side / 3, centre.y}, {centre.x + side / 3, centre.y},
                    {role(RoleKind::TextThird), line::kUnread});
    }
    void drawReturned(std::size_t row, Lane lane, const Cursor& go) {
        returned(canvas_, cellAt(row, lane.value).centre(), side_);
        canvas_.hit({c_.lanes + f32(lane.value) * c_.cell, rowTop(row), c_.cell, pitch_},
                    {.hover = say(in_.language, kLaneReturned, lane.value), .go = go});
    }
    static std::string sentenceAt(ViewInput in, const Cursor& cursor) {
        in.cursor = cursor;
        return laneSentence(in, lookUp(in.run, cursor), cursor.lane);
    }

    // The warp's instructions in this row; those that it has issued in its color.
    void drawCost(std::size_t row, f32 middle) {
        const explain::Stretch& stretch = facts_.stretches[row];
        const f32 wide =
                      std::max(2.0f, c_.barWidth * f32(stretch.instructions()) / f32(std::max(1u, longest_))),
                  tall = std::min(8.0f, pitch_ * 0.4f);
        const f32 done = row < now_ ? 1
                         : row > now_
                             ? 0
                             : f32(in_.cursor.step + 1 - stretch.first) / f32(stretch.instructions());
        canvas_.rect({c_.bar, middle - tall / 2, wide, tall}, {.fill = role(RoleKind::Inactive)});
        if (done > 0)
            canvas_.rect({c_.bar, middle - tall / 2, wide * done, tall}, {.fill = warpRole(in_.cursor.warp)});
        canvas_.text({c_.bar + wide + 5, middle}, std::to_string(stretch.instructions()),
                     {.size = type::kAxis,
                      .mono = true,
                      .role = role(row == now_ ? RoleKind::Text : RoleKind::TextSecond)});
    }

    // From each branch that parts the warp to where its lanes meet again, or on below.
    void drawBrackets() {
        const f32 x = c_.line - 40;
        for (std::size_t row = 0; row < facts_.stretches.size(); ++row) {
            const explain::Stretch& stretch = facts_.stretches[row];
            if (stretch.kind != explain::Stretch::Kind::Branch ||
                facts_.partings[*stretch.parting].groups.size() < 2)
                continue;
            const explain::Parting& parting = facts_.partings[*stretch.parting];
            const std::size_t meets = parting.meets ? facts_.stretchAt(parting.end) : facts_.stretches.size();
            if (meets < firstRow_ || row >= endRow_) continue;
            const bool begins = row >= firstRow_, ends = meets < endRow_;
            const f32 from = begins ? rowTop(row) + pitch_ / 2 : top_,
                      to = ends ? rowTop(meets) + pitch_ / 2 : top_ + f32(endRow_ - firstRow_) * pitch_;
            const Stroke stroke{role(RoleKind::TextSecond), 1.5f};
            if (begins) fork(canvas_, {x, from}, role(RoleKind::Text));
            canvas_.line({x, begins ? from + 6 : from}, {x, to}, stroke);
            if (ends) canvas_.line({x, to}, {x + 8, to}, stroke, 6);
        }
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextThird)};
        if (endRow_ - firstRow_ == facts_.stretches.size()) return;
        std::string left;
        if (firstRow_ > 0) left = say(in_.language, kRowsAbove, firstRow_);
        if (endRow_ < facts_.stretches.size())
            left += (left.empty() ? "" : " · ") +
                    say(in_.language, kRowsBelow, facts_.stretches.size() - endRow_);
        canvas_.text({c_.text, top_ + f32(endRow_ - firstRow_) * pitch_ + kFact / 2}, left, style);
    }

    // How often each lane reads: how far around its loops it goes.
    static constexpr f32 kNumberedReads =
        15;  // width of a lane with the number above its bar; without, the row says from which to which
    void drawReads(f32 y) {
        const u32 most = *std::ranges::max_element(facts_.reads);
        const f32 bottom = y + kReads - 4, tall = c_.cell >= kNumberedReads ? kReads - 18 : kReads - 8;
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        const f32 room = c_.lanes - c_.text - 10;
        const std::string whole = say(in_.language, kReadsALane);
        canvas_.textWithin({c_.text, bottom - 6}, room, whole, style);
        canvas_.hit({c_.text, bottom - 14, room, 16}, {.hover = whole});
        if (c_.cell < kNumberedReads) {
            const u32 least = *std::min_element(facts_.reads.begin(), facts_.reads.begin() + facts_.exist);
            canvas_.text({c_.count, bottom - 6},
                         least == most ? std::to_string(most) : fmt::format("{}–{}", least, most),
                         {.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)});
        }
        for (u32 lane = 0; lane < facts_.exist; ++lane) {
            const f32 x = c_.lanes + (f32(lane) + 0.5f) * c_.cell,
                      high = std::max(1.0f, tall * f32(facts_.reads[lane]) / f32(most));
            canvas_.rect({x - side_ / 2, bottom - high, side_, high},
                         {.fill = warpRole(in_.cursor.warp, Lane{lane}, facts_.exist)});
            if (c_.cell >= kNumberedReads)
                canvas_.text({x, bottom - high - 7}, std::to_string(facts_.reads[lane]),
                             {.size = type::kAxis,
                              .mono = true,
                              .align = Align::Centre,
                              .role = role(RoleKind::TextSecond)});
            Cursor go = in_.cursor;
            go.lane = Lane{lane};
            canvas_.hit({x - c_.cell / 2, y, c_.cell, kReads},
                        {.hover = say(in_.language, kReadsOfLane, lane, facts_.reads[lane]), .go = go});
        }
    }

    std::string sentence() const {
        const std::string step =
            explain::sentenceAt(module_, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step,
                                in_.profile, arrayShapes(in_.run, in_.cursor.launch))
                .in(in_.language);
        return step + sentenceGap(in_.language) + partingInWords();
    }
    std::string partingInWords() const {
        if (!parting_) return say(in_.language, kNeverParts);
        const std::string at = placeOf(parting_->pc);
        if (parting_->groups.size() < 2) return say(in_.language, kStaysWhole, parting_->came.count(), at);
        const std::string share = percentOf(parting_->used, parting_->slots);
        const bool isSaid = in_.cursor.step == parting_->branch;  // that its lanes do not reconverge
        if (!parting_->meets)
            return isSaid ? say(in_.language, kUsedFromHere, share)
                          : say(in_.language, kPartsToEnd, at, share);
        const bool isOver = in_.cursor.step >= parting_->end;
        if (groupsAlone() > 1)
            return say(in_.language, isOver ? kPartsWereInTurn : kPartsInTurn, at, parting_->groups.size(),
                       share, parting_->branch + 1);
        return say(in_.language, isOver ? kSomeWaited : kSomeWait, at, share, parting_->branch + 1);
    }

    const ViewInput& in_;
    const explain::DivergenceFacts& facts_;
    const CursorContext& here_;
    const ptx::Module& module_;
    Canvas canvas_;
    bool isPresented_;
    const explain::Parting* parting_;
    std::size_t now_;  // the cursor's stretch
    Columns c_{};
    std::size_t firstRow_ = 0, endRow_ = 0;  // of those that have room
    f32 pitch_ = kLeastPitch, side_ = 10, top_ = 0, readsHeight_ = 0, warpsHeight_ = 0, dataHeight_ = 0;
    u32 longest_ = 1;
    std::vector<std::string> lines_;
};

}  // namespace

Scene buildDivergenceStage(const ViewInput& in, const explain::DivergenceFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return DivergenceStage(in, facts, here).build();
}

}  // namespace lockstep::viz
