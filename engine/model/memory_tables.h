// Memory tables as a profiler shows them: per level, requests, hits, and what goes to the next level;
// predicted, measured if there are measurements, and why the two differ.
#pragma once

#include "base/text/message.h"
#include "model/caches/cache_counts.h"
#include "model/report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::model {

// A profiler's readings by ncu's names, without .sum.
using Readings = std::map<std::string, f64>;

struct MemoryFigure {
    enum class What : u8 {
        Requests,
        Sectors,
        Wavefronts,
        Conflicts,
        Hits,
        Onward /* sectors to the next level */
    };
    What what = What::Requests;
    std::string metric;  // ncu's name; empty: none, derived from others
    std::optional<u64> predicted, measured;
    Words reason;  // why they differ; empty if they do not, or it is not known

    // Measured minus predicted; none if one is missing.
    std::optional<s64> difference() const;
};

struct MemoryRow {
    enum class Level : u8 { L1, Local /* of L1 */, Shared, L2, Device };
    enum class Operation : u8 { Load, Store, Atomic };
    Level level = Level::L1;
    Operation operation = Operation::Load;
    std::vector<MemoryFigure> figures;
    // How the predicted sectors follow from the previous level: sectors = fromBefore + sum of `explained`;
    // sectors + sum of `within` = hits + sectors to the next level. None: the row does not follow from
    // another.
    struct Explained {
        s64 sectors = 0;      // more, or fewer
        Message text, brief;  // a sentence; the same, for rows set close together
    };
    std::optional<u64> fromBefore = {};
    std::vector<Explained> explained = {}, within = {};

    const MemoryFigure* find(MemoryFigure::What what) const;
    // Hits per sector looked up.
    std::optional<f64> predictedHitRate() const, measuredHitRate() const;
};

struct MemoryTables {
    std::vector<MemoryRow> rows;        // from L1 to device memory; rows without requests are omitted
    std::optional<CacheCounts> caches;  // none: not simulated, and their figures are missing
};

MemoryTables memoryTables(const Report& report, const std::optional<CacheCounts>& caches,
                          const Readings* measured);

std::string_view nameOf(MemoryFigure::What what);         // "requests", "to_next_level"
std::string_view nameOf(MemoryRow::Level level);          // "l1", "device"
std::string_view nameOf(MemoryRow::Operation operation);  // "load"

}  // namespace lockstep::model
