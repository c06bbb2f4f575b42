#include "viz/views/memory_levels.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "base/text/words.h"
#include "model/caches/cache_simulation.h"
#include "viz/marks/diamond.h"
#include "viz/marks/fitting_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::viz {
namespace {

using model::MemoryFigure;
using model::MemoryRow;
using What = MemoryFigure::What;

constexpr Words kLevels = english("Memory tables: L1, L2 and device memory");
constexpr Words kRequests = english("requests");
constexpr Words kSectors = english("sectors");
constexpr Words kSectorAccesses = english("sector accesses");  // of atomics, as ncu counts them
constexpr Words kHitRate = english("hit rate");
constexpr Words kOnward = english("to the next level");
constexpr Words kOnwardBrief = english("onward");
constexpr Words kMeasured = english("measured");
constexpr Words kPredicted = english("predicted");
constexpr Words kPredictedRow = english("  · predicted");
constexpr Words kHitsIn = english("{0} in {1}");
constexpr Words kGoesTo = english("{0} → {1}");
constexpr Words kDeviceMemory = english("device memory");
constexpr Words kPredictedAlone = english("predicted; nothing was measured");
constexpr Words kPredictedFirst = english("predicted; below: measured");
constexpr Words kDiffers = english("{0}: {1}");  // by how many sectors, and why
constexpr Words kSpread = english(
    "L2 reads: between {0} (each sector once) and {1} (every L1 miss), depending on how many requests of "
    "different SMs coincide. L1 of an SM: {2} KiB. Counted with caches empty at the start of each launch.");
constexpr Words kEachOnce = english(
    "L2 reads: {0}, one per L1 miss. L1 of an SM: {1} KiB. Counted with caches empty at the start of each "
    "launch.");
constexpr Words kSimulating = english("The caches are being simulated: {0}%");
// Why there are no caches to show.
constexpr Words kNoCachesThere =
    english("Compute capability {0} has no L1 and no L2 cache: each transaction goes to device memory.");
constexpr Words kNoCachesKnown = english(
    "Caches are simulated under the rules of compute capability 9.0 only; here is what the instructions ask "
    "for.");
constexpr Words kNoCachesInFile = english("A recording has no simulated caches; run the kernel to see them.");
constexpr Words kNotToItsEnd = english("The run was stopped before its end: its caches were not simulated.");
constexpr Words kNoCachesOfSample =
    english("The caches are not simulated: all blocks share them, and only some of them ran.");
constexpr Words kNotSimulated = english(
    "The caches were not simulated: that was canceled or not asked for, or the run makes more than {0} "
    "million requests. Run it again in the window, or with --caches on.");

// What a row is, said under the mouse.
constexpr Words kOfL1 = english(
    "What the instructions ask of L1: requests of warps, sectors of 32 bytes looked up there, and how many "
    "of them go on to L2.");
constexpr Words kOfL1Atomics = english(
    "They only pass through L1 and are executed at L2: requests of warps, and accesses to sectors of 32 "
    "bytes. One access updates different words of a sector; lanes that update the same word need one access "
    "each. "
    "Where the result is unused, SASS has RED instead of ATOMG: nothing is returned to the lanes.");
constexpr Words kOfLocal = english(
    "The same of local memory: a thread's own arrays, and registers that the compiler had no room for.");
constexpr Words kOfL2 = english("What the SMs ask of L2, which all of them share, in sectors of 32 bytes.");
constexpr Words kOfDeviceReads = english("What L2 fetches from device memory, in sectors of 32 bytes.");
constexpr Words kOfDeviceWrites = english("What L2 writes back to device memory, in sectors of 32 bytes.");
constexpr Words kOfShared = english(
    "Shared-memory wavefronts; conflicts are the extra ones needed when lanes access different words of one "
    "bank.");
constexpr Words kOfSharedAtomics = english(
    "Shared-memory wavefronts, and the extra ones needed when lanes access different words of one bank, or "
    "update one word one after another.");
constexpr Words kWavefronts = english("wavefronts");
constexpr Words kConflicts = english("bank conflicts");
// Of atomics, whose lanes take turns at one word, too; ncu counts both as conflicts.
constexpr Words kExtraWavefronts = english("extra wavefronts (same bank or same word)");
constexpr Words kConflictsSaid = english("bank conflicts: {0} measured, {1} predicted");
constexpr Words kConflictsBrief = english("{0} {0:conflict|conflicts}");
constexpr Words kHits = english("hits");
constexpr Words kFigureSaid = english("{0}: {1} predicted, {2} measured; {3}");
constexpr Words kFigurePredicted = english("{0}: {1} predicted, not measured; {2}");
constexpr Words kUnderNcusName = english("ncu: {0}.sum");
constexpr Words kWorkedOut = english("derived from other counters");
constexpr Words kNoCounter = english("no counter of its own");
constexpr Words kBeforeMerging = english("all that is stored, before any merging");
constexpr Words kRowGoes = english("Click to go to the next such access of the cursor's block.");

const Words& sentenceOf(MemoryRow::Level level, MemoryRow::Operation operation) {
    if (level == MemoryRow::Level::L1)
        return operation == MemoryRow::Operation::Atomic ? kOfL1Atomics : kOfL1;
    if (level == MemoryRow::Level::Local) return kOfLocal;
    if (level == MemoryRow::Level::Shared)
        return operation == MemoryRow::Operation::Atomic ? kOfSharedAtomics : kOfShared;
    if (level == MemoryRow::Level::L2) return kOfL2;
    return operation == MemoryRow::Operation::Store ? kOfDeviceWrites : kOfDeviceReads;
}

const Words& wordsOf(What what) {
    switch (what) {
        case What::Requests: return kRequests;
        case What::Sectors: return kSectors;
        case What::Wavefronts: return kWavefronts;
        case What::Conflicts: return kConflicts;
        case What::Hits: return kHits;
        case What::Onward: return kOnward;
    }
    return kOnward;
}

const Words& nameOf(MemoryRow::Level level, MemoryRow::Operation operation) {
    using Level = MemoryRow::Level;
    static constexpr std::array<std::array<Words, 3>, 5> kNames{{
        {english("L1, loads"), english("L1, stores"), english("L1, atomics")},
        {english("L1, local loads"), english("L1, local stores"), english("L1, local atomics")},
        {english("Shared, loads"), english("Shared, stores"), english("Shared, atomics")},
        {english("L2, reads"), english("L2, writes"), english("L2, atomics")},
        {english("Device memory, reads"), english("Device memory, writes"),
         english("Device memory, atomics")},
    }};
    static_assert(u32(Level::Device) == 4);
    return kNames[u32(level)][u32(operation)];
}
const Words& nameOf(const MemoryRow& row) { return nameOf(row.level, row.operation); }

// Where there is no room for its name.
const Words& briefNameOf(const MemoryRow& row) {
    static constexpr std::array<Words, 3> kDevice{english("Device, reads"), english("Device, writes"),
                                                  english("Device, atomics")};
    return row.level == MemoryRow::Level::Device ? kDevice[u32(row.operation)] : nameOf(row);
}

std::string number(std::optional<u64> value) { return value ? grouped(*value) : std::string("–"); }
std::string percent(std::optional<f64> rate) {
    return rate ? percentOfShare(*rate, 1) + "%" : std::string("–");
}
std::string signedNumber(s64 value) { return (value < 0 ? "−" : "+") + grouped(u64(std::abs(value))); }
std::string withDifference(const MemoryFigure& figure) {
    if (!figure.measured) return "–";
    const s64 difference = figure.difference().value_or(0);
    return difference == 0 ? grouped(*figure.measured)
                           : fmt::format("{} ({})", grouped(*figure.measured), signedNumber(difference));
}

struct Columns {
    Canvas& canvas;
    f32 left, first, pitch;
    bool namesPredicted =
        false;  // each row says that its figures are predicted, as all of them have room for it

    void cell(u32 column, f32 y, const std::string& text, RoleKind kind) const {
        const f32 x = left + first + f32(column + 1) * pitch;
        const TextStyle style{.size = type::kCode,
                              .mono = true,
                              .align = Align::Right,
                              .role = role(text == "–" ? RoleKind::TextThird : kind)};
        canvas.textWithin({x, y}, pitch - 6, text, shrunkToFit(canvas, pitch - 6, style, text));
    }
    bool holds(const std::string& text) const {
        return canvas.width(text, {.size = type::kCode, .mono = true}) <= pitch - 6;
    }
};

struct Pitch {
    f32 row, line, heading;
};
constexpr f32 kBriefLine = 12;
constexpr Pitch pitchOf(RowForm form) {
    return form == RowForm::Full ? Pitch{24, 18, 22} : Pitch{17, 15, 17};
}

bool isMeasured(const MemoryRow& row) {
    return std::ranges::any_of(row.figures,
                               [](const MemoryFigure& figure) { return figure.measured.has_value(); });
}

const MemoryRow* rowLike(const MemoryRow& row, const MeasuredBeside* beside) {
    if (!beside) return nullptr;
    const auto isLike = [&](const MemoryRow& other) {
        return other.level == row.level && other.operation == row.operation;
    };
    const auto found = std::ranges::find_if(beside->tables.rows, isLike);
    return found == beside->tables.rows.end() ? nullptr : &*found;
}

// The level whose hits a row's rate counts, and the next one, to which its misses go.
std::string_view cacheOf(MemoryRow::Level level) { return level == MemoryRow::Level::L2 ? "L2" : "L1"; }
std::string_view nextOf(MemoryRow::Level level, Language l) {
    return level == MemoryRow::Level::L2 ? kDeviceMemory.in(l) : std::string_view("L2");
}

// With the level that it is of, where the column holds that.
void levelCell(const Columns& columns, u32 column, f32 y, const std::string& text, const Words& with,
               std::string_view level, RoleKind kind, Language l) {
    const std::string whole = text == "–" ? text : say(l, with, text, level);
    columns.cell(column, y, columns.holds(whole) ? whole : text, kind);
}

// One machine's figures; `text` says how a figure is written.
void drawMeasured(const Columns& columns, f32 y, std::string_view name, const MemoryRow& row,
                  std::string (*text)(const MemoryFigure&), Language l) {
    columns.canvas.textWithin({columns.left + 18, y}, columns.first - 20, name,
                              {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    const auto textOf = [&](What what) {
        const MemoryFigure* figure = row.find(what);
        const std::string whole = figure ? text(*figure) : "–";
        return columns.holds(whole) || !figure ? whole : number(figure->measured);
    };
    // What differs from the prediction stands out.
    const auto inkOf = [&](What what) {
        const MemoryFigure* figure = row.find(what);
        return figure && figure->difference().value_or(0) != 0 ? RoleKind::Text : RoleKind::TextSecond;
    };
    columns.cell(0, y, textOf(What::Requests), inkOf(What::Requests));
    columns.cell(1, y, textOf(What::Sectors), inkOf(What::Sectors));
    const std::string rate = percent(row.measuredHitRate());
    levelCell(columns, 2, y, rate, kHitsIn, cacheOf(row.level),
              !row.predictedHitRate() || rate == percent(row.predictedHitRate()) ? RoleKind::TextSecond
                                                                                 : RoleKind::Text,
              l);
    levelCell(columns, 3, y, textOf(What::Onward), kGoesTo, nextOf(row.level, l), inkOf(What::Onward), l);
}

// What it is, each figure with where it is from, and why prediction and measurement differ.
std::string hoverOf(const MemoryRow& row, std::span<const std::string> words, bool goes, Language l) {
    std::string text = std::string(nameOf(row).in(l)) + fullStop(l) + sentenceGap(l) +
                       std::string(sentenceOf(row.level, row.operation).in(l));
    for (const MemoryFigure& figure : row.figures) {
        const std::string from = !figure.metric.empty() ? say(l, kUnderNcusName, figure.metric)
                                 : row.operation == MemoryRow::Operation::Store && figure.what == What::Onward
                                     ? say(l, kBeforeMerging)
                                     : say(l, figure.measured ? kWorkedOut : kNoCounter);
        const std::string_view what = (row.operation != MemoryRow::Operation::Atomic ? wordsOf(figure.what)
                                       : figure.what == What::Sectors                ? kSectorAccesses
                                       : figure.what == What::Conflicts              ? kExtraWavefronts
                                                                                     : wordsOf(figure.what))
                                          .in(l);
        text += "\n" + (figure.measured ? say(l, kFigureSaid, what, number(figure.predicted),
                                              number(figure.measured), from)
                                        : say(l, kFigurePredicted, what, number(figure.predicted), from));
    }
    for (const std::string& said : words)
        text += "\n" + said;
    if (goes) text += "\n" + say(l, kRowGoes);
    return text;
}

// A reason, which may follow a figure and a colon, by itself: "Parameters and machine code are ....".
std::string asSentence(std::string reason, Language language) {
    if (reason.empty()) return reason;
    if (language == Language::English)
        reason.front() = char(std::toupper(static_cast<unsigned char>(reason.front())));
    return reason + std::string(fullStop(language));
}

// What there is to say of a row: how it follows from the one before, and why prediction and measurement
// differ, each reason once.
std::vector<std::string> wordsOn(const MemoryRow& row, Language language) {
    std::vector<std::string> words;
    for (const auto* parts : {&row.explained, &row.within})
        for (const MemoryRow::Explained& part : *parts)
            words.emplace_back(part.text.in(language));
    for (const MemoryFigure& figure : row.figures)
        words.push_back(asSentence(std::string(figure.reason.in(language)), language));
    std::vector<std::string> once;
    for (std::string& text : words)
        if (!text.empty() && std::ranges::find(once, text) == once.end()) once.push_back(std::move(text));
    return once;
}

// The same where rows stand close together: how the sectors follow from the level before, by how much the
// measured ones differ and why.
std::vector<std::string> brieflyOn(const MemoryRow& row, Language language) {
    std::vector<std::string> words;
    for (const MemoryRow::Explained& part : row.explained)
        if (!part.brief.empty()) words.emplace_back(part.brief.in(language));
    const MemoryFigure* sectors = row.find(What::Sectors);
    if (sectors && sectors->measured && sectors->difference().value_or(0) != 0 && !sectors->reason.empty())
        words.push_back(
            say(language, kDiffers, signedNumber(*sectors->difference()), sectors->reason.in(language)));
    return words;
}

// Whether "predicted" fits between a row's name and its first figure.
bool hasRoomForPredicted(const Columns& columns, const MemoryRow& row, Language l) {
    const MemoryFigure* requests = row.find(What::Requests);
    const f32 figure =
        columns.canvas.width(number(requests ? requests->predicted : std::nullopt), {.mono = true}) + 12;
    const f32 needed = columns.canvas.width(nameOf(row).in(l)) +
                       columns.canvas.width(kPredictedRow.in(l), {.size = type::kCode});
    return needed <= columns.first - 18 + std::max(0.0f, columns.pitch - figure);
}

// briefly: for rows that stand close together.
f32 drawRow(const Columns& columns, f32 y, f32 width, const MemoryRow& row, const MeasuredBeside* beside,
            std::span<const std::string> words, std::span<const std::string> briefly, RowForm form,
            const RowGoes& goes, Language l) {
    Canvas& canvas = columns.canvas;
    const Pitch pitch = pitchOf(form);
    const MemoryFigure *requests = row.find(What::Requests), *sectors = row.find(What::Sectors),
                       *onward = row.find(What::Onward);
    // Square, disc, diamond: load, store, atomic.
    if (row.operation == MemoryRow::Operation::Atomic)
        diamond(canvas, {columns.left + 5, y}, role(RoleKind::Text), 6);
    else
        canvas.rect(
            {columns.left, y - 5, 10, 10},
            {.fill = role(row.operation == MemoryRow::Operation::Load ? RoleKind::Load : RoleKind::Store),
             .radius = row.operation == MemoryRow::Operation::Load ? 1.0f : 5.0f});
    const f32 figureRoom = requests ? 56 : 18;  // of the first column, whose figures end at its right
    const f32 nameRoom = columns.first - 18 + std::max(0.0f, columns.pitch - figureRoom);
    const std::string name =
        firstFitting(canvas, nameRoom, {}, {say(l, nameOf(row)), say(l, briefNameOf(row))});
    const f32 named =
        canvas.textWithin({columns.left + 18, y}, nameRoom, name, shrunkToFit(canvas, nameRoom, {}, name));
    const TextStyle whose{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    if (columns.namesPredicted)
        canvas.text({columns.left + 18 + named, y}, std::string(kPredictedRow.in(l)), whose);
    columns.cell(0, y, number(requests ? requests->predicted : std::nullopt), RoleKind::Text);
    columns.cell(1, y, number(sectors ? sectors->predicted : std::nullopt), RoleKind::Text);
    levelCell(columns, 2, y, percent(row.predictedHitRate()), kHitsIn, cacheOf(row.level), RoleKind::Text, l);
    levelCell(columns, 3, y, number(onward ? onward->predicted : std::nullopt), kGoesTo, nextOf(row.level, l),
              RoleKind::Text, l);
    f32 used = pitch.row;
    const auto answer = [&] {
        if (form == RowForm::Full)
            for (const std::string& text : words)
                used += kReasonLine * f32(canvas.paragraph({columns.left + 18, y + used - 7}, width - 18,
                                                           text, kReasonStyle, kReasonLine / type::kAxis));
        else
            for (const std::string& text : briefly)
                used += kBriefLine * f32(canvas.paragraph({columns.left + 18, y + used - 4}, width - 18, text,
                                                          kReasonStyle, kBriefLine / type::kAxis));
        const std::optional<Cursor> go = goes(row);
        canvas.hit({columns.left, y - pitch.row / 2, width, used},
                   {.hover = hoverOf(row, words, go.has_value(), l), .go = go});
        return used;
    };
    if (!isMeasured(row)) return answer();
    drawMeasured(columns, y + pitch.line, beside ? beside->first : kMeasured.in(l), row, withDifference, l);
    used += pitch.line;
    if (const MemoryRow* there = rowLike(row, beside)) {
        drawMeasured(
            columns, y + 2 * pitch.line, beside->second, *there,
            [](const MemoryFigure& figure) { return number(figure.measured); }, l);
        used += pitch.line;
    }
    return answer();
}

f32 heightOf(const MemoryRow& row, const MeasuredBeside* beside, RowForm form) {
    const Pitch pitch = pitchOf(form);
    const f32 reason = form == RowForm::Full ? kReasonLine * f32(wordsOn(row, Language::English).size())
                                             : kBriefLine * f32(brieflyOn(row, Language::English).size());
    return pitch.row + reason + (isMeasured(row) ? pitch.line + (rowLike(row, beside) ? pitch.line : 0) : 0);
}

// How far the simulation is, where its figures will be.
f32 drawUnderWay(Canvas& canvas, const Rect& area, u32 percent, Language language) {
    constexpr f32 kLine = 18;
    const f32 y = area.y + kLine / 2,
              wide = canvas.textWithin({area.x, y}, area.width, say(language, kSimulating, percent)) + 16,
              bar = std::min(160.0f, area.width - wide);
    if (bar < 40) return kLine;
    canvas.rect({area.x + wide, y - 2, bar, 4}, {.fill = role(RoleKind::Raised), .radius = 2});
    canvas.rect({area.x + wide, y - 2, std::max(4.0f, bar * f32(percent) / 100), 4},
                {.fill = role(RoleKind::Text), .radius = 2});
    return kLine;
}

// Returns the height of it.
f32 drawFoot(Canvas& canvas, Point top, f32 width, const std::string& text) {
    const f32 line = pitchOf(RowForm::Full).line - 2;
    return line *
           f32(canvas.paragraph(top, width, text, {.size = type::kAxis, .role = role(RoleKind::TextThird)},
                                line / type::kAxis));
}

}  // namespace

const Words& nameOfShared(MemoryRow::Operation operation) {
    return nameOf(MemoryRow::Level::Shared, operation);
}

std::vector<MeasuredShared> measuredOfShared(const model::MemoryTables& tables,
                                             MemoryRow::Operation operation, const MeasuredBeside* beside,
                                             Language l) {
    const auto isIt = [&](const MemoryRow& row) {
        return row.level == MemoryRow::Level::Shared && row.operation == operation;
    };
    const auto row = std::ranges::find_if(tables.rows, isIt);
    if (row == tables.rows.end() || !isMeasured(*row)) return {};
    const auto of = [&](const MemoryRow& there, std::string whose) {
        const MemoryFigure *wavefronts = there.find(What::Wavefronts),
                           *conflicts = there.find(What::Conflicts);
        const std::vector<std::string> reasons = wordsOn(there, l);
        MeasuredShared measured{.whose = std::move(whose),
                                .wavefronts = "–",
                                .wavefrontsBrief = "–",
                                .conflicts = {},
                                .conflictsBrief = {},
                                .hover = hoverOf(there, reasons, false, l),
                                .reasons = reasons};
        if (wavefronts)
            measured.wavefronts = withDifference(*wavefronts),
            measured.wavefrontsBrief = number(wavefronts->measured);
        if (conflicts && conflicts->measured)
            measured.conflicts =
                say(l, kConflictsSaid, number(conflicts->measured), number(conflicts->predicted)),
            measured.conflictsBrief = say(l, kConflictsBrief, number(conflicts->measured));
        return measured;
    };
    std::vector<MeasuredShared> all{of(*row, beside ? beside->first : std::string(kMeasured.in(l)))};
    if (const MemoryRow* there = rowLike(*row, beside); there && isMeasured(*there))
        all.push_back(of(*there, beside->second)), all.front().reasons.clear();
    return all;
}

f32 memoryLevelsHeight(const model::MemoryTables& tables, const MeasuredBeside* beside, RowForm form) {
    const Pitch pitch = pitchOf(form);
    f32 height = 24 + pitch.heading + pitch.row * 0.6f + 2 * pitch.line;
    for (const MemoryRow& row : tables.rows)
        if (row.level != MemoryRow::Level::Shared) height += heightOf(row, beside, form);
    return height;
}

bool hasCaches(const model::Profile& profile) { return profile.major > 1; }

std::string whyNoCaches(const run::Run& run, const model::Profile& profile, Language language) {
    if (!hasCaches(profile))
        return say(language, kNoCachesThere, fmt::format("{}.{}", profile.major, profile.minor));
    if (!profile.caches) return std::string(kNoCachesKnown.in(language));
    if (run.recording.sample) return std::string(kNoCachesOfSample.in(language));
    if (run.traceSource == "recording") return std::string(kNoCachesInFile.in(language));
    if (!run.emulated) return std::string(kNotToItsEnd.in(language));
    return say(language, kNotSimulated, model::CacheSimulations::kMostRequests / 1'000'000);
}

f32 drawMemoryLevels(Canvas& canvas, Point top, f32 width, const model::MemoryTables& tables,
                     const MeasuredBeside* beside, std::optional<u32> cachesPercent,
                     const std::string& withoutCaches, RowForm form, std::vector<f32>& drawn,
                     const RowGoes& goes, Language language) {
    const Pitch pitch = pitchOf(form);
    f32 y = top.y + 10;
    canvas.textWithin({top.x, y}, width, kLevels.in(language), {.bold = true});
    const f32 first = std::min(220.0f, width * 0.28f);
    Columns columns{canvas, top.x, first, (width - first) / 4};
    const auto isShown = [](const MemoryRow& row) {
        return row.level != MemoryRow::Level::Shared;
    };  // whose wavefronts stand below the accesses
    columns.namesPredicted = std::ranges::all_of(tables.rows, [&](const MemoryRow& row) {
        return !isShown(row) || hasRoomForPredicted(columns, row, language);
    });
    y += pitch.heading;
    if (std::ranges::none_of(tables.rows, isShown))
        return y + drawFoot(canvas, {top.x, y}, width, withoutCaches) - top.y;
    const TextStyle whose{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    const f32 whoseRoom =
        first + columns.pitch - 6 - canvas.width(kRequests.in(language), {.size = type::kCode}) - 12;
    const std::string said(
        (std::ranges::any_of(tables.rows, isMeasured) ? kPredictedFirst : kPredictedAlone).in(language));
    canvas.textWithin({top.x, y}, whoseRoom,
                      firstFitting(canvas, whoseRoom, whose, {said, std::string(kPredicted.in(language))}),
                      whose);
    u32 column = 0;
    for (const Words* words : {&kRequests, &kSectors, &kHitRate, &kOnward}) {
        const TextStyle title{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const std::string name(words->in(language)),
            brief(words == &kOnward ? kOnwardBrief.in(language) : words->in(language));
        canvas.textWithin({top.x + first + f32(++column) * columns.pitch, y}, columns.pitch - 6,
                          firstFitting(canvas, columns.pitch - 6, title, {name, brief}), title);
    }
    y += 14;
    canvas.line({top.x, y}, {top.x + width, y}, {role(RoleKind::Line)});
    y += pitch.row * 0.6f;
    for (const MemoryRow& row : tables.rows) {
        if (!isShown(row)) continue;
        y += drawRow(columns, y, width, row, beside, wordsOn(row, language), brieflyOn(row, language), form,
                     goes, language);
        drawn.push_back(y - pitch.row / 2);
    }
    if (!tables.caches && cachesPercent)
        return y + drawUnderWay(canvas, {top.x, y, width, 2 * pitch.line}, *cachesPercent, language) - top.y;
    const auto footOf = [&](const auto& caches) {
        if (caches.l2ReadsLeast == caches.l2ReadsMost)
            return say(language, kEachOnce, grouped(caches.l2ReadsLeast), caches.l1Bytes / 1024);
        return say(language, kSpread, grouped(caches.l2ReadsLeast), grouped(caches.l2ReadsMost),
                   caches.l1Bytes / 1024);
    };
    const std::string foot = tables.caches ? footOf(*tables.caches) : withoutCaches;
    return y + drawFoot(canvas, {top.x, y}, width, foot) - top.y;
}

}  // namespace lockstep::viz
