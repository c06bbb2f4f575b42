// Memory tables as a profiler shows them: level by level, what was asked, what was found there, what went on
// to the next level; predicted, measured where somebody measured, and where the two differ, why.
#pragma once

#include "base/text/message.h"
#include "model/caches/cache_counts.h"
#include "model/report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::model {

// Readings of a profiler under ncu's names, without .sum.
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
    std::string metric;  // ncu's name; empty: it has none, and is worked out of others
    std::optional<u64> predicted, measured;
    Words reason;  // why they differ; empty where they do not, or it is not known

    // Measured less predicted; none where one is missing.
    std::optional<s64> difference() const;
};

struct MemoryRow {
    enum class Level : u8 { L1, Local /* of L1 */, Shared, L2, Device };
    enum class Operation : u8 { Load, Store, Atomic };
    Level level = Level::L1;
    Operation operation = Operation::Load;
    std::vector<MemoryFigure> figures;
    // How the sectors, as predicted, follow from what the level before passes on: fromBefore and all of
    // `explained` together are the sectors, and these and all of `within` are hits and what goes on. None:
    // the row does not follow from another.
    struct Explained {
        s64 sectors = 0;      // more, or fewer
        Message text, brief;  // a sentence; the same where rows stand close together
    };
    std::optional<u64> fromBefore = {};
    std::vector<Explained> explained = {}, within = {};

    const MemoryFigure* find(MemoryFigure::What what) const;
    // Hits of each sector looked up.
    std::optional<f64> predictedHitRate() const, measuredHitRate() const;
};

struct MemoryTables {
    std::vector<MemoryRow> rows;        // from L1 to device memory; what nobody asked for is left out
    std::optional<CacheCounts> caches;  // none: they were not simulated, and figures of theirs are missing
};

MemoryTables memoryTables(const Report& report, const std::optional<CacheCounts>& caches,
                          const Readings* measured);

std::string_view nameOf(MemoryFigure::What what);         // "requests", "to_next_level"
std::string_view nameOf(MemoryRow::Level level);          // "l1", "device"
std::string_view nameOf(MemoryRow::Operation operation);  // "load"

}  // namespace lockstep::model
