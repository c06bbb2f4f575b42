// Two runs in the same view, side by side or one above the other; below them what they say and where their
// figures differ.
#include "explain/findings/finding_at.h"
#include "explain/phases/phase_variable.h"
#include "viz/compare/compare_explanation.h"
#include "viz/compare/compare_facts.h"
#include "viz/compare/comparison.h"
#include "viz/compare/differing_cells.h"
#include "viz/compare/differing_texts.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/head_of_both.h"
#include "viz/messages.h"
#include "viz/views/stage.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kBothIntervals = english("{0}A: {1}, step {2} of {3} · B: {4}, step {5} of {6}");
constexpr Words kTableOf = english("whole grid");
constexpr Words kFramed = english("outlined: differs between A and B");
constexpr Words kFramedInBrief = english("differs");
constexpr Words kOnlyHere = english("only here: ");
constexpr Words kNoLineOnlyHere = english("no lines of its own");
constexpr Words kMoreLines = english(" and {0} more {0:line|lines}");
constexpr Words kSameFigures = english("{0} other {0:value is|values are} the same");
constexpr Words kMoreFigures = english("{0} more {0:value differs|values differ}");
constexpr Words kFigureInBrief = english("{0}: A {1}, B {2} ({3})");
constexpr Words kDifferInLines = english("The two differ in {0} {0:line|lines} of code, but in no value.");

constexpr f32 kChooser = 34, kBadge = 24, kRow = 19, kWithTable = 620, kTableMargin = 24, kColumnGap = 20,
              kTableHead = 22;
constexpr f32
    kIndent = 26,
    kBothLetters = 14,
    kSentenceLine =
        1.32f;  // of sentences: behind a letter, more behind two of them, a line in heights of letters

// What of the two runs stays the same from step to step.
struct KeptComparison {
    ViewCache a, b;
    const run::Run* beside = nullptr;
    Dim3 block{};
    std::string_view view{};
    Language language = Language::English;
    std::optional<CompareFacts> facts;
    std::optional<std::string> cause;  // of these two cursors, which the motion between them leaves as it is
    std::optional<std::pair<Cursor, Cursor>> causeAt;
    const model::Profile* causeOn = nullptr;
};

KeptComparison& keptIn(ViewCache& kept) {
    if (!std::any_cast<KeptComparison>(&kept.facts)) kept.facts = KeptComparison{};
    return std::any_cast<KeptComparison&>(kept.facts);
}

// Of a name that cannot be chosen, the first.
const ViewRow& comparedView(std::string_view name) {
    const ViewRow* view = findView(name);
    return view && view->inCompare ? *view : views().front();
}

std::string_view letterOf(bool second) { return second ? "B" : "A"; }

using Layout = ComparedTraits::Layout;

class ComparePage {
public:
    ComparePage(const ViewInput& in, KeptComparison& kept)
        : in_(in),
          choice_(optionsAs<CompareOptions>(in.state.options)),
          view_(comparedView(choice_.view)),
          traits_(*view_.inCompare),
          kept_(kept),
          canvas_(in.size, in.metrics) {
        if (kept_.beside != &in.compared->run || kept_.block != in.compared->cursor.block ||
            kept_.view != choice_.view)
            kept_.a = {}, kept_.b = {};
        if (!kept_.facts || kept_.beside != &in.compared->run || kept_.view != choice_.view ||
            kept_.language != in.language)
            kept_.causeAt.reset(), kept_.facts = compareFacts(in, view_);
        kept_.beside = &in.compared->run, kept_.block = in.compared->cursor.block, kept_.view = choice_.view,
        kept_.language = in.language;
    }

    Scene build() {
        if (in_.isPresented) return buildForHall();
        Rect body = headOfBoth(canvas_, in_, kCompareTitle.in(in_.language), facts().common, places());
        drawChooser({body.x, body.y, body.width, kChooser});
        body.y += kChooser, body.height -= kChooser;
        const f32 foot = footHeight();
        const Rect both{body.x, body.y, body.width, std::max(0.0f, body.height - foot)};
        const bool stacked = isStacked(both.height);
        const Rect first = stacked ? Rect{both.x, both.y, both.width, both.height / 2}
                                   : Rect{both.x, both.y, both.width / 2, both.height};
        const Rect second = stacked
                                ? Rect{both.x, both.y + first.height, both.width, both.height - first.height}
                                : Rect{both.x + first.width, both.y, both.width - first.width, both.height};
        Side a = prepare(first, stacked), b = prepare(second, stacked);
        buildBoth(a, b);
        // Of a picture with cells, those alone.
        const bool hasCells = !a.scene.cells.empty() || !b.scene.cells.empty();
        const DifferingTexts texts =
            traits_.marksLines || hasCells ? DifferingTexts{} : differingTexts(a.scene, b.scene, in_.metrics);
        const DifferingCells cells = differingCells(a.scene, inputOf(a, false), b.scene, inputOf(b, true));
        const std::string saysA = sentenceOf(a, false), saysB = sentenceOf(b, true);
        drawSide(std::move(a), false, texts.first, cells.first);
        drawSide(std::move(b), true, texts.second, cells.second);
        if (!texts.first.empty()) drawFrameKey(kTextFrame);
        if (!cells.first.empty() || !cells.second.empty()) drawFrameKey(kFrame);
        if (stacked)
            canvas_.line({second.x, second.y}, {second.right(), second.y}, {role(RoleKind::Edge)});
        else
            canvas_.line({second.x, second.y}, {second.x, second.bottom()}, {role(RoleKind::Edge)});
        if (foot > 0) drawFoot({body.x, both.bottom(), body.width, foot}, saysA, saysB);
        Scene scene = std::move(canvas_).take(sentence());
        scene.panes = std::move(panes_);
        scene.animating = animating_;
        return scene;
    }

private:
    // The last row reads no two pictures side by side: what both are called, and the figures that differ.
    Scene buildForHall() {
        constexpr f32 kName = 30;
        const Rect body = head(canvas_, in_, kCompareTitle.in(in_.language), facts().common);
        f32 y = body.y + 4;
        for (const bool second : {false, true}) {
            const f32 left = body.x + space::kInset + kBadge + 10, room = body.right() - space::kInset - left;
            drawBadge({body.x + space::kInset + kBadge / 2, y + kName / 2}, letterOf(second));
            const std::string& name = second ? facts().nameB : facts().nameA;
            canvas_.textWithin({left, y + kName / 2}, room, name,
                               shrunkToFit(canvas_, room, {.size = type::kTitle, .bold = true}, name));
            y += kName;
        }
        drawTable({body.x, y + 6, body.width, body.bottom() - y - 6}, 1);
        return std::move(canvas_).take(sentence());
    }

    // The figure that tells most, or that there is none.
    std::string sentence() const {
        const auto& counted = facts().counted;
        const std::size_t lines =
            facts().lines.areAlike ? facts().lines.onlyInA.size() + facts().lines.onlyInB.size() : 0;
        return !counted.empty() ? counted.front().hover
               : lines > 0      ? say(in_.language, kDifferInLines, lines)
                                : std::string(kSameInEveryFigure.in(in_.language));
    }

    const CompareFacts& facts() const { return *kept_.facts; }
    const run::Run& runOf(bool second) const { return second ? in_.compared->run : in_.run; }
    const Cursor& cursorOf(bool second) const { return second ? in_.compared->cursor : in_.cursor; }

    std::string places() const {
        const CursorContext a = lookUp(in_.run, in_.cursor),
                            b = lookUp(in_.compared->run, in_.compared->cursor);
        const std::string common = facts().common.empty() ? "" : facts().common + " · ";
        if (!a.step || !b.step) return facts().common;
        const auto interval = [&](bool second, const trace::WarpTrace& warp) {
            const u32 number = warp.phaseOf(cursorOf(second).step);
            return explain::intervalText(
                in_.language, number,
                explain::loopValues(*runOf(second).module, launchOf(runOf(second), cursorOf(second).launch),
                                    warp)[number]);
        };
        return say(in_.language, kBothIntervals, common, interval(false, *a.warp), in_.cursor.step + 1,
                   a.warp->steps.size(), interval(true, *b.warp), in_.compared->cursor.step + 1,
                   b.warp->steps.size());
    }

    // A row of the picture that is wider than a warp has the whole width.
    bool isStacked(f32 height) const {
        constexpr f32 kLeastHalf = 220;  // what a stage of wide rows needs; below, two narrow ones show more
        constexpr f32 kWideEnough = 1100;  // for two stages beside each other
        if (in_.size.width < 640 || in_.size.width < in_.size.height || traits_.layout == Layout::Stacked)
            return true;
        if (traits_.layout != Layout::ByWidth) return false;
        if (in_.size.width < kWideEnough && height >= 2 * kLeastHalf) return true;
        const auto isWide = [&](bool second) {
            return launchOf(runOf(second), cursorOf(second).launch).block.x > kWarpSize;
        };
        return height >= 2 * kLeastHalf && (isWide(false) || isWide(true));
    }

    // Room for the table of the figures and what the two say, as far as the page has it: of a tall one as
    // much as all figures take.
    f32 footHeight() const {
        if (in_.size.height < 360) return 0;
        const bool hasTable = in_.size.width >= kWithTable;
        const f32 least = std::clamp(in_.size.height * (hasTable ? 0.15f : 0.32f), 64.0f, 150.0f);
        if (!hasTable) return least;
        const auto rows = f32(facts().counted.size() + facts().timed.size() + (facts().same > 0 ? 1 : 0));
        return std::max(least, std::min(kTableHead + rows * kRow, std::floor(in_.size.height * 0.25f)));
    }

    f32 drawButton(f32 x, f32 y, std::string_view name, bool on, std::string hover, CompareOptions options) {
        const TextStyle style{.size = type::kCode,
                              .bold = on,
                              .align = Align::Centre,
                              .role = role(on ? RoleKind::Text : RoleKind::TextSecond)};
        const f32 wide = canvas_.width(name, style) + 16;
        const Rect box{x, y - 12, wide, 24};
        if (on) canvas_.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas_.text(box.centre(), std::string(name), style);
        canvas_.hit(box, {.hover = std::move(hover), .options = options});
        return wide + 2;
    }

    void drawChooser(const Rect& row) {
        canvas_.rect(row, {.fill = role(RoleKind::Panel)});
        canvas_.line({row.x, row.bottom() - 0.5f}, {row.right(), row.bottom() - 0.5f},
                     {role(RoleKind::Line)});
        const f32 y = row.centre().y;
        f32 x = row.x + space::kGap;
        for (const ViewRow& view : views()) {
            if (!view.inCompare) continue;
            const std::string name(view.title.in(in_.language));
            if (x + canvas_.width(name, {.size = type::kCode, .bold = true}) + 16 > row.right() - space::kGap)
                break;
            x += drawButton(x, y, name, &view == &view_, say(in_.language, kShowBoth, name),
                            CompareOptions{view.name, choice_.tie, {}});
        }
        const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const std::string_view byPhase = kTiedByPhase.in(in_.language), byStep = kTiedByStep.in(in_.language),
                               tiedBy = kTiedBy.in(in_.language);
        const f32 buttons = canvas_.width(byPhase, {.size = type::kCode, .bold = true}) +
                            canvas_.width(byStep, {.size = type::kCode, .bold = true}) + 36 + space::kGap;
        f32 left = row.right() - buttons;
        keyFrom_ = x + 2 * space::kGap, keyTo_ = left - space::kGap, keyY_ = y;
        if (left < x + space::kGap) return;
        const f32 wide = canvas_.width(tiedBy, label) + 6;
        if (left - wide > x + space::kGap)
            keyTo_ -= wide, canvas_.text({left - wide, y}, std::string(tiedBy), label);
        left += drawButton(left, y, byPhase, choice_.tie == Tie::Phase,
                           std::string(kTiedByPhaseHover.in(in_.language)),
                           CompareOptions{choice_.view, Tie::Phase, choice_.each});
        drawButton(left, y, byStep, choice_.tie == Tie::Step, std::string(kTiedByStepHover.in(in_.language)),
                   CompareOptions{choice_.view, Tie::Step, choice_.each});
    }

    void drawBadge(Point centre, std::string_view letter) {
        canvas_.rect({centre.x - kBadge / 2, centre.y - kBadge / 2, kBadge, kBadge},
                     {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas_.text(centre, std::string(letter), {.bold = true, .align = Align::Centre});
    }

    // The line of source that the cursor stands at.
    std::string codeAt(bool second) const {
        const run::Run& run = runOf(second);
        const CursorContext here = lookUp(run, cursorOf(second));
        return here.step ? std::string(
                               explain::textOfLine(*run.module, explain::lineOf(*run.module, here.step->pc)))
                         : std::string();
    }

    // The figure that tells most, large at the right, where all of it has room. Returns where it begins.
    f32 drawHeadline(const Rect& line, f32 room, bool second) {
        const auto& counted = facts().counted;
        if (counted.empty()) return line.right();
        const TextStyle figure{.size = 22, .bold = true, .align = Align::Right},
            what{.size = type::kBody, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const std::string& value = second ? counted.front().b : counted.front().a;
        const f32 right = line.right() - space::kInset, y = line.centre().y;
        const std::string brief = counted.front().what,
                          whole = std::string(kTableOf.in(in_.language)) + " · " + brief;
        const auto fits = [&](const std::string& text) {
            return canvas_.width(value, figure) + space::kGap + canvas_.width(text, what) + space::kInset <=
                   room;
        };
        if (!fits(brief)) return line.right();
        f32 left = right - canvas_.text({right, y}, value, figure) - space::kGap;
        left -= canvas_.text({left, y + 2}, fits(whole) ? whole : brief, what);
        canvas_.hit({left, line.y, line.right() - left, line.height}, {.hover = counted.front().hover});
        return left;
    }

    // One run's half, and its picture, which is built before either is drawn.
    struct Side {
        Rect area, picture;
        f32 head = 0;
        bool twoLines = false;
        Scene scene;
    };

    // A mistake at the cursor says more than what the picture shows of the step.
    std::string sentenceOf(const Side& side, bool second) const {
        const std::optional<std::string> mistake =
            explain::findingSentence(runOf(second), cursorOf(second), in_.language);
        return mistake ? *mistake : side.scene.sentence;
    }

    // Where one cause can be given for what both cost, instead of what each says for itself.
    const std::optional<std::string>& causeOfBoth() {
        const std::pair at{cursorOf(false), cursorOf(true)};
        if (kept_.causeAt == at && kept_.causeOn == &in_.profile) return kept_.cause;
        kept_.causeAt = at, kept_.causeOn = &in_.profile;
        const bool isMistake = explain::findingSentence(runOf(false), at.first, in_.language) ||
                               explain::findingSentence(runOf(true), at.second, in_.language);
        kept_.cause = isMistake ? std::nullopt : compareExplanation(in_, view_);
        return kept_.cause;
    }

    const std::vector<explain::SourceLine>& onlyIn(bool second) const {
        return second ? facts().lines.onlyInB : facts().lines.onlyInA;
    }
    // The view shows it itself.
    bool namesLine() const { return traits_.namesLine; }
    bool tellsLines() const {
        return facts().lines.areAlike && !(onlyIn(false).empty() && onlyIn(true).empty());
    }

    Side prepare(const Rect& area, bool stacked) {
        constexpr f32 kHead = 32, kCode = 22;
        Side side{.area = area,
                  .picture = {},
                  .twoLines = (!stacked || in_.size.width < 900) && area.height > 240,
                  .scene = {}};
        side.head = kHead + (side.twoLines ? (namesLine() ? 0 : kCode) + (tellsLines() ? kCode : 0) : 0);
        side.picture = {area.x, area.y + side.head, area.width, std::max(1.0f, area.height - side.head)};
        return side;
    }

    ViewInput inputOf(const Side& side, bool second) const {
        return {.run = runOf(second),
                .cursor = cursorOf(second),
                .profile = second ? in_.compared->profile : in_.profile,
                .size = {side.picture.width, side.picture.height},
                .language = in_.language,
                .metrics = in_.metrics,
                .motion = second ? in_.compared->motion : in_.motion,
                .state = {in_.state.pan, in_.state.zoom, byItself(choice_.each)},
                .cache = second ? &kept_.b : &kept_.a,
                .machines = in_.machines,
                .devices = in_.devices,
                .leastScale = kWarpSize,
                .issues = second ? in_.compared->issues : in_.issues,
                .issuesPercent = in_.issuesPercent,
                .onlyHere = tellsLines() ? &onlyIn(second) : nullptr,
                .titled = false};
    }

    void buildBoth(Side& a, Side& b) const {
        const ViewInput inA = inputOf(a, false), inB = inputOf(b, true);
        if (traits_.buildBoth) {
            std::tie(a.scene, b.scene) = traits_.buildBoth(inA, inB);
            return;
        }
        a.scene = view_.build(inA);
        b.scene = view_.build(inB);
    }

    // Of several lines the one that says most: a barrier, else the first.
    explain::SourceLine mostTelling(const std::vector<explain::SourceLine>& lines, bool second) const {
        const ptx::Module& module = *runOf(second).module;
        for (u32 pc = 0; pc < module.instructions.size(); ++pc)
            if (const std::string_view name = module.at(Pc{pc}).name; name.starts_with("bar"))
                if (const auto line = std::ranges::find(lines, explain::lineOf(module, Pc{pc}));
                    line != lines.end())
                    return *line;
        return lines.front();
    }

    // "24 __syncthreads();", one of them, and how many more there are.
    void drawOnlyHere(Point at, f32 room, bool second) {
        const std::vector<explain::SourceLine>& lines = onlyIn(second);
        const TextStyle words{.size = type::kCode, .bold = true},
            quiet{.size = type::kCode, .role = role(RoleKind::TextThird)},
            code{.size = type::kCode, .bold = true, .mono = true};
        if (lines.empty()) return (void)canvas_.textWithin(at, room, kNoLineOnlyHere.in(in_.language), quiet);
        std::string more = lines.size() > 1 ? say(in_.language, kMoreLines, lines.size() - 1) : std::string();
        constexpr f32 kLeastCode = 60;
        const std::string_view only = kOnlyHere.in(in_.language);
        if (room < canvas_.width(only, words) + kLeastCode) return;
        if (room < canvas_.width(only, words) + canvas_.width(more, quiet) + kLeastCode) more.clear();
        canvas_.rect({at.x - 10, at.y - 8, 4, 16}, {.fill = role(RoleKind::Text)});
        const f32 label = canvas_.text(at, std::string(only), words), end = canvas_.width(more, quiet);
        const explain::SourceLine shown = mostTelling(lines, second);
        const std::string_view line = explain::textOfLine(*runOf(second).module, shown);
        const std::string text = fmt::format(
            "{} {}", shown.line, line.substr(0, line.find_last_not_of(' ', line.find("//") - 1) + 1));
        const f32 wide =
            canvas_.textWithin({at.x + label, at.y}, std::max(0.0f, room - label - end), text, code);
        if (wide > 0) canvas_.text({at.x + label + wide, at.y}, more, quiet);
    }

    static constexpr Stroke kTextFrame{role(RoleKind::Text), line::kUnread},
        kFrame{role(RoleKind::Text), 2.5f}, kBehindFrame{role(RoleKind::Ground), 4.5f};

    // Head and picture of one run; frames around texts and cells that the other one has otherwise.
    void drawSide(Side side, bool second, const std::vector<Rect>& texts, const std::vector<Rect>& cells) {
        const Rect area = side.area, line{area.x, area.y, area.width, 32}, picture = side.picture;
        drawBadge({area.x + space::kInset + kBadge / 2, line.centre().y}, letterOf(second));
        const f32 left = area.x + space::kInset + kBadge + 10;
        const std::string& name = second ? facts().nameB : facts().nameA;
        f32 end = drawHeadline(
            line,
            line.right() - left - space::kGap - canvas_.width(name, {.size = type::kCode, .bold = true}),
            second);
        const f32 titled = canvas_.width(name, {.size = type::kTitle, .bold = true});
        // What was measured: beside the figure, or where the line has no room for it, in the one below.
        const std::string& time = second ? facts().timeOfB : facts().timeOfA;
        const TextStyle quiet{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const f32 timeWide = time.empty() ? 0 : canvas_.width(time, quiet) + 20;
        const bool timedHere = timeWide > 0 && end - left - titled - space::kGap >= timeWide;
        const bool timedBelow = timeWide > 0 && !timedHere && side.twoLines && (tellsLines() || !namesLine());
        if (timedHere) canvas_.text({end - 20, line.centre().y + 2}, time, quiet), end -= timeWide;
        if (timedBelow) canvas_.text({area.right() - space::kInset, line.bottom() + 8}, time, quiet);
        const f32 below = area.right() - left - space::kInset - (timedBelow ? timeWide : 0);
        const f32 nameRoom = std::max(0.0f, end - left - space::kGap);
        canvas_.hit({left, line.y, nameRoom, line.height}, {.hover = name});
        const f32 named =
            canvas_.textWithin({left, line.centre().y}, nameRoom, name,
                               shrunkToFit(canvas_, nameRoom, {.size = type::kTitle, .bold = true}, name));
        const TextStyle code{.size = type::kCode, .mono = true, .role = role(RoleKind::TextSecond)};
        if (side.twoLines && !namesLine())
            canvas_.textWithin({left, line.bottom() + 8}, below, codeAt(second), code);
        else if (!side.twoLines && end - left - named > 120)
            canvas_.textWithin({left + named + 24, line.centre().y}, end - left - named - 48, codeAt(second),
                               code);
        if (side.twoLines && tellsLines())
            drawOnlyHere({left, line.bottom() + (namesLine() ? 8 : 30)},
                         namesLine() ? below : area.right() - left - space::kInset, second);
        animating_ |= side.scene.animating;
        if (side.scene.panes.empty()) side.scene.panes.push_back({{0, 0, picture.width, picture.height}});
        for (const Pane& pane : side.scene.panes)
            panes_.push_back(
                {{picture.x + pane.x, picture.y + pane.y, pane.width, pane.height}, pane.beyond});
        for (HitArea& hit : side.scene.hits) {
            hit.hit.compared = second;
            hit.hit.scrub = false;
            hit.hit.select = Hit::Select::Never;
            hit.hit.variant.reset();  // which side it would be of is chosen above the two
            if (hit.hit.options)
                hit.hit.options =
                    CompareOptions{choice_.view, choice_.tie, comparedOptions(*hit.hit.options)};
        }
        canvas_.include(std::move(side.scene), picture);
        for (const Rect& text : texts)
            canvas_.rect({picture.x + text.x, picture.y + text.y, text.width, text.height},
                         {.stroke = kTextFrame, .radius = radius::kControl});
        // On the ground's color, so that they stand out from the marks of the picture itself.
        const auto at = [&](Point p) { return Point{picture.x + p.x, picture.y + p.y}; };
        const std::vector<LineMark> edges = outlinesOf(cells, kFrame);
        for (const Stroke& stroke : {kBehindFrame, kFrame})
            for (const LineMark& edge : edges)
                canvas_.line(at(edge.from), at(edge.to), stroke);
    }

    // In the chooser's row, between its buttons.
    void drawFrameKey(const Stroke& frame) {
        const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const f32 room = keyTo_ - keyFrom_ - 24;
        const std::string says = firstFitting(
            canvas_, room, style, {say(in_.language, kFramed), say(in_.language, kFramedInBrief)});
        if (canvas_.width(says, style) > room) return;
        canvas_.rect({keyFrom_, keyY_ - 7, 18, 14}, {.stroke = frame, .radius = radius::kControl});
        canvas_.text({keyFrom_ + 24, keyY_}, says, style);
    }

    void drawFoot(const Rect& foot, const std::string& saysA, const std::string& saysB) {
        canvas_.rect(foot, {.fill = role(RoleKind::Panel)});
        canvas_.line({foot.x, foot.y + 0.5f}, {foot.right(), foot.y + 0.5f}, {role(RoleKind::Line)});
        const f32 table = foot.width >= kWithTable ? drawTable(foot) : 0;
        canvas_.rect({foot.x, foot.y, space::kBar, foot.height}, {.fill = role(RoleKind::Cursor)});
        const Rect area{foot.x + space::kBar + space::kInset, foot.y + 6,
                        foot.width - table - space::kBar - 2 * space::kInset, foot.height - 12};
        const auto& cause = causeOfBoth();
        if (cause && fitsForBoth(*cause, area))
            drawSentences(area, *cause, *cause);
        else
            drawSentences(area, saysA, saysB);
    }

    // Whole, in the smallest letters of sentences.
    bool fitsForBoth(const std::string& says, const Rect& area) const {
        return f32(canvas_.wrap(says, area.width - kIndent - kBothLetters, {.size = type::kCode}).size()) *
                   type::kCode * kSentenceLine <=
               area.height;
    }

    // What both say at the cursor, as large as fits.
    void drawSentences(const Rect& area, const std::string& saysA, const std::string& saysB) {
        const bool same = saysA == saysB;
        const std::array<const std::string*, 2> says{&saysA, &saysB};
        TextStyle style;
        f32 tall = 0;
        std::array<u32, 2> lines{};
        for (const f32 size : {17.0f, type::kTitle, type::kBody, type::kCode, type::kAxis}) {
            style.size = size, tall = size * kSentenceLine;
            for (std::size_t i = 0; i < 2; ++i)
                lines[i] = u32(
                    canvas_.wrap(*says[i], area.width - kIndent - (same ? kBothLetters : 0), style).size());
            if (f32(same ? lines[0] : lines[0] + lines[1]) * tall + (same ? 0 : 6) <= area.height) break;
        }
        // Where even the smallest is too much, each has half.
        const u32 room = std::max(2u, u32((area.height - 6) / tall));
        if (!same && lines[0] + lines[1] > room)
            lines[0] = std::min(lines[0], std::max(room / 2, room - std::min(room, lines[1])));
        f32 y = area.y + tall / 2;
        for (std::size_t i = 0; i < (same ? 1u : 2u); ++i) {
            const u32 most = i == 0 ? lines[0] : std::max(1u, room - std::min(room - 1, lines[0]));
            canvas_.text({area.x, y}, same ? "A B" : std::string(letterOf(i == 1)),
                         {.size = style.size, .bold = true, .role = role(RoleKind::TextThird)});
            const f32 wide = area.width - kIndent - (same ? kBothLetters : 0);
            if (canvas_.wrap(*says[i], wide, style).size() > most)  // what is cut is whole under the mouse
                canvas_.hit({area.x, y - tall / 2, area.width, f32(most) * tall}, {.hover = *says[i]});
            y += f32(canvas_.paragraph({area.x + (same ? kIndent + kBothLetters : kIndent), y},
                                       area.width - kIndent - (same ? kBothLetters : 0), *says[i], style,
                                       kSentenceLine, most)) *
                     tall +
                 6;
        }
    }

    // Rows that fit: times, then the counted figures, the most telling first. share: of the width that it may
    // take. Returns its width.
    f32 drawTable(const Rect& foot, f32 share = 0.58f) {
        const auto &counted = facts().counted, &timed = facts().timed;
        const TextStyle label{.size = type::kCode}, figure{.size = type::kCode, .align = Align::Right},
            change{.size = type::kCode, .bold = true, .align = Align::Right};
        const TextStyle title{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
        const u32 most = u32(std::max(0.0f, foot.height - kTableHead) / kRow);
        // Where not all have room, the last line says how many are left out.
        const bool fits = timed.size() + counted.size() <= most;
        const u32 ofFigures = fits || most < 2 ? most : most - 1;
        std::vector<const ComparedFigure*> rows, leftOut;
        const std::size_t times = fits ? timed.size() : std::max(1u, most / 3);
        for (std::size_t i = 0; i < timed.size(); ++i)
            (i < times && rows.size() < ofFigures ? rows : leftOut).push_back(&timed[i]);
        for (const ComparedFigure& f : counted)
            (rows.size() < ofFigures ? rows : leftOut).push_back(&f);
        const std::string_view changed = kChangeColumn.in(in_.language);
        f32 a = 40, b = 40, c = canvas_.width(changed, title), what = 0;
        for (const ComparedFigure* f : rows) {
            a = std::max(a, canvas_.width(f->a, figure)), b = std::max(b, canvas_.width(f->b, figure)),
            c = std::max(c, canvas_.width(f->change, change));
            what = std::max(what, canvas_.width(f->what, label));
        }
        const f32 figures = a + b + c + 3 * kColumnGap, margins = kTableMargin + space::kInset;
        const f32 wide = std::min(std::ceil(figures + what + margins) + 1, foot.width * share);
        if (rows.empty() || wide - figures - margins < 90) return drawNoTable(foot, rows.empty());
        const f32 left = foot.right() - wide + kTableMargin, right = foot.right() - space::kInset;
        if (share < 1)
            canvas_.line({foot.right() - wide, foot.y}, {foot.right() - wide, foot.bottom()},
                         {role(RoleKind::Line)});
        f32 y = foot.y + 14;
        const f32 endB = right - c - kColumnGap, endA = endB - b - kColumnGap;
        TextStyle whole = title;
        whole.align = Align::Left;
        canvas_.textWithin({left, y}, endA - a - kColumnGap - left, std::string(kTableOf.in(in_.language)),
                           whole);
        canvas_.text({endA, y}, "A", title);
        canvas_.text({endB, y}, "B", title);
        canvas_.text({right, y}, std::string(changed), title);
        for (const ComparedFigure* f : rows) {
            y += kRow;
            canvas_.textWithin({left, y}, endA - a - kColumnGap - left, f->what, label);
            canvas_.text({endA, y}, f->a, figure);
            canvas_.text({endB, y}, f->b, figure);
            TextStyle told = change;
            if (f->change == "=") told.bold = false, told.role = role(RoleKind::TextThird);
            canvas_.text({right, y}, f->change, told);
            canvas_.hit({left, y - kRow / 2, right - left, kRow}, {.hover = f->hover});
        }
        if (!leftOut.empty())
            drawLeftOut({left, y + kRow}, right - left, leftOut);
        else if (rows.size() < most && facts().same > 0)
            canvas_.textWithin({left, y + kRow}, right - left, say(in_.language, kSameFigures, facts().same),
                               {.size = type::kCode, .role = role(RoleKind::TextThird)});
        return wide;
    }

    // How many figures the table has no room for; under the mouse they are all.
    void drawLeftOut(Point at, f32 room, const std::vector<const ComparedFigure*>& figures) {
        std::string all;
        for (const ComparedFigure* f : figures)
            all +=
                (all.empty() ? "" : "\n") + say(in_.language, kFigureInBrief, f->what, f->a, f->b, f->change);
        canvas_.textWithin(at, room, say(in_.language, kMoreFigures, figures.size()),
                           {.size = type::kCode, .role = role(RoleKind::TextThird)});
        canvas_.hit({at.x, at.y - kRow / 2, room, kRow}, {.hover = std::move(all)});
    }

    f32 drawNoTable(const Rect& foot, bool same) {
        if (!same) return 0;
        const std::string_view text = kSameInEveryFigure.in(in_.language);
        const TextStyle style{.align = Align::Right, .role = role(RoleKind::TextSecond)};
        canvas_.text({foot.right() - space::kInset, foot.centre().y}, std::string(text), style);
        return canvas_.width(text, style) + 2 * space::kInset;
    }

    const ViewInput& in_;
    CompareOptions choice_;
    const ViewRow& view_;
    const ComparedTraits& traits_;
    KeptComparison& kept_;
    Canvas canvas_;
    std::vector<Pane> panes_;
    f32 keyFrom_ = 0, keyTo_ = 0, keyY_ = 0;  // room for a key in the chooser's row
    bool animating_ = false;
};

}  // namespace

Scene buildCompare(const ViewInput& in) {
    if (!in.compared) return emptyScene(in, kCompareTitle, say(in.language, kNothingBeside));
    ViewCache own;
    return ComparePage(in, keptIn(in.cache ? *in.cache : own)).build();
}

}  // namespace lockstep::viz
