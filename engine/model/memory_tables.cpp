#include "model/memory_tables.h"

#include "base/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace lockstep::model {
namespace {

using What = MemoryFigure::What;
using Level = MemoryRow::Level;
using Operation = MemoryRow::Operation;

struct FigureSource {
    What what;
    const char* metric;      // name for predicted and measured
    const char* less = "";   // another metric, subtracted: misses are sectors minus hits
    const char* more = "";   // another metric, added
    bool isMeasured = true;  // else no counter tells it, only its prediction
};

struct RowSource {
    Level level;
    Operation operation;
    std::vector<FigureSource> figures;
};

// ncu's tables, "L1/TEX Cache", "Shared Memory", "L2 Cache", "Device Memory" (Nsight Compute, Memory Tables).
const std::vector<RowSource>& sources() {
    static const std::vector<RowSource> rows{
        {Level::L1,
         Operation::Load,
         {{What::Requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld"},
          {What::Sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"},
          {What::Hits, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"},
          {What::Onward, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"}}},
        {Level::L1,
         Operation::Store,
         {{What::Requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st"},
          {What::Sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st"},
          {What::Hits, "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit"},
          {What::Onward, "l1tex__t_sectors_pipe_lsu_mem_global_op_st", "", "", false}}},
        {Level::L1,
         Operation::Atomic,
         {{What::Requests, "l1tex__t_requests_pipe_lsu_mem_global_op_atom", "",
           "l1tex__t_requests_pipe_lsu_mem_global_op_red"},
          {What::Sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom", "",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_red"},
          {What::Onward, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom", "",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_red"}}},
        {Level::Shared,
         Operation::Load,
         {{What::Wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"},
          {What::Conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"}}},
        {Level::Shared,
         Operation::Store,
         {{What::Wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"},
          {What::Conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st"}}},
        {Level::Shared,
         Operation::Atomic,
         {{What::Wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"},
          {What::Conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom"}}},
        {Level::L2,
         Operation::Load,
         {{What::Sectors, "lts__t_sectors_srcunit_tex_op_read"},
          {What::Hits, "lts__t_sectors_srcunit_tex_op_read_lookup_hit"},
          {What::Onward, "lts__t_sectors_srcunit_tex_op_read_lookup_miss"}}},
        {Level::L2, Operation::Store, {{What::Sectors, "lts__t_sectors_srcunit_tex_op_write"}}},
        {Level::Device, Operation::Load, {{What::Sectors, "dram__sectors_read"}}},
        {Level::Device, Operation::Store, {{What::Sectors, "dram__sectors_write"}}},
    };
    return rows;
}

// Why a profiler's reading may differ from the prediction. Each is measured or documented:
// docs/internals/caches.md.
struct Reason {
    Level level;
    std::vector<Operation> operations;
    std::vector<What> whats;
    Words text;
};
const std::vector<Reason>& reasons() {
    static const std::vector<Reason> table{
        {Level::Shared,
         {Operation::Load, Operation::Store, Operation::Atomic},
         {What::Wavefronts, What::Conflicts},
         english("warps that wait for each other at the shared-memory pipe are counted as additional "
                 "wavefronts; how many changes from run to run")},
        {Level::L1,
         {Operation::Load},
         {What::Hits, What::Onward},
         english("which blocks share an SM, and how their warps take turns, changes from launch to launch; "
                 "near the capacity of L1, this order decides which lines are still cached")},
        {Level::L1,
         {Operation::Store},
         {What::Hits},
         english("a store counts as a hit when its line has been loaded or stored before; which warp comes "
                 "first, and how many come at the same moment, changes from launch to launch")},
        {Level::L2,
         {Operation::Load},
         {What::Hits, What::Onward},
         english("L2 has two partitions; a sector that one has to fetch from the other is looked up in both, "
                 "so hits and misses do not add up to the reads")},
        {Level::L2,
         {Operation::Load},
         {What::Sectors},
         english("requests of several SMs for the same sectors reach L2 as one if they coincide")},
        {Level::L2,
         {Operation::Store},
         {What::Sectors},
         english("stores to the same sectors that are still pending reach L2 as one; how many are merged "
                 "depends on their timing")},
        {Level::Device,
         {Operation::Load},
         {What::Sectors},
         english("parameters and machine code are read from device memory too; how many sectors that takes "
                 "is not known exactly")},
        {Level::Device,
         {Operation::Store},
         {What::Sectors},
         english("what was written may still be in L2 when the kernel ends")},
    };
    return table;
}

Words reasonFor(Level level, Operation operation, What what) {
    const auto has = [](const auto& list, auto one) { return std::ranges::find(list, one) != list.end(); };
    for (const Reason& reason : reasons())
        if (reason.level == level && has(reason.operations, operation) && has(reason.whats, what))
            return reason.text;
    return {};
}

// From counters or readings; none if any part is missing.
template <class Numbers> std::optional<u64> valueOf(const Numbers& numbers, const FigureSource& source) {
    f64 sum = 0;
    for (const auto& [metric, sign] : {std::pair{source.metric, 1}, {source.more, 1}, {source.less, -1}}) {
        if (!*metric) continue;
        const auto found = numbers.find(metric);
        if (found == numbers.end()) return std::nullopt;
        sum += sign * f64(found->second);
    }
    return u64(std::llround(std::max(sum, 0.0)));
}

MemoryFigure figureOf(const FigureSource& source, const Report& report, const Readings* measured,
                      const RowSource& row) {
    MemoryFigure figure{.what = source.what,
                        .metric = *source.less || *source.more || !source.isMeasured ? "" : source.metric,
                        .predicted = valueOf(report.counters, source),
                        .measured = measured && source.isMeasured ? valueOf(*measured, source) : std::nullopt,
                        .reason = {}};
    if (figure.difference().value_or(0) != 0)
        figure.reason = reasonFor(row.level, row.operation, source.what);
    return figure;
}

MemoryFigure predictedOnly(What what, u64 value) {
    return {.what = what, .metric = {}, .predicted = value, .measured = {}, .reason = {}};
}

void addLocal(const CacheCounts& caches, std::vector<MemoryRow>& rows) {
    if (caches.localLoads)
        rows.push_back({Level::Local,
                        Operation::Load,
                        {predictedOnly(What::Sectors, caches.localLoads),
                         predictedOnly(What::Hits, caches.localLoadHits),
                         predictedOnly(What::Onward, caches.localLoads - caches.localLoadHits)}});
    if (caches.localStores)
        rows.push_back({Level::Local,
                        Operation::Store,
                        {predictedOnly(What::Sectors, caches.localStores),
                         predictedOnly(What::Onward, caches.localStores)}});
}

// Predicted sum of a figure over all rows of these levels.
u64 predictedOf(const std::vector<MemoryRow>& rows, std::initializer_list<Level> levels, Operation operation,
                What what) {
    u64 sum = 0;
    for (const MemoryRow& row : rows)
        if (const MemoryFigure* figure = row.find(what);
            figure && row.operation == operation && std::ranges::find(levels, row.level) != levels.end())
            sum += figure->predicted.value_or(0);
    return sum;
}

// Fewer than `sent` sectors reach the next level, because some are merged.
MemoryRow::Explained met(u64 sent, u64 fewer, bool areStores) {
    return {-s64(fewer),
            Message(areStores
                        ? english("{1} of {0} stored {0:sector|sectors} {1:was|were} merged with an earlier "
                                  "store to the same sector, still pending.")
                        : english("{1} of {0} {0:sector|sectors} missed in L1 while a request for the same "
                                  "sector was outstanding, and {1:was|were} merged with it."),
                    grouped(sent), grouped(fewer)),
            Message(areStores ? english("{0} of {1} merged with an earlier store to the same sector")
                              : english("{0} of {1} merged with an outstanding request"),
                    grouped(fewer), grouped(sent))};
}

// Why device-memory reads exceed L2 misses: each kind with its sectors, and one sentence about all at the
// first.
std::vector<MemoryRow::Explained> besidesMisses(const u64 besides, const CacheCounts& caches) {
    struct Kind {
        u64 sectors;
        Words words;
    };
    const Kind kinds[] = {{caches.codeReads, english("{0} for machine code")},
                          {caches.launchReads, english("{0} for parameters and launch data")},
                          {caches.fillReads, english("{0} for sectors stored in part")},
                          {caches.atomicReads, english("{0} for atomics")},
                          {~u64{0}, english("a part of a sum", "{0} other")}};  // the remainder
    std::vector<MemoryRow::Explained> parts;
    Message list;
    u64 left = besides;
    for (const Kind& kind : kinds) {
        const u64 sectors = std::min(kind.sectors, left);
        if (sectors == 0) continue;
        left -= sectors;
        const Message part(kind.words, grouped(sectors));
        list = parts.empty() ? part : Message(english("parts of a sum", "{0}, {1}"), list, part);
        parts.push_back({.sectors = s64(sectors), .text = {}, .brief = {}});
    }
    parts.front().text = Message(
        english("An estimated {0} of the predicted sectors do not come from the kernel's own loads: {1}."),
        grouped(besides), list);
    parts.front().brief = Message(english("{0} more than L2 read misses: {1}"), grouped(besides), list);
    return parts;
}

MemoryRow::Explained writtenLater(u64 stored, u64 written, u64 dirtyBytes) {
    return {
        -s64(stored - written),
        Message(english("According to the cache model, {1} of the {0} {0:sector|sectors} written to L2 "
                        "reached device memory before the launch ended: L2 keeps up to {2} MiB of what was "
                        "stored and writes it back later."),
                grouped(stored), grouped(written), fmt::format("{:.1f}", f64(dirtyBytes) / (1024 * 1024))),
        Message(english("{0} of {1} are still in L2: written back later"), grouped(stored - written),
                grouped(stored))};
}

MemoryRow::Explained cameAlong(u64 along, u64 onward) {
    return {
        s64(along),
        Message(english("{0} of the {1} {1:sector|sectors} read from device memory {0:was|were} fetched only "
                        "because the neighboring {0:one was|ones were} requested: device memory is read in "
                        "pairs of sectors."),
                grouped(along), grouped(onward)),
        Message(english("{0} read along with a neighbor"), grouped(along))};
}

// From level to level, so that the figures add up.
void explain(const CacheCounts& caches, const Report& report, std::vector<MemoryRow>& rows) {
    for (MemoryRow& row : rows) {
        const MemoryFigure* sectors = row.find(What::Sectors);
        if (!sectors || !sectors->predicted || (row.level != Level::L2 && row.level != Level::Device))
            continue;
        const u64 asked = *sectors->predicted;
        const bool areStores = row.operation == Operation::Store;
        if (row.level == Level::L2) {
            const u64 sent = predictedOf(rows, {Level::L1, Level::Local}, row.operation, What::Onward);
            row.fromBefore = sent;
            if (sent > asked) row.explained.push_back(met(sent, sent - asked, areStores));
            const MemoryFigure *hits = row.find(What::Hits), *onward = row.find(What::Onward);
            if (!hits || !onward || !hits->predicted || !onward->predicted) continue;
            const u64 together = *hits->predicted + *onward->predicted,
                      along = together - std::min(together, asked);
            if (along > 0) row.within.push_back(cameAlong(along, *onward->predicted));
            continue;
        }
        if (!areStores) {
            const u64 missed = predictedOf(rows, {Level::L2}, row.operation, What::Onward);
            row.fromBefore = missed;
            if (asked > missed) row.explained = besidesMisses(asked - missed, caches);
            continue;
        }
        const auto counter = [&](const char* name) {
            const auto found = report.counters.find(name);
            return found == report.counters.end() ? u64{0} : found->second;
        };
        // Atomics change sectors in L2, which are written back like stored ones.
        const u64 stored = predictedOf(rows, {Level::L2}, Operation::Store, What::Sectors) +
                           counter("l1tex__t_sectors_pipe_lsu_mem_global_op_atom") +
                           counter("l1tex__t_sectors_pipe_lsu_mem_global_op_red");
        row.fromBefore = stored;
        if (stored > asked) row.explained.push_back(writtenLater(stored, asked, caches.l2DirtyBytes));
    }
}

std::optional<f64> rate(std::optional<u64> hits, std::optional<u64> sectors) {
    if (!hits || !sectors || *sectors == 0) return std::nullopt;
    return f64(*hits) / f64(*sectors);
}

}  // namespace

std::optional<s64> MemoryFigure::difference() const {
    if (!predicted || !measured) return std::nullopt;
    return s64(*measured) - s64(*predicted);
}

const MemoryFigure* MemoryRow::find(MemoryFigure::What what) const {
    const auto found = std::ranges::find(figures, what, &MemoryFigure::what);
    return found == figures.end() ? nullptr : &*found;
}

std::optional<f64> MemoryRow::predictedHitRate() const {
    const MemoryFigure *hits = find(What::Hits), *sectors = find(What::Sectors);
    return hits && sectors ? rate(hits->predicted, sectors->predicted) : std::nullopt;
}
std::optional<f64> MemoryRow::measuredHitRate() const {
    const MemoryFigure *hits = find(What::Hits), *sectors = find(What::Sectors);
    return hits && sectors ? rate(hits->measured, sectors->measured) : std::nullopt;
}

MemoryTables memoryTables(const Report& report, const std::optional<CacheCounts>& caches,
                          const Readings* measured) {
    MemoryTables tables{.rows = {}, .caches = caches};
    for (const RowSource& source : sources()) {
        if (source.level == Level::Shared && source.operation == Operation::Load && caches)
            addLocal(*caches, tables.rows);
        MemoryRow row{source.level, source.operation, {}};
        for (const FigureSource& figure : source.figures)
            row.figures.push_back(figureOf(figure, report, measured, source));
        const bool anything = std::ranges::any_of(row.figures, [](const MemoryFigure& figure) {
            return figure.predicted.value_or(0) || figure.measured.value_or(0);
        });
        const bool alwaysShown =
            (source.level == Level::L2 || source.level == Level::Device) && row.figures[0].predicted;
        if (anything || alwaysShown) tables.rows.push_back(std::move(row));
    }
    if (caches) explain(*caches, report, tables.rows);
    return tables;
}

std::string_view nameOf(MemoryFigure::What what) {
    constexpr std::string_view kNames[] = {"requests",  "sectors", "wavefronts",
                                           "conflicts", "hits",    "to_next_level"};
    return kNames[u32(what)];
}
std::string_view nameOf(MemoryRow::Level level) {
    constexpr std::string_view kNames[] = {"l1", "local", "shared", "l2", "device"};
    return kNames[u32(level)];
}
std::string_view nameOf(MemoryRow::Operation operation) {
    constexpr std::string_view kNames[] = {"load", "store", "atomic"};
    return kNames[u32(operation)];
}

}  // namespace lockstep::model
