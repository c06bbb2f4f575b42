// A row per warp of the block, time in issued steps: height is what an access costs, notch and point are load
// and store, a hollow bar is a barrier, and where a warp waits its row is shaded. Phases are bands over the
// whole run, which is where one scrubs.
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/access/step_cost.h"
#include "explain/cursor/navigation.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/phases/phases.h"
#include "explain/phases/step_sums.h"
#include "explain/phases/time_axis.h"
#include "explain/sentences/sentence.h"
#include "model/access/global_sectors.h"
#include "viz/cursor/lookup.h"
#include "viz/facts/explained_run.h"
#include "viz/facts/findings_on_show.h"
#include "viz/facts/range_text.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/marks/step_bar.h"
#include "viz/messages.h"
#include "viz/parts/block_cache.h"
#include "viz/parts/first_around.h"
#include "viz/phrases.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace lockstep::viz {
namespace {

using namespace message;

// Before the number of a warp.
constexpr Words kLanesOnOfWarp = english("Active lanes, warp"), kLanesOnOfWarpBrief = english("Lanes, warp");
// Where steps are too narrow for the shapes of loads and stores.
constexpr Words kKeyGlobalAccess = english("global memory access"),
                kKeySharedAccess = english("shared memory access");
constexpr Words kKeyGlobalAtomic = english("global atomic"), kKeySharedAtomic = english("shared atomic");
constexpr Words kKeyAllLanes = english("all lanes"), kKeySomeLanes = english("some lanes");
constexpr Words kKeyWaits = english("waits for the other warps");
constexpr Words kKeyExcess = english("more than the minimum");
constexpr Words kKeyHeight = english("height: wavefronts or sectors, 1 to {0} (square-root scale)"),
                kKeyHeightBefore =
                    english("height: wavefronts or transactions, 1 to {0} (square-root scale)");
constexpr Words kAxisWaits = english("on the axis", "waits");
constexpr Words kTurns = english("Between barriers the emulator executed one warp after another.");
constexpr Words kPassed = english("The emulator let threads pass a barrier that not all threads reached.");
constexpr Words kWaitsHover = english("Warp {0} waits at the barrier of step {1} for the other warps.");

constexpr f32 kTallestRow = 110, kSumLine = 20;
constexpr Words kWholeRun = english("Whole run");
constexpr Words kPartOfRun =
    english("The rows show steps {0} to {1} of {2}; click to go to the step under the pointer.");
constexpr Words kAroundCursor = english("Around the cursor");
constexpr Words kSumOfSteps =
    english(": {0} warp {0:instruction|instructions}, {1} thread {1:instruction|instructions}");
constexpr Words kSumOfSectors = english("; global memory: {0} {0:request|requests}, {1} {1:sector|sectors}");
constexpr Words kSumOfTransactions =
    english("; global memory: {0} {0:request|requests}, {1} {1:transaction|transactions}");
constexpr Words kSumOfWavefronts =
    english("; shared memory: {0} {0:request|requests}, {1} {1:wavefront|wavefronts}");

// Kept from one picture to the next, for what a million steps come to is not worked out in a frame.
struct Counted {
    explain::StepSummer sums;
    explain::StepCosts costs;
    explain::BandFacts bands;
};
std::shared_ptr<Counted> countedFor(const ViewInput& in, const trace::FocusBlock& block) {
    using Shared = std::shared_ptr<Counted>;
    const Shared* kept = in.cache ? std::any_cast<Shared>(&in.cache->facts) : nullptr;
    if (kept && &(*kept)->sums.block() == &block && (*kept)->sums.profile().name == in.profile.name)
        return *kept;
    Shared made = std::make_shared<Counted>(explain::StepSummer(block, in.profile, *in.run.module),
                                            explain::StepCosts(block, in.profile, *in.run.module),
                                            bandFactsOf(in.run, in.cursor, *flowOfBlock(in)));
    if (in.cache) in.cache->facts = made;
    return made;
}

// "32 wavefronts instead of 1", "4 sectors"; empty of a step that costs neither.
Message costText(const trace::WarpTrace& warp, u32 s, explain::StepCost cost, const model::Profile& profile) {
    if (cost.cost == 0) return {};
    const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
    const auto choose = [&](const Words& least, const Words& more) {
        return Message(cost.exceeds() ? more : least, grouped(cost.cost), grouped(cost.least));
    };
    if (access.space == trace::Space::Shared)
        return choose(english("{0} {0:wavefront|wavefronts}"),
                      english("the cost", "{0} {0:wavefront|wavefronts} instead of {1}"));
    if (!model::countsSectors(access.kind, profile))
        return choose(english("of a request", "{0} {0:transaction|transactions}"),
                      english("{0} {0:transaction|transactions} instead of {1}"));
    return choose(english("{0} {0:sector|sectors}"),
                  trace::isAtomic(access.kind)
                      ? english("{0} {0:sector access|sector accesses} instead of {1}")
                      : english("{0} {0:sector|sectors} instead of {1}"));
}

// What the bars in the picture look like, each once: what its key explains.
struct DrawnStep {
    StepKind kind = StepKind::Arithmetic;
    bool isNarrow = false;  // without the shape that wider ones have
    bool exceeds = false;
    StepDoes does = StepDoes::Load;
    auto operator<=>(const DrawnStep&) const = default;
};
using DrawnSteps = std::set<DrawnStep>;

struct Drawing {
    const ViewInput& in;
    const CursorContext& here;
    Canvas& canvas;
    const explain::TimeAxis& axis;
    const std::shared_ptr<Counted>& counted;
    DrawnSteps& steps;
    Rect lanes;         // where bars are
    f32 pixels = 1;     // a step
    f32 from = 0;       // first step shown
    bool whole = true;  // all steps are shown, so they stay where they are while the cursor moves

    f32 x(f32 step) const { return lanes.x + (step - from) * pixels; }
};

// What a step is, for the pointer.
struct StepAt {
    const ptx::Module& module;
    const trace::WarpTrace& warp;
    u32 w, s;

    std::string text(Language language, Counted& counted) const {
        const trace::Step& step = warp.steps[s];
        const explain::SourceLine line = explain::lineOf(module, step.pc);
        const std::string_view name =
            step.pc.value < module.instructions.size() ? module.at(step.pc).name : std::string_view();
        // All lanes that come to a branch execute it, whichever take it.
        const int lanes = explain::lanesAtWork(module, warp, s).count();
        const Message cost = costText(warp, s, counted.costs.of(Warp{w}, s), counted.sums.profile());
        return cost.empty() ? say(language, kStepHover, w, s + 1, name, line.line, lanes)
                            : say(language, kStepHoverCost, w, s + 1, name, line.line, lanes, cost);
    }
};

// What the warp does from the band's first step to its last, with the cost on the device.
std::string bandSums(explain::StepSummer& summer, Warp warp, const explain::Band& band, Language language) {
    const explain::StepSums sums = summer.of(warp, {band.first, band.end});
    std::string text = say(language, kSumOfSteps, grouped(band.end - band.first), grouped(sums.lanes));
    if (sums.globalRequests)
        text += say(language, countsSectors(summer.profile()) ? kSumOfSectors : kSumOfTransactions,
                    grouped(sums.globalRequests), grouped(sums.globalItems));
    if (sums.sharedRequests)
        text += say(language, kSumOfWavefronts, grouped(sums.sharedRequests), grouped(sums.wavefronts));
    return text + fullStop(language);
}

constexpr f32 kBeforeLastName = 6, kBehindLastName = 5;
// The name of a last band that is too short for it, and has no shorter one, stands in a frame that goes on
// behind it: what that takes of so much width.
f32 roomForLastName(const Canvas& canvas, const ViewInput& in, const CursorContext& here,
                    const explain::TimeAxis& axis, const Counted& counted, f32 width) {
    const std::vector<explain::Band> bands =
        bandsOf(in.run, *here.block, in.cursor.warp, counted.bands, in.language);
    if (bands.empty() || !bands.back().shorter.empty()) return 0;
    const f32 name = canvas.width(bands.back().name, {.size = type::kCode});
    const u32 total = std::max(1u, axis.total());
    const f32 band = width * f32(total - axis.of(*here.warp, bands.back().first)) / f32(total);
    return name < band - 2 - 8 ? 0 :  // as drawBands has it, whose boxes leave two pixels between them
               kBeforeLastName + name + kBehindLastName;
}

// The cursor's place in the whole run: a pointer from below, clear of the names.
void drawPointer(const Drawing& d, const Rect& strip) {
    const f32 pixels = strip.width / f32(std::max(1u, d.axis.total()));
    const f32 x = std::clamp(strip.x + (f32(d.axis.of(*d.here.warp, d.in.cursor.step)) + 0.5f) * pixels,
                             strip.x + 4, strip.right() - 4);
    d.canvas.polygon({{x, strip.bottom() - 3}, {x + 5, strip.bottom() + 5}, {x - 5, strip.bottom() + 5}},
                     role(RoleKind::Cursor));
}

// The longest of the names that fits, else the shortest.
std::string longestName(const Canvas& canvas, const explain::Band& band, const TextStyle& style, f32 room) {
    if (band.shorter.empty()) return canvas.width(band.name, style) < room ? band.name : std::string();
    if (canvas.width(band.name, style) < room) return band.name;
    const auto fits = std::ranges::find_if(
        band.shorter, [&](const std::string& name) { return canvas.width(name, style) < room; });
    return fits != band.shorter.end() ? *fits : band.shorter.back();
}

// The phases of the steps that the rows show, each as wide as it lasts there and cut where they end.
void drawBands(const Drawing& d, const Rect& strip) {
    constexpr f32 kAroundName = 10;  // within its box, and between boxes
    const trace::WarpTrace& warp = *d.here.warp;
    const auto begin = [&](const explain::Band& band) { return d.x(f32(d.axis.of(warp, band.first))); };
    const auto end = [&](const explain::Band& band) {
        return d.x(band.end < warp.steps.size() ? f32(d.axis.of(warp, band.end)) : f32(d.axis.total()));
    };
    const std::vector<explain::Band> bands = explain::withoutNarrowSetUp(
        bandsOf(d.in.run, *d.here.block, d.in.cursor.warp, d.counted->bands, d.in.language),
        [&](const explain::Band& band) {
            return d.canvas.width(explain::shortestInWords(band), {.size = type::kCode}) <
                   end(band) - begin(band) - kAroundName;
        });
    for (const explain::Band& band : bands) {
        const f32 x0 = std::max(strip.x, begin(band)), x1 = std::min(strip.right(), end(band));
        if (x1 <= x0) continue;
        const bool current = d.in.cursor.step >= band.first && d.in.cursor.step < band.end;
        const Rect box{x0 + (x1 - x0 > 4 ? 1 : 0), strip.y,
                       std::max(1.0f, x1 - x0 - (x1 - x0 > 4 ? 2 : 0.5f)), strip.height};
        d.canvas.rect(box,
                      {.fill = role(current ? RoleKind::Wasted : RoleKind::Raised), .radius = radius::kCell});
        const TextStyle style{.size = type::kCode,
                              .align = Align::Centre,
                              .role = current ? inkOn(role(RoleKind::Wasted)) : role(RoleKind::TextSecond)};
        const std::string name = longestName(d.canvas, band, style, box.width - 8);
        const f32 wide = kBeforeLastName + d.canvas.width(band.name, style);
        const bool goesOn =
            name.empty() && &band == &bands.back() && box.right() + wide <= d.canvas.size().width;
        if (goesOn) {
            const Rect frame{box.x, box.y, box.width + wide + kBehindLastName, box.height};
            d.canvas.rect(frame.inset(0.5f), {.stroke = {role(current ? RoleKind::Wasted : RoleKind::Line)},
                                              .radius = radius::kCell});
            d.canvas.text(
                {box.right() + kBeforeLastName, box.centre().y}, band.name,
                {.size = type::kCode, .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
        } else if (d.canvas.width(name, style) < box.width - 4)
            d.canvas.text(box.centre(), name, style);
        // A hit a step, or a pixel where steps are narrower.
        const u32 stride = std::max(1u, u32(std::ceil(1 / d.pixels)));
        // Worded when one of the band's hits is asked.
        const auto hover = [counted = d.counted, language = d.in.language, warp = d.in.cursor.warp, band] {
            return say(language, kBandHover, band.name, grouped(band.first + 1), grouped(band.end),
                       warp.value) +
                   bandSums(counted->sums, warp, band, language);
        };
        for (u32 step = band.first; step < band.end; step += stride) {
            const f32 x = d.x(f32(d.axis.of(warp, step))), wide = std::max(1.0f, d.pixels);
            if (x < strip.x - 0.5f || x + wide > strip.right() + 0.5f) continue;
            Cursor go = d.in.cursor, click = d.in.cursor;
            go.step = step;
            click.step = band.first;
            d.canvas.hit({x, strip.y, wide, strip.height},
                         {.hover = {}, .hoverLater = hover, .go = go, .click = click, .scrub = d.whole});
        }
    }
}

// Calls with each step of the warp that lies in the stretch shown, and where: a phase at a time, as most lie
// elsewhere.
template <class Use> void eachVisible(const Drawing& d, const trace::WarpTrace& warp, Use&& use) {
    for (u32 phase = 0; phase <= warp.barrierSteps.size(); ++phase) {
        const auto [first, end] = explain::stepsOfPhase(warp, phase);
        const f32 start = d.x(f32(d.axis.startOfPhase(phase)));
        const f32 before = (d.lanes.x - start) / d.pixels - 1, after = (d.lanes.right() - start) / d.pixels;
        if (after < 0) break;
        const u32 from = before > 0 ? u32(std::min(before, f32(end - first))) : 0,
                  to = u32(std::min(after + 1, f32(end - first)));
        for (u32 s = first + from; s < first + to; ++s) {
            const f32 x = start + f32(s - first) * d.pixels;
            if (x + d.pixels >= d.lanes.x && x <= d.lanes.right()) use(s, x);
        }
    }
}

// A warp waits from its barrier until the slowest one is there.
struct Wait {
    u32 begin, end;
};
Wait waitAfter(const explain::TimeAxis& axis, const trace::WarpTrace& warp, u32 phase) {
    return {axis.of(warp, warp.barrierSteps[phase]) + 1, axis.startOfPhase(phase + 1)};
}
bool anyWaits(const explain::TimeAxis& axis, const trace::FocusBlock& block) {
    for (const trace::WarpTrace& warp : block.warps)
        for (u32 phase = 0; phase < warp.barrierSteps.size(); ++phase)
            if (const Wait wait = waitAfter(axis, warp, phase); wait.end > wait.begin) return true;
    return false;
}
// What the block's accesses do, each once.
std::set<std::pair<StepKind, StepDoes>> accessesOf(const trace::FocusBlock& block) {
    std::set<std::pair<StepKind, StepDoes>> found;
    std::pair last{StepKind::Arithmetic, StepDoes::Load};  // neighbors mostly do the same
    for (const trace::WarpTrace& warp : block.warps)
        for (const trace::StoredAccess& access : warp.accesses)
            if (const std::pair now{kindOf(access.space), doesOf(access.kind)}; now != last)
                found.insert(last = now);
    return found;
}
void drawWait(Canvas& canvas, const Rect& place) {
    canvas.rect(place, {.fill = role(RoleKind::TextThird, 0.32f)});
}

// The whole run to scrub in, where the rows show a part of it: which one is framed.
void drawWholeRun(const Drawing& d, const Rect& strip) {
    const trace::WarpTrace& warp = *d.here.warp;
    const u32 total = std::max(1u, d.axis.total()), steps = u32(warp.steps.size());
    const f32 pixels = strip.width / f32(total);
    d.canvas.rect(strip, {.fill = role(RoleKind::Raised), .radius = radius::kCell});
    const f32 x0 = strip.x + d.from * pixels, wide = std::max(3.0f, d.lanes.width / d.pixels * pixels);
    d.canvas.rect(
        {x0, strip.y, wide, strip.height},
        {.fill = role(RoleKind::Wasted), .stroke = {role(RoleKind::Text)}, .radius = radius::kCell});
    u32 first = steps, last = 0;  // of the cursor's warp, among those that the rows show
    eachVisible(d, warp, [&](u32 s, f32) { first = std::min(first, s + 1), last = std::max(last, s + 1); });
    const u32 stride = std::max(1u, u32(std::ceil(1 / pixels)));
    for (u32 step = 0; step < steps; step += stride) {
        Cursor go = d.in.cursor;
        go.step = step;
        d.canvas.hit(
            {strip.x + f32(d.axis.of(warp, step)) * pixels, strip.y, std::max(1.0f, pixels), strip.height},
            {.hover = {},
             .hoverLater = [language = d.in.language, first, last,
                            steps] { return say(language, kPartOfRun, first, last, steps); },
             .go = go,
             .scrub = true});
    }
}

void drawBar(const Drawing& d, const Rect& slot, const StepSign& sign, Role color, DrawnStep& last) {
    drawStep(d.canvas, slot, sign, color);
    const DrawnStep now{sign.kind, !isShaped(sign.kind, slot.width), sign.cost.exceeds(), sign.does};
    if (d.steps.empty() || now != last) d.steps.insert(last = now);  // neighbors mostly look alike
}

void drawWarp(const Drawing& d, u32 w, const Rect& row) {
    const trace::WarpTrace& warp = d.here.block->warps[w];
    const Role color = warpRole(Warp{w});
    const f32 base = row.bottom() - 2, above = row.height > 12 ? 2 : 1;  // clear of the row above
    d.canvas.line({row.x, base + 0.5f}, {row.right(), base + 0.5f}, {role(RoleKind::Edge, 0.6f)});
    const u32 thin = d.pixels < 1 ? u32(std::ceil(1 / d.pixels)) : 1;  // draw the foremost of so many steps
    StepSign foremost;
    DrawnStep last;
    eachVisible(d, warp, [&](u32 s, f32 x) {
        const StepSign sign = signOf(warp, s, d.counted->costs.of(Warp{w}, s));
        if (thin > 1) {
            if (s % thin == 0 || outranks(sign, foremost)) foremost = sign;
            if (s % thin == thin - 1)
                drawBar(d, {x, row.y + above, 1, row.height - 2 - above}, foremost, color, last);
            return;
        }
        const Rect slot{x + (d.pixels > 4 ? 1 : 0), row.y + above,
                        std::max(1.0f, d.pixels - (d.pixels > 4   ? 2
                                                   : d.pixels > 2 ? 0.5f
                                                                  : 0)),
                        row.height - 2 - above};
        drawBar(d, slot, sign, color, last);
        if (d.pixels < 3) return;
        Cursor go = d.in.cursor;
        go.warp = Warp{w}, go.step = s;
        d.canvas.hit({x, row.y, d.pixels, row.height},
                     {.hover = {},
                      .hoverLater = [step = StepAt{*d.in.run.module, warp, w, s}, language = d.in.language,
                                     counted = d.counted] { return step.text(language, *counted); },
                      .go = go,
                      .scrub = d.whole,
                      .select = Hit::Select::WithShift});
    });
    for (u32 phase = 0; phase < warp.barrierSteps.size(); ++phase) {
        const auto [begin, end] = waitAfter(d.axis, warp, phase);
        const f32 x0 = std::max(d.x(f32(begin)), row.x), x1 = std::min(d.x(f32(end)), row.right());
        if (x1 <= x0 + 2) continue;
        drawWait(d.canvas, {x0, row.y + 1, x1 - x0, base - row.y - 1});
        Cursor go = d.in.cursor;
        go.warp = Warp{w}, go.step = warp.barrierSteps[phase];
        d.canvas.hit({x0, row.y, x1 - x0, row.height},
                     {.hover = say(d.in.language, kWaitsHover, w, go.step + 1), .go = go});
    }
}

// The chosen steps behind the rows; in front of them, where they begin and end.
void drawRange(const Drawing& d, const explain::TimeAxis::Stretch& range, f32 top, f32 bottom) {
    const f32 x0 = std::max(d.x(f32(range.begin)), d.lanes.x),
              x1 = std::min(d.x(f32(range.end)), d.lanes.right());
    if (x1 > x0) d.canvas.rect({x0, top, x1 - x0, bottom - top}, {.fill = role(RoleKind::Text, 0.12f)});
}
void drawRangeEnds(const Drawing& d, const explain::TimeAxis::Stretch& range, f32 top, f32 bottom) {
    for (const u32 end : {range.begin, range.end}) {
        const f32 x = d.x(f32(end));
        if (x >= d.lanes.x - 1 && x <= d.lanes.right() + 1)
            d.canvas.line({x, top}, {x, bottom}, {role(RoleKind::Text), line::kTile});
    }
}
// The same in the strip of the whole run, where the rows show only a part of it.
void drawRangeInStrip(const Drawing& d, const explain::TimeAxis::Stretch& range, const Rect& strip) {
    const f32 pixels = strip.width / f32(std::max(1u, d.axis.total())), y = strip.y - 3;
    const f32 x0 = strip.x + f32(range.begin) * pixels,
              x1 = std::max(x0 + 2, strip.x + f32(range.end) * pixels);
    d.canvas.line({x0, y}, {x1, y}, {role(RoleKind::Text), line::kTile});
}

constexpr Role kAllLanesOn = role(RoleKind::TextThird, 0.4f);

// How many lanes of the cursor's warp are on, step by step.
void drawLanesOn(const Drawing& d, const Rect& strip) {
    const trace::WarpTrace& warp = *d.here.warp;
    const f32 exist = f32(std::max(1u, explain::lanesOf(*d.here.block, d.in.cursor.warp)));
    if (d.pixels < 1) return;
    // Where the warp waits there is nothing above the line.
    const f32 end = std::min(d.x(f32(d.axis.total())), strip.right());
    d.canvas.line({strip.x, strip.bottom()}, {end, strip.bottom()}, {role(RoleKind::Line)});
    d.canvas.hit({strip.x, strip.y, end - strip.x, strip.height},
                 {.hover = say(d.in.language, kLanesOnGap, d.in.cursor.warp.value)});
    eachVisible(d, warp, [&](u32 s, f32 x) {
        const f32 on = f32(explain::lanesAtWork(*d.in.run.module, *d.here.warp, s).count()),
                  tall = strip.height * on / exist;
        const f32 gap = d.pixels > 4 ? 1 : 0;
        d.canvas.rect({x + gap, strip.bottom() - tall, std::max(1.0f, d.pixels - 2 * gap), tall},
                      {.fill = on < exist ? warpRole(d.in.cursor.warp) : kAllLanesOn});
        Cursor go = d.in.cursor;
        go.step = s;
        d.canvas.hit({x, strip.y, d.pixels, strip.height},
                     {.hover = {},
                      .hoverLater = [language = d.in.language, s, on,
                                     exist] { return say(language, kLanesOnAt, s + 1, u32(on), u32(exist)); },
                      .go = go});
    });
}

constexpr TextStyle kAxisNote{
    .size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
void drawAxis(const Drawing& d, f32 y) {
    const trace::WarpTrace& warp = *d.here.warp;
    const f32 cursorX = d.x(f32(d.axis.of(warp, d.in.cursor.step)) + 0.5f);
    const TextStyle style{
        .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    // Of a cursor that lies outside, which way it is.
    const std::string number = std::to_string(d.in.cursor.step + 1),
                      cursorText = cursorX < d.lanes.x         ? "← " + number
                                   : cursorX > d.lanes.right() ? number + " →"
                                                               : number;
    const f32 chipWidth = d.canvas.width(cursorText, {.size = type::kAxis, .bold = true, .mono = true}) + 12;
    const f32 chipX = std::clamp(cursorX, d.lanes.x + chipWidth / 2, d.lanes.right() - chipWidth / 2);
    std::vector<std::pair<f32, f32>> taken{{chipX - chipWidth / 2, chipX + chipWidth / 2}};
    const auto isTaken = [&](f32 middle, f32 half) {
        constexpr f32 kApart = 4;
        return std::ranges::any_of(taken, [&](const auto& place) {
            return middle + half + kApart > place.first && middle - half - kApart < place.second;
        });
    };
    // The axis goes on where the cursor's warp issues nothing.
    for (u32 phase = 0; phase < warp.barrierSteps.size(); ++phase) {
        const Wait wait = waitAfter(d.axis, warp, phase);
        const f32 x0 = std::max(d.x(f32(wait.begin)), d.lanes.x),
                  x1 = std::min(d.x(f32(wait.end)), d.lanes.right());
        const std::string text = say(d.in.language, kAxisWaits);
        const f32 half = d.canvas.width(text, kAxisNote) / 2, middle = (x0 + x1) / 2;
        if (x1 - x0 < 2 * half + 8 || isTaken(middle, half)) continue;
        taken.emplace_back(x0, x1);
        d.canvas.line({x0 + 1, y}, {middle - half - 3, y}, {role(RoleKind::TextThird)});
        d.canvas.text({middle, y}, text, kAxisNote);
        d.canvas.line({middle + half + 3, y}, {x1 - 1, y}, {role(RoleKind::TextThird)});
    }
    // Numbers every 5, 10, 20, 50, ... steps, as they fit.
    u32 every = 5 * d.pixels < 60 ? 10 : 5;
    for (const u32 factor : {2u, 5u, 10u, 20u, 50u, 100u, 200u, 500u, 1000u, 5000u, 20000u})
        if (f32(every) * d.pixels < 60) every = 10 * factor;
    for (u32 s = 0; s < warp.steps.size(); s += every) {
        const f32 x = d.x(f32(d.axis.of(warp, s)) + 0.5f),
                  half = d.canvas.width(std::to_string(s + 1), style) / 2;
        if (x - half < d.lanes.x || x + half > d.lanes.right() || isTaken(x, half)) continue;
        d.canvas.text({x, y}, std::to_string(s + 1), style);
    }
    cursorChip(d.canvas, {chipX, y}, cursorText,
               {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre}, 0, 16);
}

// Where a range of steps is chosen by dragging.
void hitRuler(const Drawing& d, f32 y) {
    const trace::WarpTrace& warp = *d.here.warp;
    const u32 thin = d.pixels < 1 ? u32(std::ceil(1 / d.pixels)) : 1;
    eachVisible(d, warp, [&](u32 s, f32 x) {
        if (s % thin) return;
        Cursor go = d.in.cursor;
        go.step = s;
        d.canvas.hit(
            {x, y - 10, d.pixels * f32(thin), 20},
            {.hover = {},
             .hoverLater = [language = d.in.language, s] { return say(language, kRulerHover, s + 1); },
             .go = go,
             .select = Hit::Select::Dragging});
    });
}

void drawSums(const Drawing& d, const RangeTexts& texts, const Rect& place) {
    const Warp warp = d.in.cursor.warp;
    const f32 y = place.centre().y;
    const TextStyle style{.size = type::kCode};
    if (place.height > kSumLine)
        return (void)d.canvas.paragraph({place.x, place.y + kSumLine / 2}, place.width, texts.ofAll(warp),
                                        style, type::kLineHeight, 3);
    const f32 wide = d.canvas.textWithin({place.x, y}, place.width, texts.ofAll(warp), style);
    const bool hasOthers = d.here.block->warps.size() > 1;
    if (const std::string own = " · " + texts.ofWarp(warp);
        hasOthers && d.canvas.width(own, style) <= place.width - wide)
        d.canvas.text({place.x + wide, y}, own, {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    d.canvas.hit(place,
                 {.hover = {},
                  .hoverLater = [counted = d.counted, range = texts.range, language = d.in.language, warp] {
                      const explain::TimeAxis axis(counted->sums.block());
                      return RangeTexts{counted->sums, axis, range, language}.table(warp);
                  }});
}

// Which warps there is no room for, above and below; a click goes to the nearest of them.
void drawMore(const Drawing& d, f32 y, u32 first, u32 end) {
    const u32 warps = u32(d.here.block->warps.size());
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const auto more = [&](f32 x, bool up, u32 count, u32 warp) {
        const f32 tip = up ? -4.0f : 4.0f;
        d.canvas.polygon({{x, y - tip / 2}, {x + 8, y - tip / 2}, {x + 4, y + tip / 2}},
                         role(RoleKind::TextSecond));
        const std::string text = say(d.in.language, up ? kWarpsAbove : kWarpsBelow, count);
        d.canvas.rect({x + 11, y - 6, d.canvas.width(text, style) + 6, 12}, {.fill = role(RoleKind::Ground)});
        const f32 wide = 14 + d.canvas.text({x + 14, y}, text, style);
        const auto go = explain::otherWarp(d.in.run, d.in.cursor, int(warp) - int(d.in.cursor.warp.value));
        d.canvas.hit({x - 4, y - 8, wide + 8, 16}, {.hover = say(d.in.language, kGoToWarp, warp), .go = go});
        return x + wide + 24;
    };
    f32 x = d.lanes.x;
    if (first > 0) x = more(x, true, first, first - 1);
    if (end < warps) more(x, false, warps - end, end);
}

// Rows of warps from `top` on.
struct Rows {
    u32 first = 0, count = 1;
    f32 top = 0, height = 0;
    f32 bottom() const { return top + f32(count) * height; }
    f32 topOf(Warp warp) const { return top + f32(warp.value - first) * height; }
};
// As many as have room, the cursor's warp among them.
Rows rowsAround(Warp warp, u32 warps, f32 top, f32 room, f32 height) {
    const u32 count = std::clamp(u32(room / height), 1u, warps);
    return {firstAround(warp.value, count, warps), count, top, height};
}

void drawRows(const Drawing& d, const Rows& rows) {
    for (u32 r = 0; r < rows.count; ++r)
        drawWarp(d, rows.first + r, {d.lanes.x, rows.top + f32(r) * rows.height, d.lanes.width, rows.height});
}

// Where it has no room, the number on the chip is enough.
void drawRowName(Canvas& canvas, Point at, f32 room, const std::string& name, bool isCurrent) {
    for (const f32 size : {type::kCode, type::kAxis})
        if (const TextStyle style{.size = size, .bold = isCurrent}; canvas.width(name, style) <= room)
            return (void)canvas.text(at, name, style);
}

// Number and name of each row's warp, left of it; a click goes there.
void drawRowNames(const Drawing& d, const Rows& rows, const RangeTexts* texts) {
    const ViewInput& in = d.in;
    Canvas& canvas = d.canvas;
    // Chips that would touch stand in two columns in turn.
    constexpr f32 kChip = 18, kHighest = 16, kApart = 3, kNextColumn = kChip + 2;
    const bool inTurn = rows.height < kHighest + kApart && rows.count > 1;
    const f32 box = std::min(kHighest, (inTurn ? 2 : 1) * rows.height - kApart),
              namesFrom = space::kInset + kChip + 8 + (inTurn ? kNextColumn : 0);
    for (u32 r = 0; r < rows.count; ++r) {
        const u32 w = rows.first + r;
        const f32 middle = rows.top + (f32(r) + 0.5f) * rows.height + std::min(4.0f, rows.height * 0.1f);
        const bool current = w == in.cursor.warp.value;
        const Rect chip{space::kInset + (inTurn && r % 2 == 1 ? kNextColumn : 0), middle - box / 2, kChip,
                        box};
        canvas.rect(chip, {.fill = warpRole(Warp{w}), .radius = radius::kCell});
        canvas.text(chip.centre(), std::to_string(w),
                    {.size = std::min(type::kAxis, box),
                     .bold = true,
                     .mono = true,
                     .align = Align::Centre,
                     .role = inkOn(warpRole(Warp{w}))});
        // In low rows only the cursor's warp is named: names one upon another are not read.
        if (rows.height >= 13 || current)
            drawRowName(canvas, {namesFrom, middle}, d.lanes.x - namesFrom - 6, say(in.language, kWarp, w),
                        current);
        Cursor go = in.cursor;
        if (const auto other = explain::otherWarp(in.run, in.cursor, int(w) - int(in.cursor.warp.value)))
            go = *other;
        canvas.hit({0, rows.top + f32(r) * rows.height, d.lanes.x - 4, rows.height},
                   {.hover = say(in.language, kGoToWarp, w) + (texts ? "\n" + texts->ofWarp(Warp{w}) : ""),
                    .go = go});
        if (current) cursorBox(canvas, chip, radius::kControl);
    }
}

// What was found at steps of the cursor's warp: over its row, larger at the cursor's own step. Marks that
// would touch are one.
void drawFindings(const Drawing& d, const Rows& rows) {
    constexpr f32 kSmall = 10, kLarge = 13, kApart = 14;
    struct Group {
        FoundAt first;
        f32 x = 0;
        u32 more = 0;
        bool isRemark = true;  // all are
    };
    const f32 middle = rows.topOf(d.in.cursor.warp) + 7;
    const auto draw = [&](const Group& group, f32 size) {
        drawFound(d.canvas, {group.x, middle}, size, group.isRemark);
        const auto hover = [group, in = d.in] {
            return group.first.hover(in) +
                   (group.more ? "\n" + say(in.language, kMoreSteps, group.more) : std::string());
        };
        d.canvas.hit({group.x - size / 2, middle - size / 2, size, size},
                     {.hover = {}, .hoverLater = hover, .go = group.first.go(d.in.cursor)});
    };
    const std::vector<FoundAt> all = findingsOfWarp(d.in.run, d.in.cursor);
    const auto atCursor = std::ranges::find(all, d.in.cursor.step, &FoundAt::step);
    f32 cursorX = -1e9f;
    if (atCursor != all.end()) {
        cursorX = d.x(f32(d.axis.of(*d.here.warp, d.in.cursor.step)) + 0.5f);
    }
    std::vector<Group> groups;
    for (const FoundAt& found : all) {
        const f32 x = d.x(f32(d.axis.of(*d.here.warp, found.step)) + 0.5f);
        if (found.step == d.in.cursor.step || x < d.lanes.x || x > d.lanes.right() ||
            std::fabs(x - cursorX) < kApart)
            continue;
        if (!groups.empty() && x - groups.back().x < kApart)
            ++groups.back().more, groups.back().isRemark = groups.back().isRemark && found.isRemark();
        else
            groups.push_back({found, x, 0, found.isRemark()});
    }
    for (const Group& group : groups)
        draw(group, kSmall);
    if (atCursor != all.end()) draw({*atCursor, cursorX, 0, atCursor->isRemark()}, kLarge);
}

// Whether something was found that depends on the order of the block's warps.
bool dependsOnOrder(const run::Run& run, const trace::FocusBlock& block) {
    return std::ranges::any_of(run.recording.findings, [&](const trace::Finding& finding) {
        return finding.launch == block.launch && finding.who.block == block.block &&
               (finding.other || finding.kind == trace::FindingKind::UninitializedRead);
    });
}

// Whether threads went past a barrier of the block that others of it had not reached.
bool passedHalfReached(const run::Run& run, const trace::FocusBlock& block) {
    const auto isOfBlock = [&](Pc pc) {
        if (pc.value >= run.module->instructions.size()) return false;
        const std::string_view name = run.module->at(pc).name;
        return name.starts_with("bar.sync") || name.starts_with("barrier.sync");
    };
    return std::ranges::any_of(run.recording.findings, [&](const trace::Finding& finding) {
        return finding.kind == trace::FindingKind::DivergentBarrier && finding.launch == block.launch &&
               finding.who.block == block.block && isOfBlock(finding.who.pc);
    });
}

// Whether the warps went on one after another: each did its part of a phase before the next one began.
bool tookTurns(const trace::FocusBlock& block) {
    std::size_t phases = 0;
    for (const trace::WarpTrace& warp : block.warps)
        phases = std::max(phases, warp.barrierSteps.size() + 1);
    for (u32 phase = 0; phase < phases; ++phase) {
        std::vector<std::pair<u32, u32>> parts;  // the orders of a warp's first and last step
        for (const trace::WarpTrace& warp : block.warps) {
            const auto [first, end] = explain::stepsOfInterval(warp, phase);
            if (first < end) parts.emplace_back(warp.steps[first].order, warp.steps[end - 1].order);
        }
        std::ranges::sort(parts);
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (parts[i].first < parts[i - 1].second) return false;
    }
    return true;
}

// The steps around the cursor again, wide enough that notch, point and barrier can be told apart.
void drawMagnified(const Drawing& d, const Rows& overview, const Rect& area) {
    constexpr f32 kTitle = 30, kAxis = 20, kWideStep = 16, kHighRow = 28;
    Drawing near{d.in,
                 d.here,
                 d.canvas,
                 d.axis,
                 d.counted,
                 d.steps,
                 {d.lanes.x, area.y, d.lanes.width, area.height},
                 kWideStep,
                 0,
                 false};
    const f32 shown = near.lanes.width / near.pixels, at = f32(d.axis.of(*d.here.warp, d.in.cursor.step));
    near.from = std::floor(std::clamp(at - shown * 0.4f, 0.0f, std::max(0.0f, f32(d.axis.total()) - shown)));
    // Where they lie in the whole, and lines from there down to here.
    const Stroke edge{role(RoleKind::Edge)};
    const f32 x0 = std::max(d.x(near.from), d.lanes.x),
              x1 = std::min(d.x(near.from + shown), d.lanes.right()), top = area.y + kTitle;
    d.canvas.rect({x0, overview.top - 2, x1 - x0, overview.bottom() + 2 - overview.top},
                  {.stroke = edge, .radius = 2});
    d.canvas.textWithin({space::kInset, area.y + 14}, d.lanes.right() - space::kInset,
                        say(d.in.language, kAroundCursor), {.size = type::kCode, .bold = true});
    const u32 warps = u32(d.here.block->warps.size());
    const f32 room = area.bottom() - top - kAxis;
    const Rows rows =
        rowsAround(d.in.cursor.warp, warps, top, room, std::clamp(room / f32(warps), kHighRow, kTallestRow));
    d.canvas.clip({near.lanes.x, top, near.lanes.width, area.bottom() - top});
    drawRows(near, rows);
    const f32 x = near.x(at);
    d.canvas.rect({x - 1, rows.topOf(d.in.cursor.warp), near.pixels + 2, rows.height},
                  {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = 2});
    d.canvas.unclip();
    drawRowNames(near, rows, nullptr);
    drawAxis(near, rows.bottom() + 12);
}

// What the steps in sight of the cursor's warp have in the strip below: all of its lanes at work, or some.
std::pair<bool, bool> lanesInSight(const Drawing& d) {
    const int exist = int(explain::lanesOf(*d.here.block, d.in.cursor.warp));
    bool all = false, some = false;
    eachVisible(d, *d.here.warp, [&](u32 s, f32) {
        if (all && some) return;
        const int on = d.here.warp->steps[s].active.count() == 0
                           ? 0
                           : explain::lanesAtWork(*d.in.run.module, *d.here.warp, s).count();
        all |= on >= exist, some |= on > 0 && on < exist;
    });
    return {all, some};
}

// Whether a step in sight costs more than it would have to.
bool exceedsInSight(const Drawing& d) {
    bool exceeds = false;
    for (u32 w = 0; w < d.here.block->warps.size() && !exceeds; ++w)
        eachVisible(d, d.here.block->warps[w],
                    [&](u32 s, f32) { exceeds = exceeds || d.counted->costs.of(Warp{w}, s).exceeds(); });
    return exceeds;
}

// What may be drawn of the block, before it is known how wide its steps are.
DrawnSteps possibleSteps(const Drawing& d) {
    DrawnSteps steps{DrawnStep{}};
    for (const auto& [kind, does] : accessesOf(*d.here.block))
        if (kind != StepKind::Arithmetic) steps.insert({kind, false, false, does});
    if (std::ranges::any_of(d.here.block->warps, [](const auto& warp) { return !warp.barrierSteps.empty(); }))
        steps.insert({.kind = StepKind::Barrier});
    if (exceedsInSight(d)) steps.insert({.kind = StepKind::Global, .exceeds = true});
    return steps;
}

// Of these steps, and of the cursor's warp what lies on its row and below.
std::vector<KeyRow> keysOf(const Drawing& d, const DrawnSteps& steps) {
    const Language language = d.in.language;
    const Role color = warpRole(d.in.cursor.warp);
    // isBoth: as it is in wide steps, and beside that in narrow ones.
    const auto sign = [color](const DrawnStep& step, explain::StepCost cost, bool isBoth) {
        const f32 wide = step.isNarrow && step.kind != StepKind::Arithmetic ? 2 : 8;
        return [=](Canvas& c, Point p) {
            drawStep(c, {p.x - wide / 2, p.y - 8, wide, 16}, {step.kind, step.does, cost}, color);
            if (isBoth)
                drawStep(c, {p.x + wide / 2 + 2, p.y - 8, 2, 16}, {step.kind, step.does, cost}, color);
        };
    };
    std::vector<KeyRow> keys;
    // At what such an access of words side by side costs; where each costs more, a little more than that.
    const auto explain = [&](const Words& words, auto&& is) {
        const auto found =
            std::ranges::find_if(steps, is);  // the widest, and those that exceed nothing, first
        if (found == steps.end()) return;
        const u16 least = found->kind == StepKind::Global ? 4 : 1;
        const bool isBoth = !found->isNarrow && std::ranges::any_of(steps, [&](const DrawnStep& step) {
            return step.isNarrow && is(step);
        });
        keys.push_back(
            {sign(*found, {u16(found->exceeds ? 2 * least : least), least}, isBoth), say(language, words)});
    };
    struct Named {
        StepKind kind;
        StepDoes does;
        const Words* name;
    };
    for (const Named& named : {Named{StepKind::Global, StepDoes::Load, &kKeyGlobalLoad},
                               Named{StepKind::Global, StepDoes::Store, &kKeyGlobalStore},
                               Named{StepKind::Shared, StepDoes::Load, &kKeySharedLoad},
                               Named{StepKind::Shared, StepDoes::Store, &kKeySharedStore},
                               Named{StepKind::Global, StepDoes::Atomic, &kKeyGlobalAtomic},
                               Named{StepKind::Shared, StepDoes::Atomic, &kKeySharedAtomic}})
        explain(*named.name, [&](const DrawnStep& step) {
            return !step.isNarrow && step.kind == named.kind && step.does == named.does;
        });
    static constexpr std::array kAny{Named{StepKind::Global, StepDoes::Load, &kKeyGlobalAccess},
                                     Named{StepKind::Shared, StepDoes::Load, &kKeySharedAccess}};
    for (const Named& any : kAny) {
        const auto isIt = [kind = any.kind](const DrawnStep& step) { return step.kind == kind; };
        if (std::ranges::none_of(steps, [&](const DrawnStep& step) { return isIt(step) && !step.isNarrow; }))
            explain(*any.name, isIt);
    }
    explain(kKeyArithmetic, [](const DrawnStep& step) { return step.kind == StepKind::Arithmetic; });
    explain(kKeyBarrier, [](const DrawnStep& step) { return step.kind == StepKind::Barrier; });
    if (anyWaits(d.axis, *d.here.block))
        keys.push_back({[](Canvas& c, Point p) {
                            drawWait(c, {p.x - 8, p.y - 6, 16, 12});
                        },
                        say(language, kKeyWaits)});
    const auto exceeding = std::ranges::min_element(
        steps, {}, [](const DrawnStep& step) { return std::pair(!step.exceeds, step.isNarrow); });
    if (exceeding != steps.end() && exceeding->exceeds) {
        const bool isBoth = !exceeding->isNarrow && std::ranges::any_of(steps, [](const DrawnStep& step) {
            return step.isNarrow && step.exceeds;
        });
        keys.push_back({sign(*exceeding, {u16{kWarpSize}, 1}, isBoth), say(language, kKeyExcess)});
    }
    if (std::ranges::any_of(steps, [](const DrawnStep& step) {
            return step.kind == StepKind::Global || step.kind == StepKind::Shared;
        }))
        keys.push_back(
            {[color](Canvas& c, Point p) {
                 for (u32 doublings = 0; doublings < 6; ++doublings)
                     drawStep(c, {p.x - 9 + 3 * f32(doublings), p.y - 8, 2, 16},
                              {.kind = StepKind::Global, .cost = {u16(1 << doublings), u16(1 << doublings)}},
                              color);
             },
             say(language, countsSectors(d.in.profile) ? kKeyHeight : kKeyHeightBefore, u32{kWarpSize})});
    std::ranges::move(keysOfFound(d.in, 12), std::back_inserter(keys));
    const auto [all, some] = lanesInSight(d);
    if (all)
        keys.push_back({[](Canvas& c, Point p) {
                            c.rect({p.x - 4, p.y - 7, 8, 14}, {.fill = kAllLanesOn});
                        },
                        say(language, kKeyAllLanes)});
    if (some)
        keys.push_back({[color](Canvas& c, Point p) {
                            c.rect({p.x - 4, p.y, 8, 7}, {.fill = color});
                        },
                        say(language, kKeySomeLanes)});
    return keys;
}

// Below the axis, as many lines as there is room for; how it is set is known before all else, for the rows
// get what it leaves.
class TimelineKey {
public:
    static constexpr f32 kLine = 20;
    TimelineKey(const Drawing& d, f32 left, u32 mostLines)
        : d_(d),
          left_(left),
          room_(d.in.size.width - left - space::kInset),
          keys_(keysOf(d, possibleSteps(d))) {
        const std::span<const KeyRow> all(keys_);
        if (keyRowWidth(d.canvas, all) <= room_)
            lines_ = {all};
        else
            lines_ = keyLines(d.canvas, room_, all);
        if (lines_.size() > mostLines) lines_.resize(mostLines);
        // Beside a race, the rows would be taken for what happened at the same time; a barrier that only part
        // of the threads reached still ends an interval of those that did.
        if (passedHalfReached(d.in.run, *d.here.block))
            note_ = say(d.in.language, kPassed);
        else if (dependsOnOrder(d.in.run, *d.here.block) && tookTurns(*d.here.block))
            note_ = say(d.in.language, kTurns);
        if (d.canvas.width(note_, kNote) > room_) note_.clear();
        isNoteBeside_ = keyRowWidth(d.canvas, lines_.back()) + kApart + d.canvas.width(note_, kNote) <= room_;
        if (!isNoteBeside_ && lines_.size() >= mostLines) note_.clear();
    }
    f32 height() const { return kLine * f32(lines_.size() + (note_.empty() || isNoteBeside_ ? 0 : 1)); }
    void draw(f32 y) const {
        const std::vector<KeyRow> drawn = drawnOf(d_.canvas, keysOf(d_, d_.steps));
        std::vector<std::span<const KeyRow>> lines = keyLines(d_.canvas, room_, drawn);
        if (keyRowWidth(d_.canvas, drawn) <= room_) lines = {drawn};
        if (lines.size() > lines_.size()) lines.resize(lines_.size());
        const f32 bottom = y + height();
        for (const std::span<const KeyRow> line : lines) {
            keyRow(d_.canvas, {left_, y}, room_, line);
            y += kLine;
        }
        const bool isBeside =
            lines.empty() ||
            keyRowWidth(d_.canvas, lines.back()) + kApart + d_.canvas.width(note_, kNote) <= room_;
        if (isBeside && !lines.empty()) y -= kLine;
        if (!note_.empty() && y < bottom) d_.canvas.text({left_ + room_, y}, note_, kNote);
    }

private:
    static constexpr f32 kApart = 24;
    inline static const TextStyle kNote{
        .size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    const Drawing& d_;
    f32 left_, room_;
    std::vector<KeyRow> keys_;
    std::vector<std::span<const KeyRow>> lines_;
    std::string note_;
    bool isNoteBeside_ = true;
};

}  // namespace

Scene buildTimeline(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty())
        return emptyScene(in, kTimelineTitle, why);
    Canvas canvas(in.size, in.metrics);
    const bool withHead = in.size.height > 220;  // below the stage every pixel counts
    const Rect body = withHead ? head(canvas, in, kTimelineTitle.in(in.language), placeText(in, here))
                               : Rect{0, 0, in.size.width, in.size.height};
    const f32 left = 116;
    const explain::TimeAxis axis(*here.block);
    const std::shared_ptr<Counted> counted = countedFor(in, *here.block);
    const bool hasRange = in.range && in.range->launch == in.cursor.launch &&
                          in.range->block == in.cursor.block &&
                          explain::isRecorded(in.run.recording.trace, *in.range);
    const explain::TimeAxis::Stretch range =
        hasRange ? axis.of(*here.block, *in.range) : explain::TimeAxis::Stretch{};
    DrawnSteps steps;
    Drawing d{in,
              here,
              canvas,
              axis,
              counted,
              steps,
              {left, body.y, body.width - left - space::kInset, body.height}};
    if (d.lanes.width < 80) return emptyScene(in, kTimelineTitle, say(in.language, kTooSmall));
    d.lanes.width -= roomForLastName(canvas, in, here, axis, *counted, d.lanes.width);
    // Everything if a step can still be seen, else a stretch around the cursor.
    const f32 fit = d.lanes.width / f32(std::max(1u, axis.total()));
    d.pixels = in.state.zoom > 0 ? std::clamp(fit * in.state.zoom, fit, 24.0f)
               : fit >= 2        ? std::min(fit, 32.0f)
                                 : 4;
    const f32 shown = d.lanes.width / d.pixels, at = f32(axis.of(*here.warp, in.cursor.step));
    d.whole = d.pixels * f32(axis.total()) <= d.lanes.width + 0.5f;
    if (!d.whole)
        d.from = std::floor(
            std::clamp(at - shown * 0.4f - in.state.pan.x / d.pixels, 0.0f, f32(axis.total()) - shown));

    // In a low panel the rows get what can be spared elsewhere.
    const bool isLow = body.height < 180;
    f32 y = body.y + (isLow ? 6 : 10);
    const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    Rect wholeRun{left, y, d.lanes.width, 10};
    if (!d.whole) {
        canvas.textWithin({space::kInset, wholeRun.centre().y + 1}, left - space::kInset - 6,
                          kWholeRun.in(in.language), label);
        drawWholeRun(d, wholeRun);
        y = wholeRun.bottom() + 8;
    }
    canvas.textWithin({space::kInset, y + 10}, left - space::kInset - 6, kPhases.in(in.language), label);
    const Rect strip{left, y, d.whole ? f32(axis.total()) * d.pixels : d.lanes.width, isLow ? 17.0f : 20.0f};
    drawBands(d, strip);
    if (d.whole) wholeRun = strip;
    drawPointer(d, wholeRun);
    if (hasRange) drawRangeInStrip(d, range, wholeRun);
    y += strip.height + (isLow ? 6 : 8);
    const u32 warps = u32(here.block->warps.size());
    constexpr f32 kLowestRow = 8, kScrolledRow = 13, kKeyedFrom = 136, kKeyLine = TimelineKey::kLine,
                  kMore = 12, kNarrow = 640;
    const RangeTexts texts{counted->sums, axis, hasRange ? *in.range : StepRange{}, in.language};
    const bool longSums = hasRange && body.height > 200 &&
                          canvas.width(texts.ofAll(in.cursor.warp), {.size = type::kCode}) > d.lanes.width;
    const TimelineKey marks(d, in.size.width < kNarrow ? space::kInset : left,
                            1 + u32(std::max(0.0f, body.height - kKeyedFrom) / kKeyLine));
    constexpr std::size_t kMostSums = 3;  // lines
    const std::size_t sums =
        longSums ? canvas.wrap(texts.ofAll(in.cursor.warp), d.lanes.width, {.size = type::kCode}).size() : 1;
    const f32 key = hasRange ? f32(std::min(sums, kMostSums)) * kKeyLine : marks.height();
    // Rows as tall as fit above the key; if they would vanish, only those around the cursor's warp.
    constexpr f32 kBelowRows = 16 + 8 + 18, kBelowKey = 4;    // lanes on, axis; and air above the edge
    const bool keyed = hasRange || body.height > kKeyedFrom;  // the sums of a range stand in the key's place
    const f32 withoutKey = body.bottom() - y - kBelowRows, withKey = withoutKey - key - kBelowKey;
    const bool all = (keyed ? withKey : withoutKey) >= kLowestRow * f32(warps);
    const f32 whole = std::max(0.0f, (keyed ? withKey : withoutKey) - (all ? 0 : kMore));
    // Fine marks and much height: a part of it shows the steps around the cursor large.
    constexpr f32 kFineStep = 7, kEnoughForTwo = 260, kOverviewRow = 34;
    const bool magnifies = !hasRange && keyed && all && in.state.zoom == 0 && d.pixels < kFineStep &&
                           whole > std::max(kEnoughForTwo, 2 * kScrolledRow * f32(warps));
    const f32 room = magnifies ? std::min(whole * 0.5f, kOverviewRow * f32(warps)) : whole;
    // Where even one row leaves no room for the axis below, it is a low one.
    const f32 lowest = all ? kLowestRow : std::clamp(room, kLowestRow, kScrolledRow);
    const Rows rows =
        rowsAround(in.cursor.warp, warps, y, room, std::clamp(room / f32(warps), lowest, kTallestRow));
    const f32 top = y;
    canvas.clip({left, body.y, d.lanes.width, body.height});
    const f32 lanesBottom = rows.bottom() + (rows.count < warps ? kMore : 0) + 20;
    if (hasRange) drawRange(d, range, top, lanesBottom);
    drawRows(d, rows);
    canvas.unclip();
    drawRowNames(d, rows, hasRange ? &texts : nullptr);
    y = rows.bottom();
    const f32 moreY = y + kMore / 2;
    if (rows.count < warps) y += kMore;
    y += 6;
    // Of which warp: its number stands behind.
    constexpr f32 kChip = 18;
    const f32 forLabel = left - space::kInset - 6, beforeChip = forLabel - kChip - 6;
    std::string lanesOn =
        firstFitting(canvas, forLabel, label, {say(in.language, kLanesOn), say(in.language, kLanesOnBrief)});
    for (const Words* ofWarp : {&kLanesOnOfWarpBrief, &kLanesOnOfWarp})
        if (canvas.width(say(in.language, *ofWarp), label) <= beforeChip) lanesOn = say(in.language, *ofWarp);
    const f32 named = canvas.textWithin({space::kInset, y + 8}, forLabel, lanesOn, label);
    const Role own = warpRole(in.cursor.warp);
    if (const f32 x = space::kInset + named + 6; x + kChip < left - 4) {
        canvas.rect({x, y + 1, kChip, 14}, {.fill = own, .radius = radius::kCell});
        canvas.text(
            {x + 9, y + 8}, std::to_string(in.cursor.warp.value),
            {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(own)});
    }
    canvas.clip({left, body.y, d.lanes.width, body.height});
    drawLanesOn(d, {left, y, d.lanes.width, 14});
    const f32 x = d.x(at);
    const f32 rowTop = rows.topOf(in.cursor.warp);
    if (hasRange) drawRangeEnds(d, range, top, lanesBottom);
    if (rows.count < warps) drawMore(d, moreY, rows.first, rows.first + rows.count);
    canvas.rect({x - 1, rowTop, std::max(4.0f, d.pixels + 2), y + 16 - rowTop},
                {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = 2});
    drawFindings(d, rows);
    canvas.unclip();
    y += 26;
    drawAxis(d, y);
    hitRuler(d, y);
    if (magnifies) {
        const f32 keyTop = body.bottom() - key - kBelowKey;
        drawMagnified(d, rows, {0, y + 10, in.size.width, keyTop - y - 14});
        y = keyTop - 8;
    }
    if (hasRange) {
        drawSums(d, texts, {left, y + 9, d.lanes.width, key});
    } else if (keyed) {
        marks.draw(y + 19);
    }
    const Message sentence =
        explain::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp, in.cursor.step,
                            in.profile, arrayShapes(in.run, in.cursor.launch));
    return std::move(canvas).take(sentence.in(in.language));
}

}  // namespace lockstep::viz
