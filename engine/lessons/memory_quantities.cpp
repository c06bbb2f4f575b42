// The tables of global memory, level by level, and what a kernel leaves in its arrays.
#include "lessons/quantity_rows.h"
#include "model/memory_tables.h"

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;
using Row = model::MemoryRow;
using What = model::MemoryFigure::What;

// 0: the level has no row for it, because nothing comes there.
template <Row::Level Level, Row::Operation Operation, What Figure> Number inTable(P place) {
    const run::Run& run = *place.run;
    if (!run.caches) return {};
    const model::MemoryTables tables = model::memoryTables(run.report, run.caches, nullptr);
    for (const Row& row : tables.rows) {
        if (row.level != Level || row.operation != Operation) continue;
        const model::MemoryFigure* figure = row.find(Figure);
        return figure && figure->predicted ? Number(s64(*figure->predicted)) : Number();
    }
    return 0;
}

// The last array of whole numbers that the kernel stores to; of reals none.
const Buffer* resultOf(P place) {
    const run::Run& run = *place.run;
    if (!run.catalog) return nullptr;
    const Buffer* found = nullptr;
    for (std::size_t i = 0; i < run.recording.final.size(); ++i) {
        const Buffer& buffer = run.recording.final[i];
        const auto& all = run.catalog->variant->buffers;
        if (i < all.size() && all[i].output && !buffer.bytes.empty() && !isReal(buffer.type)) found = &buffer;
    }
    return found;
}

Number sumOfResult(P place) {
    const Buffer* result = resultOf(place);
    if (!result) return {};
    s64 sum = 0;
    for (u64 i = 0; i < result->count(); ++i)
        sum += s64(result->valueAt(i));
    return sum;
}

constexpr auto kL1 = Row::Level::L1, kL2 = Row::Level::L2, kDevice = Row::Level::Device;
constexpr auto kLoad = Row::Operation::Load, kStore = Row::Operation::Store, kAtomic = Row::Operation::Atomic;

}  // namespace

std::vector<Quantity> memoryRows() {
    return {
        {"load_requests", english("requests of loads to L1"), NumberOf(inTable<kL1, kLoad, What::Requests>),
         warpsClue},
        {"load_sectors", english("sectors of loads at L1"), NumberOf(inTable<kL1, kLoad, What::Sectors>)},
        {"load_hits", english("sectors of loads that are found in L1"),
         NumberOf(inTable<kL1, kLoad, What::Hits>)},
        {"store_requests", english("requests of stores to L1"),
         NumberOf(inTable<kL1, kStore, What::Requests>), warpsClue},
        {"store_sectors", english("sectors of stores at L1"), NumberOf(inTable<kL1, kStore, What::Sectors>)},
        {"l2_load_sectors", english("sectors of loads at L2"), NumberOf(inTable<kL2, kLoad, What::Sectors>)},
        {"l2_load_hits", english("sectors of loads that are found in L2"),
         NumberOf(inTable<kL2, kLoad, What::Hits>)},
        {"l2_store_sectors", english("sectors of stores at L2"),
         NumberOf(inTable<kL2, kStore, What::Sectors>)},
        {"device_load_sectors", english("sectors that device memory delivers"),
         NumberOf(inTable<kDevice, kLoad, What::Sectors>)},
        {"device_store_sectors", english("sectors that reach device memory before the kernel ends"),
         NumberOf(inTable<kDevice, kStore, What::Sectors>)},
        {"atomic_requests", english("requests of atomics to global memory"),
         NumberOf(inTable<kL1, kAtomic, What::Requests>), warpsClue},
        {"atomic_sectors", english("sectors of atomics that go to L2"),
         NumberOf(inTable<kL1, kAtomic, What::Sectors>)},
        {"result_sum", english("sum of all elements of the result"), NumberOf(sumOfResult), findingClue},
    };
}

}  // namespace lockstep::lessons
