#include "viz/issue/issue_hiding.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/cursor/lookup.h"
#include "time/model/time_profile.h"
#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_keys.h"
#include "viz/issue/issue_rows.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

using run::HidingTimes;
using time::RequestRecord;

constexpr Words kAll = english("All warps take turns: {0} cycles on this SM, {1} for the launch"),
                kAlone = english(
                    "One warp at a time: {0} cycles on this SM, {1} for the launch, {2} times as long"),
                kAloneNote =
                    english("Each sub-core stays with a warp until it has issued all or waits at a barrier."),
                kTooLarge = english("The launch is too large to be timed with fewer warps.");
constexpr Words kOccupancy = english("Occupancy: the launch with fewer blocks per SM"),
                kBlocks = english("{0} {0:block|blocks} per SM, {1} {1:warp|warps}"),
                kBlocksAsItIs = english("{0} {0:block|blocks} per SM, {1} {1:warp|warps} (as it is)"),
                kCycles = english("{0} {0:cycle|cycles}"),
                kOneBlock = english(
                    "The grid has {0} {0:block|blocks} for {1} SMs: no SM has a second one, so that fewer "
                    "cannot be tried."),
                kNoRoom = english("No second block has room on an SM: fewer cannot be tried.");
constexpr Words
    kLittle = english("Little's law: loads in flight = loads per cycle × cycles that each takes"),
    kLittleNumbers = english(
        "{0} global {0:load|loads} of this SM / {1} cycles × {2} cycles each = {3} in flight on average."),
    kNeeded = english(
        "Its share of device memory's bandwidth is {0} B per cycle: to use all of it at this "
        "latency, {1} loads of {2} B have to be in flight."),
    kNoLoads = english("No warp of this SM loads from global memory."),
    kEnough = english("How many warps would be enough"),
    kEnoughNumbers = english(
        "While it is resident, a warp of this sub-core issues in one of {0} cycles. So about {1} such warps "
        "issue in every cycle, as long as no pipe, queue or memory is full."),
    kTooMany = english("That is more than it has room for: waits remain, however many blocks there are."),
    kHave = english("warps of this sub-core at a time"), kFit = english("warps that it has room for"),
    kWanted = english("warps that would be enough"),
    kInFlight = english("loads in flight over time; dashed: the average"),
    kMean = english("in flight on average"), kMost = english("in flight at most"),
    kForAll = english("needed for all of the bandwidth");
constexpr Words
    kHidingSentence = english(
        "With one warp at a time the launch takes {0} times as long: {1} cycles instead of {2}. "
        "The difference is latency that other warps hide."),
    kNoDifference = english(
        "With one warp at a time the launch takes as long as it is, {0} cycles: no warp hides the "
        "latency of another.");

constexpr Words kCycle = english("cycle"), kAtCycle = english("on an axis", "cycle {0}");
constexpr f32 kAxisLine = 16, kKeyLine = 20, kLeastWithKeys = 190;
constexpr f32 kLine = 18, kName = 92, kGapBetween = 12, kBar = 14, kMostRow = 46, kLeastRowHere = 8;

std::string times(f64 factor) { return fmt::format("{:.{}f}", factor, factor < 9.95 ? 1 : 0); }
f64 factorOf(const HidingTimes& hiding) {
    return f64(hiding.aloneCycles) / f64(std::max<u64>(1, hiding.elapsedCycles));
}

// Loads of global memory of the SM, and how long they take.
struct Little {
    u64 loads = 0, cyclesOfLoads = 0, sectors = 0;
    u64 begin = ~u64{0}, end = 0;  // of the SM's warps
    u64 most = 0;                  // in flight at once

    u64 cycles() const { return end - begin; }
    f64 latency() const { return f64(cyclesOfLoads) / f64(loads); }
    f64 inFlight() const { return f64(cyclesOfLoads) / f64(cycles()); }
    f64 bytes() const { return 32.0 * f64(sectors) / f64(loads); }
};

bool isLoad(const RequestRecord& request) {
    return request.level != time::MemoryLevel::Shared && !request.isStore && request.end > request.begin;
}

Little littleOf(const time::SmRecord& sm) {
    Little little;
    for (const time::WarpRecord& warp : sm.warps) {
        little.begin = std::min(little.begin, warp.begin);
        little.end = std::max(little.end, warp.end);
    }
    std::vector<std::pair<u64, int>> events;
    for (const RequestRecord& request : sm.requests) {
        if (!isLoad(request)) continue;
        ++little.loads;
        little.cyclesOfLoads += request.end - request.begin;
        little.sectors += request.sectors;
        events.emplace_back(request.begin, 1), events.emplace_back(request.end, -1);
    }
    std::ranges::sort(events);
    s64 now = 0;
    for (const auto& [cycle, change] : events)
        little.most = std::max(little.most, u64(now += change));
    return little;
}

class HidingPage {
public:
    HidingPage(const IssueDrawing& d, const Rect& area) : d_(d), area_(area), y_(area.y) {}

    void draw() {
        const bool isTall = area_.height > 260;
        const f32 below = isTall ? std::max(170.0f, area_.height * 0.44f) : 0;
        drawTimelines(area_.height - below);
        if (!isTall) return;
        y_ += kGapBetween;
        const bool beside = area_.width >= 820;
        const f32 half = beside ? (area_.width - 24) / 2 : area_.width,
                  height = beside ? area_.bottom() - y_ : (area_.bottom() - y_) / 2;
        const f32 enough = drawEnough({area_.x, y_, half, height});
        drawOccupancy({area_.x, y_ + enough, half, height - enough});
        drawLittle(beside ? Rect{area_.x + half + 24, y_, half, height}
                          : Rect{area_.x, y_ + height, half, height});
    }

private:
    void title(f32 x, f32 y, f32 room, const std::string& text) {
        d_.canvas.textWithin({x, y}, room, text,
                             shrunkToFit(d_.canvas, room, {.size = type::kBody, .bold = true}, text));
    }

    void drawTimelines(f32 room) {
        const Language l = d_.in.language;
        const std::optional<HidingTimes>& hiding = d_.issues->hiding;
        const time::SmRecord& own = d_.sm();
        u64 end = endOf(own);
        if (hiding) end = std::max(end, endOf(hiding->alone));
        IssueDrawing drawing = d_;
        drawing.scale = {.lanes = {area_.x + kName, y_, area_.width - kName, room},
                         .pixels = f64(area_.width - kName) / f64(end + 1),
                         .from = 0};
        IssueDrawing alone = drawing;
        if (hiding) {
            auto changed = std::make_shared<run::IssueRun>(*d_.issues);
            changed->sm = hiding->alone;
            for (std::vector<u32>& steps : changed->steps)
                steps.clear();
            alone.issues = std::move(changed);
        }
        IssueLooks looks = looksOnShow(drawing, warpsOnShow(drawing));
        looks.add(looksOnShow(alone, warpsOnShow(alone)));
        std::vector<KeyRow> keys = keysOf(drawing, looks);
        if (room < kLeastWithKeys) keys.clear();
        room -= kKeyLine * f32(keyLines(d_.canvas, area_.width, keys).size());
        const f32 each = (hiding ? (room - kGapBetween) / 2 : room) - kLine - kAxisLine;
        title(area_.x, y_ + kLine / 2, area_.width,
              hiding ? say(l, kAll, grouped(endOf(own)), grouped(hiding->elapsedCycles)) : say(l, kTooLarge));
        y_ += kLine;
        drawRows(drawing, each);
        drawAxis(drawing);
        if (hiding) {
            y_ += kGapBetween;
            const std::string brief = say(l, kAlone, grouped(endOf(hiding->alone)),
                                          grouped(hiding->aloneCycles), times(factorOf(*hiding)));
            title(area_.x, y_ + kLine / 2, area_.width,
                  firstFitting(d_.canvas, area_.width, {.size = type::kBody, .bold = true},
                               {brief + fullStop(l) + sentenceGap(l) + say(l, kAloneNote), brief}));
            y_ += kLine;
            drawRows(alone, each);
            drawAxis(alone);
        }
        drawKeys(keys);
    }

    void drawAxis(const IssueDrawing& drawing) {
        d_.canvas.textWithin({area_.x, y_ + kAxisLine / 2}, kName - 6, say(d_.in.language, kCycle),
                             {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        drawCycles(drawing, y_ + kAxisLine / 2, -1, -1);
        y_ += kAxisLine;
    }

    void drawKeys(std::span<const KeyRow> keys) {
        for (const std::span<const KeyRow> line : keyLines(d_.canvas, area_.width, keys)) {
            keyRow(d_.canvas, {area_.x, y_ + kKeyLine / 2}, area_.width, line);
            y_ += kKeyLine;
        }
    }

    void drawRows(const IssueDrawing& drawing, f32 room) {
        const std::vector<u32> warps = warpsOnShow(drawing);
        const u32 count = std::min<u32>(u32(warps.size()), std::max(1u, u32(room / kLeastRowHere)));
        const f32 row = std::clamp(room / f32(std::max(1u, count)), kLeastRowHere, kMostRow);
        for (u32 i = 0; i < count; ++i) {
            const Rect place{drawing.scale.lanes.x, y_ + f32(i) * row, drawing.scale.lanes.width, row};
            drawIssueRow(drawing, warps[i], place);
            if (row < type::kAxis) continue;
            const std::string name = drawing.sentences().warp(warps[i]);
            const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
            d_.canvas.textWithin({area_.x, place.centre().y}, kName - 6, name,
                                 shrunkToFit(d_.canvas, kName - 6, style, name));
        }
        y_ += row * f32(count);
    }

    // Returns the height that it takes.
    f32 drawEnough(const Rect& place) {
        const Language l = d_.in.language;
        const f64 cycles = std::round(10 * cyclesPerIssue(d_.sm(), d_.subcore)) / 10;
        if (cycles < 1 || place.height < 9 * kLine) return 0;
        title(place.x, place.y + kLine / 2, place.width, say(l, kEnough));
        const f64 wanted = std::ceil(cycles);
        f32 y = place.y + kLine + 4;
        const f64 fit = f64(d_.in.run.profile.warpsPerSm) / kSubcores;
        std::string text = say(l, kEnoughNumbers, fmt::format("{:.1f}", cycles), u64(wanted));
        if (wanted > fit) text += sentenceGap(l) + say(l, kTooMany);
        y += kLine * f32(d_.canvas.paragraph({place.x, y + kLine / 2}, place.width, text,
                                             {.size = type::kCode, .role = role(RoleKind::TextSecond)},
                                             kLine / type::kCode, 4));
        y += 4;
        const std::vector<std::pair<std::string, f64>> bars{
            {say(l, kHave), f64(mostWarpsOf(d_.sm(), d_.subcore))},
            {say(l, kFit), fit},
            {say(l, kWanted), wanted}};
        drawBars(bars, {place.x, y, place.width, kLine * f32(bars.size())});
        return y + kLine * f32(bars.size()) + kGapBetween - place.y;
    }

    void drawOccupancy(const Rect& place) {
        const Language l = d_.in.language;
        title(place.x, place.y + kLine / 2, place.width, say(l, kOccupancy));
        f32 y = place.y + kLine + 4;
        const std::optional<HidingTimes>& hiding = d_.issues->hiding;
        const TextStyle words{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        if (!hiding || hiding->occupancy.size() < 2) {
            const u64 blocks = explain::launchOf(d_.in.run, d_.in.cursor.launch).grid.count();
            const u32 sms = d_.in.run.profile.multiprocessors;
            d_.canvas.paragraph({place.x, y + kLine / 2}, place.width,
                                !hiding         ? say(l, kTooLarge)
                                : blocks <= sms ? say(l, kOneBlock, grouped(blocks), sms)
                                                : say(l, kNoRoom),
                                words);
            return;
        }
        u64 most = 1;
        f32 names = 0, figures = 0;
        const auto nameOf = [&](const HidingTimes::Occupancy& one) {
            return say(l, &one == &hiding->occupancy.back() ? kBlocksAsItIs : kBlocks, one.blocksPerSm,
                       one.warpsPerSm);
        };
        for (const HidingTimes::Occupancy& one : hiding->occupancy) {
            most = std::max(most, one.elapsedCycles);
            names = std::max(names, d_.canvas.width(nameOf(one), words));
            figures = std::max(figures, d_.canvas.width(say(l, kCycles, one.elapsedCycles), words));
        }
        names = std::min(names, place.width * 0.5f);
        const f32 room = place.width - names - figures - 20;
        for (const HidingTimes::Occupancy& one : hiding->occupancy) {
            if (y + kLine > place.bottom()) return;
            d_.canvas.textWithin({place.x, y + kLine / 2}, names, nameOf(one), words);
            const f32 wide = std::max(1.0f, room * f32(f64(one.elapsedCycles) / f64(most)));
            d_.canvas.rect({place.x + names + 8, y + (kLine - kBar) / 2, wide, kBar},
                           {.fill = role(RoleKind::Load, 0.6f), .radius = 2});
            d_.canvas.text({place.x + names + 14 + wide, y + kLine / 2}, say(l, kCycles, one.elapsedCycles),
                           {.size = type::kCode});
            y += kLine + 4;
        }
    }

    void drawLittle(const Rect& place) {
        const Language l = d_.in.language;
        title(place.x, place.y + kLine / 2, place.width, say(l, kLittle));
        f32 y = place.y + kLine + 4;
        const Little little = littleOf(d_.issues->sm);
        const TextStyle words{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const auto paragraph = [&](const std::string& text) {
            const f32 room = std::floor((place.bottom() - y) / kLine);
            if (room < 1) return;
            y += kLine * f32(d_.canvas.paragraph({place.x, y + kLine / 2}, place.width, text, words,
                                                 kLine / type::kCode, u32(room)));
        };
        if (!little.loads || little.begin >= little.end) return paragraph(say(l, kNoLoads));
        paragraph(say(l, kLittleNumbers, little.loads, grouped(little.cycles()),
                      fmt::format("{:.1f}", little.latency()), fmt::format("{:.2f}", little.inFlight())));
        std::vector<std::pair<std::string, f64>> bars{{say(l, kMean), little.inFlight()},
                                                      {say(l, kMost), f64(little.most)}};
        if (const time::TimeProfile* times = time::timeProfileOf(d_.in.run.profile);
            times && d_.issues->sms) {
            const f64 share = 32 * times->dramSectorsPerCycle / f64(d_.issues->sms),
                      needed = std::ceil(share * little.latency() / little.bytes());
            paragraph(say(l, kNeeded, fmt::format("{:.1f}", share), fmt::format("{:.0f}", needed),
                          fmt::format("{:.0f}", little.bytes())));
            bars.emplace_back(say(l, kForAll), needed);
        }
        y += 4;
        if (y + kLine * f32(bars.size()) > place.bottom()) return;
        drawBars(bars, {place.x, y, place.width, kLine * f32(bars.size())});
        y += kLine * f32(bars.size());
        y += 4;
        constexpr f32 kLeastChart = 40, kMostChart = 170;
        if (const f32 room = place.bottom() - y; room >= kLeastChart)
            drawInFlight(little, {place.x, y, place.width, std::min(room, kMostChart)});
    }

    void drawBars(const std::vector<std::pair<std::string, f64>>& bars, const Rect& place) {
        const TextStyle words{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        f32 names = 0;
        f64 most = 1;
        for (const auto& [name, value] : bars)
            names = std::max(names, d_.canvas.width(name, words)), most = std::max(most, value);
        names = std::min(names, place.width * 0.5f);
        constexpr f32 kFigure = 60;
        f32 y = place.y + kLine / 2;
        for (const auto& [name, value] : bars) {
            d_.canvas.textWithin({place.x, y}, names, name, words);
            const f32 wide =
                std::max(1.0f, (place.width - names - kFigure - 16) * f32(std::min(1.0, value / most)));
            d_.canvas.rect({place.x + names + 8, y - kBar / 2, wide, kBar},
                           {.fill = role(RoleKind::Load, 0.6f), .radius = 2});
            d_.canvas.text({place.x + names + 14 + wide, y},
                           fmt::format("{:.{}f}", value, value < 100 && value != std::floor(value) ? 2 : 0),
                           {.size = type::kCode});
            y += kLine;
        }
    }

    // Loads in flight over the SM's time, and their mean.
    void drawInFlight(const Little& little, const Rect& place) {
        const TextStyle quiet{.size = type::kAxis, .role = role(RoleKind::TextThird)},
            toTheRight{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
        constexpr f32 kAbove = 14, kBelow = 16;
        const f32 left = d_.canvas.width(grouped(little.most), quiet) + 8;
        const Rect area{place.x + left, place.y + kAbove, place.width - left, place.height - kAbove - kBelow};
        d_.canvas.text({area.x - 6, area.y + 5}, grouped(little.most), toTheRight);
        d_.canvas.text({area.x - 6, area.bottom() - 5}, "0", toTheRight);
        const f32 below = area.bottom() + kBelow / 2;
        d_.canvas.text({area.x, below}, say(d_.in.language, kAtCycle, grouped(little.begin)), quiet);
        d_.canvas.text({area.right(), below}, say(d_.in.language, kAtCycle, grouped(little.end)), toTheRight);
        d_.canvas.textWithin({place.x, place.y + 5}, place.width, say(d_.in.language, kInFlight), quiet);
        const f64 pixels = f64(area.width) / f64(little.cycles());
        std::vector<f64> columns(std::size_t(std::ceil(area.width)));
        for (const RequestRecord& request : d_.issues->sm.requests) {
            if (!isLoad(request)) continue;
            const f64 from = std::max(0.0, f64(request.begin - little.begin) * pixels),
                      to = std::min(f64(columns.size()), f64(request.end - little.begin) * pixels);
            for (std::size_t c = std::size_t(from); f64(c) < to; ++c)
                columns[c] += std::min(to, f64(c + 1)) - std::max(from, f64(c));
        }
        for (std::size_t c = 0; c < columns.size();) {
            std::size_t end = c + 1;
            while (end < columns.size() && std::fabs(columns[end] - columns[c]) < 0.01)
                ++end;
            const f32 tall = area.height * f32(std::min(1.0, columns[c] / f64(little.most)));
            if (tall > 0.2f)
                d_.canvas.rect({area.x + f32(c), area.bottom() - tall, f32(end - c), tall},
                               {.fill = role(RoleKind::Load, 0.6f)});
            c = end;
        }
        d_.canvas.line({area.x, area.bottom()}, {area.right(), area.bottom()}, {role(RoleKind::Line)});
        const f32 mean = area.bottom() - area.height * f32(little.inFlight() / f64(little.most));
        d_.canvas.line({area.x, mean}, {area.right(), mean},
                       {role(RoleKind::Text), line::kHair, Dash::Dashed});
    }

    const IssueDrawing& d_;
    const Rect area_;
    f32 y_;
};

}  // namespace

void drawHiding(const IssueDrawing& d, const Rect& area) { HidingPage(d, area).draw(); }

std::string hidingSentence(const IssueDrawing& d) {
    const Language l = d.in.language;
    if (!d.issues->hiding) return say(l, kTooLarge);
    const HidingTimes& hiding = *d.issues->hiding;
    if (hiding.aloneCycles <= hiding.elapsedCycles)
        return say(l, kNoDifference, grouped(hiding.elapsedCycles));
    return say(l, kHidingSentence, times(factorOf(hiding)), grouped(hiding.aloneCycles),
               grouped(hiding.elapsedCycles));
}

}  // namespace lockstep::viz
