#include "viz/views/occupancy_picture.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kTitle = english("Theoretical occupancy of an SM");
constexpr Words kFigure = english("{0} of {1} {1:warp|warps}");
constexpr Words kBlocksOf = english("{0} {0:block|blocks} of {1} {1:warp|warps}");
constexpr Words kLimits = english("Blocks per SM that each limit allows");
constexpr Words kNotKnown = english("not known");
constexpr Words kRegistersAThread = english(" · {0} {0:register|registers} per thread, {1}");
constexpr Words kNoLimit = english("no limit");
constexpr Words kLimitsHere = english("limiting factor");
constexpr Words kFewBlocks = english("the grid has only {0} {0:block|blocks} for {1} {1:SM|SMs}");
constexpr Words kFewBlocksShort = english("{0} {0:block|blocks} for {1} {1:SM|SMs}");
constexpr Words kWaves = english(
    "{0} {0:block|blocks} in {1} {1:wave|waves} of up to {2}; the last has only {3}: {4}% of its block slots "
    "are empty");
constexpr Words kOneWave =
    english("{0} {0:block|blocks} in one wave of up to {1}: {2}% of the block slots are empty");
constexpr Words kWavesShort =
    english("{0} {0:block|blocks}, {1} {1:wave|waves} of up to {2}; in the last {3}% of the slots empty");
constexpr Words kWaveHover = english("Wave {0}: {1} {1:block|blocks}");
constexpr Words kByWarps = english("warps"), kByBlocks = english("blocks"),
                kByShared = english("shared memory"), kByRegisters = english("registers");

const TextStyle kSecond{.size = type::kCode, .role = role(RoleKind::TextSecond)};

const Words& nameOf(const std::string& limit) {
    if (limit == "warps") return kByWarps;
    if (limit == "blocks") return kByBlocks;
    return limit == "registers" ? kByRegisters : kByShared;
}

// A place for every warp that the multiprocessor can hold, filled where a block has it; a block's places in a
// row hang together.
void drawPlaces(Canvas& canvas, const Rect& area, const model::Occupancy& occupancy, u32 warpsPerBlock,
                const model::Profile& profile) {
    const u32 columns = 16, rows = (profile.warpsPerSm + columns - 1) / columns;
    const f32 size = std::floor(std::min(area.width / f32(columns), area.height / f32(rows)));
    for (u32 warp = 0; warp < profile.warpsPerSm; ++warp) {
        const u32 row = warp / columns;
        const Rect place{area.x + f32(warp % columns) * size + 1, area.y + f32(row) * size + 1, size - 2,
                         size - 2};
        if (warp >= occupancy.possibleWarpsPerSm) {
            canvas.rect(place.inset(0.5f), {.stroke = {role(RoleKind::Edge)}, .radius = 2});
            continue;
        }
        const Role fill = role(RoleKind::TextSecond);
        canvas.rect(place, {.fill = fill, .radius = 2});
        const u32 next = warp + 1;
        if (next % columns && next % warpsPerBlock && next < occupancy.possibleWarpsPerSm)
            canvas.rect({place.right() - 1, place.centre().y - 2, 4, 4}, {.fill = fill});
    }
}

// `registers`: of a thread, and who says so; empty where nobody does.
void drawLimits(Canvas& canvas, const Rect& area, std::span<const model::OccupancyLimit> limits,
                const model::Occupancy& occupancy, const std::string& registers,
                const model::Profile& profile, Language language) {
    const std::string title(kLimits.in(language));
    const bool fits = canvas.width(title + registers, kSecond) <= area.width;
    canvas.textWithin({area.x, area.y + 8}, area.width, fits ? title + registers : title, kSecond);
    if (!registers.empty()) canvas.hit({area.x, area.y, area.width, 20}, {.hover = title + registers});
    f32 widest = 104;
    for (const model::OccupancyLimit& limit : limits)
        widest = std::max(widest,
                          canvas.width(nameOf(limit.name).in(language), {.size = type::kCode, .bold = true}));
    const f32 row = 20, names = std::min(widest + 6, area.width * 0.45f), bars = area.x + names,
              wide = area.width - names - 44;
    f32 y = area.y + 20;
    for (const model::OccupancyLimit& limit : limits) {
        const f32 middle = y + row / 2;
        const bool binds = limit.name == occupancy.possibleLimit;
        canvas.textWithin({area.x, middle}, names - 6, nameOf(limit.name).in(language),
                          {.size = type::kCode, .bold = binds});
        if (limit.blocks) {
            const f32 length = std::max(1.0f, wide * f32(std::min<u64>(*limit.blocks, profile.blocksPerSm)) /
                                                  f32(profile.blocksPerSm));
            canvas.rect({bars, middle - 5, length, 10},
                        {.fill = role(binds ? RoleKind::Load : RoleKind::Wasted), .radius = 2});
            if (*limit.blocks > profile.blocksPerSm)
                canvas.line({bars + length - 14, middle + 7}, {bars + length - 8, middle - 7},
                            {role(RoleKind::Ground), 3});  // longer than the scale
            const std::string figure = fmt::format("{}", *limit.blocks);
            const f32 used = canvas.text({bars + length + 6, middle}, figure,
                                         {.size = type::kCode, .bold = binds, .mono = true});
            const std::string note(kLimitsHere.in(language));
            if (binds && bars + length + 14 + used + canvas.width(note, kSecond) < area.right())
                canvas.text({bars + length + 14 + used, middle}, note, kSecond);
        } else {
            canvas.textWithin({bars, middle}, area.right() - bars,
                              (limit.name == "registers" ? kNotKnown : kNoLimit).in(language),
                              {.size = type::kCode, .role = role(RoleKind::TextThird)});
        }
        y += row;
    }
}

// A bar a wave, as long as its blocks; where there are too many, the first ones and the last.
void drawWaves(Canvas& canvas, const Rect& area, const model::BlockNeeds& needs,
               const model::Occupancy& occupancy, Language language) {
    const f32 least = 26;
    const u64 room = std::max<u64>(2, u64(area.width / least)), shown = std::min(occupancy.waves, room);
    const f32 pitch = std::min(160.0f, area.width / f32(shown));
    for (u64 i = 0; i < shown; ++i) {
        const u64 wave = i + 1 == shown ? occupancy.waves - 1 : i;
        const bool last = wave + 1 == occupancy.waves, gap = shown < occupancy.waves && i + 2 == shown;
        const u64 blocks = last ? occupancy.blocksInLastWave : occupancy.blocksPerWave;
        const Rect place{area.x + f32(i) * pitch, area.y, pitch - 3, 14};
        canvas.hit(place, {.hover = say(language, kWaveHover, wave + 1, grouped(blocks))});
        if (gap) {
            canvas.text(place.centre(), "…", {.align = Align::Centre, .role = role(RoleKind::TextSecond)});
            continue;
        }
        canvas.rect(place, {.fill = role(RoleKind::Inactive), .radius = 2});
        canvas.rect(
            {place.x, place.y, std::max(1.0f, place.width * f32(f64(blocks) / f64(occupancy.blocksPerWave))),
             place.height},
            {.fill = role(RoleKind::TextSecond), .radius = 2});
    }
    const std::string idle =
        percentOf(u64(occupancy.blocksPerWave - occupancy.blocksInLastWave), occupancy.blocksPerWave);
    std::string text =
        occupancy.waves == 1
            ? say(language, kOneWave, grouped(needs.gridBlocks), grouped(occupancy.blocksPerWave), idle)
            : say(language, kWaves, grouped(needs.gridBlocks), grouped(occupancy.waves),
                  grouped(occupancy.blocksPerWave), grouped(occupancy.blocksInLastWave), idle);
    if (canvas.width(text, kSecond) > area.width)
        text = say(language, kWavesShort, grouped(needs.gridBlocks), grouped(occupancy.waves),
                   grouped(occupancy.blocksPerWave), idle);
    canvas.textWithin({area.x, area.y + 27}, area.width, text, kSecond);
}

}  // namespace

f32 drawOccupancy(Canvas& canvas, const Rect& area, const model::BlockNeeds& needs,
                  std::string_view registersFrom, const model::Profile& profile, Language language) {
    const model::Occupancy occupancy = model::occupancy(needs, profile);
    if (occupancy.blocksPerSm == 0 || occupancy.waves == 0 || area.height < kOccupancyHeight ||
        area.width < 320)
        return 0;
    const u32 warpsPerBlock = occupancy.possibleWarpsPerSm / occupancy.possibleBlocksPerSm;
    canvas.textWithin({area.x, area.y + 8}, area.width, kTitle.in(language), {.bold = true});
    const f32 half = std::floor(area.width * 0.46f);
    const Rect left{area.x, area.y + 22, half - 20, 96};
    const f32 wide =
        canvas.textWithin({left.x, left.y + 12}, left.width,
                          say(language, kFigure, occupancy.possibleWarpsPerSm, profile.warpsPerSm),
                          {.size = type::kName, .bold = true});
    const std::string percent = percentOf(u64(occupancy.possibleWarpsPerSm), profile.warpsPerSm) + "%";
    const TextStyle percentStyle{
        .size = type::kName, .bold = true, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    if (wide + canvas.width(percent, percentStyle) + 12 < left.width)
        canvas.text({left.right(), left.y + 12}, percent, percentStyle);
    const bool few = occupancy.limitedBy == "grid";
    std::string what = few ? say(language, kFewBlocks, grouped(needs.gridBlocks), profile.multiprocessors)
                           : say(language, kBlocksOf, occupancy.possibleBlocksPerSm, warpsPerBlock);
    if (few && canvas.width(what, kSecond) > left.width)
        what = say(language, kFewBlocksShort, grouped(needs.gridBlocks), profile.multiprocessors);
    canvas.textWithin({left.x, left.y + 32}, left.width, what, kSecond);
    drawPlaces(canvas, {left.x, left.y + 44, left.width, left.height - 44}, occupancy, warpsPerBlock,
               profile);
    const std::vector<model::OccupancyLimit> limits = model::occupancyLimits(needs, profile);
    drawLimits(canvas, {area.x + half, area.y + 22, area.width - half, 100}, limits, occupancy,
               needs.registersPerThread
                   ? say(language, kRegistersAThread, *needs.registersPerThread, registersFrom)
                   : std::string(),
               profile, language);
    drawWaves(canvas, {area.x, area.y + 128, area.width, 40}, needs, occupancy, language);
    return kOccupancyHeight;
}

}  // namespace lockstep::viz
