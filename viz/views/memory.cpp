// What the whole grid asked of each memory: instructions, requests, sectors and wavefronts a space and direction as written, then the
// memory tables of a profiler.
#include "viz/views/views.h"

#include <algorithm>
#include <map>

#include "model/bounds.h"
#include "run/machine_run.h"
#include "viz/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/times_facts.h"
#include "viz/views/memory_levels.h"
#include "viz/views/occupancy_picture.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kAsRunShort{"as run", "实际执行"};
constexpr Words kMeasuredBeside{"Beside it: on an {0}, CUDA {1}, {2} (a recording).", "旁边：{0}，CUDA {1}，{2}（录制）。"};
constexpr Words kMadeJustNow{"just now", "刚才"};

struct Machine { u64 executions = 0, wavefronts = 0, ideal = 0; };
struct Sums {
    u64 executions = 0, requests = 0, sectors = 0, wavefronts = 0, ideal = 0;
    Machine machine{};             // as the machine runs it
    bool fromMachineCode = true;   // all of it
    bool isWhatRuns() const { return machine.executions == executions && machine.wavefronts == wavefronts && machine.ideal == ideal; }
};

std::string ratio(u64 a, u64 b) { return b == 0 ? std::string("–") : fmt::format("{:.2f}", f64(a) / f64(b)); }

std::string shortened(u64 value) {
    constexpr std::pair<f64, const char*> kUnits[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (const auto& [unit, sign] : kUnits)
        if (f64(value) >= unit) return fmt::format("{:.3g}{}", f64(value) / unit, sign);
    return std::to_string(value);
}

struct Table {
    Canvas& canvas;
    f32 left, width, firstColumn, pitch;
    f32 y;

    // A count in full where it fits, else with three figures: "4.19M".
    void count(u32 column, u64 value, bool bold, Role ink = role(RoleKind::Text)) const {
        const std::string full = grouped(value);
        cell(column, canvas.width(full, {.size = type::kCode, .bold = bold, .mono = true}) <= pitch - 6 ? full : shortened(value), bold, ink);
    }
    void cell(u32 column, const std::string& text, bool bold, Role ink = role(RoleKind::Text)) const {
        const f32 x = left + firstColumn + f32(column + 1) * pitch;
        canvas.textWithin({x, y}, pitch - 6, text, {.size = type::kCode, .bold = bold, .mono = true, .align = Align::Right, .role = text == "–" ? role(RoleKind::TextThird) : ink});
    }
};

// What the model calls a limit, for people.
const Words& limitOf(std::string_view name) {
    constexpr std::pair<std::string_view, const Words*> kLimits[] = {
        {"warps", &kByWarps}, {"blocks", &kByBlocks}, {"shared memory", &kBySharedMemory}, {"registers", &kByRegisters}};
    for (const auto& [limit, words] : kLimits)
        if (limit == name) return *words;
    return kByGrid;
}

model::MemoryTables tablesOf(const ViewInput& in, const run::Measured* measured) {
    return model::memoryTables(in.run.report, in.run.caches, measured && !measured->counters.empty() ? &measured->counters : nullptr);
}

// What a machine is called where there are two: its device, or the day too where both have the same.
std::string nameBeside(const run::Measured& one, const run::Measured& other, Language language) {
    if (one.device != other.device) return one.device;
    return one.recording.empty() ? say(language, kMadeJustNow) : one.date;
}

// Of the first launch, but for registers.
model::BlockNeeds needsOf(const run::Run& run) {
    if (run.recording.launches.empty() || !run.module) return {.threads = 0, .sharedBytes = 0, .registersPerThread = {}};
    const Launch& launch = run.recording.launches.front();
    return {.threads = launch.block.count(), .sharedBytes = run::sharedBytes(*run.module, launch), .registersPerThread = {}, .gridBlocks = launch.grid.count()};
}

}  // namespace

Scene buildMemory(const ViewInput& in) {
    std::map<std::pair<trace::Space, trace::AccessKind>, Sums> rows;
    for (const model::SiteReport& site : in.run.report.sites) {
        Sums& sums = rows[{site.space, site.kind}];
        sums.executions += site.executions, sums.requests += site.requests, sums.sectors += site.sectors;
        sums.wavefronts += site.wavefronts, sums.ideal += site.idealWavefronts;
        sums.machine.executions += site.machineExecutions();
        sums.machine.wavefronts += site.machineWavefronts(), sums.machine.ideal += site.machineIdealWavefronts();
        sums.fromMachineCode = sums.fromMachineCode && site.fromMachineCode;
    }
    if (rows.empty()) return emptyScene(in, kMemoryTitle, say(in.language, kNoMemory));
    const Language l = in.language;
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kMemoryTitle.in(l), say(l, kWholeGrid, in.profile.major, in.profile.minor));
    const Here here = lookUp(in.run, in.cursor);
    const f32 width = std::min(body.width - 2 * space::kInset, 920.0f);
    Table table{canvas, space::kInset, width, std::min(220.0f, width * 0.28f), 0, body.y + 24};
    table.pitch = (width - table.firstColumn) / 6;
    const Words* columns[] = {&kColumnInstructions, &kColumnRequests, &kColumnSectors, &kColumnPerRequest, &kColumnWavefronts, &kColumnLeast};
    const TextStyle titles{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    // In narrow columns every second title stands higher, over its neighbours' room.
    const bool staggered = std::ranges::any_of(columns, [&](const Words* words) { return canvas.width(words->in(l), titles) > table.pitch - 8; });
    for (u32 c = 0; c < 6; ++c) canvas.textWithin({table.left + table.firstColumn + f32(c + 1) * table.pitch, table.y + (!staggered ? 0.0f : c % 2 ? 5.0f : -10.0f)}, table.pitch * (staggered ? 2 : 1) - 6, columns[c]->in(l), titles);
    table.y += 16;
    canvas.line({table.left, table.y}, {table.left + width, table.y}, {role(RoleKind::Line)});
    Sums global, shared;
    for (const auto& [key, sums] : rows) {
        table.y += 28;
        if (table.y + 14 > body.bottom()) break;
        const auto [space, kind] = key;
        const bool writes = trace::writes(kind), current = here.access && here.access->space == space && here.access->kind == kind;
        const Rect row{table.left - 6, table.y - 13, width + 10, 26};
        if (current) canvas.rect(row, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas.rect({table.left, table.y - 5, 10, 10}, {.fill = role(writes ? RoleKind::Store : RoleKind::Load), .radius = writes ? 5.0f : 1.0f});
        const std::string name = say(l, kAccessKind, wordsFor(space).in(l), wordsFor(kind).in(l));
        const f32 nameRoom = table.firstColumn - 18 + table.pitch - canvas.width(grouped(sums.executions), {.size = type::kCode, .bold = true, .mono = true}) - 8;
        const TextStyle nameStyle = shrunkToFit(canvas, nameRoom, {.bold = current}, name);
        const bool inTwoLines = canvas.width(name, nameStyle) > nameRoom;
        canvas.paragraph({table.left + 18, table.y - (inTwoLines ? 6.0f : 0.0f)}, nameRoom, name, nameStyle, 1.1f, 2);
        table.count(0, sums.executions, current);
        const bool isGlobal = space != trace::Space::Shared;
        const auto figure = [&](u32 column, bool applies, u64 value) { applies ? table.count(column, value, current) : table.cell(column, "–", current); };
        figure(1, isGlobal, sums.requests);
        figure(2, isGlobal, sums.sectors);
        table.cell(3, isGlobal ? ratio(sums.sectors, sums.requests) : "–", current);
        if (sums.wavefronts > sums.ideal && !isGlobal) table.count(4, sums.wavefronts, true, degreeRole(u32(std::min<u64>(kWarpSize, (sums.wavefronts + sums.ideal - 1) / std::max<u64>(1, sums.ideal)))));
        else figure(4, !isGlobal, sums.wavefronts);
        figure(5, !isGlobal, sums.ideal);
        if (!isGlobal && !sums.isWhatRuns()) {
            const Role ink = role(RoleKind::TextSecond);
            table.y += 20;
            const TextStyle style{.size = type::kCode, .role = ink};
            const std::string source = say(l, kAsRun, (sums.fromMachineCode ? kFromMachineCode : kModelled).in(l));
            const f32 room = table.firstColumn - 18 + table.pitch - canvas.width(grouped(sums.machine.executions), {.size = type::kCode, .mono = true}) - 8;
            const bool fits = canvas.width(source, style) <= room;
            canvas.textWithin({table.left + 18, table.y}, room, fits ? source : std::string(kAsRunShort.in(l)), style);
            canvas.hit({table.left, table.y - 10, width, 20}, {.hover = fits ? say(l, kAsRunHover) : source + ". " + say(l, kAsRunHover)});
            table.count(0, sums.machine.executions, false, ink);
            table.count(4, sums.machine.wavefronts, false, ink);
            table.count(5, sums.machine.ideal, false, ink);
        }
        canvas.line({table.left, table.y + 14}, {table.left + width, table.y + 14}, {role(RoleKind::Line, 0.6f)});
        if (current) cursorBox(canvas, row.inset(2));
        if (space == trace::Space::Global) global.requests += sums.requests, global.sectors += sums.sectors;
        if (space == trace::Space::Shared) shared.wavefronts += sums.wavefronts, shared.ideal += sums.ideal;
    }
    table.y += 26;
    KnownMeasurements anew;
    KnownMeasurements* known = in.kept ? std::any_cast<KnownMeasurements>(&in.kept->facts) : nullptr;
    if (!known) {
        known = in.kept ? &in.kept->facts.emplace<KnownMeasurements>() : &anew;
        *known = measurementsOf(in.run, in.machines ? std::span(*in.machines) : std::span<const RecordedMachine>());
    }
    const run::Measured* measured = measuredOn(in.profile, *known);
    model::BlockNeeds needs = needsOf(in.run);
    std::optional<run::Registers> registers = run::registersOf(in.run, in.profile);
    if (!registers && measured && !measured->registers.empty()) registers = run::Registers{.perThread = measured->registers.front(), .fromMachineCode = false};
    if (registers) needs.registersPerThread = registers->perThread;
    const std::string_view registersFrom = (registers && registers->fromMachineCode ? kFromMachineCode : kSaidByGpu).in(l);
    const model::Occupancy occupancy = model::occupancy(needs, in.profile);
    // The tables first; the picture of the occupancy where it leaves them their room, else two lines of text.
    const model::MemoryTables tables = tablesOf(in, measured);
    const run::Measured* another = countedBeside(measured, *known);
    std::optional<MeasuredBeside> beside;
    if (another) beside = {nameBeside(*measured, *another, l), nameBeside(*another, *measured, l), tablesOf(in, another)};
    const MeasuredBeside* second = beside ? &*beside : nullptr;
    const TextStyle noteStyle{.role = role(RoleKind::TextSecond)};
    constexpr f32 kNote = 22, kNoteLine = 18;
    std::vector<std::string> notes;
    if (const auto bounds = model::boundsOf(*in.run.module, in.run.recording, in.run.report, in.run.emulated ? in.run.caches : std::nullopt, in.run.profile); bounds && bounds->binding())
        notes.push_back(model::describe(*bounds, measured && measured->timing ? std::optional(measured->timing->kernel.median) : std::nullopt).in(l));
    if (measured) notes.push_back(measured->recording.empty() ? say(l, kMeasuredNow, measured->device) : say(l, kMeasuredIn, measured->device, measured->driver, measured->date));
    if (another) notes.push_back(say(l, kMeasuredBeside, another->device, another->driver, another->date));
    const auto heightOf = [&](const std::string& text) { return kNote + kNoteLine * f32(canvas.wrap(text, width, noteStyle).size() - 1); };
    f32 notesHeight = 8;
    for (const std::string& text : notes) notesHeight += heightOf(text);
    std::vector<std::string> ofBlocks;  // in place of the picture of the occupancy
    if (occupancy.blocksPerSm > 0) ofBlocks.push_back(say(l, kOccupancy, occupancy.blocksPerSm, occupancy.warpsPerSm, limitOf(occupancy.limitedBy).in(l),
                                                               registers ? say(l, kOfRegisters, registers->perThread, registersFrom) : say(l, kWithoutRegisters)));
    if (occupancy.waves > 0) ofBlocks.push_back(occupancy.waves == 1 ? say(l, kOneWave, grouped(occupancy.blocksInLastWave), grouped(occupancy.blocksPerWave)) : say(l, kWaves, grouped(occupancy.waves), grouped(occupancy.blocksPerWave), grouped(occupancy.blocksInLastWave)));
    f32 ofBlocksHeight = 10;
    for (const std::string& text : ofBlocks) ofBlocksHeight += heightOf(text);
    const f32 least = memoryLevelsHeight(tables, second);
    const bool pictured = occupancy.blocksPerSm > 0 && width >= 420 && body.bottom() - table.y - notesHeight - kOccupancyHeight - 16 >= least;
    const f32 ofOccupancy = occupancy.blocksPerSm == 0 ? 0 : pictured ? kOccupancyHeight + 16 : ofBlocksHeight;
    const Rect levels{table.left, table.y, width, body.bottom() - table.y - ofOccupancy - notesHeight};
    table.y += drawMemoryLevels(canvas, levels, tables, second, in.cachesPercent, l);
    table.y += 14;
    if (pictured) table.y += 12 + drawOccupancy(canvas, {table.left, table.y + 8, width, kOccupancyHeight}, needs, registersFrom, in.profile, l);
    const auto note = [&](const std::string& text) {
        const std::vector<std::string> lines = canvas.wrap(text, width, noteStyle);
        if (table.y + kNote + kNoteLine * f32(lines.size() - 1) + 12 >= body.bottom()) return;
        table.y += kNote - kNoteLine;
        for (const std::string& line : lines) canvas.text({table.left, table.y += kNoteLine}, line, noteStyle);
    };
    if (!pictured) std::ranges::for_each(ofBlocks, note);
    std::ranges::for_each(notes, note);
    return std::move(canvas).take(say(l, kMemorySentence, grouped(global.requests), grouped(global.sectors), grouped(shared.wavefronts), grouped(shared.ideal)));
}

}  // namespace lockstep::viz
