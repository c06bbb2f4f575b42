// What the whole grid asked of each memory: instructions, requests, sectors and wavefronts a space and
// direction as written, then the memory tables of a profiler.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "model/occupancy/bounds.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/diamond.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/block_needs.h"
#include "viz/phrases.h"
#include "viz/views/memory_levels.h"
#include "viz/views/occupancy_picture.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kGoesToAccess =
    english("{0}: click to go to warp {1}, step {2}; click again for the next one");
constexpr Words kCounted = english("counted, as written in the source");
constexpr Words kMeasuredOf = english("{0}: {1}");
constexpr Words kAsRunShort = english("merged");
constexpr Words kGlobalAlone = english(
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:sector|sectors}; it does not use "
    "shared memory.");
constexpr Words kGlobalAloneTransactions = english(
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:transaction|transactions}; it does not "
    "use shared memory.");
constexpr Words kMeasuredBeside = english("Beside it: on an {0}, CUDA {1}, {2} (recorded).");
constexpr Words kMoreRows = english("{0} more {0:row|rows} below: scroll, or make the picture taller");
constexpr Words kMoreNotes = english("more below: scroll, or make the picture taller");
constexpr Words kPerRequestBrief = english("/request");  // where "per request" has no room in one line
constexpr Words kMadeJustNow = english("just now");

struct Machine {
    u64 executions = 0, wavefronts = 0, ideal = 0;
};
struct Sums {
    u64 executions = 0, requests = 0, sectors = 0, wavefronts = 0, ideal = 0;
    Machine machine{};            // as the machine runs it
    bool fromMachineCode = true;  // all of it
    bool isWhatRuns() const {
        return machine.executions == executions && machine.wavefronts == wavefronts && machine.ideal == ideal;
    }
};

std::string ratio(u64 a, u64 b) { return b == 0 ? std::string("–") : fmt::format("{:.2f}", f64(a) / f64(b)); }

std::string shortened(u64 value) {
    constexpr std::pair<f64, const char*> kUnits[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (const auto& [unit, sign] : kUnits)
        if (f64(value) >= unit) return fmt::format("{:.3g}{}", f64(value) / unit, sign);
    return std::to_string(value);
}

std::vector<std::string_view> wordsOf(std::string_view title) {
    std::vector<std::string_view> words;
    for (std::size_t blank; (blank = title.find(' ')) != std::string_view::npos;
         title.remove_prefix(blank + 1))
        words.push_back(title.substr(0, blank));
    words.push_back(title);
    return words;
}

struct Table {
    static constexpr u32 kColumns = 6;
    Canvas& canvas;
    f32 left, y;
    std::array<f32, kColumns> right{},
        wide{};  // of each column: its right edge, from `left` on, and how wide it is

    // A count in full where it fits, else with three figures: "4.19M".
    void count(u32 column, u64 value, bool bold, Role ink = role(RoleKind::Text)) const {
        const std::string full = grouped(value);
        cell(column,
             canvas.width(full, {.size = type::kCode, .bold = bold, .mono = true}) <= wide[column] - 6
                 ? full
                 : shortened(value),
             bold, ink);
    }
    void cell(u32 column, const std::string& text, bool bold, Role ink = role(RoleKind::Text)) const {
        canvas.textWithin({left + right[column], y}, wide[column] - 6, text,
                          {.size = type::kCode,
                           .bold = bold,
                           .mono = true,
                           .align = Align::Right,
                           .role = text == "–" ? role(RoleKind::TextThird) : ink});
    }
    // What is left for a name before the first column's figure.
    f32 nameRoom(u64 figure, bool bold) const {
        return right[0] - 18 -
               canvas.width(grouped(figure), {.size = type::kCode, .bold = bold, .mono = true}) - 8;
    }
};

// What the model calls a limit, for people.
const Words& limitOf(std::string_view name) {
    constexpr std::pair<std::string_view, const Words*> kLimits[] = {{"warps", &kByWarps},
                                                                     {"blocks", &kByBlocks},
                                                                     {"shared memory", &kBySharedMemory},
                                                                     {"registers", &kByRegisters}};
    for (const auto& [limit, words] : kLimits)
        if (limit == name) return *words;
    return kByGrid;
}

model::MemoryTables tablesOf(const ViewInput& in, const run::Measured* measured) {
    // Machines ran the whole grid.
    if (in.run.recording.sample && !in.run.recording.sample->isExtrapolated()) measured = nullptr;
    return model::memoryTables(in.run.report, in.run.caches,
                               measured && !measured->counters.empty() ? &measured->counters : nullptr);
}

// What a machine is called where there are two: its device, or the day too where both have the same.
std::string nameBeside(const run::Measured& one, const run::Measured& other, Language language) {
    if (one.device != other.device) return one.device;
    return one.recording.empty() ? say(language, kMadeJustNow) : one.date;
}

// The cursor's warp's next access of that sort, its first one where none follows, else the first of another
// warp of the block.
std::optional<Cursor> nextAccess(const ViewInput& in, const CursorContext& here, trace::Space space,
                                 trace::AccessKind kind) {
    if (!here.block || !here.warp) return std::nullopt;
    const auto within = [&](u32 w, u32 from, u32 end) -> std::optional<Cursor> {
        const trace::WarpTrace& warp = here.block->warps[w];
        for (u32 s = from; s < std::min(end, u32(warp.steps.size())); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (access.space != space || access.kind != kind) continue;
            Cursor there = in.cursor;
            there.warp = Warp{w}, there.step = s;
            if (!access.active.empty() && !access.active.has(there.lane)) there.lane = access.active.lowest();
            return there;
        }
        return std::nullopt;
    };
    const u32 own = in.cursor.warp.value;
    if (const auto next = within(own, in.cursor.step + 1, ~0u)) return next;
    if (const auto first = within(own, 0, in.cursor.step + 1)) return first;
    for (u32 w = 0; w < here.block->warps.size(); ++w)
        if (const auto other = w == own ? std::nullopt : within(w, 0, ~0u)) return other;
    return std::nullopt;
}

using Rows = std::map<std::pair<trace::Space, trace::AccessKind>, Sums>;

Rows rowsOf(const run::Run& run) {
    Rows rows;
    for (const model::SiteReport& site : run.report.sites) {
        Sums& sums = rows[{site.space, site.kind}];
        sums.executions += site.executions, sums.requests += site.requests, sums.sectors += site.sectors;
        sums.wavefronts += site.wavefronts, sums.ideal += site.idealWavefronts;
        sums.machine.executions += site.machineExecutions();
        sums.machine.wavefronts += site.machineWavefronts(),
            sums.machine.ideal += site.machineIdealWavefronts();
        sums.fromMachineCode = sums.fromMachineCode && site.fromMachineCode;
    }
    return rows;
}

// What was drawn: where each row and each note ends, downwards, and where all of it does.
struct Drawn {
    std::vector<f32> rows, notes;
    f32 end = 0;
    f32 endOfRows() const { return rows.empty() ? 0 : rows.back(); }
};

// All that the view has to say, one below the other: accesses, memory tables, occupancy, notes.
class Page {
public:
    Page(const ViewInput& in, const Rows& rows, Size size)
        : in_(in),
          l_(in.language),
          rows_(rows),
          size_(size),
          width_(std::min(size.width - 2 * space::kInset, 920.0f)),
          here_(lookUp(in.run, in.cursor)) {
        run::KnownMeasurements* known =
            in.cache ? std::any_cast<run::KnownMeasurements>(&in.cache->facts) : nullptr;
        if (!known) {
            known = in.cache ? &in.cache->facts.emplace<run::KnownMeasurements>() : &anew_;
            *known = run::measurementsOf(
                in.run, in.machines ? std::span(*in.machines) : std::span<const run::RecordedMachine>());
        }
        const run::Measured* measured = run::measuredOn(in.profile, *known);
        const KnownNeeds block = needsOf(in.run, in.profile, measured);
        needs_ = block.needs, registers_ = block.registers;
        occupancy_ = model::occupancy(needs_, in.profile);
        tables_ = tablesOf(in, measured);
        if (!hasCaches(in.profile))
            std::erase_if(tables_.rows, [](const model::MemoryRow& row) {
                return row.level != model::MemoryRow::Level::Shared;
            });
        const run::Measured* another = run::countedBeside(measured, *known);
        if (another)
            beside_ = {nameBeside(*measured, *another, l_), nameBeside(*another, *measured, l_),
                       tablesOf(in, another)};
        if (const auto bounds =
                model::boundsOf(*in.run.module, in.run.recording, in.run.report,
                                in.run.emulated ? in.run.caches : std::nullopt, in.run.profile);
            bounds && bounds->binding())
            notes_.push_back(model::describe(*bounds, measured && measured->timing
                                                          ? std::optional(measured->timing->kernel.median)
                                                          : std::nullopt)
                                 .in(l_));
        if (measured)
            notes_.push_back(
                measured->recording.empty()
                    ? say(l_, kMeasuredNow, measured->device)
                    : say(l_, kMeasuredIn, measured->device, cudaText(l_, measured->driver), measured->date));
        if (another)
            notes_.push_back(
                say(l_, kMeasuredBeside, another->device, cudaText(l_, another->driver), another->date));
        if (occupancy_.blocksPerSm > 0)
            ofBlocks_.push_back(say(l_, kOccupancy,
                                    percentOf(occupancy_.possibleWarpsPerSm, in.profile.warpsPerSm, 1),
                                    occupancy_.possibleWarpsPerSm, in.profile.warpsPerSm,
                                    occupancy_.possibleBlocksPerSm, limitOf(occupancy_.possibleLimit).in(l_),
                                    registers_ ? say(l_, kOfRegisters, registers_->perThread, registersFrom())
                                               : say(l_, kWithoutRegisters)));
        if (occupancy_.waves > 0)
            ofBlocks_.push_back(occupancy_.waves == 1
                                    ? say(l_, kOneWave, grouped(occupancy_.blocksInLastWave),
                                          grouped(occupancy_.blocksPerWave))
                                    : say(l_, kWaves, grouped(occupancy_.waves),
                                          grouped(occupancy_.blocksPerWave),
                                          grouped(occupancy_.blocksInLastWave)));
    }

    // From `top` down, however much there is.
    Drawn draw(Canvas& canvas, f32 top, RowForm form) const {
        Drawn drawn;
        f32 y = drawAccesses(canvas, top, form, drawn.rows) + (form == RowForm::Full ? 26.0f : 15.0f);
        const MeasuredBeside* second = beside_ ? &*beside_ : nullptr;
        f32 notesHeight = 8;
        for (const std::string& text : notes_)
            notesHeight += heightOf(canvas, text);
        // The picture of the occupancy where all else leaves it its room, else two lines of text.
        const bool pictured = occupancy_.blocksPerSm > 0 && width_ >= 420 &&
                              top + size_.height - y - notesHeight - kOccupancyHeight - 16 >=
                                  memoryLevelsHeight(tables_, second, form);
        y += drawMemoryLevels(
            canvas, {space::kInset, y}, width_, tables_, second, in_.cachesPercent,
            whyNoCaches(in_.run, in_.profile, l_), form, drawn.rows,
            [this](const model::MemoryRow& row) { return accessOf(row); }, l_);
        drawn.notes.push_back(y);
        y += 14;
        if (pictured)
            drawn.notes.push_back(y +=
                                  12 + drawOccupancy(canvas, {space::kInset, y + 8, width_, kOccupancyHeight},
                                                     needs_, registersFrom(), in_.profile, l_));
        for (const auto* texts : {pictured ? nullptr : &ofBlocks_, &notes_})
            for (const std::string& text : texts ? *texts : std::vector<std::string>()) {
                y += kNote;
                const u32 lines = canvas.paragraph({space::kInset, y}, width_, text, kNoteStyle,
                                                   kNoteLine / kNoteStyle.size);
                y += kNoteLine * f32(lines - 1);
                drawn.notes.push_back(y + kNoteLine / 2);
            }
        drawn.end = std::max(drawn.endOfRows(), drawn.notes.empty() ? 0 : drawn.notes.back());
        return drawn;
    }

private:
    static constexpr f32 kNote = 22, kNoteLine = 18;
    inline static const TextStyle kNoteStyle{.role = role(RoleKind::TextSecond)};

    // One that a row counts. What reaches L2 and device memory is no instruction's any more.
    std::optional<Cursor> accessOf(const model::MemoryRow& row) const {
        using Row = model::MemoryRow;
        if (row.level != Row::Level::L1 && row.level != Row::Level::Local) return std::nullopt;
        const trace::Space space = row.level == Row::Level::L1 ? trace::Space::Global : trace::Space::Local;
        if (row.operation == Row::Operation::Load)
            return nextAccess(in_, here_, space, trace::AccessKind::Load);
        if (row.operation == Row::Operation::Store)
            return nextAccess(in_, here_, space, trace::AccessKind::Store);
        const std::optional<Cursor> atomic = nextAccess(in_, here_, space, trace::AccessKind::Atomic);
        return atomic ? atomic : nextAccess(in_, here_, space, trace::AccessKind::Reduction);
    }

    std::string_view registersFrom() const {
        return (registers_ && registers_->fromMachineCode ? kFromMachineCode : kSaidByGpu).in(l_);
    }
    f32 heightOf(const Canvas& canvas, const std::string& text) const {
        return kNote + kNoteLine * f32(canvas.wrap(text, width_, kNoteStyle).size() - 1);
    }

    std::string_view briefTitle(u32 column) const {
        return (titles_[column] == &kColumnPerRequest ? kPerRequestBrief : *titles_[column]).in(l_);
    }

    std::string nameOf(const Rows::value_type& row) const {
        return accessName(l_, row.first.first, row.first.second);
    }

    // Columns of one width where their titles fit into that. Else each as wide as its figures and the longest
    // word of its title; what is left goes to the names, and beyond what these need, to all alike. Returns
    // whether titles may take two lines.
    bool layOut(Table& table, const TextStyle& title) const {
        const f32 names = std::min(220.0f, width_ * 0.28f), pitch = (width_ - names) / Table::kColumns;
        table.wide.fill(pitch);
        for (u32 c = 0; c < Table::kColumns; ++c)
            table.right[c] = names + f32(c + 1) * pitch;
        if (std::ranges::none_of(titles_, [&](const Words* words) {
                return table.canvas.width(words->in(l_), title) > pitch - 8;
            }))
            return false;
        constexpr f32 kGap = 8;
        constexpr std::string_view kUsualFigure = "16,384";
        f32 others = 0;
        for (u32 c = 1; c < Table::kColumns; ++c) {
            f32 most = table.canvas.width(kUsualFigure, {.size = type::kCode, .mono = true});
            for (const std::string_view word : wordsOf(briefTitle(c)))
                most = std::max(most, table.canvas.width(word, title));
            others += table.wide[c] = most + kGap;
        }
        f32 needed = 0;  // by the names and the first column's figures
        for (const auto& row : rows_)
            needed = std::max(needed, table.canvas.width(nameOf(row)) + 18 -
                                          table.nameRoom(row.second.executions, true) + table.right[0] - 18);
        const f32 share = std::max(0.0f, width_ - others - needed) / Table::kColumns;
        table.right[0] = table.wide[0] = width_ - others - (Table::kColumns - 1) * share;
        for (u32 c = 1; c < Table::kColumns; ++c)
            table.wide[c] += share, table.right[c] = table.right[c - 1] + table.wide[c];
        return true;
    }

    void drawTitles(Table& table) const {
        constexpr f32 kTitleLine = 13;
        TextStyle titles{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const std::string counted(kCounted.in(l_));
        TextStyle small = titles;
        small.size = type::kAxis;
        if (layOut(table, titles)) {
            layOut(table, small);
            for (u32 c = 0; c < Table::kColumns; ++c) {
                const std::string_view full = titles_[c]->in(l_),
                                       whole = table.canvas.width(full, small) <= table.wide[c] - 6
                                                   ? full
                                                   : briefTitle(c);
                const std::vector<std::string_view> lines =
                    table.canvas.width(whole, small) <= table.wide[c] - 6 ? std::vector{whole}
                                                                          : wordsOf(whole);
                for (std::size_t i = 0; i < lines.size(); ++i)
                    table.canvas.textWithin(
                        {table.left + table.right[c], table.y + 5 - kTitleLine * f32(lines.size() - 1 - i)},
                        table.wide[c] - 6, lines[i], small);
            }
        } else {
            for (u32 c = 0; c < Table::kColumns; ++c)
                table.canvas.textWithin({table.left + table.right[c], table.y}, table.wide[c] - 6,
                                        titles_[c]->in(l_), titles);
            titles.align = Align::Left;
            if (table.canvas.width(counted, titles) <=
                table.right[0] - 12 - table.canvas.width(titles_[0]->in(l_), titles))
                table.canvas.text({table.left, table.y}, counted, titles);
        }
    }

    // What machines measured of an operation on shared memory, a line for each.
    void drawMeasuredShared(Table& table, model::MemoryRow::Operation operation, RowForm form,
                            bool named) const {
        if (in_.run.recording.sample) return;  // machines ran the whole grid
        const TextStyle ink{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        bool isFirst = true;  // below a row that the cursor's box may surround
        for (const MeasuredShared& measured :
             measuredOfShared(tables_, operation, beside_ ? &*beside_ : nullptr, l_)) {
            const f32 top = table.y +=
                form == RowForm::Full ? (isFirst ? 22.0f : 20.0f) : (isFirst ? 20.0f : 17.0f);
            isFirst = false;
            const std::string whose =
                named ? say(l_, kMeasuredOf, nameOfShared(operation).in(l_), measured.whose) : measured.whose;
            const f32 before =
                table.canvas.textWithin({table.left + 18, top}, table.right[0] - 18, whose, ink) + 18 + 12;
            // The figure may reach into the column before, whose text then ends earlier.
            const TextStyle mono{
                .size = type::kCode, .mono = true, .align = Align::Right, .role = role(RoleKind::TextSecond)};
            const f32 wide =
                table.canvas.textWithin({table.left + table.right[4], top}, table.wide[3] + table.wide[4],
                                        firstFitting(table.canvas, table.wide[3] + table.wide[4], mono,
                                                     {measured.wavefronts, measured.wavefrontsBrief}),
                                        mono);
            TextStyle right = ink;
            right.align = Align::Right;
            const f32 end = std::min(table.right[3], table.right[4] - wide - 12), room = end - before;
            table.canvas.textWithin(
                {table.left + end, top}, room,
                firstFitting(table.canvas, room, right, {measured.conflicts, measured.conflictsBrief}),
                right);
            if (form == RowForm::Full)
                for (const std::string& reason : measured.reasons)
                    table.y += kReasonLine * f32(table.canvas.paragraph({table.left + 18, table.y + 17},
                                                                        width_ - 18, reason, kReasonStyle,
                                                                        kReasonLine / type::kAxis)) +
                               2;
            table.canvas.hit({table.left, top - 10, width_, table.y - top + 20}, {.hover = measured.hover});
        }
    }

    // Under which of a profiler's rows an access to shared memory counts; none below a row that another of
    // the same follows.
    std::optional<model::MemoryRow::Operation> countedUnder(trace::AccessKind kind) const {
        using Operation = model::MemoryRow::Operation;
        switch (kind) {
            case trace::AccessKind::Load: return Operation::Load;
            case trace::AccessKind::Store: return Operation::Store;
            case trace::AccessKind::Atomic:
                return rows_.contains({trace::Space::Shared, trace::AccessKind::Reduction})
                           ? std::nullopt
                           : std::optional(Operation::Atomic);
            case trace::AccessKind::Reduction: return Operation::Atomic;
            default: return std::nullopt;
        }
    }

    // Square, disc, diamond: load, store, atomic.
    static void drawKind(Canvas& canvas, Point c, trace::AccessKind kind) {
        constexpr f32 kHalf = 5;
        if (trace::isAtomic(kind)) return diamond(canvas, c, role(RoleKind::Text), kHalf + 1);
        const bool writes = trace::writes(kind);
        canvas.rect(
            {c.x - kHalf, c.y - kHalf, 2 * kHalf, 2 * kHalf},
            {.fill = role(writes ? RoleKind::Store : RoleKind::Load), .radius = writes ? kHalf : 1.0f});
    }

    // What was asked for, as it was written. Returns where it ends.
    f32 drawAccesses(Canvas& canvas, f32 top, RowForm form, std::vector<f32>& drawn) const {
        const bool isClose = form == RowForm::Close;
        Table table{canvas, space::kInset, top + (isClose ? 15.0f : 24.0f)};
        drawTitles(table);
        std::vector<model::MemoryRow::Operation> shown;
        table.y += 16;
        canvas.line({table.left, table.y}, {table.left + width_, table.y}, {role(RoleKind::Line)});
        for (const auto& [key, sums] : rows_) {
            table.y += isClose ? 25.0f : 28.0f;
            const auto [space, kind] = key;
            const bool current = here_.access && here_.access->space == space && here_.access->kind == kind;
            const Rect row{table.left - 6, table.y - 13, width_ + 10, 26};
            if (current) canvas.rect(row, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
            drawKind(canvas, {table.left + 5, table.y}, kind);
            const std::string name = nameOf({key, sums});
            if (const auto next = nextAccess(in_, here_, space, kind))
                canvas.hit(row, {.hover = say(l_, kGoesToAccess, name, next->warp.value, next->step + 1),
                                 .go = next});
            const f32 nameRoom = table.nameRoom(sums.executions, true);
            const TextStyle nameStyle = shrunkToFit(canvas, nameRoom, {.bold = current}, name);
            const bool inTwoLines = canvas.width(name, nameStyle) > nameRoom;
            canvas.paragraph({table.left + 18, table.y - (inTwoLines ? 6.0f : 0.0f)}, nameRoom, name,
                             nameStyle, 1.1f, 2);
            table.count(0, sums.executions, current);
            const bool isGlobal = space != trace::Space::Shared;
            const auto figure = [&](u32 column, bool applies, u64 value) {
                applies ? table.count(column, value, current) : table.cell(column, "–", current);
            };
            figure(1, isGlobal, sums.requests);
            figure(2, isGlobal, sums.sectors);
            table.cell(3, isGlobal ? ratio(sums.sectors, sums.requests) : "–", current);
            if (sums.wavefronts > sums.ideal && !isGlobal)
                table.count(4, sums.wavefronts, true,
                            degreeRole(u32(std::min<u64>(kWarpSize, (sums.wavefronts + sums.ideal - 1) /
                                                                        std::max<u64>(1, sums.ideal)))));
            else
                figure(4, !isGlobal, sums.wavefronts);
            figure(5, !isGlobal, sums.ideal);
            if (!isGlobal && !sums.isWhatRuns()) {
                const Role ink = role(RoleKind::TextSecond);
                table.y += 20;
                const TextStyle style{.size = type::kCode, .role = ink};
                const std::string source =
                    say(l_, kAsRun, (sums.fromMachineCode ? kFromMachineCode : kModelled).in(l_));
                const f32 room = table.nameRoom(sums.machine.executions, false);
                const bool fits = canvas.width(source, style) <= room;
                canvas.textWithin({table.left + 18, table.y}, room,
                                  fits ? source : std::string(kAsRunShort.in(l_)), style);
                canvas.hit({table.left, table.y - 10, width_, 20},
                           {.hover = fits ? say(l_, kAsRunHover) : source + ". " + say(l_, kAsRunHover)});
                table.count(0, sums.machine.executions, false, ink);
                table.count(4, sums.machine.wavefronts, false, ink);
                table.count(5, sums.machine.ideal, false, ink);
            }
            if (const auto operation = isGlobal ? std::nullopt : countedUnder(kind)) {
                drawMeasuredShared(table, *operation, form, false);
                shown.push_back(*operation);
            }
            canvas.line({table.left, table.y + 14}, {table.left + width_, table.y + 14},
                        {role(RoleKind::Line, 0.6f)});
            if (current) cursorBox(canvas, row.inset(2));
            drawn.push_back(table.y + 14);
        }
        // Loops that the machine runs in place of an atomic operation load and store, too.
        for (const auto operation : {model::MemoryRow::Operation::Load, model::MemoryRow::Operation::Store,
                                     model::MemoryRow::Operation::Atomic})
            if (std::ranges::find(shown, operation) == shown.end())
                drawMeasuredShared(table, operation, form, true);
        return table.y;
    }

    const ViewInput& in_;
    Language l_;
    const Rows& rows_;
    const std::array<const Words*, Table::kColumns> titles_{
        &kColumnInstructions,
        &kColumnRequests,
        countsSectors(in_.run.profile) ? &kColumnSectors : &kColumnTransactions,
        &kColumnPerRequest,
        &kColumnWavefronts,
        &kColumnLeast};
    Size size_;
    f32 width_;
    CursorContext here_;
    run::KnownMeasurements anew_;
    std::optional<run::Registers> registers_;
    model::BlockNeeds needs_;
    model::Occupancy occupancy_;
    model::MemoryTables tables_;
    std::optional<MeasuredBeside> beside_;
    std::vector<std::string> notes_, ofBlocks_;  // ofBlocks: in place of the picture of the occupancy
};

}  // namespace

Scene buildMemory(const ViewInput& in) {
    const Rows rows = rowsOf(in.run);
    if (rows.empty()) return emptyScene(in, kMemoryTitle, say(in.language, kNoMemory));
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kMemoryTitle.in(in.language),
                           say(in.language, in.run.recording.sample ? kSampleOfGrid : kWholeGrid,
                               in.profile.major, in.profile.minor));
    const Size size{body.width, body.height};
    const Page page(in, rows, size);
    constexpr f32 kFooter = 24;
    // Full where all rows have room; else close together, and what still has none is reached by scrolling.
    RowForm form = RowForm::Full;
    std::optional<Canvas> content(std::in_place, size, in.metrics);
    Drawn drawn = page.draw(*content, 0, form);
    const auto redraw = [&](f32 top) {
        content.emplace(size, in.metrics);
        drawn = page.draw(*content, top, form);
    };
    if (drawn.endOfRows() > body.height) form = RowForm::Close, redraw(0);
    f32 seen = body.height, height = body.height;
    if (drawn.end > body.height) {
        seen -= kFooter, height = drawn.end + kFooter;
        const f32 top = std::clamp(in.state.pan.y, std::min(0.0f, seen - drawn.end), 0.0f);
        if (top < 0) redraw(top);
        const auto isBelow = [&](f32 end) { return end > seen + 0.5f; };
        const auto hiddenRows = std::ranges::count_if(drawn.rows, isBelow),
                   hiddenNotes = std::ranges::count_if(drawn.notes, isBelow);
        // Cut where something ends, never through it.
        f32 last = 0;
        for (const std::vector<f32>* ends : {&drawn.rows, &drawn.notes})
            for (f32 end : *ends)
                if (!isBelow(end)) last = std::max(last, end);
        if (hiddenRows + hiddenNotes > 0) seen = last;
        const std::string more = hiddenRows > 0    ? say(in.language, kMoreRows, grouped(u64(hiddenRows)))
                                 : hiddenNotes > 0 ? say(in.language, kMoreNotes)
                                                   : std::string();
        canvas.textWithin({space::kInset, body.bottom() - kFooter / 2}, body.width - 2 * space::kInset, more,
                          {.size = type::kCode, .role = role(RoleKind::TextThird)});
    }
    canvas.include(std::move(*content).take({}), {body.x, body.y, body.width, seen});
    Sums global, shared;
    for (const auto& [key, sums] : rows) {
        if (key.first == trace::Space::Global)
            global.requests += sums.requests, global.sectors += sums.sectors;
        if (key.first == trace::Space::Shared)
            shared.wavefronts += sums.wavefronts, shared.ideal += sums.ideal;
    }
    const bool sectors = countsSectors(in.run.profile);
    const std::string sentence =
        shared.wavefronts == 0 ? say(in.language, sectors ? kGlobalAlone : kGlobalAloneTransactions,
                                     grouped(global.requests), grouped(global.sectors))
                               : say(in.language, sectors ? kMemorySentence : kMemorySentenceTransactions,
                                     grouped(global.requests), grouped(global.sectors),
                                     grouped(shared.wavefronts), grouped(shared.ideal));
    Scene scene = std::move(canvas).take(sentence);
    scene.panes = {{{body.x, body.y, body.width, height}}};
    scene.hiddenBelow = std::max(0.0f, drawn.end - body.height);
    return scene;
}

}  // namespace lockstep::viz
